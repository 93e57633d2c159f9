"""MTD(f): converge on the value by null-window searches with a transposition table.

Source: A. Plaat, J. Schaeffer, W. Pijls and A. de Bruin, Best-First Fixed-Depth Minimax Algorithms
(1996).
"""

from collections.abc import Hashable
from dataclasses import dataclass, replace
from math import inf, nextafter
from typing import Unpack

from bots.compiled.fast_bot import FastBot
from bots.compiled.window import Windows
from bots.support.search import (
    Exhausted,
    SearchRequest,
    SearchResult,
    TreeSearch,
    first_moves,
    verdict,
)
from games.support.game import CHANCE, Move, State
from games.support.options import option

TABLE_MAX = 1_000_000
"""The table's capacity in positions, one entry per depth; a full table adds no more."""


def search(
    state: State,
    *,
    table: int = TABLE_MAX,
    windows: Windows | None = None,
    **asked: Unpack[SearchRequest],
) -> SearchResult:
    """Search one ply deeper again and again, each depth from the value of the last.

    Returns the result of the last completed depth, whose value is minimax's; stops once every line
    has ended or a win or loss is proven. `table` is the table's capacity in positions. Chance nodes
    have their expected value. With `windows` it searches compiled, in their table.
    """
    if windows:
        return _Compiled(state, windows, **asked).result()
    return _Mtdf(state, table, **asked).result()


@dataclass(slots=True)
class _Entry:
    """The bounds of a position's value at a depth, and the move that gave them."""

    low: float = -inf
    high: float = inf
    move: Move = None
    is_open: bool = False
    """Whether the value depends on an estimate."""


