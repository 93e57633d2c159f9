"""The squares of a board drawn as text: where they are, and which ones a move changes."""

from collections.abc import Sequence
from dataclasses import dataclass
from string import ascii_lowercase

from games.support.game import Move, State
from league.render.pointing import has_own_columns

Square = tuple[int, int]
"""The line and the column of a square's sign in the text."""

BLANK = " .~+"
"""The signs of squares that nobody holds."""

CHANGED_MAX = 12
"""A text that changes more is no board, and nothing of it is marked."""


@dataclass(frozen=True, slots=True)
class SquareGrid:
    """The squares of a text: its first `rows` lines, and the `columns` where their signs are.

    A square is `step` columns wide; without a line of headings each character is a square.
    """

    rows: int
    columns: tuple[int, ...]
    step: int

    @property
    def left(self) -> int:
        """The columns of a square that are left of its sign."""
        return (self.step - 1) // 2

    @property
    def right(self) -> int:
        """The column after the last square."""
        return self.columns[-1] - self.left + self.step if self.columns else 0

    def square_at(self, line: int, column: int) -> Square | None:
        """Return the square that covers a place of the text, None outside the board."""
        for sign in self.columns:
            if line < self.rows and 0 <= column - sign + self.left < self.step:
                return line, sign
        return None


def grid_of(lines: Sequence[str]) -> SquareGrid:
    """Return the squares of a board: those above its column headings, else its equal lines."""
    for rows in range(len(lines) - 1, 0, -1):
        words = lines[rows].split()
        numbers = [str(number) for number in range(1, len(words) + 1)]
        if len(words) > 1 and words in (list(ascii_lowercase[: len(words)]), numbers):
            at, columns = 0, []
            for word in words:
                at = lines[rows].index(word, at)
                columns.append(at + len(word) // 2)
                at += len(word)
            return SquareGrid(rows, tuple(columns), columns[1] - columns[0])
    width = len(lines[0]) if lines else 0
    rows = next((row for row, line in enumerate(lines) if len(line) != width), len(lines))
    return SquareGrid(rows, tuple(range(width)), 1)


def changed(before: str, after: str) -> frozenset[Square]:
    """Return the squares that a move changed; only those it was placed on if it moved nothing."""
    old, new = before.splitlines(), after.splitlines()
    grid = grid_of(new)
    signs = {
        (row, column): (_sign(old, row, column), _sign(new, row, column))
        for row in range(grid.rows)
        for column in grid.columns
    }
    found = {square: pair for square, pair in signs.items() if pair[0] != pair[1]}
    placed = {square for square, (was, _) in found.items() if was in BLANK}
    if len(found) > CHANGED_MAX and not placed:
        return frozenset()
    if placed and not any(now in BLANK for _, now in found.values()):
        return frozenset(placed)
    return frozenset(found) if len(found) <= CHANGED_MAX else frozenset()


class Pointing:
    """The legal moves of a position by the squares that they change, for a mouse."""

    def __init__(self, state: State) -> None:
        self._before = state.render()
        self._lines = self._before.splitlines()
        self.grid = grid_of(self._lines)
        self._moves = [
            (move, changed(self._before, state.play(move).render())) for move in state.legal_moves()
        ]

    def found(self, squares: Sequence[Square]) -> list[Move]:
        """Return the moves that all pressed squares belong to.

        The first of two is the one that a piece leaves. A place in a column that a single move
        belongs to stands for it where every move has a column of its own, as in Connect Four.
        """
        fitting = [
            (move, touched)
            for move, touched in self._moves
            if touched.issuperset(squares) and (squares[0] in (self._left(touched) or touched))
        ]
        if fitting or len(squares) > 1:
            return [move for move, _ in fitting]
        columns = [{column for _, column in touched} for _, touched in self._moves]
        if has_own_columns(columns):
            return [
                move
                for (move, _), own in zip(self._moves, columns, strict=True)
                if squares[0][1] in own
            ]
        return []

    def is_whole(self, squares: Sequence[Square], move: Move) -> bool:
        """Whether pressing these squares is enough to make a move: both ends, or its only one."""
        touched = next(touched for known, touched in self._moves if known == move)
        return len(squares) > 1 or not self._left(touched)

    def _left(self, touched: frozenset[Square]) -> frozenset[Square]:
        """Return the squares of a move that were held before."""
        return frozenset(square for square in touched if _sign(self._lines, *square) not in BLANK)


def _sign(lines: Sequence[str], row: int, column: int) -> str:
    if row < len(lines) and column < len(lines[row]):
        return lines[row][column]
    return " "
