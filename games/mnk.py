"""Gomoku and its kin: place stones on the points of a board; enough in a row win.

Mathematicians call the family m,n,k-games: 15,15,5 is gomoku, 3,3,3 is tic-tac-toe.
"""

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import compress, filterfalse

from games.support.board_game import DRAWN, FEN_HELP, WON, BoardGame, row_status, signed, status
from games.support.board_text import read_board, read_mover, write_board
from games.support.drawing import BoardMark, cells_of, document, draw_text_board, mark_rows, piece
from games.support.errors import PositionError
from games.support.find_kernel import find_kernel
from games.support.game import Evaluation, Move, State
from games.support.kernel import Kernel, Packing
from games.support.lines import count_windows, doublings, line_of, places, row_squares
from games.support.look import BLACK, WHITE, stones
from games.support.options import option
from games.support.symmetries import image_by, joined, point_maps

SWAP = 1 << 10
"""The word of a swap; also the last stone's place if there is no last stone."""

_WORD = 64
_MOST_WORDS, _MOST_IN_ROW = 7, 7
_LETTERS = "abcdefghijklmnopqrst"
_SWAP = "swap"
_SIGNS = "xo"
_BITS = bytes(digit == ord("1") for digit in range(256))
_CELL, _LEFT, _TOP = 32, 44, 22
_STYLE = """
.wood { fill: #d9b36c }
.line { stroke: #6b4e1e; fill: none }
.star { fill: #6b4e1e }
.black { fill: #16181c; stroke: #000 }
.white { fill: #fafafa; stroke: #4a3a1c }
.mark { fill: #e0322b; stroke: #fff }
.name { fill: #4a3410 }
@media (prefers-color-scheme: dark) {
  .wood { fill: #b08d4f }
  .line { stroke: #4a3410 }
  .star { fill: #4a3410 }
  .name { fill: #2e2008 }
}
"""
_new = object.__new__