class _Mtdf(TreeSearch):
    """One search, its table and capacity; `horizon` counts how often a depth met its horizon."""

    def __init__(self, root: State, room: int, **asked: Unpack[SearchRequest]) -> None:
        super().__init__(root, order="game", **asked)
        self.table: dict[tuple[Hashable, int], _Entry] = {}
        self.room = room
        self.horizon = 0
        self.first = first_moves(root, self.order, self.shuffle)

    def result(self) -> SearchResult:
        found = SearchResult(pv=(self.first[0],), is_complete=False)
        for limit in range(1, self.limit + 1):
            try:
                value, move = self.converge(limit, found.value)
                self.value = value
            except Exhausted:
                return replace(found, nodes=self.nodes, is_complete=False)
            is_solved = self.horizon == 0
            pv = self.line(move, limit)
            found = SearchResult(
                value=value, nodes=self.nodes, pv=pv, depth=limit, is_solved=is_solved
            )
            if is_solved or verdict(value, self.evaluation, self.root.game):
                break
        return found

    def converge(self, depth: int, guess: float) -> tuple[float, Move]:
        """Return the value at `depth` plies and its move, starting from a guess."""
        value = guess if guess > -inf else 0.0
        low, high, best = -inf, inf, self.first[0]
        self.horizon = 0
        while low < high:
            gamma = nextafter(value, inf) if value == low else value
            value, move = self._ask_root(depth, gamma)
            if value < gamma:
                high = value
            else:
                low, best = value, move
        return low, best

    def _ask_root(self, depth: int, gamma: float) -> tuple[float, Move]:
        """Return a bound of the root's value on its side of `gamma`, and its best move."""
        best, best_move = -inf, self.first[0]
        for move in self.first:
            value = self._child_value(self.root, move, depth - 1, nextafter(gamma, -inf), gamma)
            if value > best:
                best, best_move = value, move
                if value >= gamma:
                    break
        return best, best_move

    def _child_value(
        self, state: State, move: Move, depth: int, alpha: float, beta: float
    ) -> float:
        if self.nodes >= self.look:
            self.look = self.budget.next_look(self.nodes)
        child = state.play(move)
        self.nodes += 1
        outcome = child.outcome()
        if outcome is not None:
            return outcome[self.seat] * self.scale
        if depth == 0:
            self.horizon += 1
            return 0 if self.estimate is None else self.estimate(child, self.seat)
        return self._value(child, depth, alpha, beta)

    def _value(self, state: State, depth: int, alpha: float, beta: float) -> float:
        """Return the value for the root's side, exact within the window, else a bound."""
        if state.to_move == CHANCE:
            total: float = 0
            for move, probability in state.chance():
                total += probability * self._child_value(state, move, depth - 1, -inf, inf)
            return total
        key = (state.key(), depth)
        entry = self.table.get(key)
        if entry is None:
            entry = _Entry()
            if len(self.table) < self.room:
                self.table[key] = entry
        elif entry.low >= beta or entry.high <= alpha or entry.low == entry.high:
            self.horizon += entry.is_open
            return entry.low if entry.low >= beta or entry.low == entry.high else entry.high
        before = self.horizon
        value, move = self._search(state, depth, max(alpha, entry.low), min(beta, entry.high))
        entry.move = move
        entry.is_open |= self.horizon > before
        if value > alpha:
            entry.low = max(entry.low, value) if value >= beta else value
        if value < beta:
            entry.high = min(entry.high, value) if value <= alpha else value
        return value

    def _search(self, state: State, depth: int, alpha: float, beta: float) -> tuple[float, Move]:
        moves = list(state.order(state.legal_moves()))
        known = self.table.get((state.key(), depth)) or _Entry()
        deeper = known.move if known.move is not None else self._last_move(state, depth)
        if deeper is not None:
            moves.remove(deeper)
            moves.insert(0, deeper)
        is_mine = self.mine[state.to_move]
        best, best_move = (-inf if is_mine else inf), moves[0]
        for move in moves:
            value = self._child_value(state, move, depth - 1, alpha, beta)
            if value > best if is_mine else value < best:
                best, best_move = value, move
                if is_mine:
                    alpha = max(alpha, value)
                else:
                    beta = min(beta, value)
                if alpha >= beta:
                    break
        return best, best_move

    def _last_move(self, state: State, depth: int) -> Move:
        """Return the best move one ply less deep, None if unknown."""
        entry = self.table.get((state.key(), depth - 1))
        return entry.move if entry else None

    def line(self, move: Move, depth: int) -> tuple[Move, ...]:
        moves, state = [move], self.root.play(move)
        while state.outcome() is None and state.to_move != CHANCE and len(moves) < depth:
            entry = self.table.get((state.key(), depth - len(moves)))
            if entry is None or entry.move is None or entry.low != entry.high:
                break
            moves.append(entry.move)
            state = state.play(entry.move)
        return tuple(moves)


class _Compiled(_Mtdf):
    """The same search by compiled code, whose table has one entry for a position."""

    def __init__(self, root: State, windows: Windows, **asked: Unpack[SearchRequest]) -> None:
        super().__init__(root, 0, **asked)
        self.has_table = windows.room > 0
        self.window = windows.begin(
            root, limit=self.limit, evaluation=self.evaluation, clock=self.clock, learns=False
        )

    def _ask_root(self, depth: int, gamma: float) -> tuple[float, Move]:
        value = self._ask(depth, nextafter(gamma, -inf), gamma)
        self.horizon += self.window.horizon
        return value, self.window.best

    def _ask(self, depth: int, low: float, high: float) -> float:
        try:
            return self.window.ask(depth, low, high, drawn=self.first if self.shuffle else None)
        finally:
            self.nodes = self.window.nodes

    def line(self, move: Move, depth: int) -> tuple[Move, ...]:
        """Return the line of a last search around the value, which the table has nearly done."""
        if self.has_table:
            try:
                self._ask(depth, nextafter(self.value, -inf), nextafter(self.value, inf))
            except Exhausted:
                return (move,)
        line = self.window.line
        return line if line[:1] == (move,) else (move,)


@dataclass
class Mtdf(FastBot):
    """Asks again and again whether the value is at least so much, until nothing is left between."""

    table: int = option(TABLE_MAX, help="positions that the table holds", low=0)

    def find(self, state: State, asked: SearchRequest) -> SearchResult:
        """Search deeper and deeper."""
        return search(state, **asked, table=self.table, windows=self.windows_for(state))


BOT = Mtdf
