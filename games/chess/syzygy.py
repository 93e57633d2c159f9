"""Tables of chess endgames in Syzygy's format, as python-chess reads them.

Source: Ronald de Man, Syzygy tablebases, 2013.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from games.support.board_game import DRAWN, WON
from games.support.errors import GameError

if TYPE_CHECKING:
    import chess

_SUFFIX = ".rtbw"
_WIN = 2


class SyzygyPosition(Protocol):
    """A position that can be looked up."""

    board: "chess.Board"
    to_move: int


class SyzygyTables:
    """The tables of wins, draws and losses in some folders; files are opened when they are needed.

    `path` names the folders, with ':' between them. Raises `GameError` where one can't be read or
    has no such tables, and at a file that is damaged.
    """

    def __init__(self, path: str) -> None:
        # Heavy, and wanted by few matches.
        import chess.syzygy  # noqa: PLC0415

        self._tables = chess.syzygy.Tablebase()
        self._pieces = 0
        for folder in map(Path, path.split(":")):
            files = _files(folder)
            for file in files:
                _check(file, chess.Board.tbw_magic)
            self._tables.add_directory(str(folder), load_dtz=False)
            # KQvKR: a letter for each piece, and one between the sides.
            longest = max(len(file.stem) - 1 for file in files)
            self._pieces = max(self._pieces, longest)

    def probe(self, state: SyzygyPosition) -> tuple[float, float] | None:
        """Return what best play leads to under the fifty-move rule; None where no table says so.

        The tables hold for a clock of the fifty moves at zero. What is a draw then, be it by that
        rule alone, is one at any later time too; what is won then may not be.
        """
        board = state.board
        if board.occupied.bit_count() > self._pieces:
            return None
        # python-chess tries captures on the board that it is given.
        found = self._tables.get_wdl(board.copy(stack=False))
        if found is None:
            return None
        if abs(found) < _WIN:
            return DRAWN
        if board.halfmove_clock:
            return None
        return WON[state.to_move if found > 0 else 1 - state.to_move]


def _files(folder: Path) -> list[Path]:
    try:
        found = sorted(file for file in folder.iterdir() if file.suffix == _SUFFIX)
    except OSError as error:
        raise GameError(f"no tablebases in {str(folder)!r}: {error.strerror}", "chess") from None
    if not found:
        text = (
            f"no tablebases in {str(folder)!r}: expected Syzygy files, KQvK{_SUFFIX} and the like"
        )
        raise GameError(text, "chess")
    return found


def _check(file: Path, magic: bytes | None) -> None:
    """Refuse what is cut short, as downloads are, before a match stumbles over it."""
    try:
        with file.open("rb") as opened:
            is_sound = opened.read(4) == magic and file.stat().st_size % 64 == 16
    except OSError as error:
        raise GameError(f"tablebase {str(file)!r}: {error.strerror}", "chess") from None
    if not is_sound:
        raise GameError(f"tablebase {str(file)!r} is damaged: download it again", "chess")
