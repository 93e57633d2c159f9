"""Breakthrough: the first to bring a piece across the board wins. Dan Troyka's game of 2000."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import compress

from games.support.board_game import FEN_HELP, WON, BoardGame, signed, status
from games.support.board_text import read_board, read_mover, write_board
from games.support.counts import counted
from games.support.drawing import (
    BoardMark,
    Square,
    cells_of,
    centre_of,
    draw_squares,
    draw_text_board,
    mark_rows,
)
from games.support.errors import PositionError
from games.support.find_kernel import find_kernel
from games.support.game import Evaluation, Move, State
from games.support.kernel import Kernel, Packing
from games.support.look import BLACK, WHITE, Look
from games.support.options import option
from games.support.symmetries import image_by

_LETTERS = "abcdefghijkl"
_BITS = bytes(digit == ord("1") for digit in range(256))
_AT_ONCE = 100
_WORD, _PLANES = 64, 4
WINNING, LOSING = 50, 25
"""The value in pieces of being one step from the goal, or of being unable to stop the opponent."""
_PAWN = "M-4 -1a7 7 0 1 1 8 0c1 7 4 7 5 14h-18c1-7 4-7 5-14z"
_WHITE = f'<path class="up white" d="{_PAWN}"/>'
_BLACK = f'<g class="up"><path class="black" d="{_PAWN}"/><path class="band" d="M-6.5 8h13"/></g>'
_STYLE = """
.dark { fill: #a0764f }
.light { fill: #dcc19a }
.goal { fill: #7ec27e }
.white { fill: #fdfdfd; stroke: #241b13; stroke-width: 1.5 }
.black { fill: #1d1f24; stroke: #e8e0d4; stroke-width: 1.5 }
.band { stroke: #fdfdfd; stroke-width: 2.5 }
@media (prefers-color-scheme: dark) {
  .dark { fill: #80603f }
  .light { fill: #b89c74 }
}
"""
_new = object.__new__


class BreakthroughBoard:
    """The tables of one board size, shared by all its positions.

    Squares and bits are numbered rank by rank from a1. A move is three times its origin, plus 0
    towards the a-file, 1 straight ahead, 2 the other way, for both colours. Move tables are indexed
    by seat first.
    """

    def __init__(self, columns: int, rows: int) -> None:
        self.columns, self.rows = columns, rows
        self.size = size = columns * rows
        rank = (1 << columns) - 1
        self.first, self.last = rank, rank << size - columns
        self.goals = (self.last, self.first)
        # One step from the goal.
        self.ahead = (self.last >> columns, self.first << columns)
        self.starts = (rank | rank << columns, self.last | self.last >> columns)
        a_file = sum(1 << columns * row for row in range(rows))
        full = (1 << size) - 1
        self.inner = (full ^ a_file, full ^ a_file << columns - 1)
        tables = [self._tables(seat) for seat in (0, 1)]
        self.landings, self.steps, self.ranks = zip(*tables, strict=True)
        # The moves for the bits of three bitboards side by side, one for each direction.
        self.moves = tuple(
            3 * square + direction for direction in range(3) for square in range(size)
        )
        self.planes = tuple(
            sum(rank << columns * row for row in range(rows) if row >> plane & 1)
            for plane in range((rows - 1).bit_length())
        )
        self.turn = 1 << 2 * size
        goes = tuple(square + columns - 1 - 2 * (square % columns) for square in range(size))
        bits = tuple(1 << square for square in range(size))
        # The bit of each square, row by row from the top left.
        self.bits = tuple(
            bits[rank * columns + file] for rank in reversed(range(rows)) for file in range(columns)
        )
        self.image = image_by((goes,), bits, tuple(bit | bit << size for bit in bits))
        self.mirror = tuple(
            3 * goes[move // 3] + 2 - move % 3 for move in range(3 * size)
        ).__getitem__

    def __reduce__(self) -> tuple[Callable[[int, int], "BreakthroughBoard"], tuple[int, int]]:
        return board_of, (self.columns, self.rows)

    def _tables(self, seat: int) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
        """Return by move: the target's bit, both squares' bits, and the rank in `order`."""
        landings, steps, ranks = [], [], []
        for move in range(3 * self.size):
            square = move // 3
            target = square + (self.columns, -self.columns)[seat] + move % 3 - 1
            landing = 1 << target if 0 <= target < self.size else 0
            gone = (target // self.columns, self.rows - 1 - target // self.columns)[seat]
            landings.append(landing)
            steps.append(1 << square | landing)
            ranks.append(-gone - 2 * _AT_ONCE * (gone == self.rows - 1))
        return tuple(landings), tuple(steps), tuple(ranks)

    def moves_of(self, left: int, straight: int, right: int) -> tuple[int, ...]:
        """Return the moves in each direction from the squares of a bitboard."""
        size = self.size
        # A set bit above all three fixes the number of digits, which are read from the end.
        digits = bin(left | straight << size | right << 2 * size | 1 << 3 * size)
        return tuple(compress(self.moves, digits.encode().translate(_BITS)[:2:-1]))

    def name(self, square: int) -> str:
        """Return the name of a square: `a1`."""
        return f"{_LETTERS[square % self.columns]}{square // self.columns + 1}"


@cache
def board_of(columns: int, rows: int) -> BreakthroughBoard:
    """Return the shared board of that size."""
    return BreakthroughBoard(columns, rows)


class BreakthroughState(State):
    """A position; `own` holds the pieces of the seat to move, `opp` the other's."""

    __slots__ = ("game", "opp", "own", "result", "to_move")

    game: "Breakthrough"
    own: int
    opp: int
    result: tuple[float, ...] | None

    def legal_moves(self) -> tuple[int, ...]:
        """List the moves by direction, then by square.

        There is always one before the end: at least one square diagonally ahead of the mover's
        foremost piece is on the board and not his own.
        """
        return self.game.board.moves_of(*self._movable())

    def play(self, move: int) -> "BreakthroughState":
        """Move a piece one step ahead, capturing any piece there."""
        child = _new(BreakthroughState)
        child.game = game = self.game
        board = game.board
        mover = self.to_move
        child.to_move = 1 - mover
        landing = board.landings[mover][move]
        child.opp = self.own ^ board.steps[mover][move]
        child.own = opp = self.opp & ~landing
        child.result = None if opp and not landing & board.goals[mover] else WON[mover]
        return child

    def outcome(self) -> tuple[float, ...] | None:
        """Return the utilities once a piece is across or a colour has none left."""
        return self.result

    def key(self) -> int:
        """Return White's pieces, Black's and who moves, in one int."""
        board = self.game.board
        if self.to_move:
            return self.own << board.size | self.opp | board.turn
        return self.opp << board.size | self.own

    def symmetries(self) -> Iterable[tuple[Hashable, Callable[[Move], Move]]]:
        """Yield the mirror image."""
        board = self.game.board
        key = self.key()
        return ((board.image(key) | key & board.turn, board.mirror),)

    def order(self, moves: Sequence[Move]) -> Sequence[Move]:
        """Sort moves to the last rank first, then captures, then by how far they lead."""
        board, seat, opp = self.game.board, self.to_move, self.opp
        landings, ranks = board.landings[seat], board.ranks[seat]
        return sorted(moves, key=lambda move: ranks[move] - _AT_ONCE * (landings[move] & opp != 0))

    def noisy_moves(self) -> Sequence[Move]:
        """List the captures and the moves to the last rank."""
        board, opp, columns = self.game.board, self.opp, self.game.columns
        left, straight, right = self._movable()
        ahead = board.ahead[self.to_move]
        if self.to_move:
            hit_left, hit_right = opp << columns + 1, opp << columns - 1
        else:
            hit_left, hit_right = opp >> columns - 1, opp >> columns + 1
        left, right = left & (hit_left | ahead), right & (hit_right | ahead)
        straight &= ahead
        return board.moves_of(left, straight, right) if left | straight | right else ()

    def text(self, move: Move) -> str:
        """Write both squares, `a2-a3`, or `b2xc3` for a capture."""
        board = self.game.board
        landing = board.landings[self.to_move][move]
        sign = "x" if landing & self.opp else "-"
        return f"{board.name(move // 3)}{sign}{board.name(landing.bit_length() - 1)}"

    def refusal(self, move: Move) -> str:
        """Name both squares."""
        board = self.game.board
        if type(move) is not int or not 0 <= move < 3 * board.size:
            return ""
        landing = board.landings[self.to_move][move]
        origin = move // 3
        if not self.own >> origin & 1:
            return f"a move from {board.name(origin)}: no piece of yours is there"
        if not landing or not 0 <= origin % board.columns + move % 3 - 1 < board.columns:
            return f"a move of {board.name(origin)} off the board"
        target = board.name(landing.bit_length() - 1)
        return f"{board.name(origin)}-{target}: the square can't be reached"

    def parse(self, text: str) -> Move:
        """Read `a2-a3`, `b2xc3` or `a2a3`; raise `MoveError` unless it is legal."""
        wanted = text.strip().lower()
        if self.result is None:
            for move in self.legal_moves():
                written = self.text(move)
                if wanted in (written, written.replace("-", "").replace("x", "")):
                    return move
        return super().parse(text)

    def fen(self) -> str:
        """Write the position as chess FEN, all pieces pawns; the last fields are meaningless."""
        return f"{write_board(self._ranks(), 'Pp')} {'wb'[self.to_move]} - - 0 1"

    def code(self, move: Move) -> str:
        """Write both squares without a separator."""
        board = self.game.board
        landing = board.landings[self.to_move][move]
        return board.name(move // 3) + board.name(landing.bit_length() - 1)

    def pieces(self, seat: int) -> int:
        """Return the bitboard of one seat."""
        return self.own if seat == self.to_move else self.opp

    def render(self) -> str:
        """Draw the board with X for White and O for Black; a piece that is across in brackets."""
        labels = [f"{row} " for row in range(self.game.rows, 0, -1)]
        columns = _LETTERS[: self.game.columns]
        told = status(self, signed(self.game.seat_names, "XO"))
        return draw_text_board(columns, self._ranks(), told, labels)

    def cells(self) -> tuple[str, ...]:
        """Return the rows from the top: `X` White, `O` Black, `.` free."""
        return cells_of(self._ranks())

    def svg(self) -> str:
        """Draw pawns on a chess board; Black's have a band, a winning piece's square is green."""
        rows = self.game.rows
        squares = [
            [
                Square(
                    "goal" if mark.is_won else ("dark", "light")[(rows - 1 - y + x) % 2],
                    "" if mark is BoardMark.EMPTY else _WHITE if mark.is_first else _BLACK,
                )
                for x, mark in enumerate(rank)
            ]
            for y, rank in enumerate(self._ranks())
        ]
        told = status(self, signed(self.game.seat_names, ("plain", "with a band")))
        labels = [str(rows - y) for y in range(rows)]
        return draw_squares(
            f"{self.game.title}: {told}", _LETTERS[: self.game.columns], labels, squares, _STYLE
        )

    def marks(self, move: Move) -> tuple[tuple[int, int], ...]:
        """Return the origin and the target."""
        board = self.game.board
        squares = (move // 3, board.landings[self.to_move][move].bit_length() - 1)
        places = (divmod(square, board.columns) for square in squares)
        return tuple(centre_of(column, board.rows - 1 - rank) for rank, column in places)

    def material(self) -> tuple[str, ...]:
        """Count the pieces."""
        return tuple(counted(self.pieces(seat).bit_count(), "piece") for seat in (0, 1))

    def _movable(self) -> tuple[int, int, int]:
        """Return the pieces that can move towards the a-file, straight ahead, and the other way."""
        board = self.game.board
        own, columns = self.own, board.columns
        not_a, not_last = board.inner
        stands = own | self.opp
        if self.to_move:
            return (
                own & not_a & ~(own << columns + 1),
                own & ~(stands << columns),
                own & not_last & ~(own << columns - 1),
            )
        return (
            own & not_a & ~(own >> columns - 1),
            own & ~(stands >> columns),
            own & not_last & ~(own >> columns + 1),
        )

    def _ranks(self) -> list[list[BoardMark]]:
        board = self.game.board
        white, black = self.pieces(0), self.pieces(1)
        won = white & board.last | black & board.first
        return mark_rows(white, black, board.bits, board.columns, won)


def race(state: BreakthroughState, seat: int) -> int:
    """Add to `advance` the foremost pieces' ranks once more, and what the seat to move can do.

    It has a piece more, without ranks, if it can capture; it wins if it is one step from the goal,
    and loses if the other is and can't be captured there. `advance` misses all three in the
    positions where a search stops, so that two more plies did not win.
    """
    board, own, opp, mover = state.game.board, state.own, state.opp, state.to_move
    columns = board.columns
    left, right = own & board.inner[0], own & board.inner[1]
    if mover:
        hits = left >> columns + 1 | right >> columns - 1
    else:
        hits = left << columns - 1 | right << columns + 1
    turn = 1 if opp & hits else 0
    if own & board.ahead[mover]:
        turn += WINNING
    elif opp & board.ahead[1 - mover] & ~hits:
        turn -= LOSING
    white, black = state.pieces(0), state.pieces(1)
    lead = (white.bit_length() - 1) // columns
    lead += ((black & -black).bit_length() - 1) // columns - (board.rows - 1)
    total = lead + board.rows * (-turn if mover else turn)
    return advance(state, seat) + (total if seat == 0 else -total)


def advance(state: BreakthroughState, seat: int) -> int:
    """Count the seat's pieces and the ranks they have advanced, less the other's.

    A piece counts the number of ranks on the board plus those it has advanced; the foremost piece's
    advance counts twice. Ranks are summed by bit planes for both colours together: the ranks that
    White has advanced from the first are those that Black still has to go.
    """
    board = state.game.board
    white, black = state.pieces(0), state.pieces(1)
    stands = white | black
    columns, rows = board.columns, board.rows
    total = rows * white.bit_count() - (2 * rows - 1) * black.bit_count()
    for plane, mask in enumerate(board.planes):
        total += (stands & mask).bit_count() << plane
    total += (white.bit_length() - 1) // columns
    total += ((black & -black).bit_length() - 1) // columns - (rows - 1)
    return total if seat == 0 else -total


def pieces(state: BreakthroughState, seat: int) -> int:
    """Count the seat's pieces less the other's."""
    balance = state.own.bit_count() - state.opp.bit_count()
    return balance if seat == state.to_move else -balance


@cache
def _evaluations(columns: int, rows: int) -> tuple[Evaluation, ...]:
    # No piece is across yet, and the other seat has at least one, which counts the ranks.
    most = 2 * columns * (rows + rows - 2) + rows - 2 - rows
    more = 2 * columns - 1
    far = most + rows - 2 + (WINNING + 1) * rows
    return (
        Evaluation(
            "race",
            "advance, the foremost's thrice, and who can capture or get across",
            race,
            -far,
            far,
            10_000,
        ),
        Evaluation(
            "advance",
            "pieces and the ranks they have gone, the foremost's twice",
            advance,
            -most,
            most,
            10_000,
        ),
        Evaluation("pieces", "pieces less the other's", pieces, -more, more, 1000),
    )


@dataclass(frozen=True)
class Breakthrough(BoardGame[BreakthroughState]):
    """The rules; each seat starts with two ranks of pieces, which fill a board of four rows."""

    name = "breakthrough"
    title = "Breakthrough"
    summary = (
        "Pieces move one square straight or diagonally ahead, and capture diagonally. Who first "
        "reaches the farthest row, or captures every piece, wins."
    )
    look = Look({"X": ("▲", WHITE), "O": ("▼", BLACK), ".": (" ", "")}, "#8ca2ad", "#667d8a")
    opening_plies = 4
    signs = "wb"

    columns: int = option(8, help="columns of the board", low=2, high=12)
    rows: int = option(8, help="rows of the board", low=4, high=12)
    fen: str = option("", help=FEN_HELP)
    board: BreakthroughBoard = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "board", board_of(self.columns, self.rows))
        super().__post_init__()

    @property
    def seat_names(self) -> tuple[str, ...]:
        """The colours of the pieces; white begins."""
        return ("White", "Black")

    @property
    def evaluations(self) -> tuple[Evaluation, ...]:
        """`race`, `advance` and `pieces`; the bounds depend on the options."""
        return _evaluations(self.columns, self.rows)

    def kernel(self) -> Kernel | None:
        """Return the kernel if the board fits 64 bits."""
        return find_kernel(self)

    def packing(self) -> Packing | None:
        """Pack the pieces of the seat to move, the other's, and the seat."""
        board = self.board
        if board.size > _WORD:
            return None
        planes = (*board.planes, *[0] * (_PLANES - len(board.planes)))
        return Packing(
            rules=(board.columns, board.rows, *board.inner, *board.goals, *planes),
            width=3,
            most_moves=2 * board.columns * 3,
            evaluations=("race", "advance", "pieces"),
            pack=lambda state: ((state.own, state.opp, state.to_move),),
            key_words=3,
            slots=3 * self.board.size,
            identity_words=2,
        )

    def start(self) -> BreakthroughState:
        """Return two ranks of pieces on each side, White to move."""
        return self._at(*self.board.starts, 0)

    def read(self, text: str) -> BreakthroughState:
        """Read the output of `fen`; raise `PositionError` for an unreachable position."""
        words = text.split() or [""]
        pieces = read_board(words[0], self.columns, self.board.bits, "Pp")
        mover = read_mover(words, "wb")
        if max(each.bit_count() for each in pieces) > 2 * self.columns:
            raise PositionError(f"board {words[0]!r}: more than {2 * self.columns} of a colour")
        own, opp = pieces[mover], pieces[1 - mover]
        if own & self.board.goals[mover] or not opp:
            raise PositionError(f"board {words[0]!r}: {'wb'[mover]} has won and is to move")
        return self._at(own, opp, mover)

    def _at(self, own: int, opp: int, to_move: int) -> BreakthroughState:
        position = _new(BreakthroughState)
        position.game = self
        position.own, position.opp, position.to_move = own, opp, to_move
        is_lost = not own or opp & self.board.goals[1 - to_move]
        position.result = WON[1 - to_move] if is_lost else None
        return position


GAME = Breakthrough()