class MnkBoard:
    """The tables of one board size and length of row, shared by all its positions.

    Points are numbered row by row from the top left, bits from the bottom right, so that a
    bitboard's binary digits read like the board. Each row has an extra bit at its left end, never
    set, so that lines don't wrap. `width` bits hold a board and an empty row above it, which
    separates two boards side by side in one int.
    """

    def __init__(self, columns: int, rows: int, connect: int) -> None:
        self.columns, self.rows, self.connect = columns, rows, connect
        self.cells = self.swap = columns * rows
        line = columns + 1
        self.width = line * (rows + 1)
        self.bits = tuple(
            1 << line * (rows - 1 - move // columns) + columns - 1 - move % columns
            for move in range(self.cells)
        )
        self.full = sum(self.bits)
        self.high = self.full << self.width
        # The points of a bitboard's digits, after the empty row; the left ends stand for none.
        self.points = tuple(
            row * columns + max(0, column) for row in range(rows) for column in range(-1, columns)
        )
        self.names = (
            *(f"{_LETTERS[move % columns]}{rows - move // columns}" for move in range(self.cells)),
            _SWAP,
        )
        self.named = {name: move for move, name in enumerate(self.names)}
        self.ranks = _ranks(columns, rows)
        # The key's bit for the mover: a left end, which no stone takes.
        self.turns = (0, 1 << columns)
        self.steps = (1, line, line - 1, line + 1)
        self.directions = tuple(
            tuple(step * times for times in doublings(connect)) for step in self.steps
        )
        self.runs = tuple(tuple(step * times for times in range(1, connect)) for step in self.steps)
        self.stars = tuple(self._reach(bit, connect - 1) for bit in self.bits)
        both = [bit | bit << self.width for bit in self.bits]
        self.images = tuple(
            (image_by(chain, self.bits, both), (*joined(chain), self.swap).__getitem__)
            for chain in point_maps(columns, rows)
        )

    def __reduce__(self) -> tuple[Callable[[int, int, int], "MnkBoard"], tuple[int, int, int]]:
        return board_of, (self.columns, self.rows, self.connect)

    def moves_of(self, bitboard: int) -> tuple[int, ...]:
        """Return the points of `bitboard` as moves, row by row from the top left."""
        # A set bit above the board fixes the number of digits: three precede the board's own.
        digits = bin(bitboard | 1 << len(self.points)).encode().translate(_BITS)
        return tuple(compress(self.points, digits[3:]))

    def _reach(self, bit: int, far: int) -> int:
        """Return the points in line with one, up to `far` steps away, and itself."""
        reached = bit
        for step in self.steps:
            up = down = bit
            for _ in range(far):
                up = up << step & self.full
                down = down >> step & self.full
                reached |= up | down
        return reached


@cache
def board_of(columns: int, rows: int, connect: int) -> MnkBoard:
    """Return the shared board of that size."""
    return MnkBoard(columns, rows, connect)


def _ranks(columns: int, rows: int) -> tuple[int, ...]:
    """Return each move's distance from the centre; `swap` comes before all of them."""

    def distance(move: int) -> int:
        across, down = 2 * (move % columns) - columns + 1, 2 * (move // columns) - rows + 1
        return across * across + down * down

    return (*map(distance, range(columns * rows)), -1)


class MnkState(State):
    """A position; `mask` holds all stones, `opp` those of the seat that moved last."""

    __slots__ = ("game", "mask", "opp", "result", "to_move")

    game: "MnkGame"
    mask: int
    opp: int
    result: tuple[float, ...] | None

    def legal_moves(self) -> tuple[int, ...]:
        """List the free points row by row from the top left, then `swap` if allowed."""
        board = self.game.board
        free = board.moves_of(self.mask ^ board.full)
        return (*free, board.swap) if self.is_swap_open() else free

    def is_swap_open(self) -> bool:
        """Tell whether the second seat may take over the first stone."""
        return self.game.swap and self.to_move == 1 and self.mask.bit_count() == 1

    def play(self, move: int) -> "MnkState":
        """Put a stone on the point `move`, or swap the owner of the one on the board."""
        child = _new(MnkState)
        child.game = game = self.game
        board = game.board
        mover = self.to_move
        child.to_move = 1 - mover
        child.result = None
        if move == board.swap:
            child.mask = child.opp = self.mask
            return child
        child.mask = mask = self.mask | board.bits[move]
        child.opp = own = self.opp ^ mask
        # A new row needs other stones within reach of the last one; most moves have too few and end
        # here.
        if (
            (own & board.stars[move]).bit_count() >= board.connect
            and line_of(own, board.directions)
            and (game.overline or row_squares(own, board.runs, is_exact=True))
        ):
            child.result = WON[mover]
        elif mask == board.full:
            child.result = DRAWN
        return child

    def outcome(self) -> tuple[float, ...] | None:
        """Return the utilities once there is a row or the board is full."""
        return self.result

    def key(self) -> int:
        """Return both bitboards and the mover, whom the stones don't tell after a swap."""
        board = self.game.board
        return self.opp << board.width | self.mask | board.turns[self.to_move]

    def symmetries(self) -> Iterable[tuple[Hashable, Callable[[Move], Move]]]:
        """Yield the rotations and reflections: seven of a square board, three of any other."""
        board = self.game.board
        boards = self.opp << board.width | self.mask
        turn = board.turns[self.to_move]
        for image, goes in board.images:
            yield image(boards) | turn, goes

    def order(self, moves: Sequence[Move]) -> Sequence[Move]:
        """Sort the points next to stones from the centre outwards; the others follow as given."""
        board = self.game.board
        mask = self.mask
        rank = board.ranks.__getitem__
        if not mask:
            return sorted(moves, key=rank)
        near = mask | mask << 1 | mask >> 1
        line = board.columns + 1
        near = (near | near << line | near >> line) & (board.full ^ mask)
        close = {board.swap, *board.moves_of(near)}
        return (
            *sorted(filter(close.__contains__, moves), key=rank),
            *filterfalse(close.__contains__, moves),
        )

    def text(self, move: Move) -> str:
        """Write the column's letter and the row's number from the bottom, or `swap`."""
        return self.game.board.names[move]

    def refusal(self, move: Move) -> str:
        """Name the point."""
        if type(move) is not int or not 0 <= move <= self.game.board.swap:
            return ""
        is_swap = move == self.game.board.swap
        return f"{self.text(move)}: {'no swap now' if is_swap else 'the point is taken'}"

    def parse(self, text: str) -> Move:
        """Read `h8` or `swap`; raise `MoveError` unless it is legal."""
        move = self.game.board.named.get(text.strip().lower())
        if move is None or self.result is not None or move not in self.legal_moves():
            return super().parse(text)
        return move

    def fen(self) -> str:
        """Write the rows from the top, `x` the first seat, who moves and the move number."""
        stones = self.mask.bit_count()
        # A swap is a ply without a stone.
        plies = stones + (stones + self.to_move & 1)
        return f"{write_board(self._rows(), _SIGNS)} {_SIGNS[self.to_move]} {plies // 2 + 1}"

    def stones(self, seat: int) -> int:
        """Return the bitboard of one seat."""
        return self.opp if seat != self.to_move else self.opp ^ self.mask

    def render(self) -> str:
        """Draw the board with X for the first seat and O for the second; a won row in brackets."""
        game = self.game
        labels = [f"{row} " for row in range(game.rows, 0, -1)]
        return draw_text_board(
            _LETTERS[: game.columns],
            self._rows(),
            status(self, signed(game.seat_names, "XO")) + self._swap_told(),
            labels,
        )

    def cells(self) -> tuple[str, ...]:
        """Return the rows from the top: `X` the first seat, `O` the second, `.` free."""
        return cells_of(self._rows())

    def svg(self) -> str:
        """Draw the board with black and white stones; a red dot marks those of a won row."""
        board = self.game.board
        width, height = _LEFT + _CELL * board.columns, _TOP + _CELL * board.rows + _CELL // 2
        body = [f'<rect class="wood" width="{width}" height="{height}" rx="6"/>', *_ruled(board)]
        for y, row in zip(_lines(_TOP, board.rows), self._rows(), strict=True):
            body += [
                _stone(mark, x, y)
                for x, mark in zip(_lines(_LEFT, board.columns), row, strict=True)
                if mark is not BoardMark.EMPTY
            ]
        title = f"{self.game.title}: {self.status()}"
        return document(title, (0, width, height), body, style=_STYLE, cell=_CELL, is_turned=True)

    def marks(self, move: Move) -> tuple[tuple[int, int], ...]:
        """Return the point, none for a swap."""
        row, column = divmod(move, self.game.columns)
        return () if row == self.game.rows else ((_LEFT + column * _CELL, _TOP + row * _CELL),)

    def _rows(self) -> list[list[BoardMark]]:
        board = self.game.board
        won = 0
        if self.result in WON:
            won = row_squares(self.opp, board.runs, is_exact=not self.game.overline)
        return mark_rows(self.stones(0), self.stones(1), board.bits, board.columns, won)

    def status(self) -> str:
        """Say who moves or may swap, who won by how long a row, or that the board is full."""
        return row_status(self, self.game.connect) + self._swap_told()

    def _swap_told(self) -> str:
        return ", or swap" if self.is_swap_open() else ""


def _ruled(board: MnkBoard) -> list[str]:
    """Draw the lines, the star points and the names of columns and rows."""
    xs, ys = _lines(_LEFT, board.columns), _lines(_TOP, board.rows)
    body = [f'<path class="line" d="M{x} {_TOP}V{ys[-1]}"/>' for x in xs]
    body += [f'<path class="line" d="M{_LEFT} {y}H{xs[-1]}"/>' for y in ys]
    if board.columns == board.rows in (15, 19):
        stars = (3, board.rows // 2, -4)
        body += [
            f'<circle class="star" cx="{xs[x]}" cy="{ys[y]}" r="3"/>' for x in stars for y in stars
        ]
    below = ys[-1] + _CELL
    body += [
        f'<text class="name" x="{x}" y="{below}">{letter}</text>'
        for x, letter in zip(xs, _LETTERS, strict=False)
    ]
    body += [
        f'<text class="name" x="15" y="{y + 5}">{board.rows - index}</text>'
        for index, y in enumerate(ys)
    ]
    return body


def _lines(first: int, count: int) -> range:
    return range(first, first + _CELL * count, _CELL)


def _stone(mark: BoardMark, x: int, y: int) -> str:
    stone = f'<circle class="{"black" if mark.is_first else "white"}" r="14"/>'
    return piece(x, y, "", stone + ('<circle class="mark" r="5"/>' if mark.is_won else ""))


def windows(state: MnkState, seat: int) -> int:
    """Sum the squared stone counts of places for a row with stones of one seat, signed by seat."""
    board = state.game.board
    width = board.width
    opp = state.opp
    own = opp ^ state.mask
    free = board.full ^ state.mask
    both = own | opp << width if seat == state.to_move else opp | own << width
    return count_windows(both, both | free | free << width, board.runs, board.high)


def neighbours(state: MnkState, seat: int) -> int:
    """Count the seat's pairs of adjacent stones, less the other's."""
    own, opp = state.stones(seat), state.stones(1 - seat)
    return sum(
        (own & own >> step).bit_count() - (opp & opp >> step).bit_count()
        for step in state.game.board.steps
    )


def _split(bits: int, words: int) -> tuple[int, ...]:
    return tuple(bits >> _WORD * word & (1 << _WORD) - 1 for word in range(words))


@cache
def _evaluations(columns: int, rows: int, connect: int, overline: bool) -> tuple[Evaluation, ...]:
    # If an overlong row does not win, such a place may fill up without an end.
    fill = connect - 1 if overline else connect
    most = places(columns, rows, connect) * fill**2
    pairs = places(columns, rows, 2)
    return (
        Evaluation(
            "windows",
            "rows still open to one seat alone, by the square of its stones in them",
            windows,
            -most,
            most,
            100_000,
            likely=30,
        ),
        Evaluation("neighbours", "pairs of stones that touch", neighbours, -pairs, pairs, 10_000),
    )


@dataclass(frozen=True)
class MnkGame(BoardGame[MnkState]):
    """The rules; nobody can win if a row does not fit on the board."""

    name = "mnk"
    title = "Gomoku"
    summary = (
        "Put a stone on a free point in turn. The first to have {connect} in a row, across, up or "
        "along a diagonal, wins; a full board is a draw."
    )
    look = stones(BLACK, WHITE, "#a07c46")
    opening_plies = 3
    signs = _SIGNS

    columns: int = option(15, help="columns of the board", low=1, high=20)
    rows: int = option(15, help="rows of the board", low=1, high=20)
    connect: int = option(5, help="how many in a row win", low=2, high=20)
    swap: bool = option(False, help="whether the second seat may take over the first stone")
    overline: bool = option(True, help="whether longer rows win too")
    fen: str = option("", help=FEN_HELP)
    board: MnkBoard = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "board", board_of(self.columns, self.rows, self.connect))
        super().__post_init__()

    @property
    def seat_names(self) -> tuple[str, ...]:
        """The colours of the stones; black begins."""
        return ("Black", "White")

    @property
    def evaluations(self) -> tuple[Evaluation, ...]:
        """`windows` and `neighbours`; the bounds depend on the options."""
        return _evaluations(self.columns, self.rows, self.connect, self.overline)

    def kernel(self) -> Kernel | None:
        """Return the kernel, except for rows of more than seven."""
        return find_kernel(self)

    def packing(self) -> Packing | None:
        """Pack all stones, those of the seat to move, and the last stone's place with the seat."""
        board = self.board
        words = -(-len(board.points) // _WORD)
        if self.connect > _MOST_IN_ROW or words > _MOST_WORDS:
            return None

        def pack(state: MnkState) -> tuple[tuple[int, ...]]:
            # It has no row, which would have ended the match: any last place does.
            rest = state.mask.bit_count() << 32 | state.to_move << 16 | SWAP
            return ((*_split(state.mask, words), *_split(state.opp ^ state.mask, words), rest),)

        places = {bit.bit_length() - 1: move for move, bit in enumerate(board.bits)}
        places[SWAP] = board.swap
        sizes = (board.cells, board.rows, self.connect, self.swap, self.overline, *board.steps)
        return Packing(
            rules=(*map(int, sizes), *_split(board.full, words)),
            width=2 * words + 1,
            most_moves=board.cells + 1,
            evaluations=("windows", "neighbours"),
            pack=pack,
            move_of=places.__getitem__,
            is_revised=True,
            key_words=2 * words + 1,
            slots=SWAP + 1,
            identity_words=2 * words + 1,
        )

    def start(self) -> MnkState:
        """Return the empty board, the first seat to move."""
        return self._at(0, 0, 0)

    def read(self, text: str) -> MnkState:
        """Read the output of `fen`; raise `PositionError` for an unreachable position."""
        words = text.split() or [""]
        first, second = read_board(words[0], self.columns, self.board.bits, _SIGNS)
        mover = read_mover(words, _SIGNS)
        ahead = first.bit_count() - second.bit_count()
        if ahead != mover and not (self.swap and second and ahead == mover - 1):
            counts = f"{first.bit_count()} x and {second.bit_count()} o"
            raise PositionError(f"board {words[0]!r}: {counts} with {_SIGNS[mover]} to move")
        if self._rows_of(first if mover == 0 else second):
            raise PositionError(f"board {words[0]!r}: {_SIGNS[mover]} has won and is to move")
        return self._at(first | second, second if mover == 0 else first, mover)

    def _rows_of(self, stones: int) -> int:
        return row_squares(stones, self.board.runs, is_exact=not self.overline)

    def _at(self, mask: int, opp: int, to_move: int) -> MnkState:
        position = _new(MnkState)
        position.game = self
        position.mask, position.opp, position.to_move = mask, opp, to_move
        if self._rows_of(opp):
            position.result = WON[1 - to_move]
        else:
            position.result = DRAWN if mask == self.board.full else None
        return position


GAME = MnkGame()
