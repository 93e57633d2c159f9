"""CFR+: plays a small game with secrets by a table that comes close to an equilibrium."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from bots.support.bot import Bot, Clock, Report, told_shares
from bots.support.extensive_form import CfrPlus, GameTree, Policy
from games.support.errors import GameError
from games.support.game import Game, Move, State
from games.support.options import option

NODES_MAX = 10_000
"""The most positions of a game of which a table is made: it must be ready when the match begins."""


@dataclass
class Cfr(Bot):
    """Draws each move by the average policy of CFR+, which it computes before the first match."""

    iterations: int = option(200, help="passes over the whole game", low=1, high=100_000)
    _source: random.Random = field(
        default_factory=lambda: random.Random(0), init=False, repr=False, compare=False
    )

    @classmethod
    def refusal(cls, game: Game) -> str:
        """Refuse games that are too large for a table."""
        try:
            grown(game)
        except GameError as error:
            return str(error)
        return ""

    def new_match(self, game: Game, seat: int, seed: int) -> None:
        """Compute the table unless it is known; raise `GameError` for a game that is too large."""
        self._source = random.Random(seed)
        self._tree, self._policy = solved(game, self.iterations)

    def policy(self, state: State) -> Sequence[float]:
        """Return what the table says."""
        return self._policy[self._tree.places[state.key()]]

    def choose(self, state: State, clock: Clock) -> Move:
        """Draw a move by the table."""
        moves, shares = state.legal_moves(), self.policy(state)
        move = self._source.choices(moves, shares)[0]
        self.report = Report(pv=(move,), text=told_shares(state, shares))
        return move


@lru_cache(maxsize=4)
def grown(game: Game) -> GameTree:
    """Return the tree of a game; raise `GameError` if it is too large."""
    return GameTree(game, NODES_MAX)


@lru_cache(maxsize=4)
def solved(game: Game, iterations: int) -> tuple[GameTree, Policy]:
    """Return a game's tree and the average policy after so many passes; raise `GameError`."""
    tree = grown(game)
    found = CfrPlus(tree)
    found.improve(iterations)
    return tree, found.policy()


BOT = Cfr
