"""Iterative deepening alpha-beta with a transposition table: the strongest of the family.

Sources: D. Slate and L. Atkin, CHESS 4.5 (1977), and R. Korf (1985) for deepening; T. Marsland and
M. Campbell (1982) for principal variation search; J. Schaeffer (1989) for the history heuristic.
"""

import time
from collections import defaultdict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field, replace
from math import inf, nextafter
from typing import Any, Unpack

from bots.compiled.fast_bot import FastBot
from bots.compiled.window import Windows
from bots.support.bot import Clock, Report
from bots.support.extras import (
    LATE_DEPTH,
    LATE_MOVES,
    MIRROR_DEPTH,
    NULL_DEPTH,
    NULL_REDUCTION,
    PLAIN,
    Extras,
)
from bots.support.search import (
    Exhausted,
    SearchRequest,
    SearchResult,
    TreeSearch,
    first_moves,
    signs_of,
    verdict,
)
from bots.support.transposition_table import AT_LEAST, AT_MOST, EXACT, SHARDS, TranspositionTable
from games.support.game import Move, State
from games.support.options import option

TABLE_MAX = 1_000_000
"""The table's capacity in positions of about 250 bytes."""

CLEAR_SHARE = 0.05
"""The share of a move's time for freeing the last table's memory."""

_Search = Callable[[State, int, float, float], float]
"""Maps a position, its remaining depth, alpha and beta to its value."""


def search(
    state: State,
    *,
    table: TranspositionTable | None = None,
    extras: Extras = PLAIN,
    windows: Windows | None = None,
    **asked: Unpack[SearchRequest],
) -> SearchResult:
    """Search one ply deeper again and again, until a limit, a proof, or the end of the game.

    Returns the result of the last completed depth, or of the current one if it has found a better
    move. At every completed depth the value is minimax's. It stops once a win or loss is proven, so
    that it wins by the shortest way; in a loss it keeps the move of the last depth without a proof.
    A `table` is cleared first. Chance nodes have their expected value, without pruning across them.
    With `windows` it searches compiled, in their table instead of `table`.
    """
    if windows:
        return _deepened(_Compiled(state, extras, windows, **asked))
    kept = table or TranspositionTable(TABLE_MAX)
    tree = _Iterative(state, kept, extras, **asked)
    kept.clear(time.monotonic_ns() + CLEAR_SHARE * 1e9 * tree.clock.left_s())
    found = _deepened(tree)
    if table is None:
        # The closure refers to itself: otherwise its table would wait for the garbage collector.
        kept.clear(inf)
    return found


def _deepened(tree: "_Iterative") -> SearchResult:
    """Return the result of the last depth."""
    found = SearchResult(pv=(tree.first[0],), is_complete=False)
    for limit in range(1, tree.limit + 1):
        found = tree.deepen(limit, found)
        is_decided = verdict(found.value, tree.evaluation, tree.root.game) != ""
        if not found.is_complete or is_decided or found.is_solved:
            break
    return found


