"""Max^n: every seat maximises its own side's value; values are vectors with an entry per seat.

Source: C. Luckhardt and K. Irani, An Algorithmic Solution of N-Person Games (1986). It is minimax
in zero-sum games of two sides. Of equal moves each seat takes the first.
"""

from dataclasses import dataclass
from math import inf
from typing import Unpack

from bots.support.search import DepthSearch, SearchRequest, SearchResult
from bots.support.search_bot import DepthBot
from games.support.game import CHANCE, Move, State
from games.support.options import option

Values = tuple[float, ...]
"""A position's value to each seat, in evaluation units."""


def search(state: State, **asked: Unpack[SearchRequest]) -> SearchResult:
    """Return the value of `state` to the seat to move if every seat maximises its own side's.

    Nothing is pruned. Chance nodes have each seat's expected value.
    """
    return _MaxN(state, **asked).result()


class _MaxN(DepthSearch):
    def __init__(self, root: State, **asked: Unpack[SearchRequest]) -> None:
        super().__init__(root, **asked)
        self.seats = range(root.game.seats)

    def run(self) -> None:
        self.values(self.root, self.limit)

    def values(self, state: State, depth: int) -> Values:
        """Return the values of an unfinished position."""
        if state.to_move == CHANCE:
            return self.mean(state, depth)
        seat, best, best_values = state.to_move, -inf, (0.0,) * len(self.seats)
        for move in self.first if depth == self.limit else state.legal_moves():
            self.lines[depth - 1] = ()
            values = self.child_values(state, move, depth - 1)
            if values[seat] > best:
                best, best_values = values[seat], values
                self.lines[depth] = (move, *self.lines[depth - 1])
                if depth == self.limit:
                    self.value = best
        return best_values

    def mean(self, state: State, depth: int) -> Values:
        totals = [0.0] * len(self.seats)
        for move, probability in state.chance():
            values = self.child_values(state, move, depth - 1)
            totals = [
                total + probability * value for total, value in zip(totals, values, strict=True)
            ]
        self.is_solved = False
        self.lines[depth] = ()
        return tuple(totals)

    def child_values(self, state: State, move: Move, depth: int) -> Values:
        if self.nodes >= self.look:
            self.look = self.budget.next_look(self.nodes)
        child = state.play(move)
        self.nodes += 1
        outcome = child.outcome()
        if outcome is not None:
            return tuple(utility * self.scale for utility in outcome)
        if depth > 0:
            return self.values(child, depth)
        self.is_solved = False
        estimate = self.estimate
        return tuple(estimate(child, seat) if estimate else 0.0 for seat in self.seats)


@dataclass
class MaxN(DepthBot):
    """Lets every seat take what is best for its own side."""

    depth: int | None = option(3, help="plies to search; none is to the end", low=1)

    def find(self, state: State, asked: SearchRequest) -> SearchResult:
        """Search for every seat."""
        return search(state, **asked)


BOT = MaxN
