"""Quiescence: alpha-beta that continues past the horizon with noisy moves.

An estimate in the middle of an exchange is worth little. Past the depth limit only noisy moves
(`State.noisy_moves`, such as captures) are searched, and the mover may also stand pat: take the
estimate as it is. Sources: L. Harris, The Heuristic Search and the Game of Chess (1975); D. Slate
and L. Atkin, CHESS 4.5 (1977).
"""

from dataclasses import dataclass
from math import inf
from typing import Unpack

from bots.support.search import ORDERS, DepthSearch, SearchRequest, SearchResult, signs_of
from bots.support.search_bot import OrderedBot
from games.support.game import Move, State
from games.support.options import option

NOISY_PLIES = 6


def search(
    state: State,
    *,
    order: str = "game",
    noisy_plies: int = NOISY_PLIES,
    **asked: Unpack[SearchRequest],
) -> SearchResult:
    """Return the value of `state` for the seat to move and its first best move.

    At most `noisy_plies` of noisy moves follow the `depth`; with 0 it is alpha-beta. Chance nodes
    past the horizon are estimated. See `bots.alphabeta` for `order`.
    """
    return _Quiescence(state, order=order, noisy_plies=noisy_plies, **asked).result()


class _Quiescence(DepthSearch):
    """One search; values are for the side to move (the root's at chance nodes)."""

    def __init__(
        self, root: State, *, order: str, noisy_plies: int, **asked: Unpack[SearchRequest]
    ) -> None:
        super().__init__(root, order=order, **asked)
        self.noisy_plies = noisy_plies

    def run(self) -> None:
        """Search in one closure: local names make it fast."""
        seat, signs, scale, estimate = self.seat, signs_of(self.root), self.scale, self.estimate
        budget, order, first = self.budget, self.order, self.first
        lines, top, noisy_plies = self.lines, self.limit, self.noisy_plies
        nodes, is_solved = self.nodes, self.is_solved
        look: float = 0

        def value_of(state: State, depth: int, alpha: float, beta: float) -> float:
            """Return the value of a position before the horizon."""
            if state.to_move < 0:
                return mean_of(state, depth)
            if depth == top:
                moves = first
            else:
                moves = state.legal_moves()
                if order is not None:
                    moves = order(state, moves)
            best = -inf
            for move in moves:
                value, is_last = child_value(state, move, depth, alpha, beta)
                if value > best:
                    best = value
                    if value >= beta:
                        return value
                    if value > alpha:
                        alpha = value
                        lines[depth] = (move,) if is_last else (move, *lines[depth - 1])
                        if depth == top:
                            self.value = value
            return best

        def quiet_value(state: State, depth: int, alpha: float, beta: float) -> float:
            """Return the value past the horizon: the estimate, or better by noisy moves."""
            nonlocal is_solved
            is_solved = False
            to_move = state.to_move
            stand: float = 0 if estimate is None else estimate(state, seat) * signs[to_move]
            if stand >= beta or to_move < 0 or depth <= -noisy_plies:
                return stand
            best, alpha = stand, max(alpha, stand)
            moves = state.noisy_moves()
            if moves and order is not None:
                moves = order(state, moves)
            for move in moves:
                value, _ = child_value(state, move, depth, alpha, beta)
                if value > best:
                    best = value
                    if value >= beta:
                        return value
                    alpha = max(alpha, value)
            return best

        def child_value(
            state: State, move: Move, depth: int, alpha: float, beta: float
        ) -> tuple[float, bool]:
            """Return a child's value for the parent's side, and whether it ends every line."""
            nonlocal nodes, look
            if nodes >= look:
                look = budget.next_look(nodes)
            child = state.play(move)
            nodes += 1
            sign = signs[state.to_move]
            outcome = child.outcome()
            if outcome is not None:
                return outcome[seat] * scale * sign, True
            inner = value_of if depth > 1 else quiet_value
            if signs[child.to_move] == sign:
                return inner(child, depth - 1, alpha, beta), depth <= 1
            return -inner(child, depth - 1, -beta, -alpha), depth <= 1

        def mean_of(state: State, depth: int) -> float:
            nonlocal is_solved
            total: float = 0
            for move, probability in state.chance():
                total += probability * child_value(state, move, depth, -inf, inf)[0]
            is_solved = False
            lines[depth] = ()
            return total

        try:
            value_of(self.root, top, -inf, inf)
        finally:
            self.nodes, self.is_solved = nodes, is_solved


@dataclass
class Quiescence(OrderedBot):
    """Alpha-beta that follows captures and the like past its depth."""

    depth: int | None = option(3, help="plies to search; none is to the end", low=1)
    order: str = option("game", help="how moves are sorted", choices=ORDERS)
    noisy_plies: int = option(
        NOISY_PLIES, help="plies of noisy moves past the depth at the most", low=0, high=100
    )

    def find(self, state: State, asked: SearchRequest) -> SearchResult:
        """Search past the horizon."""
        return search(state, **asked, order=self.order, noisy_plies=self.noisy_plies)


BOT = Quiescence