class _Iterative(TreeSearch):
    """One search, and its state between depths; `drawn` are the shuffled root moves, or None."""

    def __init__(
        self, root: State, table: TranspositionTable, extras: Extras, **asked: Unpack[SearchRequest]
    ) -> None:
        super().__init__(root, **asked)
        self.first = first_moves(root, None, self.shuffle)
        self.drawn = self.first if self.shuffle else None
        self.extras = extras
        self.shards = table.shards
        self.room = table.limit
        self.history: list[dict[Move, int]] = [defaultdict(int) for _ in range(root.game.seats)]
        self.signs = signs_of(root)
        # Symmetric positions are common only below a symmetric root.
        key = root.key()
        self.is_symmetric = any(image == key for image, _ in root.symmetries())

    def deepen(self, limit: int, before: SearchResult) -> SearchResult:
        """Search to `limit` plies and return the new result, given `before`."""
        self.lines = [()] * (limit + 1)
        self.value = -inf
        is_complete, horizon = True, 0
        near = self.extras.aspiration if before.depth else 0
        try:
            low, high = (before.value - near, before.value + near) if near else (-inf, inf)
            value, horizon = self._ask(limit, before, low, high)
            if not low < value < high:
                value, horizon = self._ask(limit, before, -inf, inf)
            if self.drawn is not None:
                # The last depth's answer was searched first instead of the first drawn: find the
                # first of all moves with this value. The table knows most of it.
                low, high = nextafter(value, -inf), nextafter(value, inf)
                self._ask(limit, replace(before, depth=0), low, high)
        except Exhausted:
            is_complete = False
        pv = self.lines[limit]
        is_lost = verdict(self.value, self.evaluation, self.root.game) == "lost"
        if not pv or (is_lost and not is_complete):
            # A partial depth proves nothing, or only that its first move loses.
            return replace(before, nodes=self.nodes, is_complete=False)
        if is_lost and before.depth:
            # Every move loses: the last depth's best is the one that loses latest.
            return replace(before, value=self.value, nodes=self.nodes, depth=limit)
        is_solved = is_complete and horizon == 0
        return SearchResult(
            value=self.value,
            nodes=self.nodes,
            pv=pv,
            depth=limit,
            is_complete=is_complete,
            is_solved=is_solved,
        )

    def _ask(self, limit: int, before: SearchResult, low: float, high: float) -> tuple[float, int]:
        """Search the root in a window; return its value and how often the horizon was met."""
        value_of, count = self._searcher(before)
        try:
            value = value_of(self.root, limit, low, high)
        finally:
            self.nodes, horizon = count()
        return value, horizon

    def _searcher(self, before: SearchResult) -> tuple[_Search, Callable[[], tuple[int, int]]]:
        """Return the recursive search, one closure for fast local names, and its counters.

        They count its nodes and how often it met the horizon.
        """
        shards, history, signs, lines = self.shards, self.history, self.signs, self.lines
        seat, scale, estimate, budget = self.seat, self.scale, self.estimate, self.budget
        extras, drawn = self.extras, self.drawn
        tries_null, reduces = extras.null_move, extras.late_moves
        killers: list[Move] | None = [None] * len(lines) if extras.killers else None
        top = len(lines) - 1
        mirror_depth = MIRROR_DEPTH if self.is_symmetric else inf
        nodes, reached = self.nodes, 0
        look: float = 0

        def value_of(state: State, depth: int, alpha: float, beta: float) -> float:
            """Return the value for the side to move: exact within the window, else a bound."""
            nonlocal nodes, reached, look, tries_null
            to_move = state.to_move
            if to_move < 0:
                return mean_of(state, depth)
            key, image_of = state.key(), None
            if depth >= mirror_depth:
                key, image_of = least_image(state, key)
            shard = shards[hash(key) % SHARDS]
            entry = shard.get(key)
            hash_move = None
            if depth == top:
                # The last depth's answer comes first, so that an incomplete depth can only improve
                # on it.
                hash_move = before.move if before.depth else None
            elif entry is not None:
                stored_depth, is_closed, kind, value, hash_move = entry
                if image_of is not None:
                    here = state.legal_moves()
                    hash_move = next(move for move in here if image_of(move) == hash_move)
                # An entry of the same depth has minimax's value. A shallower search that never met
                # its horizon is a proof at any depth; a deeper one may know what this depth must
                # not.
                if (stored_depth == depth or (is_closed and stored_depth < depth)) and (
                    kind == EXACT
                    or (kind == AT_LEAST and value >= beta)
                    or (kind == AT_MOST and value <= alpha)
                ):
                    if not is_closed:
                        reached += 1
                    lines[depth] = (hash_move,)
                    return value
            if tries_null and NULL_DEPTH <= depth < top and beta < inf:
                passed = state.null()
                if passed is not None and signs[passed.to_move] != signs[to_move]:
                    # Two passes in one line would prove nothing.
                    tries_null = False
                    left = max(1, depth - 1 - NULL_REDUCTION)
                    value = -value_of(passed, left, -beta, nextafter(-beta, inf))
                    tries_null = True
                    if value >= beta:
                        return value
            if depth == top and drawn is not None:
                moves = drawn
            else:
                moves = state.order(state.legal_moves())
            if depth > 1 and (depth < top or drawn is None):
                moves = sorted(moves, key=history[to_move].__getitem__, reverse=True)
            if killers and depth < top:
                killer = killers[depth]
                if killer in moves:
                    moves = [killer, *(move for move in moves if move != killer)]
            if hash_move is not None and moves[0] != hash_move:
                moves = [hash_move, *(move for move in moves if move != hash_move)]
            before_all = reached
            below = depth - 1
            sign = signs[to_move]
            best, best_move, floor = -inf, None, alpha
            limit, edge = beta, nextafter(alpha, inf)
            late = LATE_MOVES if reduces and depth >= LATE_DEPTH else inf
            for move in moves:
                if nodes >= look:
                    look = budget.next_look(nodes)
                child = state.play(move)
                nodes += 1
                outcome = child.outcome()
                if outcome is not None:
                    value = outcome[seat] * scale * sign
                elif below == 0:
                    reached += 1
                    value = 0 if estimate is None else estimate(child, seat) * sign
                else:
                    # After the first move, a null window only asks whether the next one is better;
                    # if so, it is searched again.
                    is_turn = signs[child.to_move] != sign
                    if late <= 0 and limit < beta:
                        value = (
                            -value_of(child, below - 1, -limit, -alpha)
                            if is_turn
                            else value_of(child, below - 1, alpha, limit)
                        )
                    if late > 0 or limit >= beta or value > alpha:
                        value = (
                            -value_of(child, below, -limit, -alpha)
                            if is_turn
                            else value_of(child, below, alpha, limit)
                        )
                    late -= 1
                    if limit < beta and alpha < value < beta:
                        value = (
                            -value_of(child, below, -beta, -alpha)
                            if is_turn
                            else value_of(child, below, alpha, beta)
                        )
                if value > best:
                    best, best_move = value, move
                    if value > alpha:
                        if value >= beta:
                            history[to_move][move] += depth * depth
                            if killers:
                                killers[depth] = move
                            break
                        alpha, edge = value, nextafter(value, inf)
                        is_last = outcome is not None or below == 0
                        lines[depth] = (move,) if is_last else (move, *lines[below])
                        if depth == top:
                            self.value = value
                limit = edge
            kind = AT_MOST if best <= floor else AT_LEAST if best >= beta else EXACT
            if entry is None:
                if self.room == 0:
                    return best
                self.room -= 1
            if image_of is not None:
                best_move = image_of(best_move)
            shard[key] = (depth, reached == before_all, kind, best, best_move)
            return best

        def mean_of(state: State, depth: int) -> float:
            """Return the value of a chance node for the root's side, and end the line there."""
            nonlocal nodes, reached, look
            total: float = 0
            for move, probability in state.chance():
                if nodes >= look:
                    look = budget.next_look(nodes)
                child = state.play(move)
                nodes += 1
                outcome = child.outcome()
                if outcome is not None:
                    value = outcome[seat] * scale
                elif depth > 1:
                    value = value_of(child, depth - 1, -inf, inf) * signs[child.to_move]
                else:
                    reached += 1
                    value = 0 if estimate is None else estimate(child, seat)
                total += probability * value
            lines[depth] = ()
            return total

        return value_of, lambda: (nodes, reached)


