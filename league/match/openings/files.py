"""Openings from files: move lists, positions, PGN games and Polyglot books.

Sources: the PGN standard, section 16.2 for EPD; PolyGlot's book format by F. Letouzey, 2004.
"""

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from games.support.errors import InputError, PositionError
from games.support.game import Game, State, split_texts
from games.support.moves import WireMove, encode_move, replay
from games.support.specs import find_game
from league.match.openings.compressed import COMPRESSED, plain_file
from league.match.openings.drawn import CLEAR_DEPTH, is_open
from league.match.openings.epd import read_epd
from league.match.openings.opening import Opening
from league.match.seeds import seed_of
from league.model.errors import SetupError

if TYPE_CHECKING:
    from games.chess.rules import Chess

CHECKED = 1000
"""Number of openings to search for forced wins (ms each in chess); none may be over."""

DRAWN_LEAST, DRAWN_MOST = 1000, 10_000
"""Bounds on the lines drawn from a Polyglot book; in between, one per round."""

NAMED = 3
"""So many skipped openings are named."""

HINT = "--skip-bad-openings leaves such openings out"

_COMMENT = re.compile(r'(?P<quoted>"[^"]*")|(?:^|(?<=\s))#.*')
# A comma in brackets is part of a move, as in OpenSpiel's `x(0,1)`.
_COMMA = re.compile(r",(?![^()]*\))")


@dataclass(frozen=True, slots=True, kw_only=True)
class BookFile:
    """A file of openings, and how to read it.

    `plies` truncates move lists and is the length of Polyglot lines (None for all moves, or the
    game's default). The openings are in the file's order, or shuffled by `seed`. `skips_bad` leaves
    out the openings that can't be played, which else refuse the file.
    """

    path: Path
    game: Game
    plies: int | None = None
    rounds: int = 1
    seed: int = 0
    is_shuffled: bool = False
    skips_bad: bool = False


@dataclass(frozen=True, slots=True)
class Book:
    """The distinct openings of a file in playing order, and why others were skipped."""

    openings: tuple[Opening, ...]
    skipped: tuple[str, ...] = ()

    @property
    def note(self) -> str:
        """Count the skipped openings and name the first; '' for none."""
        if not self.skipped:
            return ""
        more = len(self.skipped) - NAMED
        ending = f"; and {more:,} more" if more > 0 else ""
        return f"skipped bad openings: {len(self.skipped):,}: " + (
            "; ".join(self.skipped[:NAMED]) + ending
        )


Refuse = Callable[[PositionError], None]
"""What hears of an opening that can't be played, and may raise."""

Found = Iterator[tuple[str, Opening]]
"""The openings of a file, each with its place."""


def read_book(file: BookFile) -> Book:
    """Read the openings of a file.

    Raises `SetupError`, naming file and line, for unreadable files, and unless bad openings are
    skipped for illegal moves or positions, and openings that are over or decided within
    `CLEAR_DEPTH` plies.
    """
    found: dict[Opening, str] = {}
    skipped: list[str] = []

    def refuse(error: PositionError) -> None:
        if not file.skips_bad:
            raise PositionError(f"{error} ({HINT})")
        skipped.append(str(error))

    try:
        with plain_file(file.path) as plain:
            read = _READERS.get(plain.suffix.lower())
            if read is None:
                raise SetupError(f"expected a file that ends in {_ENDINGS}")
            for where, opening in read(replace(file, path=plain), refuse):
                found.setdefault(opening, where)
        order = list(found)
        if file.is_shuffled:
            random.Random(seed_of(file.seed, "openings")).shuffle(order)
        decided = [opening for opening in order[:CHECKED] if _is_decided(opening)]
        for opening in decided:
            told = f"somebody wins by force within {CLEAR_DEPTH} plies"
            refuse(PositionError(f"{found.pop(opening)}: {told}"))
        if not found:
            reason = f": {skipped[0]}" if skipped else ""
            raise SetupError(f"expected openings, found none{reason}")
    except OSError as error:
        raise SetupError(f"openings {str(file.path)!r}: {error.strerror}") from None
    except InputError as error:
        raise SetupError(f"openings {str(file.path)!r}, {error}") from None
    return Book(tuple(opening for opening in order if opening in found), tuple(skipped))


