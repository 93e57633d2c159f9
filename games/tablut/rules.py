"""Tablut: a king breaks out of a siege, by Ashton's rules.

Source: J. Ashton, Linnaeus's Game Tablut (2010), as the student competition of the University of
Bologna referees it.
"""

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass

from games.support.board_game import DRAWN, FEN_HELP, WON, BoardGame
from games.support.board_text import read_mover
from games.support.counts import counted
from games.support.drawing import Square, centre_of, draw_squares
from games.support.errors import MoveError, PositionError
from games.support.find_kernel import find_kernel
from games.support.game import Evaluation, Move, State
from games.support.kernel import Kernel, Packing
from games.support.look import BLACK, WHITE, Look, mix
from games.support.options import option
from games.tablut.board import (
    BESIDE,
    CAMPS,
    CELLS,
    COLUMNS,
    CORNERS,
    CROSS,
    EDGE,
    IN_CAMP,
    KING_AT_START,
    OUTSIDE,
    PAIRS,
    SIZE,
    THRONE,
    WHITE_ANVILS,
    WHITES,
    name_of,
)
from games.tablut.board_text import read_pieces, write_pieces
from games.tablut.evaluation import EVALUATIONS
from games.tablut.packing import packing_of

_BESIDE_THRONE = BESIDE[KING_AT_START]
_new = object.__new__


