"""Iterative deepening alpha-beta with a transposition table: the strong one of the family.

Sources: D. Slate and L. Atkin, CHESS 4.5 (1977), and R. Korf (1985) for deepening; T. Marsland and
M. Campbell (1982) for principal-variation search; J. Schaeffer (1989) for the history heuristic;
A. Zobrist (1970) for tables of positions.
"""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from math import inf, nextafter

from bots.contract import Bot, Clock
from bots.search import (
    FREE,
    Budget,
    Exhausted,
    Result,
    depth_limit,
    estimate_of,
    refuse_chance,
    sides_of,
    verdict,
)
from games.contract import Evaluation, Move, State
from games.options import option

TABLE_MAX = 1_000_000
"""Positions that the table holds, about 250 bytes each."""

EXACT, AT_LEAST, AT_MOST = 0, 1, 2

Entry = tuple[int, bool, int, float, Move]
"""Depth searched, whether no line of it reached the horizon, kind of bound, value, best move.

The value is from the view of the side to move there.
"""


def search(
    state: State,
    *,
    depth: int | None,
    evaluation: Evaluation,
    clock: Clock = FREE,
    table_max: int = TABLE_MAX,
) -> Result:
    """Search one ply deeper again and again, until a limit, a proof, or the end of the game.

    Returns the result of the last depth completed, or of the one begun where that had found a
    better move. At every completed depth the value is minimax's. It stops as soon as a win or loss
    is proven, so that it wins by the shortest way; in a loss it keeps the move of the last depth
    that saw hope. Raises `ChanceError` at a chance node.
    """
    moves = state.legal_moves()
    deepest = depth_limit(depth, clock.depth)
    found = Result(0, moves[0], 1, (moves[0],), 0)
    tree = _Tree(state, evaluation, Budget(clock), table_max)
    for limit in range(1, deepest + 1):
        found = tree.deepen(state, limit, found)
        is_decided = verdict(found.value, evaluation, state.game) != ""
        if not found.is_complete or is_decided or tree.horizon == 0:
            break
    return found


