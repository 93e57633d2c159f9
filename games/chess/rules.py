"""Chess and Chess960 by the rules of python-chess; every claimable draw is automatic.

python-chess (GPL-3) is an extra: `pip install 'botleague[chess]'`. Without it the module still
imports and `GAME` says what it needs.
"""

import re
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from games.chess import fast_legality as shortcuts
from games.chess.drawing import LOOK, captured, draw_chess, draw_chess_text, square_middle
from games.chess.evaluation import EVALUATIONS, MATERIAL
from games.chess.fen import check_fields, check_position, write_fen
from games.chess.syzygy import SyzygyTables
from games.support.board_game import DRAWN, WON
from games.support.errors import (
    GameError,
    MoveError,
    OptionError,
    PositionError,
    brief,
    no_legal_move,
)
from games.support.game import Evaluation, Game, Move, State, play_texts
from games.support.memo import Memo
from games.support.options import option

_NEEDS = "python-chess: pip install 'botleague[chess]' (GPL-3)"
try:
    import chess
except ModuleNotFoundError:
    _is_installed = False
else:
    _is_installed = True

if TYPE_CHECKING:
    _Place = tuple[Hashable, ...]
    _History = frozenset[tuple[_Place, int]]

_FIFTY_MOVES = 100
_FIRST_THIRD_TIME = 8
_CHECKMATE = "checkmate"
_PASSANT = -1
_new = object.__new__


_MOVES: "Memo[int, chess.Move]" = Memo(
    lambda move: chess.Move(move & 63, move >> 6 & 63, move >> 12 or None)
)
"""The moves of python-chess by our ints."""

_NO_HISTORY: "_History" = frozenset()


_MOVES_END = 6 << 12
"""Above all moves: the queen is the last promotion piece."""


_CODES: "Memo[int, str]" = Memo(lambda move: _MOVES[move].uci())
"""UCI texts by move."""


_SQUARES = {name: number for number, name in enumerate(shortcuts.SQUARES)}
_PIECES = {"": 0, "n": 2, "b": 3, "r": 4, "q": 5}


class _Written(dict[str, int]):
    """Moves by their UCI text, -1 for what is none; made lazily."""

    def __missing__(self, text: str) -> int:
        origin, target = _SQUARES.get(text[:2]), _SQUARES.get(text[2:4])
        promoted = _PIECES.get(text[4:])
        if origin is None or target is None or promoted is None:
            return -1
        self[text] = made = origin | target << 6 | promoted << 12
        return made


_WRITTEN = _Written()


def line_in_uci(moves: Iterable[Move]) -> str:
    """Write moves in UCI notation, one after another."""
    return " ".join([_CODES[move] for move in moves])


def moves_of(texts: Iterable[str]) -> tuple[int, ...]:
    """Read UCI notation up to the first text that is no move; ask not whether they are legal."""
    moves = tuple(map(_WRITTEN.__getitem__, texts))
    return moves[: moves.index(-1)] if -1 in moves else moves


def _number(move: "chess.Move") -> int:
    return move.from_square | move.to_square << 6 | (move.promotion or 0) << 12


