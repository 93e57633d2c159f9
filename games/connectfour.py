"""Connect Four: drop discs into columns, four in a row wins; any size, any length of row."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache

from games.support.board_game import DRAWN, FEN_HELP, WON, BoardGame, row_status, signed, status
from games.support.board_text import read_board, read_mover, write_board
from games.support.drawing import (
    BoardMark,
    cells_of,
    centre_of,
    draw_discs,
    draw_text_board,
    mark_rows,
)
from games.support.errors import PositionError
from games.support.find_kernel import find_kernel
from games.support.game import Evaluation, Move, State
from games.support.kernel import Kernel, Packing
from games.support.lines import count_windows, doublings, line_of, places, row_squares
from games.support.look import stones
from games.support.memo import Memo
from games.support.options import option
from games.support.symmetries import image_by

_SHORT = 4
_WORD = 64
_LETTERS = "abcdefghijklmnop"
_SIGNS = "ry"
_new = object.__new__


class ConnectFourBoard:
    """The tables of one board size and length of row, shared by all its positions.

    A bitboard is column-major from the bottom left, `rows + 1` bits a column. The extra top bit of
    each column is never set: since lines are steps between neighbouring squares, it keeps them from
    wrapping into the next column at any size.
    """

    def __init__(self, columns: int, rows: int, connect: int) -> None:
        self.columns, self.rows, self.connect = columns, rows, connect
        height = rows + 1
        self.bottoms = tuple(1 << height * column for column in range(columns))
        self.bottom = sum(self.bottoms)
        # The bit of each square, row by row from the top left.
        self.bits = tuple(bottom << row for row in reversed(range(rows)) for bottom in self.bottoms)
        self.top = self.bottom << rows - 1
        self.full = self.bottom * ((1 << rows) - 1)
        # The open columns by the stones of the top row; columns from the centre out.
        self.open: Memo[int, tuple[int, ...]] = Memo(self._open)
        self.ordered: Memo[tuple[int, ...], tuple[int, ...]] = Memo(self._centre_first)
        self.mirrored = tuple(reversed(range(columns)))
        self.mirror: Callable[[Move], Move] = self.mirrored.__getitem__
        stacks = [((1 << height) - 1) * bottom for bottom in self.bottoms]
        self.image = image_by((self.mirrored,), self.bottoms, stacks)
        steps = (height, height - 1, height + 1, 1)
        first = doublings(min(connect, _SHORT))
        self.shifts = tuple(step * times for step in steps for times in first)
        self.long = (
            tuple(tuple(step * times for times in doublings(connect)) for step in steps)
            if connect > _SHORT
            else None
        )
        self.runs = tuple(tuple(step * times for times in range(1, connect)) for step in steps)
        # Two boards side by side in one int; the gap separates them.
        self.upper = height * (columns + 1) + 1
        self.high = self.full << self.upper

    def __reduce__(
        self,
    ) -> tuple[Callable[[int, int, int], "ConnectFourBoard"], tuple[int, int, int]]:
        return board_of, (self.columns, self.rows, self.connect)

    def _open(self, stones: int) -> tuple[int, ...]:
        tops = (bottom << self.rows - 1 for bottom in self.bottoms)
        return tuple(column for column, top in enumerate(tops) if not stones & top)

    def _centre_first(self, columns: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(sorted(columns, key=lambda column: abs(column - (self.columns - 1) / 2)))


@cache
def board_of(columns: int, rows: int, connect: int) -> ConnectFourBoard:
    """Return the shared board of that size."""
    return ConnectFourBoard(columns, rows, connect)


class ConnectFourState(State):
    """A Connect Four position: `mask` holds all stones, `opp` those of the seat that moved last."""

    __slots__ = ("game", "mask", "opp", "result", "to_move")

    game: "ConnectFour"
    mask: int
    opp: int
    result: tuple[float, ...] | None

    def legal_moves(self) -> tuple[int, ...]:
        """List the columns that are not full, left to right."""
        board = self.game.board
        return board.open[self.mask & board.top]

    def play(self, move: int) -> "ConnectFourState":
        """Drop a stone into column `move`; without calls or loops, as searches live on it."""
        child = _new(ConnectFourState)
        child.game = game = self.game
        board = game.board
        old = self.mask
        child.mask = mask = old | old + board.bottoms[move]
        mover = self.to_move
        child.opp = own = self.opp ^ mask
        child.to_move = 1 - mover
        a, a2, b, b2, c, c2, d, d2 = board.shifts
        if (
            ((m := own & own >> a) and m & m >> a2)
            or ((m := own & own >> b) and m & m >> b2)
            or ((m := own & own >> c) and m & m >> c2)
            or ((m := own & own >> d) and m & m >> d2)
        ) and (board.long is None or line_of(own, board.long)):
            child.result = WON[mover]
        elif mask == board.full:
            child.result = DRAWN
        else:
            child.result = None
        return child

    def outcome(self) -> tuple[float, ...] | None:
        """Return the utilities once there is a row or the board is full."""
        return self.result

    def key(self) -> int:
        """Return one int, the sum of both bitboards, which is unique for each column's stones.

        A column of n stones sums to between 2^n - 1 and 2^(n+1) - 2. The number of stones tells who
        moves.
        """
        return self.opp + self.mask

    def symmetries(self) -> Iterable[tuple[Hashable, Callable[[Move], Move]]]:
        """Yield the mirror image."""
        board = self.game.board
        return ((board.image(self.opp + self.mask), board.mirror),)

    def order(self, moves: Sequence[Move]) -> Sequence[Move]:
        """Sort columns from the centre outwards."""
        return self.game.board.ordered[tuple(moves)]

    def text(self, move: Move) -> str:
        """Write the column's number, from 1."""
        return str(move + 1)

    def refusal(self, move: Move) -> str:
        """Name the column."""
        if type(move) is not int or not 0 <= move < self.game.columns:
            return ""
        return f"column {move + 1}: the column is full"

    def fen(self) -> str:
        """Write the rows from the top, red `r` and yellow `y`, who moves and the move number."""
        number = self.mask.bit_count() // 2 + 1
        return f"{write_board(self._rows(), _SIGNS)} {_SIGNS[self.to_move]} {number}"

    def code(self, move: Move) -> str:
        """Write the column's letter, `a` the leftmost."""
        return _LETTERS[move]

    def decode(self, text: str) -> Move:
        """Read a column's letter, or its number from 1."""
        number = _LETTERS.find(text.lower()) if len(text) == 1 else -1
        return number if number in self.legal_moves() else self.parse(text)

    def stones(self, seat: int) -> int:
        """Return the bitboard of one seat."""
        return self.opp if seat != self.to_move else self.opp ^ self.mask

    def render(self) -> str:
        """Draw the board with X for the first seat and O for the second; a won row in brackets."""
        told = status(self, signed(self.game.seat_names, "XO"))
        return draw_text_board(self.game.headings, self._rows(), told)

    def status(self) -> str:
        """Say who moves, who won by how long a row, or that the board is full."""
        return row_status(self, self.game.board.connect)

    def cells(self) -> tuple[str, ...]:
        """Return the rows from the top: `X` Red, `O` Yellow, `.` free."""
        return cells_of(self._rows())

    def svg(self) -> str:
        """Draw the board; a dot marks the first seat's discs, a ring the second's."""
        told = status(self, signed(self.game.seat_names, ("dot", "ring")))
        return draw_discs(f"{self.game.title}: {told}", self.game.headings, self._rows())

    def marks(self, move: Move) -> tuple[tuple[int, int], ...]:
        """Return the square of the disc."""
        board = self.game.board
        column = self.mask >> (board.rows + 1) * move & (1 << board.rows) - 1
        return (centre_of(move, board.rows - 1 - column.bit_count()),)

    def _rows(self) -> list[list[BoardMark]]:
        board = self.game.board
        won = row_squares(self.opp, board.runs) if self.result in WON else 0
        return mark_rows(self.stones(0), self.stones(1), board.bits, board.columns, won)


