"""Tic-tac-toe: three in a row on a board of nine squares."""

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass

from games.support.board_game import DRAWN, FEN_HELP, WON, BoardGame, row_status, status
from games.support.board_text import read_board, read_mover, write_board
from games.support.drawing import (
    BoardMark,
    cells_of,
    centre_of,
    draw_grid,
    draw_text_board,
    mark_rows,
)
from games.support.errors import PositionError
from games.support.find_kernel import find_kernel
from games.support.game import Evaluation, Move, State
from games.support.kernel import Kernel, Packing
from games.support.look import STROKES
from games.support.options import option

_FULL = 0b111_111_111
LINES = (0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124)
_SQUARES = tuple(
    tuple(square for square in range(9) if not taken >> square & 1) for taken in range(_FULL + 1)
)
_HAS_LINE = tuple(any(stones & line == line for line in LINES) for stones in range(_FULL + 1))
_SIGNS = "xo"
_new = object.__new__


_BITS = tuple(1 << square for square in range(9))


def _symmetry_maps() -> tuple[tuple[int, ...], ...]:
    """List each square's image under the seven rotations and reflections."""
    maps = []
    square = list(range(9))
    for _ in range(4):
        square = [square[3 * (2 - column) + row] for row in range(3) for column in range(3)]
        maps.append(tuple(square))
        maps.append(tuple(square[3 * row + 2 - column] for row in range(3) for column in range(3)))
    return tuple(each for each in maps if each != tuple(range(9)))


MAPS = _symmetry_maps()


