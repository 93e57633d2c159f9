"""Alpha-beta: minimax's value without the lines that can't change it.

Source: D. Knuth and R. Moore, An Analysis of Alpha-Beta Pruning (1975); the form is fail-soft.
"""

from collections.abc import Callable, Sequence
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
    refuse_chance,
    sides_of,
)
from games.contract import Evaluation, Move, State
from games.options import option

ORDERS = ("given", "game", "evaluation")

Order = Callable[[State, Sequence[Move]], Sequence[Move]]


def search(
    state: State,
    *,
    depth: int | None,
    evaluation: Evaluation,
    order: str = "given",
    clock: Clock = FREE,
) -> Result:
    """Return the value of `state` for the seat to move, and its best move, of equals the first.

    `depth` counts plies; None searches to the end of the game, at most `DEPTH_MAX` plies. `order`
    is how moves are sorted: as the rules give them, by the game's own `order`, or by the
    evaluation of the positions they lead to. Seats of the other sides minimise, several in a row
    too. When the clock's limits end it early, the best move of those searched holds. Raises
    `ChanceError` at a chance node.
    """
    limit = depth_limit(depth, clock.depth)
    lines: list[tuple[Move, ...]] = [()] * (limit + 1)
    best = [-inf]
    value, count = _searcher(state, evaluation, _order_of(order, evaluation), clock, lines, best)
    is_complete = True
    try:
        best[0] = value(state, limit, -inf, inf)
    except Exhausted:
        is_complete = False
    pv = lines[limit] or (state.legal_moves()[0],)
    return Result(best[0], pv[0], count(), pv, depth_of(limit, pv), is_complete)


def _searcher(
    root: State,
    evaluation: Evaluation,
    order: Order | None,
    clock: Clock,
    lines: list[tuple[Move, ...]],
    root_best: list[float],
) -> tuple[Callable[[State, int, float, float], float], Callable[[], int]]:
    """Return the recursive search and a function that tells its count of nodes.

    One long closure, not a class with small methods: local names are what makes it twice as fast,
    and so is looking at a child in its parent's loop, which saves the call for every leaf.
    `lines` gets the best line by remaining depth, `root_best` the root's value so far.
    """
    seat, mine = root.to_move, sides_of(root)
    scale, estimate, budget = evaluation.scale, estimate_of(evaluation), Budget(clock)
    nodes = 1
    look: float = 0
    top = len(lines) - 1

    def value_of(state: State, depth: int, alpha: float, beta: float) -> float:
        nonlocal nodes, look
        if nodes >= look:
            look = budget.next_look(nodes)
        seat_to_move = state.to_move
        if seat_to_move < 0:
            refuse_chance(state)
        moves = state.legal_moves()
        if order is not None:
            moves = order(state, moves)
        below = depth - 1
        is_mine = mine[seat_to_move]
        best = -inf if is_mine else inf
        for move in moves:
            child = state.play(move)
            nodes += 1
            lines[below] = ()
            outcome = child.outcome()
            if outcome is not None:
                value = outcome[seat] * scale
            elif below:
                value = value_of(child, below, alpha, beta)
            else:
                value = 0 if estimate is None else estimate(child, seat)
            if is_mine:
                if value > best:
                    best = value
                    lines[depth] = (move, *lines[below])
                    if depth == top:
                        root_best[0] = best
                    if best >= beta:
                        break
                    if best > alpha:
                        alpha = best
            elif value < best:
                best = value
                lines[depth] = (move, *lines[below])
                if best <= alpha:
                    break
                if best < beta:
                    beta = best
        return best

    return value_of, lambda: nodes


def _order_of(name: str, evaluation: Evaluation) -> Order | None:
    if name == "given":
        return None
    if name == "game":
        return lambda state, moves: state.order(moves)

    def by_evaluation(state: State, moves: Sequence[Move]) -> Sequence[Move]:
        seat = state.to_move

        def worth(move: Move) -> float:
            child = state.play(move)
            outcome = child.outcome()
            if outcome is not None:
                return outcome[seat] * evaluation.scale
            return evaluation.function(child, seat)

        return sorted(moves, key=worth, reverse=True)

    return by_evaluation


@dataclass
class AlphaBeta(Bot):
    """Searches to a depth, leaving out what can't matter."""

    depth: int | None = option(4, help="plies to search; none is to the end", low=1)
    order: str = option("given", help="how moves are sorted", choices=ORDERS)
    evaluate: str = option("", help="evaluation by name; the game's first when empty")

    def choose(self, state: State, clock: Clock) -> Move:
        """Search the position."""
        evaluation = state.game.evaluation(self.evaluate)
        found = search(
            state, depth=self.depth, evaluation=evaluation, order=self.order, clock=clock
        )
        self.report = found.report(evaluation, state.game)
        return found.move


BOT = AlphaBeta
