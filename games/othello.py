"""Othello: outflank the other's discs to turn them; most discs at the end wins."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass

from games.support.board_game import FEN_HELP, BoardGame, status
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
from games.support.look import BLACK, WHITE, stones
from games.support.options import option

PASS = 64
"""The move of a seat that can turn nothing while the other can."""

_FULL = (1 << 64) - 1
_INNER = 0x7E7E7E7E7E7E7E7E
"""All columns but the first and the last, so that no run wraps round the edge."""

_BITS = tuple(1 << square for square in range(64))
_START = (1 << 28 | 1 << 35, 1 << 27 | 1 << 36)
_CORNERS = 1 | 1 << 7 | 1 << 56 | 1 << 63
_COLUMNS = "abcdefgh"
_STEPS = ((0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (-1, -1), (1, -1), (-1, 1))
_SIGNS = "xo"
_PASSES = ("0000", "--", "(none)", "pa")
_DISCS = {"X": 0, "*": 0, "B": 0, "O": 1, "W": 1}
_STYLE = """
.cell { fill: #2e8b57; stroke: #1d5c39; stroke-width: 1 }
.black { fill: #15181c; stroke: #000 }
.white { fill: #f8f8f5; stroke: #4a4f55 }
.may { fill: #1d5c39 }
"""
_new = object.__new__


def _rays(square: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the rays from a square as sets: those towards higher squares, and towards lower."""
    up: list[int] = []
    down: list[int] = []
    for by_row, by_column in _STEPS:
        row, column, ray = square // 8 + by_row, square % 8 + by_column, 0
        while 0 <= row < 8 and 0 <= column < 8:
            ray |= 1 << 8 * row + column
            row, column = row + by_row, column + by_column
        # On a ray of one square nothing can be turned.
        if ray.bit_count() > 1:
            (up if by_row * 8 + by_column > 0 else down).append(ray)
    return tuple(up), tuple(down)


RAYS = tuple(_rays(square) for square in range(64))


def turned(square: int, own: int, opp: int) -> int:
    """Return the discs of `opp` that a disc of `own` on an empty `square` turns."""
    up, down = RAYS[square]
    found = 0
    stops = ~opp
    for ray in up:
        # The nearest square of the ray without an opposing disc: it must hold one's own.
        stop = ray & stops
        stop &= -stop
        if stop & own:
            found |= ray & stop - 1
    for ray in down:
        stop = ray & stops
        if stop:
            stop = 1 << stop.bit_length() - 1
            if stop & own:
                found |= ray & -stop ^ stop
    return found


def mobility_of(own: int, opp: int) -> int:
    """Return the empty squares where `own` turns something.

    In each direction, runs of `opp` next to a disc of `own` grow by doubling steps (the parallel
    prefix fill of P. Kogge and H. Stone, 1973); the square after a run is a move if empty.
    """
    inner = opp & _INNER
    found = 0
    for step, run in ((1, inner), (8, opp), (9, inner), (7, inner)):
        twice = step + step
        fill = run & own << step
        fill |= run & fill << step
        pair = run & run << step
        fill |= pair & fill << twice
        fill |= pair & fill << twice
        found |= fill << step
        fill = run & own >> step
        fill |= run & fill >> step
        pair = run & run >> step
        fill |= pair & fill >> twice
        fill |= pair & fill >> twice
        found |= fill >> step
    return found & ~(own | opp) & _FULL


def _squares(bits: int) -> list[int]:
    found = []
    while bits:
        low = bits & -bits
        found.append(low.bit_length() - 1)
        bits ^= low
    return found


class OthelloState(State):
    """An Othello position: `own` are the discs of the seat to move, `opp` the other's.

    A square is 8 × row + column, from a1 at the top left.
    """

    __slots__ = ("_mobility", "game", "opp", "own", "to_move")

    game: "Othello"
    own: int
    opp: int
    _mobility: int

    @property
    def mobility(self) -> int:
        """The squares where the seat to move turns something, computed on first use."""
        if self._mobility < 0:
            self._mobility = mobility_of(self.own, self.opp)
        return self._mobility

    def legal_moves(self) -> tuple[int, ...]:
        """List the squares that turn something, a1 to h8, or a pass if there is none."""
        return tuple(_squares(self.mobility)) or (PASS,)

    def play(self, move: int) -> "OthelloState":
        """Place a disc and turn those outflanked, or pass."""
        child = _new(OthelloState)
        child.game = self.game
        child.to_move = 1 - self.to_move
        child._mobility = -1
        if move == PASS:
            child.own, child.opp = self.opp, self.own
            return child
        flips = turned(move, self.own, self.opp)
        child.own = self.opp ^ flips
        child.opp = self.own | flips | 1 << move
        return child

    def outcome(self) -> tuple[float, ...] | None:
        """Return the utilities when neither seat can turn anything."""
        if self.mobility or mobility_of(self.opp, self.own):
            return None
        first = final_discs(self.own, self.opp) * (1 if self.to_move == 0 else -1)
        if self.game.score == "result":
            first = (first > 0) - (first < 0)
        return (float(first), float(-first))

    def key(self) -> int:
        """Return both seats' discs and who moves in one int."""
        return self.own << 65 | self.opp << 1 | self.to_move

    def order(self, moves: Sequence[Move]) -> Sequence[Move]:
        """Put corners first and the squares beside them last."""
        return sorted(moves, key=RANKS.__getitem__)

    def noisy_moves(self) -> Sequence[Move]:
        """List the moves into a corner: those discs are never turned back."""
        return _squares(self.mobility & _CORNERS)

    def symmetries(self) -> Iterable[tuple[Hashable, Callable[[Move], Move]]]:
        """Yield the three symmetries that preserve the first position."""
        for squares in _MAPS:
            own = sum(1 << squares[square] for square in _squares(self.own))
            opp = sum(1 << squares[square] for square in _squares(self.opp))
            yield own << 65 | opp << 1 | self.to_move, squares.__getitem__

    def text(self, move: Move) -> str:
        """Write the square as column and row, a1 being the top left, or `pass`."""
        return "pass" if move == PASS else f"{_COLUMNS[move % 8]}{move // 8 + 1}"

    def refusal(self, move: Move) -> str:
        """Name the square."""
        if type(move) is not int or not 0 <= move <= PASS:
            return ""
        if move == PASS:
            return "pass: there is a square to play"
        is_taken = (self.own | self.opp) >> move & 1
        return f"{self.text(move)}: {'the square is taken' if is_taken else 'it turns no disc'}"

    def fen(self) -> str:
        """Write the rows from a1's, `x` for Black and `o` for White, and who moves."""
        return f"{write_board(self._rows(), _SIGNS)} {_SIGNS[self.to_move]}"

    def decode(self, text: str) -> Move:
        """Read a square, or a pass in any engine's notation."""
        return self.parse("pass" if text.lower() in _PASSES else text)

    def discs(self, seat: int) -> int:
        """Return the discs of one seat."""
        return self.own if seat == self.to_move else self.opp

    def render(self) -> str:
        """Draw the board with X for Black and O for White."""
        labels = [f"{n} " for n in range(1, 9)]
        return draw_text_board(_COLUMNS, self._rows(), self._status("XO"), labels)

    def cells(self) -> tuple[str, ...]:
        """Return the rows from the top: `X` Black, `O` White, `.` free."""
        return cells_of(self._rows())

    def svg(self) -> str:
        """Draw the board in green, the mover's legal squares with a dot."""
        black, white = self.discs(0), self.discs(1)
        may = self.mobility if self.outcome() is None else 0
        squares = []
        for square in range(64):
            disc = "black" if black >> square & 1 else "white" if white >> square & 1 else ""
            drawn = f'<circle class="{disc}" r="16"/>' if disc else ""
            squares.append(Square("cell", drawn, is_dotted=bool(may >> square & 1)))
        rows = [squares[row : row + 8] for row in range(0, 64, 8)]
        title = f"{self.game.title}: {self.status()}"
        return draw_squares(title, _COLUMNS, "12345678", rows, _STYLE)

    def marks(self, move: Move) -> tuple[tuple[int, int], ...]:
        """Return the square, none for a pass."""
        return () if move == PASS else (centre_of(move % 8, move // 8),)

    def material(self) -> tuple[str, ...]:
        """Count the discs."""
        return tuple(counted(self.discs(seat).bit_count(), "disc") for seat in (0, 1))

    def _rows(self) -> list[list[BoardMark]]:
        return mark_rows(self.discs(0), self.discs(1), _BITS, 8)

    def status(self) -> str:
        """Return who moves or won, with the discs of both sides."""
        return self._status(self.game.seat_names)

    def _status(self, names: Sequence[str]) -> str:
        counts = [self.discs(seat).bit_count() for seat in (0, 1)]
        passing = ", who must pass" if self.outcome() is None and not self.mobility else ""
        score = f"{names[0]} {counts[0]}, {names[1]} {counts[1]}"
        return f"{status(self, names)}{passing} ({score})"


# Move-ordering ranks of a quarter of the board from its corner, best first. The squares beside a
# corner, which give it away, come last.
_QUARTER = ((0, 5, 1, 2), (5, 7, 6, 6), (1, 6, 3, 3), (2, 6, 3, 4))


def _rank(square: int) -> int:
    row, column = square // 8, square % 8
    return _QUARTER[min(row, 7 - row)][min(column, 7 - column)]


RANKS = (*(_rank(square) for square in range(64)), 0)
_MAPS = (
    (*(63 - square for square in range(64)), PASS),
    (*(8 * (square % 8) + square // 8 for square in range(64)), PASS),
    (*(63 - 8 * (square % 8) - square // 8 for square in range(64)), PASS),
)


def final_discs(own: int, opp: int) -> int:
    """Return the difference of discs at the end; the winner gets the empty squares."""
    mine, theirs = own.bit_count(), opp.bit_count()
    empty = 64 - mine - theirs
    return mine - theirs + (empty if mine > theirs else -empty if mine < theirs else 0)


def discs(state: OthelloState, seat: int) -> int:
    """Count the seat's discs less the other's."""
    return state.discs(seat).bit_count() - state.discs(1 - seat).bit_count()


def mobility(state: OthelloState, seat: int) -> int:
    """Count the squares where the seat could play, less those where the other could."""
    mover = state.mobility.bit_count() - mobility_of(state.opp, state.own).bit_count()
    return mover if seat == state.to_move else -mover


def corners(state: OthelloState, seat: int) -> int:
    """Count the seat's corners less the other's."""
    mine = (state.discs(seat) & _CORNERS).bit_count()
    return mine - (state.discs(1 - seat) & _CORNERS).bit_count()


def balance(state: OthelloState, seat: int) -> int:
    """Add ten times `corners` to `mobility`."""
    return mobility(state, seat) + 10 * corners(state, seat)


# By scale, the value of a utility of 1: a win, or one disc.
_EVALUATIONS = {
    score: (
        Evaluation("balance", "mobility, and ten for each corner", balance, -100, 100, 2 * unit),
        Evaluation("mobility", "moves one has less the other's", mobility, -60, 60, 2 * unit),
        Evaluation("discs", "discs less the other's", discs, -63, 63, unit),
        Evaluation("corners", "corners less the other's", corners, -4, 4, unit),
    )
    for score, unit in (("result", 1000), ("discs", 1))
}


@dataclass(frozen=True)
class Othello(BoardGame[OthelloState]):
    """The rules of Othello as the World Othello Federation has them; a pass is a move."""

    name = "othello"
    title = "Othello"
    summary = (
        "Place a disc so that it outflanks discs of the other colour, which then turn to yours. "
        "When nobody can move, more discs win."
    )
    look = stones(BLACK, WHITE, "#3f7f54")
    opening_plies = 6
    signs = _SIGNS

    score: str = option(
        "result",
        help="what the end is worth: a win 1, or each disc more 1",
        choices=("result", "discs"),
    )
    fen: str = option("", help=FEN_HELP)

    @property
    def utility_bounds(self) -> tuple[float, float]:
        """1 for a win, or all 64 discs."""
        return (-1.0, 1.0) if self.score == "result" else (-64.0, 64.0)

    @property
    def seat_names(self) -> tuple[str, ...]:
        """Black begins."""
        return ("Black", "White")

    @property
    def evaluations(self) -> tuple[Evaluation, ...]:
        """`balance`, `mobility`, `discs` and `corners`."""
        return _EVALUATIONS[self.score]

    def kernel(self) -> Kernel | None:
        """Return the kernel."""
        return find_kernel(self)

    def packing(self) -> Packing:
        """Pack both seats' discs, the mover's first; a move is its square or `PASS`."""
        return Packing(
            rules=(int(self.score == "discs"),),
            width=2,
            most_moves=64,
            evaluations=("balance", "mobility", "discs", "corners"),
            pack=lambda state: ((state.own, state.opp),),
            key_words=2,
            slots=65,
            identity_words=2,
            is_sooner_better=False,
        )

    def start(self) -> OthelloState:
        """Return the first position, Black to move."""
        return self._at(*_START, 0)

    def position(self, text: str) -> OthelloState:
        """Read 64 squares from a1 row by row and who moves, or moves from the start.

        `X` is Black, `O` White and `-` empty, as in Othello board files (.obf); text after a
        semicolon is ignored. Rows separated by slashes are read as `fen` writes them. Raises
        `PositionError` or `MoveError`.
        """
        words = text.partition(";")[0].split()
        if not words or len(words[0]) < 8:
            return super().position(text)
        if "/" in words[0]:
            return self.read(" ".join(words))
        board = "".join(words)
        if len(board) != 65:
            raise PositionError(
                f"an Othello position is 64 squares and who moves, and here are {len(board)} signs"
            )
        sets = [0, 0]
        for square, sign in enumerate(board[:64].upper()):
            if sign in _DISCS:
                sets[_DISCS[sign]] |= 1 << square
            elif sign not in "-.":
                where = f"{_COLUMNS[square % 8]}{square // 8 + 1}"
                raise PositionError(f"{sign!r} at {where}: expected X, O or -")
        if (sign := board[64].upper()) not in _DISCS:
            raise PositionError(f"{board[64]!r} is nobody to move: expected X or O")
        mover = _DISCS[sign]
        return self._at(sets[mover], sets[1 - mover], mover)

    def read(self, text: str) -> OthelloState:
        """Read the output of `fen`; raise `PositionError`."""
        words = text.split() or [""]
        boards, mover = read_board(words[0], 8, _BITS, _SIGNS), read_mover(words, _SIGNS)
        return self._at(boards[mover], boards[1 - mover], mover)

    def _at(self, own: int, opp: int, to_move: int) -> OthelloState:
        position = _new(OthelloState)
        position.game = self
        position.own, position.opp, position.to_move = own, opp, to_move
        position._mobility = -1
        return position


GAME = Othello()