class ChessState(State):
    """A chess position with the earlier positions that can still repeat.

    A move is an int: origin + 64 × target + 4096 × promotion piece (2 a knight to 5 a queen, else
    0), squares from 0 (a1) by ranks to 63 (h8). Castling goes to the king's target, in Chess960 to
    the rook's square.

    `board` is read-only: copy it before pushing. `before` holds the positions since the last
    capture, pawn move or loss of a right, each paired with 1 for its first time, and again with 2
    for its second.
    """

    __slots__ = (
        "_after",
        "_checked",
        "_ending",
        "_moves",
        "_next",
        "_place",
        "_sure",
        "_texts",
        "before",
        "board",
        "game",
        "to_move",
    )

    game: "Chess"
    board: "chess.Board"
    before: "_History"
    _after: "_History | None"
    _checked: bool | None
    _ending: str | None
    _moves: tuple[int, ...] | None
    _next: "tuple[int, ChessState] | None"
    _place: "_Place | None"
    _sure: int | None
    _texts: dict[str, int] | None

    def legal_moves(self) -> tuple[int, ...]:
        """List the legal moves in the order of python-chess, which depends on the board alone."""
        moves = self._moves
        if moves is None:
            self._moves = moves = tuple(
                [
                    move.from_square | move.to_square << 6 | (move.promotion or 0) << 12
                    for move in self.board.generate_legal_moves()
                ]
            )
        return moves

    def play(self, move: int) -> "ChessState":
        """Make a move on a copy of the board."""
        if self._next is not None and self._next[0] == move:
            return self._next[1]
        old = self.board
        board = shortcuts.played(old, move)
        if board is None:
            board = old.copy(stack=False)
            board.push(_MOVES[move])
        is_lasting = (
            board.halfmove_clock
            and board.castling_rights == old.castling_rights
            and (old.ep_square is None or self.place()[_PASSANT] is None)
        )
        return _position(self.game, board, self._passed() if is_lasting else _NO_HISTORY)

    def place(self) -> "_Place":
        """Return what two positions must share to count as a repetition.

        Pieces, side to move, castling rights, and the en passant square if a capture there is
        legal. Source: FIDE Laws of Chess, 9.2.3.
        """
        if self._place is None:
            board = self.board
            has_passant = board.ep_square is not None and board.has_legal_en_passant()
            self._place = (
                board.pawns,
                board.knights,
                board.bishops,
                board.rooks,
                board.queens,
                board.kings,
                board.occupied_co[0],
                board.castling_rights,
                self.to_move,
                board.ep_square if has_passant else None,
            )
        return self._place

    def times(self) -> int:
        """Count the occurrences of the position, this one included."""
        before = self.before
        if not before:
            return 1
        place = self.place()
        return 3 if (place, 2) in before else 2 if (place, 1) in before else 1

    def _passed(self) -> "_History":
        if self._after is None:
            self._after = self.before | {(self.place(), self.times())}
        return self._after

    def key(self) -> Hashable:
        """Return the position, the fifty-move clock and the history, whose order can't matter."""
        return (self.place(), self.board.halfmove_clock, self.before)

    def is_check(self) -> bool:
        """Whether the side to move is in check."""
        checked = self._checked
        if checked is None:
            self._checked = checked = shortcuts.is_check(self.board)
        return checked

    def ending(self) -> str:
        """Return how the match ended: 'checkmate', the reason of a draw, or '' if it has not."""
        ending = self._ending
        if ending is None:
            self._ending = ending = self._find_ending()
        return ending

    def _find_ending(self) -> str:
        board = self.board
        if not self._has_move():
            return _CHECKMATE if self.is_check() else "stalemate"
        is_bare = not (board.pawns | board.rooks | board.queens)
        if is_bare and board.is_insufficient_material():
            return "insufficient material"
        if board.halfmove_clock >= _FIFTY_MOVES:
            return "the fifty-move rule"
        if len(self.before) >= _FIRST_THIRD_TIME and self.times() > 2:
            return "threefold repetition"
        return ""

    def _has_move(self) -> bool:
        if self._moves is not None:
            return bool(self._moves)
        board = self.board
        if not self.is_check() and shortcuts.has_move(board):
            return True
        return next(board.generate_legal_moves(), None) is not None

    def outcome(self) -> tuple[float, ...] | None:
        """Return the utilities at checkmate and at every draw, claimed or not."""
        ending = self.ending()
        if not ending:
            return None
        return WON[1 - self.to_move] if ending == _CHECKMATE else DRAWN

    def null(self) -> "ChessState | None":
        """Return the position after a pass; None in check, or with only pawns left (zugzwang)."""
        board = self.board
        own = board.occupied_co[board.turn]
        if self.is_check() or not own & ~(board.pawns | board.kings):
            return None
        passed = board.copy(stack=False)
        passed.push(chess.Move.null())
        return _position(self.game, passed, _NO_HISTORY)

    def order(self, moves: Sequence[Move]) -> Sequence[Move]:
        """Sort captures (most valuable victim, least valuable attacker) and promotions first.

        The others keep their order. Checks are not detected: that takes as long as playing the
        moves.
        """
        board = self.board
        theirs = board.occupied_co[not board.turn]
        passant = board.ep_square
        promising, rest = [], []
        for move in moves:
            to = move >> 6 & 63
            if move >> 12 or theirs >> to & 1 or (to == passant and board.pawns >> (move & 63) & 1):
                promising.append(move)
            else:
                rest.append(move)
        if len(promising) > 1:
            promising.sort(key=self._promise)
        return promising + rest

    def _promise(self, move: int) -> int:
        kind = self.board.piece_type_at
        gain = _WORTH[kind(move >> 6 & 63) or 0] + _WORTH[move >> 12]
        return _WORTH[kind(move & 63) or 0] - 16 * gain

    def noisy_moves(self) -> Sequence[Move]:
        """List captures and promotions, or every move if in check."""
        moves = self.legal_moves()
        if self.is_check():
            return moves
        return [move for move in moves if move >> 12 or self.board.is_capture(_MOVES[move])]

    def text(self, move: Move) -> str:
        """Write a legal `move` in standard algebraic notation."""
        text = shortcuts.written(self.board, move)
        if text is None:
            return self.board.copy(stack=False).san(_MOVES[move])
        # A caller that writes a move usually plays it next.
        after = self.play(move)
        self._next = move, after
        if not after.is_check():
            return text
        return text + ("+" if after._has_move() else "#")

    def refusal(self, move: Move) -> str:
        """Name both squares, in UCI notation."""
        if type(move) is not int or not 0 < move < _MOVES_END:
            return ""
        origin, board = move & 63, self.board
        if not board.occupied_co[board.turn] >> origin & 1:
            return f"{_MOVES[move].uci()}: no piece of yours is on {chess.square_name(origin)}"
        return f"{_MOVES[move].uci()}: the piece may not move there"

    def is_legal(self, move: Move) -> bool:
        """Whether `move` is legal, without listing all moves."""
        # Often asked twice in a row: by the reader of an engine's answer and by the referee.
        if move == self._sure:
            return True
        if self._moves is not None:
            return move in self._moves
        if type(move) is not int or not 0 < move < _MOVES_END:
            return False
        board = self.board
        # python-chess accepts castling onto the rook without Chess960 too.
        is_own = board.occupied_co[board.turn] >> (move >> 6 & 63) & 1
        if is_own and not board.chess960:
            return False
        known = None if self.is_check() else shortcuts.is_legal(board, move)
        if not (board.is_legal(_MOVES[move]) if known is None else known):
            return False
        self._sure = move
        return True

    def code(self, move: Move) -> str:
        """Write a legal `move` in UCI notation: `e7e8q`."""
        return _CODES[move]

    def decode(self, text: str) -> Move:
        """Read an engine's move; raise `MoveError` unless it is legal here.

        Engines disagree on castling and case: castling may be the king's two squares or go onto its
        rook, whatever the rules, and case is ignored. The null move `0000` is never legal.
        """
        move = _WRITTEN[text]
        if self.is_legal(move):
            return move
        read = _read_with(self.board.parse_uci, text.strip().lower())
        if not read:
            raise MoveError(f"illegal move {brief(text)} in {self.fen()}", text)
        return read

    def fen(self) -> str:
        """Write the position as FEN, which leaves out the history."""
        return write_fen(self.board, self.place()[_PASSANT] is not None)

    def parse(self, text: str) -> Move:
        """Read algebraic notation or UCI; raise `MoveError` unless it is one legal move.

        An exact match wins. Otherwise case is ignored, except that a leading small b is a file:
        `bxc3` is a pawn's move, `BXC3` a bishop's, or a pawn's if no bishop can.
        """
        if self.outcome() is not None:
            raise MoveError(f"illegal move {brief(text)}: the match is over", text)
        wanted = text.strip()
        move = self._read(wanted.rstrip("!?").replace("0-0", "O-O").replace("O-0", "O-O"))
        if move is None:
            raise no_legal_move(text, list(self._written()))
        return move

    def _read(self, wanted: str) -> int | None:
        # UCI is never valid algebraic notation, and reading it needs no list of written moves.
        found = _read_with(self.board.parse_uci, wanted)
        if found and self.is_legal(found):
            return found
        written, legal = self._written(), self.legal_moves()
        if wanted in written:
            return written[wanted]
        found = _read_with(self.board.parse_san, wanted)
        if found in legal:
            return found
        plain = wanted.lower().rstrip("+#")
        alike = [san for san in written if san.lower().rstrip("+#") == plain]
        if wanted.startswith("b"):
            alike = [san for san in alike if not san.startswith("B")]
        if alike:
            # Capitals sort first: of a bishop and a pawn, the bishop.
            return written[min(alike)]
        found = _read_with(self.board.parse_uci, wanted.lower())
        return found if found in legal else None

    def _written(self) -> dict[str, int]:
        if self._texts is None:
            self._texts = {self.text(move): move for move in self.legal_moves()}
        return self._texts

    def render(self) -> str:
        """Draw the board from White's view, his pieces as capitals."""
        return draw_chess_text(self._rows(), self.status())

    def cells(self) -> tuple[str, ...]:
        """Return the ranks from the 8th to the 1st: `PNBRQK` White, `pnbrqk` Black, `.` free."""
        return tuple(self._rows())

    def svg(self) -> str:
        """Draw the board from White's view; a king in check stands on red."""
        board = self.board
        king = board.king(board.turn) if self.is_check() else None
        return draw_chess(f"{self.game.title}: {self.status()}", self._rows(), king)

    def marks(self, move: Move) -> tuple[tuple[int, int], ...]:
        """Return the origin and the target; of castling the king's."""
        return (square_middle(move & 63), square_middle(move >> 6 & 63))

    def material(self) -> tuple[str, ...]:
        """Show both sides' captures and the leader's margin in pawns."""
        return captured("".join(self._rows()))

    def can_win(self, seat: int) -> bool:
        """Whether a side has the pieces to mate. Source: FIDE Laws of Chess, 6.9."""
        return not self.board.has_insufficient_material(seat == 0)

    def move_number(self) -> int:
        """Return the move number of the FEN."""
        return self.board.fullmove_number

    def quiet_plies(self) -> int:
        """Return the halfmove clock of the FEN: plies since a capture or a move of a pawn."""
        return self.board.halfmove_clock

    def status(self) -> str:
        """Return who moves, or who won, and why: 'White to move, in check'."""
        mover, other = self.game.seat_names[self.to_move], self.game.seat_names[1 - self.to_move]
        ending = self.ending()
        if ending:
            return f"{other} won by {ending}" if ending == _CHECKMATE else f"draw by {ending}"
        return f"{mover} to move{', in check' if self.is_check() else ''}"

    def _rows(self) -> list[str]:
        return str(self.board).replace(" ", "").split("\n")

    def __reduce__(self) -> tuple[object, ...]:
        return _position, (self.game, self.board, self.before)


