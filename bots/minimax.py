"""Minimax: the whole tree to a depth, or to its end.

Source: C. Shannon, Programming a Computer for Playing Chess (1950), his type A strategy.
"""

from dataclasses import dataclass
from math import inf
from typing import Unpack

from bots.support.search import DepthSearch, SearchRequest, SearchResult
from bots.support.search_bot import DepthBot
from games.support.game import CHANCE, Move, State


def search(state: State, **asked: Unpack[SearchRequest]) -> SearchResult:
    """Return the value of `state` for the seat to move and its first best move.

    Seats of the other sides minimise, in any seat order; chance nodes have their expected value.
    """
    return _Minimax(state, **asked).result()


class _Minimax(DepthSearch):
    def run(self) -> None:
        self.fallback = self.first[0]
        self.inner_value(self.root, self.limit)

    def inner_value(self, state: State, depth: int) -> float:
        """Return the value of an unfinished position, `depth` plies above the horizon."""
        if state.to_move == CHANCE:
            return self.expectation(state, depth)
        is_root = depth == self.limit
        is_mine = self.mine[state.to_move]
        best = -inf if is_mine else inf
        for move in self.first if is_root else state.legal_moves():
            self.lines[depth - 1] = ()
            value = self.child_value(state, move, depth - 1)
            if value > best if is_mine else value < best:
                best = value
                self.lines[depth] = (move, *self.lines[depth - 1])
                if is_root:
                    self.value = best
        return best

    def expectation(self, state: State, depth: int) -> float:
        """Return the expected value of a chance node, which proves nothing and has no best line."""
        total: float = 0
        for move, probability in state.chance():
            total += probability * self.child_value(state, move, depth - 1)
        self.is_solved = False
        return total

    def child_value(self, state: State, move: Move, depth: int) -> float:
        if self.nodes >= self.look:
            self.look = self.budget.next_look(self.nodes)
        child = state.play(move)
        self.nodes += 1
        outcome = child.outcome()
        if outcome is not None:
            return outcome[self.seat] * self.scale
        if depth > 0:
            return self.inner_value(child, depth)
        self.is_solved = False
        return self.estimate(child, self.seat) if self.estimate else 0


@dataclass
class Minimax(DepthBot):
    """Searches every line to the same depth."""

    def find(self, state: State, asked: SearchRequest) -> SearchResult:
        """Search all lines."""
        return search(state, **asked)


BOT = Minimax
