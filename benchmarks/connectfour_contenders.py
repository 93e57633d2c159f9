"""Alpha-beta on Connect Four: ours, the same in plain C, and other projects'.

Everybody searches the empty board of 7 by 6 to the same depth, and nobody evaluates: a position
that is not over is worth 0 at the horizon.
"""

import atexit
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.contenders import Contender, Missing, Work
from benchmarks.measures import Run
from benchmarks.search import run_alphabeta, run_iterative
from bots import iterative
from bots.compiled.kernel_loops import loops_of
from bots.compiled.search import search
from bots.compiled.window import Windows
from games.support.game import NULL
from games.support.specs import find_game

SOURCE = Path(__file__).with_name("connectfour.c")
FLAGS = ("-O3",)

COUNTED_DEPTH = 8
"""Depth in plies to which OpenSpiel's nodes are counted, in a search besides that is not timed."""

# Its own dependencies are old releases and a notebook server, none of which the search needs.
AIMA = "pip install tqdm numpy && pip install --no-deps aima3"
EASYAI = "pip install easyAI numpy"
OPENSPIEL = "pip install 'botleague[openspiel]'"


def ours_pure(search: Callable[..., Run]) -> Work:
    """Prepare one of this project's searches in Python."""
    return partial(search, find_game("connectfour").initial())


def ours_compiled() -> Work:
    """Prepare this project's compiled alpha-beta, and compile it."""
    state = find_game("connectfour").initial()
    kernel = state.game.kernel()
    if kernel is None:
        raise Missing("numba is not installed")
    loops = loops_of(kernel)

    def work(depth: int) -> Run:
        begin = time.process_time()
        found = search(state, loops=loops, depth=depth, evaluation=NULL)
        return Run(time.process_time() - begin, found.nodes, found.value)

    work(1)
    return work


def ours_deepening() -> Work:
    """Prepare this project's compiled iterative deepening; its table is cleared for each search."""
    state = find_game("connectfour").initial()
    kernel = state.game.kernel()
    if kernel is None:
        raise Missing("numba is not installed")
    windows = Windows(loops_of(kernel), iterative.TABLE_MAX)

    def work(depth: int) -> Run:
        begin = time.process_time()
        found = iterative.search(state, depth=depth, evaluation=NULL, windows=windows)
        return Run(time.process_time() - begin, found.nodes, found.value)

    work(1)
    return work


def plain_c() -> Work:
    """Compile `connectfour.c`, which times itself: to start a process is no part of a search."""
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        raise Missing("no C compiler")
    folder = tempfile.mkdtemp()
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    program = str(Path(folder) / "connectfour")
    subprocess.run([compiler, *FLAGS, "-o", program, str(SOURCE)], check=True)

    def work(depth: int) -> Run:
        told = subprocess.run(
            [program, str(depth)], check=True, capture_output=True, text=True
        ).stdout
        value, nodes, time_s = told.split()
        return Run(float(time_s), int(nodes), float(value))

    return work


def openspiel() -> Work:
    """Prepare OpenSpiel's alpha-beta in Python over its game in C++."""
    import pyspiel  # noqa: PLC0415 (an extra)
    from open_spiel.python.algorithms.minimax import alpha_beta_search  # noqa: PLC0415 (as above)

    game = pyspiel.load_game("connect_four")
    search = partial(alpha_beta_search, game, value_function=lambda state: 0)

    def work(depth: int) -> Run:
        begin = time.process_time()
        value, _ = search(maximum_depth=depth)
        time_s = time.process_time() - begin
        nodes = None
        if depth <= COUNTED_DEPTH:
            counted = Counted(game.new_initial_state(), made := [0])
            search(state=counted, maximum_depth=depth)
            nodes = made[0]
        return Run(time_s, nodes, value)

    return work


class Counted:
    """A state of OpenSpiel that counts its copies: its search makes one for each position."""

    def __init__(self, state: Any, made: list[int]) -> None:
        self._state = state
        self._made = made

    def clone(self) -> "Counted":
        """Copy the state."""
        self._made[0] += 1
        return Counted(self._state.clone(), self._made)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._state, name)


