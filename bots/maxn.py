"""Max^n: every seat takes what is best for its own side, and values are one number for each side.

Source: C. Luckhardt and K. Irani, An Algorithmic Solution of N-Person Games (1986). With two sides
whose utilities add up to nothing it is minimax. Of equal moves each seat takes the first.
"""

from dataclasses import dataclass
from math import inf

from bots.support.bot import Clock
from bots.support.search import (
    FREE,
    FoundMove,
    SearchBudget,
    SearchResult,
    Shuffle,
    completed,
    depth_limit,
    estimate_of,
    first_moves,
)
from bots.support.search_bot import DepthBot, SearchRequest
from games.support.game import CHANCE, Evaluation, Move, State
from games.support.options import option

Values = tuple[float, ...]
"""What a position is worth to each seat, in the unit of the evaluation."""


def search(
    state: State,
    *,
    depth: int | None,
    evaluation: Evaluation,
    clock: Clock = FREE,
    shuffle: Shuffle = None,
) -> SearchResult:
    """Return what `state` is worth to the seat to move when every seat looks after its own side.

    `depth` counts plies; None searches to the end of the game, at most `DEPTH_MAX` plies. Nothing
    is pruned. Chance nodes are worth their expectation, for each seat. When the clock's limits end
    it early, the best move of those searched holds.
    """
    limit = depth_limit(depth, clock.depth)
    found = FoundMove([()] * (limit + 1))
    tree = _Tree(state, evaluation, SearchBudget(clock), found, shuffle)
    is_complete = completed(lambda: tree.values(state, limit))
    return found.result(is_complete, state.legal_moves()[0])


class _Tree:
    """One search: what it counts and finds on its way."""

    def __init__(
        self,
        root: State,
        evaluation: Evaluation,
        budget: SearchBudget,
        found: FoundMove,
        shuffle: Shuffle,
    ) -> None:
        self.seats = range(root.game.seats)
        self.first = first_moves(root, None, shuffle)
        self.scale, self.estimate = evaluation.scale, estimate_of(evaluation)
        self.budget = budget
        self.found = found
        self.lines, self.top = found.lines, len(found.lines) - 1
        self.nodes = 1
        self.is_solved = True
        self.look: float = 0
        found.count = lambda: (self.nodes, self.is_solved)

    def values(self, state: State, depth: int) -> Values:
        """Return the values of a position that is not over."""
        if state.to_move == CHANCE:
            return self.mean(state, depth)
        seat, best, best_values = state.to_move, -inf, (0.0,) * len(self.seats)
        for move in self.first if depth == self.top else state.legal_moves():
            self.lines[depth - 1] = ()
            values = self.child_values(state, move, depth - 1)
            if values[seat] > best:
                best, best_values = values[seat], values
                self.lines[depth] = (move, *self.lines[depth - 1])
                if depth == self.top:
                    self.found.value = best
        return best_values

    def mean(self, state: State, depth: int) -> Values:
        """Return the expectation of a chance node for each seat."""
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
        """Make a move, count the position and return its values."""
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