class TicTacToeState(State):
    """A tic-tac-toe position; `own` are the squares of the seat to move, `opp` the other's."""

    __slots__ = ("game", "opp", "own", "to_move")

    game: "TicTacToe"
    opp: int
    own: int

    def legal_moves(self) -> tuple[int, ...]:
        """List the free squares, 0 to 8, row by row from the top left."""
        return _SQUARES[self.own | self.opp]

    def play(self, move: int) -> "TicTacToeState":
        """Take the square `move`."""
        child = _new(TicTacToeState)
        child.game = self.game
        child.opp = self.own | 1 << move
        child.own = self.opp
        child.to_move = 1 - self.to_move
        return child

    def outcome(self) -> tuple[float, ...] | None:
        """Return the utilities once there is a row or the board is full."""
        if _HAS_LINE[self.opp]:
            return WON[1 - self.to_move]
        return DRAWN if self.own | self.opp == _FULL else None

    def key(self) -> int:
        """Return both seats' squares in one int; the number of squares tells who moves."""
        return self.own << 9 | self.opp

    def symmetries(self) -> Iterable[tuple[Hashable, Callable[[Move], Move]]]:
        """Yield the seven rotations and reflections."""
        for squares in MAPS:
            own = sum(1 << squares[square] for square in range(9) if self.own >> square & 1)
            opp = sum(1 << squares[square] for square in range(9) if self.opp >> square & 1)
            yield own << 9 | opp, squares.__getitem__

    def text(self, move: Move) -> str:
        """Write the square as column and row, as in chess: a3 is the top left, c1 the last."""
        return f"{'abc'[move % 3]}{3 - move // 3}"

    def refusal(self, move: Move) -> str:
        """Name the square."""
        is_square = type(move) is int and 0 <= move < 9
        return f"{self.text(move)}: the square is taken" if is_square else ""

    def parse(self, text: str) -> Move:
        """Read `b2`, or a number from 1 (top left) to 9; raise `MoveError` unless it is free."""
        wanted = text.strip()
        # One digit only: Python refuses to convert a text of thousands, and a bot may send one.
        if len(wanted) == 1 and wanted in "123456789" and self.outcome() is None:
            move = int(wanted) - 1
            if move in self.legal_moves():
                return move
        return super().parse(text)

    def fen(self) -> str:
        """Write the rows from the top, `x` the first seat, who moves and the move number."""
        number = (self.own | self.opp).bit_count() // 2 + 1
        return f"{write_board(self._rows(), _SIGNS)} {_SIGNS[self.to_move]} {number}"

    def stones(self, seat: int) -> int:
        """Return the squares of one seat."""
        return self.own if seat == self.to_move else self.opp

    def render(self) -> str:
        """Draw the board with X for the first seat and O for the second; a won row in brackets."""
        return draw_text_board("abc", self._rows(), status(self, "XO"), ["3 ", "2 ", "1 "])

    def status(self) -> str:
        """Say who moves, who won by three in a row, or that the board is full."""
        return row_status(self, 3)

    def cells(self) -> tuple[str, ...]:
        """Return the rows from the top: `X` the first seat, `O` the second, `.` free."""
        return cells_of(self._rows())

    def svg(self) -> str:
        """Draw the board with a cross for the first seat and a nought for the second."""
        return draw_grid(f"{self.game.title}: {status(self, 'XO')}", "abc", "321", self._rows())

    def marks(self, move: Move) -> tuple[tuple[int, int], ...]:
        """Return the square."""
        return (centre_of(move % 3, move // 3),)

    def _rows(self) -> list[list[BoardMark]]:
        first, second = self.stones(0), self.stones(1)
        won = 0
        for line in LINES:
            if line in (first & line, second & line):
                won |= line
        return mark_rows(first, second, _BITS, 3, won)


def lines(state: TicTacToeState, seat: int) -> int:
    """Count the rows still open to the seat alone, less those open to the other alone."""
    mine, theirs = state.stones(seat), state.stones(1 - seat)
    return sum(bool(line & mine) - bool(line & theirs) for line in LINES if _is_open(line, state))


def _is_open(line: int, state: TicTacToeState) -> bool:
    return not (line & state.own and line & state.opp)


@dataclass(frozen=True)
class TicTacToe(BoardGame[TicTacToeState]):
    """The rules of tic-tac-toe."""

    name = "tictactoe"
    title = "Tic-tac-toe"
    summary = (
        "Take a free square in turn. Three in a row, across, up or along a diagonal, win; a "
        "full board is a draw."
    )
    look = STROKES
    opening_plies = 1
    signs = _SIGNS

    fen: str = option("", help=FEN_HELP)

    @property
    def seat_names(self) -> tuple[str, ...]:
        """The signs; X begins."""
        return ("X", "O")

    @property
    def evaluations(self) -> tuple[Evaluation, ...]:
        """Return `lines`."""
        return (
            Evaluation(
                "lines",
                "rows open to the seat alone less the other's",
                lines,
                -8,
                8,
                100,
                likely=4,
            ),
        )

    def kernel(self) -> Kernel | None:
        """Return the kernel."""
        return find_kernel(self)

    def packing(self) -> Packing:
        """Pack both seats' squares, the mover's first; a move is its square."""
        return Packing(
            rules=(9,),
            width=2,
            most_moves=9,
            evaluations=("lines",),
            pack=lambda state: ((state.own, state.opp),),
            key_words=1,
            slots=9,
            identity_words=1,
        )

    def start(self) -> TicTacToeState:
        """Return the empty board, X to move."""
        return self._at(0, 0, 0)

    def read(self, text: str) -> TicTacToeState:
        """Read the output of `fen`; raise `PositionError` for an unreachable position."""
        words = text.split() or [""]
        sets = read_board(words[0], 3, _BITS, _SIGNS)
        mover = read_mover(words, _SIGNS)
        if sets[0].bit_count() != sets[1].bit_count() + mover or _HAS_LINE[sets[mover]]:
            raise PositionError(f"board {words[0]!r}: never reached with {_SIGNS[mover]} to move")
        return self._at(sets[mover], sets[1 - mover], mover)

    def _at(self, own: int, opp: int, to_move: int) -> TicTacToeState:
        position = _new(TicTacToeState)
        position.game = self
        position.own, position.opp, position.to_move = own, opp, to_move
        return position


GAME = TicTacToe()
