"""Minimax: the whole tree to a depth, or to its end.

Source: C. Shannon, Programming a Computer for Playing Chess (1950), his type A strategy.
"""

from dataclasses import dataclass
from math import inf

from bots.contract import Bot, Clock
from bots.search import (
    FREE,
    Budget,
    Exhausted,
    Result,
    depth_limit,
    depth_of,
    estimate_of,
    sides_of,
)
from games.contract import CHANCE, Evaluation, Move, State
from games.options import option


def search(
    state: State, *, depth: int | None, evaluation: Evaluation, clock: Clock = FREE
) -> Result:
    """Return the value of `state` for the seat to move, and its best move, of equals the first.

    `depth` counts plies; None searches to the end of the game, at most `DEPTH_MAX` plies. Seats of
    the other sides minimise, whatever the order of the seats; chance nodes are worth their
    expectation. When the clock's limits end it early, the best move of those searched holds.
    """
    tree = _Tree(state, evaluation, clock)
    limit = depth_limit(depth, clock.depth)
    return tree.search(state, limit)


class _Tree:
    """One search: what it counts and finds on its way."""

    def __init__(self, root: State, evaluation: Evaluation, clock: Clock) -> None:
        self.seat = root.to_move
        self.mine = sides_of(root)
        self.scale = evaluation.scale
        self.estimate = estimate_of(evaluation)
        self.budget = Budget(clock)
        self.look: float = 0
        self.nodes = 1
        # By remaining depth: the best line found there so far. The root's is the only one of its
        # depth, so that it holds the best answer also when the limits end the search.
        self.lines: list[tuple[Move, ...]] = []
        self.best = -inf

    def search(self, root: State, depth: int) -> Result:
        """Search the root and return what was found."""
        self.lines = [()] * (depth + 1)
        is_complete = True
        try:
            self.best = self.value(root, depth)
        except Exhausted:
            is_complete = False
        pv = self.lines[depth] or (root.legal_moves()[0],)
        return Result(self.best, pv[0], self.nodes, pv, depth_of(depth, pv), is_complete)

    def value(self, state: State, depth: int) -> float:
        """Return the value of a position that is not over, `depth` plies above the horizon."""
        if state.to_move == CHANCE:
            return sum(
                probability * self.child_value(state.play(move), depth - 1)
                for move, probability in state.chance()
            )
        if self.nodes >= self.look:
            self.look = self.budget.next_look(self.nodes)
        is_root = depth == len(self.lines) - 1
        is_mine = self.mine[state.to_move]
        best = -inf if is_mine else inf
        for move in state.legal_moves():
            self.lines[depth - 1] = ()
            value = self.child_value(state.play(move), depth - 1)
            if value > best if is_mine else value < best:
                best = value
                self.lines[depth] = (move, *self.lines[depth - 1])
                if is_root:
                    self.best = best
        return best

    def child_value(self, state: State, depth: int) -> float:
        """Count a position and return its value."""
        self.nodes += 1
        outcome = state.outcome()
        if outcome is not None:
            return outcome[self.seat] * self.scale
        if depth > 0:
            return self.value(state, depth)
        return self.estimate(state, self.seat) if self.estimate else 0


@dataclass
class Minimax(Bot):
    """Searches every line to the same depth."""

    depth: int | None = option(None, help="plies to search; none is to the end", low=1)
    evaluate: str = option("", help="evaluation by name; the game's first when empty")

    def choose(self, state: State, clock: Clock) -> Move:
        """Search the position."""
        evaluation = state.game.evaluation(self.evaluate)
        found = search(state, depth=self.depth, evaluation=evaluation, clock=clock)
        self.report = found.report(evaluation, state.game)
        return found.move


BOT = Minimax