def windows(state: ConnectFourState, seat: int) -> int:
    """Sum the squared stone counts of lines of `connect` squares with stones of only one seat.

    A line counts for `seat` or against it. Both seats' boards lie side by side in one int, so that
    each operation serves both. Stones are counted by bit planes: `ones`, `twos`. Flipping the upper
    board turns one bit count into a difference of two, up to a constant.
    """
    board = state.game.board
    upper, high = board.upper, board.high
    free = board.full ^ state.mask
    opp = state.opp
    own = opp ^ state.mask
    both = own | opp << upper if seat == state.to_move else opp | own << upper
    usable = both | free | free << upper
    if board.connect > _SHORT:
        return count_windows(both, usable, board.runs, board.high)
    total = 0
    for shifts in board.runs:
        alive, ones, twos = usable, both, 0
        for shift in shifts:
            alive &= usable >> shift
            stones = both >> shift
            twos ^= ones & stones
            ones ^= stones
        if alive:
            ones &= alive
            twos &= alive
            total += (ones ^ high).bit_count() + 4 * (
                (twos ^ high).bit_count() + (ones & twos ^ high).bit_count()
            )
        else:
            total += 9 * high.bit_count()
    return total - 36 * high.bit_count()


def tops(state: ConnectFourState, seat: int) -> int:
    """Count the columns whose top stone is the seat's, less those with the other's."""
    mask = state.mask
    # The stone below the first free square; an empty column's is a guard bit, never in the mask.
    top = mask + state.game.board.bottom >> 1 & mask
    own = state.stones(seat)
    return 2 * (top & own).bit_count() - top.bit_count()