class TablutState(State):
    """A Tablut position: sets of squares, and boards that must not repeat.

    `king` is his square; `seen` holds the boards since the last irreversible move, with their
    number of occurrences.
    """

    __slots__ = ("black", "game", "is_white", "king", "result", "seen", "to_move", "white")

    game: "Tablut"
    white: int
    black: int
    king: int
    is_white: bool
    seen: frozenset[int]
    result: tuple[float, ...] | None

    def legal_moves(self) -> tuple[int, ...]:
        """List the moves, 81 × origin + target; the king's come first."""
        king = 1 << self.king
        walls = self.white | self.black | king | THRONE
        blocked = walls | CAMPS
        moves: tuple[int, ...] = ()
        if self.is_white:
            moves = OUTSIDE[self.king][CROSS[self.king] & blocked]
            pieces = self.white
        else:
            pieces = self.black & CAMPS
            while pieces:
                low = pieces & -pieces
                pieces ^= low
                square = low.bit_length() - 1
                moves += IN_CAMP[square][CROSS[square] & walls]
            pieces = self.black & ~CAMPS
        while pieces:
            low = pieces & -pieces
            pieces ^= low
            square = low.bit_length() - 1
            moves += OUTSIDE[square][CROSS[square] & blocked]
        return moves

    def play(self, move: int) -> "TablutState":
        """Move a piece, and capture what it sandwiches."""
        origin, target = divmod(move, CELLS)
        child = _new(TablutState)
        child.game = self.game
        child.to_move = 1 - self.to_move
        child.is_white = not self.is_white
        child.king, child.white, child.black = self.king, self.white, self.black
        taken = self._taken(origin, target)
        if not self.is_white:
            child.black ^= 1 << origin | 1 << target
            child.white ^= taken
        else:
            child.black ^= taken
            if origin == self.king:
                child.king = target
            else:
                child.white ^= 1 << origin | 1 << target
        child.result = None
        board = child.board()
        # No piece returns to a camp, so leaving one is as irreversible as a capture.
        if taken or (CAMPS >> origin & 1 and not CAMPS >> target & 1):
            child.seen = frozenset((board << 8,))
        else:
            child._note(board, self.seen)
        # The same board can also arise if the king moves between two pieces himself, uncaptured.
        child.result = child._decided(target) or child.result
        return child

    def _taken(self, origin: int, target: int) -> int:
        if not self.is_white:
            own = self.black ^ 1 << origin
            other, anvils = self.white, own | CAMPS | THRONE
        elif origin != self.king:
            king = 1 << self.king if self.game.armed else 0
            own = self.white ^ 1 << origin
            other, anvils = self.black, own | king | WHITE_ANVILS
        elif self.game.armed:
            other, anvils = self.black, self.white | WHITE_ANVILS
        else:
            return 0
        if not BESIDE[target] & other:
            return 0
        return sum(beside for beside, behind in PAIRS[target] if beside & other and behind & anvils)

    def _note(self, board: int, seen: frozenset[int]) -> None:
        """Count this board's occurrences, and declare a draw if there are too many."""
        times = 0
        while board << 8 | times in seen:
            times += 1
        self.seen = seen | {board << 8 | times}
        allowed = self.game.repetitions
        if allowed is not None and times > allowed:
            self.result = DRAWN

    def _decided(self, target: int) -> tuple[float, ...] | None:
        """Return the utilities if the move to `target` won, or left no move to make."""
        game = self.game
        if not self.is_white:
            if 1 << self.king & game.goals:
                return game.white_won
        elif BESIDE[target] & 1 << self.king and self._is_king_taken(target):
            return game.black_won
        if self._can_move():
            return None
        return game.black_won if self.is_white else game.white_won

    def _is_king_taken(self, target: int) -> bool:
        """Whether Black's move to `target`, beside the king, captures him."""
        king = 1 << self.king
        if king & THRONE:
            return BESIDE[self.king] & ~self.black == 0
        if king & _BESIDE_THRONE:
            return BESIDE[self.king] & ~(self.black | THRONE) == 0
        return any(
            beside == king and behind & (self.black | CAMPS) for beside, behind in PAIRS[target]
        )

    def _can_move(self) -> bool:
        # Nearly always some piece has a free square beside it.
        walls = self.white | self.black | 1 << self.king | THRONE
        pieces = self.white | 1 << self.king if self.is_white else self.black & ~CAMPS
        free = ~(walls | CAMPS)
        while pieces:
            low = pieces & -pieces
            if BESIDE[low.bit_length() - 1] & free:
                return True
            pieces ^= low
        return bool(self.legal_moves())

    def outcome(self) -> tuple[float, ...] | None:
        """Return the utilities once the king escapes or is captured, no move is left, or a draw."""
        return self.result

    def board(self) -> int:
        """Return the pieces and the mover in one int."""
        return (self.white << CELLS | self.black) << 8 | self.king << 1 | self.is_white

    def key(self) -> tuple[int, frozenset[int]]:
        """Return the board and those that must not repeat."""
        return (self.board(), self.seen)

    def null(self) -> "TablutState":
        """Return the position after a pass."""
        child = copy(self)
        child.to_move = 1 - self.to_move
        child.is_white = not self.is_white
        child.seen = frozenset((child.board() << 8,))
        child.result = None
        return child

    def noisy_moves(self) -> Sequence[Move]:
        """List the king's escapes, Black's moves next to him, and captures."""
        return [move for move in self.legal_moves() if self._is_noisy(move)]

    def _is_noisy(self, move: int) -> bool:
        origin, target = divmod(move, CELLS)
        if self.is_white:
            is_out = origin == self.king and bool(1 << target & self.game.goals)
            return is_out or self._taken(origin, target) != 0
        is_near = bool(BESIDE[target] & 1 << self.king)
        return is_near or self._taken(origin, target) != 0

    def text(self, move: Move) -> str:
        """Write the origin and the target: `e3-f3`."""
        return f"{name_of(move // CELLS)}-{name_of(move % CELLS)}"

    def refusal(self, move: Move) -> str:
        """Name both squares."""
        if type(move) is not int or not 0 <= move < CELLS * CELLS:
            return ""
        own = self.white | 1 << self.king if self.is_white else self.black
        is_own = own >> move // CELLS & 1
        reason = "the square can't be reached" if is_own else "no piece of yours is there"
        return f"{self.text(move)}: {reason}"

    def parse(self, text: str) -> Move:
        """Read `e3-f3` or `e3f3`; raise `MoveError` unless it is legal here."""
        wanted = text.strip().lower()
        try:
            return super().parse(f"{wanted[:2]}-{wanted[2:]}" if len(wanted) == 4 else text)
        except MoveError:
            return super().parse(text)

    def render(self) -> str:
        """Draw the board: K king, W white, B black, + throne, ~ camps."""
        rows = [f"{row}  {'  '.join(signs)}" for row, signs in enumerate(self.cells(), 1)]
        return "\n".join([*rows, f"   {'  '.join(COLUMNS)}", self.status()])

    def fen(self) -> str:
        """Write the rows from the top and who moves, not what must not repeat; '' at the end."""
        return "" if self.result else f"{write_pieces(self.cells())} {'bw'[self.is_white]}"

    def cells(self) -> tuple[str, ...]:
        """Return the rows from the top with the signs of `render`."""
        signs = "".join(map(self._sign, range(CELLS)))
        return tuple(signs[row : row + SIZE] for row in range(0, CELLS, SIZE))

    def _sign(self, square: int) -> str:
        bit = 1 << square
        if square == self.king:
            return "K"
        if bit & self.white:
            return "W"
        if bit & self.black:
            return "B"
        return "+" if bit & THRONE else "~" if bit & CAMPS else "."

    def status(self) -> str:
        """Return who moves, or who won and why: 'Black won: the king is taken'."""
        if self.result is None:
            return f"{'White' if self.is_white else 'Black'} to move"
        if self.result == DRAWN:
            return "draw: the position came again"
        if self.result == self.game.black_won:
            reason = "the king is taken" if self._can_move() else "White cannot move"
            return f"Black won: {reason}"
        is_out = 1 << self.king & self.game.goals
        return f"White won: {'the king is out' if is_out else 'Black cannot move'}"

    def svg(self) -> str:
        """Draw the board with its camps and throne, the king with a cross."""
        squares = [Square(self._cell(square), self._piece(square)) for square in range(CELLS)]
        rows = [squares[SIZE * row : SIZE * row + SIZE] for row in range(SIZE)]
        title = f"{self.game.title}: {self.status()}"
        return draw_squares(title, COLUMNS, "123456789", rows, _STYLE)

    def marks(self, move: Move) -> tuple[tuple[int, int], ...]:
        """Return the origin and the target."""
        return tuple(centre_of(square % SIZE, square // SIZE) for square in divmod(move, CELLS))

    def material(self) -> tuple[str, ...]:
        """Count each side's pieces."""
        told = {
            name: counted(men.bit_count(), "soldier")
            for name, men in (("White", self.white & ~(1 << self.king)), ("Black", self.black))
        }
        return tuple(told[name] for name in self.game.seat_names)

    def _cell(self, square: int) -> str:
        bit = 1 << square
        if bit & THRONE:
            return "cell throne"
        if bit & CAMPS:
            return "cell camp"
        return "cell goal" if bit & self.game.goals else "cell"

    def _piece(self, square: int) -> str:
        sign = self._sign(square)
        if sign in "+~.":
            return ""
        disc = f'<circle class="{"black" if sign == "B" else "white"}" r="15"/>'
        return f'{disc}<path class="cross" d="M0 -9v18M-8 -2h16"/>' if sign == "K" else disc


_STYLE = """
.cell { fill: #e8d3ac; stroke: #8a6d3b; stroke-width: 1 }
.goal { fill: #d8e3b4 }
.camp { fill: #b89b72 }
.throne { fill: #c9b458 }
.white { fill: #fcfcf8; stroke: #1b1d20; stroke-width: 1.5 }
.black { fill: #22262b; stroke: #000; stroke-width: 1.5 }
.cross { stroke: #b3372b; stroke-width: 3.5; stroke-linecap: round }
@media (prefers-color-scheme: dark) {
  .cell { fill: #a08a64; stroke: #4f4023 }
  .goal { fill: #75814c }
  .camp { fill: #836c4d }
  .throne { fill: #8a7722 }
}
"""


@dataclass(frozen=True)
class Tablut(BoardGame[TablutState]):
    """The rules of Tablut."""

    name = "tablut"
    title = "Tablut"
    summary = (
        "White's king tries to reach the edge of the board; Black tries to capture him. All "
        "pieces move like rooks, and two of them capture a piece between them."
    )
    look = Look(
        {
            **{"W": ("○", WHITE), "K": ("♚", WHITE), "B": ("●", BLACK)},
            **{".": ("·", mix("#8f7a55")), "~": ("×", BLACK), "+": ("+", WHITE)},
        },
        light="#8f7a55",
        dark="#8f7a55",
    )
    opening_plies = 4
    signs = "wb"
    sends_boards = False

    first: str = option("white", help="who moves first", choices=("white", "black"))
    escape: str = option("edge", help="where the king is out", choices=("edge", "corner"))
    repetitions: int | None = option(
        0,
        help="how often a position may come again; once more is a draw; none is no limit",
        low=0,
        high=200,
    )
    armed: bool = option(True, help="whether the king takes and helps to take")
    fen: str = option("", help=FEN_HELP)

    @property
    def goals(self) -> int:
        """The squares where the king escapes."""
        return EDGE if self.escape == "edge" else CORNERS

    @property
    def white_won(self) -> tuple[float, float]:
        """The utilities if the king escapes."""
        return WON[self.first != "white"]

    @property
    def black_won(self) -> tuple[float, float]:
        """The utilities if the king is captured."""
        return WON[self.first == "white"]

    @property
    def seat_names(self) -> tuple[str, ...]:
        """White has the king."""
        return ("White", "Black") if self.first == "white" else ("Black", "White")

    @property
    def position_help(self) -> str:
        """The signs of the pieces and of special squares."""
        return (
            "state.cells()[row][column] is the square, row 0 at the top: 'K' the king, 'W' White, "
            "'B' Black, '+' the empty throne, '~' an empty camp, '.' free"
        )

    @property
    def evaluations(self) -> tuple[Evaluation, ...]:
        """`siege` and `pieces`."""
        return EVALUATIONS

    def kernel(self) -> Kernel | None:
        """Return the kernel."""
        return find_kernel(self)

    def packing(self) -> Packing:
        """Pack pieces, the mover and boards that must not repeat."""
        return packing_of(self.goals, self.armed, self.repetitions)

    def start(self) -> TablutState:
        """Return the first position, the king on his throne."""
        return self._at((WHITES, CAMPS, KING_AT_START), self.first == "white")

    def read(self, text: str) -> TablutState:
        """Read the output of `fen`; raise `PositionError` for an unreachable position."""
        words = text.split() or [""]
        white, black, king = read_pieces(words[0])
        is_white = read_mover(words, self.signs) == 0
        if 1 << king & self.goals:
            raise PositionError(f"board {words[0]!r}: the king is out, and nobody is to move")
        position = self._at((white, black, king), is_white)
        if not position._can_move():
            position.result = self.black_won if is_white else self.white_won
        return position

    def _at(self, pieces: tuple[int, int, int], is_white: bool) -> TablutState:
        position = _new(TablutState)
        position.game = self
        position.white, position.black, position.king = pieces
        position.to_move, position.result = int(is_white != (self.first == "white")), None
        position.is_white = is_white
        position.seen = frozenset((position.board() << 8,))
        return position


GAME = Tablut()