def aima() -> Work:
    """Prepare the alpha-beta of aima-python, the code of Russell and Norvig's book."""
    from aima3.games import (  # noqa: PLC0415 (only this comparison needs it)
        ConnectFour,
        alphabeta_cutoff_search,
    )

    game = ConnectFour()

    def work(depth: int) -> Run:
        nodes = 1

        def is_cut(state: Any, plies: int) -> bool:
            # Asked once for each position made; its own default is a function of this shape too.
            nonlocal nodes
            nodes += 1
            return plies == depth or bool(game.terminal_test(state))

        begin = time.process_time()
        move = alphabeta_cutoff_search(game.initial, game, cutoff_test=is_cut)
        time_s = time.process_time() - begin
        if move[0] != 1:
            raise AssertionError(f"aima3 at depth {depth}: {move}, expected the first column")
        return Run(time_s, nodes, None)

    return work


def easyai(rules: Callable[[], Any]) -> Work:
    """Prepare easyAI's Negamax; its transposition table is empty at first."""
    from easyAI import Negamax, TranspositionTable  # noqa: PLC0415 (only this comparison needs it)

    rules()

    def work(depth: int) -> Run:
        search, game = Negamax(depth, tt=TranspositionTable()), rules()
        begin = time.process_time()
        search(game)
        return Run(time.process_time() - begin, 1 + type(game).made, search.alpha)

    return work


def own_rules() -> Any:
    """Make easyAI's own Connect Four, with the one method that its table asks games to add."""
    from easyAI.games.ConnectFour import ConnectFour  # noqa: PLC0415 (as above)

    class Own(ConnectFour):  # type: ignore[misc]  # easyAI has no types
        """A NumPy board that each move copies."""

        made = 0

        def make_move(self, column: int) -> None:
            """Drop a stone."""
            Own.made += 1
            super().make_move(column)

        def ttentry(self) -> tuple[bytes, int]:
            """Return the position as a key."""
            return self.board.tobytes(), self.current_player

    return Own([None, None])


def quick_rules() -> Any:
    """Make the quickest Connect Four that easyAI can play: bitboards, moves taken back."""
    from easyAI import TwoPlayerGame  # noqa: PLC0415 (as above)

    state = find_game("connectfour").initial()

    class Quick(TwoPlayerGame):  # type: ignore[misc]  # easyAI has no types
        """A stack of this project's own positions, so that both sides use the same rules."""

        made = 0

        def __init__(self) -> None:
            self.players = [None, None]
            self.current_player = 1
            self.line = [state]

        def possible_moves(self) -> list[int]:
            """List the columns that are not full."""
            return list(self.line[-1].legal_moves())

        def make_move(self, move: int) -> None:
            """Drop a stone."""
            Quick.made += 1
            self.line.append(self.line[-1].play(move))

        def unmake_move(self, move: int) -> None:
            """Take it back."""
            self.line.pop()

        def is_over(self) -> bool:
            """Tell whether the match is over."""
            return self.line[-1].outcome() is not None

        def scoring(self) -> int:
            """Return what the position is worth to the one to move."""
            outcome = self.line[-1].outcome()
            return -100 if outcome is not None and outcome[self.current_player - 1] < 0 else 0

        def ttentry(self) -> object:
            """Return the position as a key."""
            return self.line[-1].key()

    return Quick()


ITERATIVE = "iterative"
ALPHABETA = "alphabeta"
COMPILED = "alphabeta, compiled"
DEEPENING = "iterative, compiled"
PLAIN_C = "plain C"

CONTENDERS = (
    Contender(ITERATIVE, "", partial(ours_pure, run_iterative)),
    Contender(ALPHABETA, "", partial(ours_pure, run_alphabeta), is_plain=True),
    Contender(COMPILED, "pip install 'botleague[fast]'", ours_compiled, is_plain=True),
    Contender(DEEPENING, "pip install 'botleague[fast]'", ours_deepening),
    Contender(PLAIN_C, "apt-get install gcc libc6-dev", plain_c, is_plain=True),
    Contender("OpenSpiel, Python", OPENSPIEL, openspiel, is_plain=True),
    Contender("aima-python", AIMA, aima, is_plain=True),
    Contender("easyAI, own rules", EASYAI, partial(easyai, own_rules)),
    Contender("easyAI, our rules", EASYAI, partial(easyai, quick_rules)),
)