class _Tree:
    """What is kept from one depth to the next."""

    def __init__(self, root: State, evaluation: Evaluation, budget: Budget, table_max: int) -> None:
        self.evaluation = evaluation
        self.table: dict[Hashable, Entry] = {}
        self.table_max = table_max
        self.history: list[dict[Move, int]] = [{} for _ in range(root.game.seats)]
        # 1 for seats that win with the root's seat, -1 for those against it.
        self.signs = tuple(1 if mine else -1 for mine in sides_of(root))
        self.seat = root.to_move
        self.budget = budget
        self.nodes = 1
        self.horizon = 0
        self.lines: list[tuple[Move, ...]] = []
        self.root_value = -inf

    def deepen(self, root: State, limit: int, before: Result) -> Result:
        """Search to `limit` plies and return what holds now, given what held `before`."""
        self.horizon = 0
        self.lines = [()] * (limit + 1)
        self.root_value = -inf
        is_complete = True
        try:
            self.root_value = self._searcher()(root, limit, -inf, inf)
        except Exhausted:
            is_complete = False
        pv = self.lines[limit]
        is_lost = verdict(self.root_value, self.evaluation, root.game) == "lost"
        if not pv or (is_lost and not is_complete):
            # A partial depth tells nothing yet, or only that its first move loses.
            return replace(before, nodes=self.nodes, is_complete=False)
        if is_lost and before.depth:
            # Every move loses: the last depth's best is the one that loses latest.
            return replace(before, value=self.root_value, nodes=self.nodes, depth=limit)
        return Result(self.root_value, pv[0], self.nodes, pv, limit, is_complete)

    def _searcher(self) -> Callable[[State, int, float, float], float]:
        """Return the recursive search; a closure, because local names are what makes it fast."""
        table, history, signs, lines = self.table, self.history, self.signs, self.lines
        seat, scale, budget = self.seat, self.evaluation.scale, self.budget
        estimate = estimate_of(self.evaluation)
        table_max, top = self.table_max, len(lines) - 1
        look: float = 0

        def value_of(state: State, depth: int, alpha: float, beta: float) -> float:
            """Return the value for the side to move: exact within the window, else a bound."""
            nonlocal look
            if self.nodes >= look:
                look = budget.next_look(self.nodes)
            to_move = state.to_move
            if to_move < 0:
                refuse_chance(state)
            key = state.key()
            entry = table.get(key)
            hash_move = None
            if entry is not None:
                stored_depth, is_closed, kind, value, hash_move = entry
                # The same depth gives minimax's value at this depth. A shallower search that
                # never met its horizon is a proof, and holds at any greater depth; a deeper one
                # may have seen what a search of this depth must not know.
                if (
                    (stored_depth == depth or (is_closed and stored_depth < depth))
                    and (
                        kind == EXACT
                        or (kind == AT_LEAST and value >= beta)
                        or (kind == AT_MOST and value <= alpha)
                    )
                    and depth != top
                ):
                    if not is_closed:
                        self.horizon += 1
                    lines[depth] = (hash_move,)
                    return value
            moves = state.order(state.legal_moves())
            if depth > 1:
                worth = history[to_move]
                if worth:
                    moves = sorted(moves, key=lambda move: -worth.get(move, 0))
            if hash_move is not None and moves[0] != hash_move:
                moves = [hash_move, *(move for move in moves if move != hash_move)]
            horizon = self.horizon
            below = depth - 1
            sign = signs[to_move]
            best, best_move, floor = -inf, None, alpha
            for move in moves:
                child = state.play(move)
                self.nodes += 1
                lines[below] = ()
                outcome = child.outcome()
                if outcome is not None:
                    value = outcome[seat] * scale * sign
                elif below == 0:
                    self.horizon += 1
                    value = 0 if estimate is None else estimate(child, seat) * sign
                else:
                    is_turn = signs[child.to_move] != sign
                    if best_move is None or nextafter(alpha, inf) >= beta:
                        value = (
                            -value_of(child, below, -beta, -alpha)
                            if is_turn
                            else value_of(child, below, alpha, beta)
                        )
                    else:
                        # A window without room asks only whether the move is better at all.
                        limit = nextafter(alpha, inf)
                        value = (
                            -value_of(child, below, -limit, -alpha)
                            if is_turn
                            else value_of(child, below, alpha, limit)
                        )
                        if alpha < value < beta:
                            value = (
                                -value_of(child, below, -beta, -alpha)
                                if is_turn
                                else value_of(child, below, alpha, beta)
                            )
                if value > best:
                    best, best_move = value, move
                    lines[depth] = (move, *lines[below])
                    if depth == top:
                        self.root_value = best
                    if best > alpha:
                        alpha = best
                        if alpha >= beta:
                            worth = history[to_move]
                            worth[move] = worth.get(move, 0) + depth * depth
                            break
            kind = AT_MOST if best <= floor else AT_LEAST if best >= beta else EXACT
            if len(table) < table_max or entry is not None:
                table[key] = (depth, self.horizon == horizon, kind, best, best_move)
            return best

        return value_of


@dataclass
class Iterative(Bot):
    """Deepens ply by ply until its time is up, and remembers positions."""

    depth: int | None = option(None, help="plies to search at the most; none is no limit", low=1)
    evaluate: str = option("", help="evaluation by name; the game's first when empty")
    table: int = option(TABLE_MAX, help="positions that the table holds", low=0)

    def choose(self, state: State, clock: Clock) -> Move:
        """Search the position; a move without a choice is answered at once.

        The table starts empty each time, so that a single move can be played again alone.
        """
        moves = state.legal_moves()
        if len(moves) == 1:
            self.report = None
            return moves[0]
        evaluation = state.game.evaluation(self.evaluate)
        found = search(
            state, depth=self.depth, evaluation=evaluation, clock=clock, table_max=self.table
        )
        self.report = found.report(evaluation, state.game)
        return found.move


BOT = Iterative
