"""Monte Carlo tree search, ours and OpenSpiel's: one random playout to the end a simulation.

Everybody begins an empty tree at the first position, proves what it can, and explores alike:
`EXPLORATION` is for utilities from -1 to 1, and ours for 0 to 1.
"""

import random
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from benchmarks.connectfour_contenders import OPENSPIEL
from benchmarks.contenders import Contender, Missing, Work
from benchmarks.measures import Run
from bots.compiled.kernel_loops import SIMULATE, loops_of
from bots.mcts import bot as mcts
from bots.mcts.compiled import CompiledTree, Plan
from bots.mcts.playouts import Rollout
from bots.support.bot import Clock
from games.support.game import NULL
from games.support.specs import find_game

GAMES = {"connectfour": "connect_four", "tictactoe": "tic_tac_toe", "othello": "othello"}
"""OpenSpiel's names of games by ours."""

EXPLORATION = 2 * mcts.EXPLORATION
SEED = 1
MEMORY_MB = 1_000


def ours(name: str) -> Work:
    """Prepare this project's search."""
    state = find_game(name).initial()

    def work(simulations: int) -> Run:
        source = random.Random(SEED)
        begin = time.process_time()
        found = mcts.search(state, simulations=simulations, evaluation=NULL, source=source)
        return Run(time.process_time() - begin, found.simulations, None)

    return work


def ours_compiled(name: str) -> Work:
    """Prepare this project's compiled search, and compile it."""
    state = find_game(name).initial()
    kernel = state.game.kernel()
    if kernel is None:
        raise Missing("numba is not installed")
    loops = loops_of(kernel)
    loops.loop(SIMULATE)

    def work(simulations: int) -> Run:
        begin = time.process_time()
        tree = CompiledTree(loops, state, NULL, has_solver=True)
        plan = Plan(simulations, mcts.EXPLORATION, Rollout(), mcts.NODES_MAX)
        found = tree.grow(plan, random.Random(SEED), Clock())
        return Run(time.process_time() - begin, found.simulations, None)

    return work


def openspiel(name: str, make_bot: Callable[[Any, int], Any]) -> Work:
    """Prepare one of OpenSpiel's bots, made for a game and a number of simulations."""
    import pyspiel  # noqa: PLC0415 (an extra)

    game = pyspiel.load_game(GAMES[name])
    make_bot(game, 1)

    def work(simulations: int) -> Run:
        bot, state = make_bot(game, simulations), game.new_initial_state()
        begin = time.process_time()
        root = bot.mcts_search(state)
        return Run(time.process_time() - begin, root.explore_count, None)

    return work


def compiled_bot(game: Any, simulations: int) -> Any:
    """Make OpenSpiel's bot in C++."""
    import pyspiel  # noqa: PLC0415 (an extra)

    evaluator = pyspiel.RandomRolloutEvaluator(1, SEED)
    return pyspiel.MCTSBot(
        game, evaluator, EXPLORATION, simulations, MEMORY_MB, True, SEED, False
    )  # solve, seed, verbose


def python_bot(game: Any, simulations: int) -> Any:
    """Make OpenSpiel's bot in Python, over its game in C++."""
    import numpy as np  # noqa: PLC0415 (an extra)
    from open_spiel.python.algorithms import mcts as theirs  # noqa: PLC0415 (an extra)

    source = np.random.RandomState(SEED)
    evaluator = theirs.RandomRolloutEvaluator(1, source)
    return theirs.MCTSBot(
        game, EXPLORATION, simulations, evaluator, solve=True, random_state=source
    )


OURS, COMPILED, OPENSPIEL_C = "mcts", "mcts, compiled", "OpenSpiel, C++"


def contenders(name: str) -> tuple[Contender, ...]:
    """List who plays a game."""
    return (
        Contender(OURS, "", partial(ours, name)),
        Contender(COMPILED, "pip install 'botleague[fast]'", partial(ours_compiled, name)),
        Contender(OPENSPIEL_C, OPENSPIEL, partial(openspiel, name, compiled_bot)),
        Contender("OpenSpiel, Python", OPENSPIEL, partial(openspiel, name, python_bot)),
    )
