"""Minimax: the whole tree to a depth, or to its end.

Source: C. Shannon, Programming a Computer for Playing Chess (1950), his type A strategy.
"""

from dataclasses import dataclass
from math import inf

from bots.support.bot import Clock
from bots.support.search import (
    FREE,
    Exhausted,
    SearchBudget,
    SearchResult,
    Shuffle,
    depth_limit,
    depth_of,
    estimate_of,
    first_moves,
    sides_of,
)
from bots.support.search_bot import DepthBot, SearchRequest
from games.support.game import CHANCE, Evaluation, Move, State


def search(
    state: State,
    *,
    depth: int | None,
    evaluation: Evaluation,
    clock: Clock = FREE,
    shuffle: Shuffle = None,
) -> SearchResult:
    """Return the value of `state` for the seat to move, and its best move, of equals the first.

    `depth` counts plies; None searches to the end of the game, at most `DEPTH_MAX` plies. Seats of
    the other sides minimise, whatever the order of the seats; chance nodes are worth their
    expectation. When the clock's limits end it early, the best move of those searched holds.
    """
    tree = _Tree(state, evaluation, clock, shuffle)
    limit = depth_limit(depth, clock.depth)
    return tree.search(state, limit)


class _Tree:
    """One search: what it counts and finds on its way."""

    def __init__(self, root: State, evaluation: Evaluation, clock: Clock, shuffle: Shuffle) -> None:
        self.first = first_moves(root, None, shuffle)
        self.seat = root.to_move
        self.mine = sides_of(root)
        self.scale = evaluation.scale
        self.estimate = estimate_of(evaluation)
        self.budget = SearchBudget(clock)
        self.look: float = 0
        self.nodes = 1
        self.is_solved = True
        # By remaining depth: the best line found there so far. The root's is the only one of its
        # depth, so that it holds the best answer also when the limits end the search.
        self.lines: list[tuple[Move, ...]] = []
        self.best = -inf

    def search(self, root: State, depth: int) -> SearchResult:
        """Search the root and return what was found."""
        self.lines = [()] * (depth + 1)
        is_complete = True
        try:
            self.best = self.value(root, depth)
        except Exhausted:
            is_complete = False
        pv = self.lines[depth] or (self.first[0],)
        is_solved = is_complete and self.is_solved
        depth = depth_of(depth, pv) if self.lines[depth] else 0
        return SearchResult(
            value=self.best,
            move=pv[0],
            nodes=self.nodes,
            pv=pv,
            depth=depth,
            is_complete=is_complete,
            is_solved=is_solved,
        )

    def value(self, state: State, depth: int) -> float:
        """Return the value of a position that is not over, `depth` plies above the horizon."""
        if state.to_move == CHANCE:
            return self.expectation(state, depth)
        is_root = depth == len(self.lines) - 1
        is_mine = self.mine[state.to_move]
        best = -inf if is_mine else inf
        for move in self.first if is_root else state.legal_moves():
            self.lines[depth - 1] = ()
            value = self.child_value(state, move, depth - 1)
            if value > best if is_mine else value < best:
                best = value
                self.lines[depth] = (move, *self.lines[depth - 1])
                if is_root:
                    self.best = best
        return best

    def expectation(self, state: State, depth: int) -> float:
        """Return the mean value of a chance node; its average proves nothing, nor does its line."""
        total: float = 0
        for move, probability in state.chance():
            total += probability * self.child_value(state, move, depth - 1)
        self.is_solved = False
        return total

    def child_value(self, state: State, move: Move, depth: int) -> float:
        """Make a move, count the position and return its value."""
        if self.nodes >= self.look:
            self.look = self.budget.next_look(self.nodes)
        child = state.play(move)
        self.nodes += 1
        outcome = child.outcome()
        if outcome is not None:
            return outcome[self.seat] * self.scale
        if depth > 0:
            return self.value(child, depth)
        self.is_solved = False
        return self.estimate(child, self.seat) if self.estimate else 0


@dataclass
class Minimax(DepthBot):
    """Searches every line to the same depth."""

    def find(self, state: State, asked: SearchRequest) -> SearchResult:
        """Search all lines."""
        return search(state, **asked)


BOT = Minimax
