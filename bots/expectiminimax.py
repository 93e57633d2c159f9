"""Expectiminimax: alpha-beta that prunes at chance nodes too, by what their luck can bring at most.

Sources: D. Michie, Game-Playing and Game-Learning Automata (1966); B. Ballard, The *-Minimax Search
Procedure for Trees Containing Chance Nodes (1983), for the bounds called Star1.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

from bots.support.bot import Clock
from bots.support.search import (
    FREE,
    FoundMove,
    Order,
    SearchBudget,
    SearchResult,
    Shuffle,
    completed,
    depth_limit,
    estimate_of,
    first_moves,
    order_of,
    sides_of,
)
from bots.support.search_bot import OrderedBot, SearchRequest
from games.support.game import CHANCE, Evaluation, Move, State
from games.support.options import option

_SLACK = 1e-9
"""How much wider than need be a window is, of the span of values: sums of fractions are not exact,
and a value must not be cut off for an error in its last digit."""


def search(
    state: State,
    *,
    depth: int | None,
    evaluation: Evaluation,
    order: str = "given",
    has_star: bool = True,
    clock: Clock = FREE,
    shuffle: Shuffle = None,
) -> SearchResult:
    """Return the value of `state` for the seat to move, and its best move, of equals the first.

    At a chance node the outcomes that are still to come are worth between the bounds of the
    game's utilities; once that can't bring the mean into the window, the rest is left out
    (`has_star` false searches them all). See `bots.alphabeta` for the other arguments.
    """
    limit = depth_limit(depth, clock.depth)
    found = FoundMove([()] * (limit + 1))
    budget = SearchBudget(clock)
    tree = _Tree(state, evaluation, budget, found, has_star)
    tree.order = order_of(order, evaluation, budget)
    tree.first = first_moves(state, tree.order, shuffle)
    is_complete = completed(lambda: tree.value(state, limit, -inf, inf))
    return found.result(is_complete, state.legal_moves()[0])


class _Tree:
    """One search: what it counts and finds on its way."""

    order: Order | None
    first: Sequence[Move]

    def __init__(
        self,
        root: State,
        evaluation: Evaluation,
        budget: SearchBudget,
        found: FoundMove,
        has_star: bool,
    ) -> None:
        self.seat, self.mine = root.to_move, sides_of(root)
        self.scale, self.estimate = evaluation.scale, estimate_of(evaluation)
        low, high = root.game.utility_bounds
        self.low, self.high = low * self.scale, high * self.scale
        self.slack = _SLACK * (self.high - self.low)
        self.has_star = has_star
        self.budget = budget
        self.found = found
        self.lines, self.top = found.lines, len(found.lines) - 1
        self.nodes = 1
        self.is_solved = True
        self.look: float = 0
        found.count = lambda: (self.nodes, self.is_solved)

    def value(self, state: State, depth: int, alpha: float, beta: float) -> float:
        """Return the value to the root's side, exact within the window, else a bound."""
        if state.to_move == CHANCE:
            return self.mean(state, depth, alpha, beta)
        if depth == self.top:
            moves = self.first
        else:
            moves = state.legal_moves()
            if self.order is not None:
                moves = self.order(state, moves)
        is_mine = self.mine[state.to_move]
        best = -inf if is_mine else inf
        for move in moves:
            self.lines[depth - 1] = ()
            value = self.child_value(state, move, depth - 1, alpha, beta)
            if value <= best if is_mine else value >= best:
                continue
            best = value
            if value >= beta if is_mine else value <= alpha:
                break
            if is_mine and value > alpha:
                alpha = value
            elif not is_mine and value < beta:
                beta = value
            else:
                continue
            self.lines[depth] = (move, *self.lines[depth - 1])
            if depth == self.top:
                self.found.value = value
        return best

    def mean(self, state: State, depth: int, alpha: float, beta: float) -> float:
        """Return the mean of a chance node, or a bound of it outside the window.

        With `total` of the outcomes seen and `left` the probability of those to come, an outcome of
        probability p can only bring the mean to alpha if it is worth at least
        (alpha - total - (left - p) * high) / p, and only keep it below beta at the most
        (beta - total - (left - p) * low) / p.
        """
        self.is_solved = False
        total, left = 0.0, 1.0
        for move, probability in state.chance():
            left = max(0.0, left - probability)
            lower, upper = -inf, inf
            if self.has_star:
                lower = (alpha - total - left * self.high) / probability - self.slack
                upper = (beta - total - left * self.low) / probability + self.slack
            value = self.child_value(state, move, depth - 1, lower, upper)
            total += probability * value
            if value <= lower:
                return total + left * self.high
            if value >= upper:
                return total + left * self.low
        self.lines[depth] = ()
        return total

    def child_value(self, state: State, move: Move, depth: int, alpha: float, beta: float) -> float:
        """Make a move, count the position and return its value."""
        if self.nodes >= self.look:
            self.look = self.budget.next_look(self.nodes)
        child = state.play(move)
        self.nodes += 1
        outcome = child.outcome()
        if outcome is not None:
            return outcome[self.seat] * self.scale
        if depth > 0:
            return self.value(child, depth, alpha, beta)
        self.is_solved = False
        return self.estimate(child, self.seat) if self.estimate else 0


@dataclass
class Expectiminimax(OrderedBot):
    """Weighs luck by its probabilities, and prunes where luck can't matter any more."""

    depth: int | None = option(3, help="plies to search; none is to the end", low=1)
    star: bool = option(True, help="prune at chance nodes too (Star1)")

    def find(self, state: State, asked: SearchRequest) -> SearchResult:
        """Search with luck."""
        return search(
            state,
            **asked,
            order=self.order,
            has_star=self.star,
        )


BOT = Expectiminimax
