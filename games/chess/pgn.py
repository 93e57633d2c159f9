"""Openings and matches from PGN files, read by python-chess.

Source: the PGN standard, section 8.
"""

import io
import re
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from games.chess.rules import Chess, ChessState
from games.support.errors import GameError, InputError, MoveError, PositionError, brief

if TYPE_CHECKING:
    import chess.pgn


_STANDARD = ("standard", "normal", "classical", "orthodox", "chess", "regular", "fromposition")
_CHESS960 = ("chess960", "960", "fischerrandom", "fischerandom", "fischerrandomchess", "frc")
_VARIANTS = {"": "", **dict.fromkeys(_STANDARD, "Standard"), **dict.fromkeys(_CHESS960, "Chess960")}
"""What python-chess calls a tag Variant, which is in small letters and digits alone."""


def _raise(error: PositionError) -> None:
    raise error


def numbered_openings(
    path: Path,
    plies: int | None,
    game: Chess,
    refuse: Callable[[PositionError], None] = _raise,
) -> Iterator[tuple[str, str, tuple[int, ...]]]:
    """Yield where each game of a PGN file is, `game 3 (line 17)`, its spec and its first `plies`.

    The spec is that of `game`, begun at the tag FEN if there is one. A shorter game gives all its
    moves, as does every game if `plies` is None. Raises `PositionError` for an unreadable file.
    `refuse` gets one, with the game's number and first line, for a game without moves from the
    usual position, with an illegal move, or that is over within the opening.
    """
    import chess.pgn  # noqa: PLC0415 (heavy, and chess is an extra)

    text = _read(path)
    handle = io.StringIO(text)
    number = begin = 0
    while (record := chess.pgn.read_game(handle, Visitor=_builder())) is not None:
        # Skip blank lines before a game.
        begin += len(text[begin:]) - len(text[begin:].lstrip())
        number += 1
        where = f"game {number} (line {text.count(chr(10), 0, begin) + 1})"
        begin = handle.tell()
        try:
            begun, moves = _opening(record, plies, game, where)
        except PositionError as error:
            refuse(error)
        else:
            yield where, begun.spec, moves


def _read(path: Path) -> str:
    try:
        # Older files are in Latin-1; only the names of players suffer.
        return path.read_text(encoding="utf-8-sig", errors="replace")
    except OSError as error:
        raise PositionError(f"{path}: {error.strerror}") from None


def _builder() -> "type[chess.pgn.GameBuilder[chess.pgn.Game]]":
    """Return a reader of the main line that keeps errors instead of logging them."""
    import chess.pgn  # noqa: PLC0415 (only this module reads PGN)

    class Builder(chess.pgn.GameBuilder[chess.pgn.Game]):
        def visit_header(self, tagname: str, tagvalue: str) -> None:
            if tagname == "Variant":
                tagvalue = _VARIANTS.get(_letters(tagvalue), tagvalue)
            super().visit_header(tagname, tagvalue)

        def handle_error(self, error: Exception) -> None:
            self.game.errors.append(error)

        def begin_variation(self) -> chess.pgn.SkipType:  # type: ignore[override]  # as visitors may
            return chess.pgn.SKIP

        def end_variation(self) -> None:
            """Leave none: none was entered."""

    return Builder


def _opening(
    record: "chess.pgn.Game", plies: int | None, game: Chess, where: str
) -> tuple[Chess, tuple[int, ...]]:
    try:
        begun = _begun(record, game)
    except InputError as error:
        raise PositionError(f"{where}: {error}") from None
    try:
        line, last = _played(record, begun.initial(), plies)
    except PositionError as error:
        raise PositionError(f"{where}, {error}") from None
    if plies != 0 and not line and begun == game:
        raise PositionError(f"{where}: expected moves, found none")
    if last.outcome() is not None:
        raise PositionError(f"{where}, ply {len(line)}: the match is over, {last.status()}")
    return begun, line


def _played(
    record: "chess.pgn.Game", state: ChessState, plies: int | None = None
) -> tuple[tuple[int, ...], ChessState]:
    """Return the first moves of a game, or all of them, and the position after them."""
    moves: list[int] = []
    for move in islice(record.mainline_moves(), plies):
        if state.outcome() is not None:
            raise PositionError(f"ply {len(moves) + 1}: the match is over, {state.status()}")
        try:
            moves.append(state.decode(move.uci()))
        except MoveError as error:
            raise PositionError(f"ply {len(moves) + 1}: {error}") from None
        state = state.play(moves[-1])
    if record.errors and (plies is None or len(moves) < plies):
        raise PositionError(f"ply {len(moves) + 1}: {record.errors[0]}")
    return tuple(moves), state


def match_from_pgn(text: str, game: Chess) -> tuple[tuple[int, ...], ChessState]:
    """Return all moves of one PGN game and its last position, whose game starts at the FEN tag.

    Raises `GameError` if python-chess is missing, and `PositionError` or `OptionError` if the start
    position or a move is invalid in `game`.
    """
    if game.needs:
        raise GameError(f"game {game.name!r} needs {game.needs}", game.spec)
    import chess.pgn  # noqa: PLC0415 (only this module reads PGN)

    record = chess.pgn.read_game(io.StringIO(text), Visitor=_builder())
    if record is None:
        raise PositionError("expected a game in PGN, found none")
    return _played(record, _begun(record, game).initial())


def _begun(record: "chess.pgn.Game", game: Chess) -> Chess:
    _check_variant(record)
    try:
        board = record.board()
    except ValueError as error:
        raise PositionError(str(error)) from None
    first = game.initial()
    if _without_number(board.fen()) == _without_number(first.fen()):
        return game
    begun = game.starting_at(board.fen())
    if board.chess960 and not begun.initial().board.chess960:
        raise PositionError(f"expected {game.spec}, got Chess960: chess?chess960=true")
    return begun


def _check_variant(record: "chess.pgn.Game") -> None:
    variant = record.headers.get("Variant", "")
    if _letters(variant) not in _VARIANTS:
        raise PositionError(f"expected chess, got the variant {brief(variant)}")


def _letters(variant: str) -> str:
    return re.sub(r"[^a-z0-9]", "", variant.lower())


def _without_number(fen: str) -> str:
    return fen.rpartition(" ")[0]