def _is_decided(opening: Opening) -> bool:
    return not is_open(replay(find_game(opening.game).initial(), opening.moves))


def _lines(path: Path) -> Iterator[tuple[str, str]]:
    """Yield the location and text of each non-empty line, without comments."""
    text = path.read_text(encoding="utf-8-sig", errors="replace")
    for number, line in enumerate(text.splitlines(), 1):
        if content := _COMMENT.sub(lambda found: found["quoted"] or "", line).strip():
            yield f"line {number}", content


def _moves(file: BookFile, refuse: Refuse) -> Found:
    first = file.game.initial()
    for where, line in _lines(file.path):
        try:
            yield where, Opening(file.game.spec, _line_of_moves(file, first, line, where))
        except PositionError as error:
            refuse(error)


def _line_of_moves(file: BookFile, state: State, line: str, where: str) -> tuple[WireMove, ...]:
    moves: list[WireMove] = []
    for text in islice(split_texts(state, _COMMA.sub(" ", line)), file.plies):
        try:
            move = state.parse(text)
        except InputError as error:
            raise PositionError(f"{where}, ply {len(moves) + 1}: {error}") from None
        moves.append(encode_move(state, move))
        state = state.play(move)
    _refuse_over(state, where)
    return tuple(moves)


def _positions(file: BookFile, refuse: Refuse) -> Found:
    if file.plies is not None:
        raise SetupError("which has positions: --opening-plies is for files of moves")
    game = file.game
    pattern = game.starting_at("").initial().fen()
    for where, line in _lines(file.path):
        try:
            begun = game.starting_at(read_epd(line, pattern).fen)
            # Normalized, so that equal positions are equal openings.
            begun = game.starting_at(begun.initial().fen())
            _refuse_over(begun.initial(), where)
        except InputError as error:
            text = str(error)
            refuse(PositionError(text if text.startswith(where) else f"{where}: {text}"))
            continue
        yield where, Opening(begun.spec)


def _refuse_over(state: State, where: str) -> None:
    if state.outcome() is not None:
        raise PositionError(f"{where}: the match is over there")


def _games(file: BookFile, refuse: Refuse) -> Found:
    game = _chess(file)
    from games.chess.pgn import numbered_openings  # noqa: PLC0415 (chess is an extra)

    for where, spec, moves in numbered_openings(file.path, file.plies, game, refuse):
        yield where, Opening(spec, moves)


def _walks(file: BookFile, refuse: Refuse) -> Found:
    game = _chess(file)
    from games.chess.polyglot import draw_lines  # noqa: PLC0415 (chess is an extra)

    plies = game.random_plies if file.plies is None else file.plies
    count = min(max(file.rounds, DRAWN_LEAST), DRAWN_MOST)
    source = random.Random(seed_of(file.seed, "polyglot"))
    for moves in draw_lines(file.path, game, plies, count, source):
        yield f"line {' '.join(map(game.initial().code, moves))}", Opening(game.spec, moves)


def _chess(file: BookFile) -> "Chess":
    from games.chess.rules import Chess  # noqa: PLC0415 (chess is an extra)

    if not isinstance(file.game, Chess):
        raise SetupError(f"which is only for chess, not {file.game.spec}")
    return file.game


_READERS: dict[str, Callable[[BookFile, Refuse], Found]] = {
    ".txt": _moves,
    ".epd": _positions,
    ".fen": _positions,
    ".pgn": _games,
    ".bin": _walks,
}
_ENDINGS = "{} or {}, or that and {}, {} or {}".format(
    ", ".join(list(_READERS)[:-1]), list(_READERS)[-1], *COMPRESSED
)
