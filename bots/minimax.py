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
    plies_of,
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
        self.is_solved = True
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
        is_solved = is_complete and self.is_solved
        depth = depth_of(depth, pv) if self.lines[depth] else 0
        return Result(self.best, pv[0], self.nodes, pv, depth, is_complete, is_solved)

    def value(self, state: State, depth: int) -> float:
        """Return the value of a position that is not over, `depth` plies above the horizon."""
        if state.to_move == CHANCE:
            return self.expectation(state, depth)
        is_root = depth == len(self.lines) - 1
        is_mine = self.mine[state.to_move]
        best = -inf if is_mine else inf
        for move in state.legal_moves():
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
class Minimax(Bot):
    """Searches every line to the same depth."""

    depth: int | None = option(None, help="plies to search; none is to the end", low=1)
    rounds: int | None = option(
        None, help="rounds to search, every seat once, instead of plies", low=1
    )
    evaluate: str = option("", help="evaluation by name; the game's first when empty")

    def choose(self, state: State, clock: Clock) -> Move:
        """Search the position."""
        evaluation = state.game.evaluation(self.evaluate)
        depth = plies_of(self.depth, self.rounds, state.game)
        found = search(state, depth=depth, evaluation=evaluation, clock=clock)
        self.report = found.report(evaluation, state.game)
        return found.move


BOT = Minimax