def score_of(state: ConnectFourState, utility: float, plies: int) -> int:
    """Return the score of a position from which best play leads to `utility` in `plies` plies.

    0 is a draw. A win counts one plus the winner's unplayed stones, of half the squares; a loss is
    the negative. Source: P. Pons, Solving Connect 4: how to build a perfect AI (2015).
    """
    board = state.game.board
    stones = state.mask.bit_count() + plies
    left = (board.columns * board.rows + 2 - stones) // 2
    return left * ((utility > 0) - (utility < 0))


@cache
def _evaluations(columns: int, rows: int, connect: int) -> tuple[Evaluation, ...]:
    most = places(columns, rows, connect) * (connect - 1) ** 2
    return (
        Evaluation(
            "windows",
            "rows still open to one seat alone, by the square of its stones in them",
            windows,
            -most,
            most,
            100_000,
        ),
        Evaluation("tops", "columns with the seat's stone on top", tops, -columns, columns, 1000),
    )


@dataclass(frozen=True)
class ConnectFour(BoardGame[ConnectFourState]):
    """The rules of Connect Four; a row longer than the board allows is a game that nobody wins."""

    name = "connectfour"
    title = "Connect Four"
    summary = (
        "Drop a disc into a column in turn. The first to have {connect} in a row, across, up or "
        "along a diagonal, wins; a full board is a draw."
    )
    look = stones("#ff5c57", "#ffd866", "#2f5fa5")
    opening_plies = 4
    signs = _SIGNS

    columns: int = option(7, help="columns of the board", low=1, high=16)
    rows: int = option(6, help="rows of the board", low=1, high=16)
    connect: int = option(4, help="how many in a row win", low=2, high=16)
    fen: str = option("", help=FEN_HELP)
    board: ConnectFourBoard = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "board", board_of(self.columns, self.rows, self.connect))
        super().__post_init__()

    @property
    def seat_names(self) -> tuple[str, ...]:
        """The colours of the discs; red begins."""
        return ("Red", "Yellow")

    @property
    def headings(self) -> list[str]:
        """The numbers of the columns, from 1."""
        return [str(column + 1) for column in range(self.columns)]

    @property
    def evaluations(self) -> tuple[Evaluation, ...]:
        """`windows` and `tops`; the bounds depend on the options."""
        return _evaluations(self.columns, self.rows, self.connect)

    def kernel(self) -> Kernel | None:
        """Return the kernel if the board fits 64 bits and rows are no longer than four."""
        return find_kernel(self)

    def packing(self) -> Packing | None:
        """Pack all stones and those of the seat to move; a move is its square's bit."""
        board, height = self.board, self.rows + 1
        if self.connect > _SHORT or self.columns * height > _WORD:
            return None
        sizes = (board.bottom, board.full, height, board.columns, board.connect)
        return Packing(
            # The last divides by the height, as a product with a shift by 16 bits.
            rules=(*sizes, *board.shifts, (1 << 16) // height + 1),
            width=2,
            most_moves=self.columns,
            evaluations=("windows", "tops"),
            pack=lambda state: ((state.mask, state.mask ^ state.opp),),
            key_words=1,
            slots=self.columns,
            identity_words=1,
            move_of=lambda move: (move.bit_length() - 1) // height,
        )

    def solved_score(self, state: State, utility: float, plies: int | None) -> float:
        """Return the score by Pascal Pons's convention."""
        return (
            score_of(state, utility, plies or 0) if isinstance(state, ConnectFourState) else utility
        )

    def start(self) -> ConnectFourState:
        """Return the empty board, the first seat to move."""
        return self._at(0, 0, 0)

    def read(self, text: str) -> ConnectFourState:
        """Read the output of `fen`; raise `PositionError` for an unreachable position."""
        words = text.split() or [""]
        first, second = read_board(words[0], self.columns, self.board.bits, _SIGNS)
        mover = read_mover(words, _SIGNS)
        if first.bit_count() != second.bit_count() + mover:
            counts = f"{first.bit_count()} red discs and {second.bit_count()} yellow ones"
            raise PositionError(f"board {words[0]!r}: {counts} with {_SIGNS[mover]} to move")
        mask = first | second
        if mask & ~(mask << 1 | self.board.bottom):
            raise PositionError(f"board {words[0]!r}: a disc has nothing below it")
        if row_squares(first if mover == 0 else second, self.board.runs):
            raise PositionError(f"board {words[0]!r}: {_SIGNS[mover]} has won and is to move")
        return self._at(mask, second if mover == 0 else first, mover)

    def _at(self, mask: int, opp: int, to_move: int) -> ConnectFourState:
        position = _new(ConnectFourState)
        position.game = self
        position.mask, position.opp, position.to_move = mask, opp, to_move
        if row_squares(opp, self.board.runs):
            position.result = WON[1 - to_move]
        else:
            position.result = DRAWN if mask == self.board.full else None
        return position


GAME = ConnectFour()
