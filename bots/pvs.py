"""Principal variation search: after the first move, only test whether others are better.

Sources: T. Marsland and M. Campbell, Parallel Search of Strongly Ordered Game Trees (1982); A.
Reinefeld (1983), who called it NegaScout.
"""

from dataclasses import dataclass
from math import inf, nextafter
from typing import Unpack

from bots.compiled.fast_bot import FastBot
from bots.compiled.window import Windows
from bots.support.search import ORDERS, DepthSearch, SearchRequest, SearchResult, signs_of
from games.support.game import State
from games.support.options import option


def search(
    state: State,
    *,
    order: str = "game",
    windows: Windows | None = None,
    **asked: Unpack[SearchRequest],
) -> SearchResult:
    """Return the value of `state` for the seat to move and its first best move.

    A move that beats the first in a null window is searched again in the full one, and its nodes
    count again. See `bots.alphabeta` for `order`. With `windows` it searches compiled.
    """
    if windows:
        return _Compiled(state, windows, order=order, **asked).result()
    return _Pvs(state, order=order, **asked).result()


class _Pvs(DepthSearch):
    """One search; values are for the side to move (the root's at chance nodes)."""

    def run(self) -> None:
        """Search in one closure: local names make it fast."""
        seat, signs, scale, estimate = self.seat, signs_of(self.root), self.scale, self.estimate
        budget, order, first = self.budget, self.order, self.first
        lines, top = self.lines, self.limit
        nodes, is_solved = self.nodes, self.is_solved
        look: float = 0

        def leaf_of(state: State, depth: int) -> float | None:
            """Count a position; return its value for the root's side if it is a leaf."""
            nonlocal nodes, is_solved
            nodes += 1
            outcome = state.outcome()
            if outcome is not None:
                return outcome[seat] * scale
            if depth > 0:
                return None
            is_solved = False
            return 0 if estimate is None else estimate(state, seat)

        def value_of(state: State, depth: int, alpha: float, beta: float) -> float:
            nonlocal look
            to_move = state.to_move
            if to_move < 0:
                return mean_of(state, depth)
            if depth == top:
                moves = first
            else:
                moves = state.legal_moves()
                if order is not None:
                    moves = order(state, moves)
            below, sign = depth - 1, signs[to_move]
            best, limit = -inf, beta
            for move in moves:
                if nodes >= look:
                    look = budget.next_look(nodes)
                child = state.play(move)
                leaf = leaf_of(child, below)
                if leaf is not None:
                    value = leaf * sign
                elif signs[child.to_move] == sign:
                    value = value_of(child, below, alpha, limit)
                    if alpha < value < beta and limit < beta:
                        value = value_of(child, below, alpha, beta)
                else:
                    value = -value_of(child, below, -limit, -alpha)
                    if alpha < value < beta and limit < beta:
                        value = -value_of(child, below, -beta, -alpha)
                if value > best:
                    best = value
                    if value >= beta:
                        return value
                    if value > alpha:
                        alpha = value
                        lines[depth] = (move,) if leaf is not None else (move, *lines[below])
                        if depth == top:
                            self.value = value
                limit = nextafter(alpha, inf) if alpha > -inf else beta
            return best

        def mean_of(state: State, depth: int) -> float:
            nonlocal look, is_solved
            total: float = 0
            for move, probability in state.chance():
                if nodes >= look:
                    look = budget.next_look(nodes)
                child = state.play(move)
                value = leaf_of(child, depth - 1)
                if value is None:
                    value = value_of(child, depth - 1, -inf, inf) * signs[child.to_move]
                total += probability * value
            is_solved = False
            lines[depth] = ()
            return total

        try:
            value_of(self.root, top, -inf, inf)
        finally:
            self.nodes, self.is_solved = nodes, is_solved


class _Compiled(DepthSearch):
    """The same search by compiled code, in the order given or the game's own."""

    def __init__(
        self, root: State, windows: Windows, *, order: str, **asked: Unpack[SearchRequest]
    ) -> None:
        super().__init__(root, order=order, **asked)
        self.window = windows.begin(
            root,
            limit=self.limit,
            evaluation=self.evaluation,
            clock=self.clock,
            is_ordered=order == "game",
            learns=False,
            has_table=False,
        )

    def run(self) -> None:
        window = self.window
        try:
            window.ask(self.limit, -inf, inf, drawn=self.first if self.shuffle else None)
        finally:
            self.nodes, self.value = window.nodes, window.value
            self.lines[self.limit], self.is_solved = window.line, window.horizon == 0


@dataclass
class Pvs(FastBot):
    """Searches the first move of each position fully, and of the others whether they are better."""

    order: str = option("game", help="how moves are sorted", choices=ORDERS)
    depth: int | None = option(4, help="plies to search; none is to the end", low=1)

    @property
    def can_be_fast(self) -> bool:
        """Whether moves are in an order that kernels know."""
        return self.order != "evaluation"

    def find(self, state: State, asked: SearchRequest) -> SearchResult:
        """Search by the principal variation."""
        return search(state, **asked, order=self.order, windows=self.windows_for(state))


BOT = Pvs
