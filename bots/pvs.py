"""Principal variation search: after the first move, ask of each only whether it is better.

Sources: T. Marsland and M. Campbell, Parallel Search of Strongly Ordered Game Trees (1982); A.
Reinefeld (1983), who called it NegaScout.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import inf, nextafter

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
    signs_of,
)
from bots.support.search_bot import OrderedBot, SearchRequest
from games.support.game import Evaluation, State
from games.support.options import option


def search(
    state: State,
    *,
    depth: int | None,
    evaluation: Evaluation,
    order: str = "game",
    clock: Clock = FREE,
    shuffle: Shuffle = None,
) -> SearchResult:
    """Return the value of `state` for the seat to move, and its best move, of equals the first.

    A move that proves better than the first in a window without room is searched again in the
    whole one, and its nodes are counted again. See `bots.alphabeta` for the arguments.
    """
    limit = depth_limit(depth, clock.depth)
    found = FoundMove([()] * (limit + 1))
    budget = SearchBudget(clock)
    sort = order_of(order, evaluation, budget)
    value_of = _searcher(state, evaluation, sort, shuffle, budget, found)
    is_complete = completed(lambda: value_of(state, limit, -inf, inf))
    return found.result(is_complete, state.legal_moves()[0])


def _searcher(
    root: State,
    evaluation: Evaluation,
    order: Order | None,
    shuffle: Shuffle,
    budget: SearchBudget,
    found: FoundMove,
) -> Callable[[State, int, float, float], float]:
    """Return the recursive search; values are seen from the side to move (from the root at luck's).

    One closure, because local names are what makes it fast.
    """
    seat, signs = root.to_move, signs_of(root)
    scale, estimate = evaluation.scale, estimate_of(evaluation)
    lines, top = found.lines, len(found.lines) - 1
    nodes, is_solved = 1, True
    look: float = 0

    def leaf_of(state: State, depth: int) -> float | None:
        """Count a position; return its worth to the root's side if nothing is searched below it."""
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
            moves = first_moves(state, order, shuffle)
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
                        found.value = value
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

    found.count = lambda: (nodes, is_solved)
    return value_of


@dataclass
class Pvs(OrderedBot):
    """Searches the first move of each position fully, and of the others whether they are better."""

    order: str = option(
        "game", help="how moves are sorted", choices=("given", "game", "evaluation")
    )
    depth: int | None = option(4, help="plies to search; none is to the end", low=1)

    def find(self, state: State, asked: SearchRequest) -> SearchResult:
        """Search by the principal variation."""
        return search(
            state,
            **asked,
            order=self.order,
        )


BOT = Pvs