_WORTH = (0, *MATERIAL)


def _position(game: "Chess", board: "chess.Board", before: "_History") -> ChessState:
    position = _new(ChessState)
    position.game = game
    position.board = board
    position.before = before
    position.to_move = 0 if board.turn else 1
    position._after = position._checked = position._ending = position._moves = None
    position._next = position._place = position._sure = position._texts = None
    return position


def _read_with(read: "Callable[[str], chess.Move]", text: str) -> int | None:
    try:
        return _number(read(text))
    except ValueError:
        return None


@dataclass(frozen=True)
class Chess(Game):
    """The rules of chess, or of Chess960; a start position by its number or as FEN."""

    name = "chess"
    title = "Chess"
    summary = (
        "Checkmate the other king to win. Stalemate, fifty moves without a capture or a pawn's "
        "move, a third repetition and too few pieces to mate are draws."
    )
    look = LOOK
    opening_plies = 4
    needs = "" if _is_installed else _NEEDS

    fen: str = option("", help="the first position as FEN; empty for the usual one")
    chess960: bool = option(False, help="castle by the rules of Chess960")
    start: int | None = option(
        None, help="the first position by its Chess960 number, 518 the usual one", low=0, high=959
    )
    first: ChessState = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.fen and self.start is not None:
            raise OptionError(
                f"option start={self.start}: expected none beside fen={brief(self.fen)}", "start"
            )
        if not self.needs:
            try:
                object.__setattr__(self, "first", self._first())
            except PositionError as error:
                raise OptionError(f"option fen: {error}", "fen") from None

    @property
    def seat_names(self) -> tuple[str, ...]:
        """The colours of the pieces; White begins, unless the FEN says otherwise."""
        return ("White", "Black")

    @property
    def position_help(self) -> str:
        """The signs of the pieces, and python-chess's board."""
        return (
            "state.cells()[row][column] is the square, row 0 the 8th rank: 'PNBRQK' White, 'pnbrqk'"
            " Black, '.' free; state.board is a chess.Board of python-chess, to be copied first"
        )

    @property
    def evaluations(self) -> tuple[Evaluation, ...]:
        """`position`, `material` and `pieces`."""
        return EVALUATIONS

    def initial(self) -> ChessState:
        """Return the first position that the options name; `GameError` without python-chess."""
        if self.needs:
            raise GameError(f"game {self.name!r} needs {self.needs}", self.spec)
        return self.first

    def position(self, text: str) -> ChessState:
        """Return the position of a FEN, or of moves from the first one.

        Moves are algebraic or UCI and may be numbered. Raises `PositionError` that names the wrong
        field of the FEN, or `MoveError` with the ply and the text that is no legal move.
        """
        if "/" in text.partition(" ")[0]:
            return self._from_fen(text)
        moves = re.sub(r"(?<!\S)[0-9]{1,4}\.+", " ", text)
        return play_texts(self.initial(), moves)

    def tablebase(
        self, path: str, *, pieces: int | None = None, ignores_fifty: bool = False
    ) -> SyzygyTables:
        """Open Syzygy tables of wins, draws and losses (`.rtbw`)."""
        return SyzygyTables(path, pieces=pieces, ignores_fifty=ignores_fifty)

    def _first(self) -> ChessState:
        if self.fen:
            return self._from_fen(self.fen)
        if self.start is not None:
            board = chess.Board.from_chess960_pos(self.start)
        else:
            board = chess.Board(chess960=self.chess960)
        return _position(self, board, _NO_HISTORY)

    def _from_fen(self, text: str) -> ChessState:
        check_fields(text)
        is_960 = self.chess960 or self.start is not None
        try:
            board = chess.Board(text, chess960=is_960)
        except ValueError as error:  # pragma: no cover (a form that a later python-chess refuses)
            raise PositionError(f"fen {brief(text)}: {error}") from None
        check_position(board, text)
        return _position(self, board, _NO_HISTORY)

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.fen, self.chess960, self.start)


GAME = Chess()
