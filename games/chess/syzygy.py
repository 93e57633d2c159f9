"""Syzygy endgame tablebases, read by python-chess.

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
    """The tables of wins, draws and losses in some folders, opened when needed.

    `path` lists the folders, separated by ':'. `pieces` bounds the pieces of the positions that are
    looked up, None for all; `ignores_fifty` leaves the fifty-move rule out. Raises `GameError` if a
    folder can't be read or has no such tables, or if a file is damaged.
    """

    def __init__(
        self, path: str, *, pieces: int | None = None, ignores_fifty: bool = False
    ) -> None:
        # Slow to import, and rarely needed.
        import chess.syzygy  # noqa: PLC0415

        self._tables = chess.syzygy.Tablebase()
        self._ignores_fifty = ignores_fifty
        self._pieces = 0
        for folder in map(Path, path.split(":")):
            files = _files(folder)
            for file in files:
                _check(file, chess.Board.tbw_magic)
            self._tables.add_directory(str(folder), load_dtz=False)
            # KQvKR: a letter for each piece, and a separator.
            longest = max(len(file.stem) - 1 for file in files)
            self._pieces = max(self._pieces, longest)
        if pieces is not None:
            self._pieces = min(self._pieces, pieces)

    def probe(self, state: SyzygyPosition) -> tuple[float, float] | None:
        """Return the result of best play; None if no table decides it under the fifty-move rule.

        The tables assume a fifty-move clock of zero. A draw by them, even by that rule alone, is
        one at any later clock; a win may not be.
        """
        board = state.board
        if board.occupied.bit_count() > self._pieces:
            return None
        # python-chess tries captures on the given board.
        found = self._tables.get_wdl(board.copy(stack=False))
        if found is None:
            return None
        if found == 0 or (abs(found) < _WIN and not self._ignores_fifty):
            return DRAWN
        if board.halfmove_clock and not self._ignores_fifty:
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
    """Refuse truncated downloads before a match reads them."""
    try:
        with file.open("rb") as opened:
            is_sound = opened.read(4) == magic and file.stat().st_size % 64 == 16
    except OSError as error:
        raise GameError(f"tablebase {str(file)!r}: {error.strerror}", "chess") from None
    if not is_sound:
        raise GameError(f"tablebase {str(file)!r} is damaged: download it again", "chess")