class _Compiled(_Iterative):
    """The same search, whose depths are searched by compiled code."""

    def __init__(
        self,
        root: State,
        extras: Extras,
        windows: Windows,
        **asked: Unpack[SearchRequest],
    ) -> None:
        super().__init__(root, TranspositionTable(0), extras, **asked)
        self.window = windows.begin(
            root, limit=self.limit, evaluation=self.evaluation, clock=self.clock, extras=extras
        )

    def _ask(self, limit: int, before: SearchResult, low: float, high: float) -> tuple[float, int]:
        window, first = self.window, before.move if before.depth else None
        try:
            value = window.ask(limit, low, high, first=first, drawn=self.drawn)
        finally:
            self.nodes, self.value, self.lines[limit] = window.nodes, window.value, window.line
        return value, window.horizon


def least_image(state: State, key: Any) -> tuple[Hashable, Callable[[Move], Move] | None]:
    """Return the least key of the positions symmetric to one, and the map of moves to there.

    The map is None if the position's own `key` is the least, or keys have no order.
    """
    least, image_of = key, None
    try:
        for other, map_of in state.symmetries():
            if other < least:
                least, image_of = other, map_of
    except TypeError:
        return key, None
    return least, image_of


@dataclass
class Iterative(FastBot):
    """Deepens ply by ply until its time is up, and remembers positions."""

    table: int = option(TABLE_MAX, help="positions that the table holds", low=0)
    aspiration: float = option(
        0.0, help="look first so near to the last depth's value; 0 is anywhere", low=0
    )
    killers: bool = option(False, help="try moves first that cut off elsewhere")
    null_move: bool = option(False, help="cut where even a pass is too good, if the game knows it")
    late_moves: bool = option(False, help="search moves far down the order less deep")
    _kept: TranspositionTable | None = field(default=None, init=False, repr=False, compare=False)

    def choose(self, state: State, clock: Clock) -> Move:
        """Search the position; answer a forced move at once."""
        moves = state.legal_moves()
        if len(moves) == 1:
            self.report = Report(depth=0, nodes=1, pv=(moves[0],), text="only move")
            return moves[0]
        return super().choose(state, clock)

    @property
    def can_be_fast(self) -> bool:
        """Whether the compiled search does the same: its windows begin and end at whole values."""
        return not self.late_moves or float(self.aspiration).is_integer()

    def find(self, state: State, asked: SearchRequest) -> SearchResult:
        """Search deeper and deeper.

        The table starts empty each time, so that a single move can be reproduced. It is kept
        between moves only because freeing its memory is slow: that happens in the next move's time,
        not after this one's deadline.
        """
        extras = Extras(self.aspiration, self.killers, self.null_move, self.late_moves)
        if windows := self.windows_for(state):
            return search(state, **asked, extras=extras, windows=windows)
        if self._kept is None:
            self._kept = TranspositionTable(self.table)
        return search(state, **asked, table=self._kept, extras=extras)


BOT = Iterative
