"""Expectiminimax: alpha-beta that also prunes at chance nodes, by bounds on their outcomes.

Sources: D. Michie, Game-Playing and Game-Learning Automata (1966); B. Ballard, The *-Minimax Search
Procedure for Trees Containing Chance Nodes (1983), for the Star1 bounds.
"""

from dataclasses import dataclass
from math import inf
from typing import Unpack

from bots.support.search import DepthSearch, SearchRequest, SearchResult
from bots.support.search_bot import OrderedBot
from games.support.game import CHANCE, Move, State
from games.support.options import option

_SLACK = 1e-9
"""The extra width of windows as a share of the span of values: sums of fractions are inexact, and a
rounding error must not cut off a value."""


def search(
    state: State, *, order: str = "given", has_star: bool = True, **asked: Unpack[SearchRequest]
) -> SearchResult:
    """Return the value of `state` for the seat to move and its first best move.

    At a chance node the remaining outcomes lie within the game's utility bounds; once they can't
    bring the mean into the window, they are cut (unless `has_star` is false). See `bots.alphabeta`
    for `order`.
    """
    return _Expectiminimax(state, order=order, has_star=has_star, **asked).result()


class _Expectiminimax(DepthSearch):
    def __init__(
        self, root: State, *, order: str, has_star: bool, **asked: Unpack[SearchRequest]
    ) -> None:
        super().__init__(root, order=order, **asked)
        self.has_star = has_star
        low, high = root.game.utility_bounds
        self.low, self.high = low * self.scale, high * self.scale
        self.slack = _SLACK * (self.high - self.low)

    def run(self) -> None:
        self.inner_value(self.root, self.limit, -inf, inf)

    def inner_value(self, state: State, depth: int, alpha: float, beta: float) -> float:
        """Return the value for the root's side, exact within the window, else a bound."""
        if state.to_move == CHANCE:
            return self.mean(state, depth, alpha, beta)
        if depth == self.limit:
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
            if depth == self.limit:
                self.value = value
        return best

    def mean(self, state: State, depth: int, alpha: float, beta: float) -> float:
        """Return the mean of a chance node, or a bound outside the window.

        With the sum `total` of the outcomes seen and the probability `left` of the others, an
        outcome of probability p can bring the mean to alpha only if its value is at least (alpha -
        total - (left - p) * high) / p, and keep it below beta only if at most (beta - total - (left
        - p) * low) / p.
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
        if self.nodes >= self.look:
            self.look = self.budget.next_look(self.nodes)
        child = state.play(move)
        self.nodes += 1
        outcome = child.outcome()
        if outcome is not None:
            return outcome[self.seat] * self.scale
        if depth > 0:
            return self.inner_value(child, depth, alpha, beta)
        self.is_solved = False
        return self.estimate(child, self.seat) if self.estimate else 0


@dataclass
class Expectiminimax(OrderedBot):
    """Weighs luck by its probabilities, and prunes where luck can't matter any more."""

    depth: int | None = option(3, help="plies to search; none is to the end", low=1)
    star: bool = option(True, help="prune at chance nodes too (Star1)")

    def find(self, state: State, asked: SearchRequest) -> SearchResult:
        """Search with luck."""
        return search(state, **asked, order=self.order, has_star=self.star)


BOT = Expectiminimax
