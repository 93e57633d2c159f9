"""Openings from files: move lists, positions, PGN games and Polyglot books.

Sources: the PGN standard, section 16.2 for EPD; PolyGlot's book format by F. Letouzey, 2004.
"""

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice, takewhile
from pathlib import Path
from typing import TYPE_CHECKING

from games.support.errors import InputError, PositionError, brief
from games.support.game import Game, State, split_texts
from games.support.moves import WireMove, encode_move, replay
from games.support.specs import find_game
from league.match.openings.compressed import COMPRESSED, plain_file
from league.match.openings.drawn import CLEAR_DEPTH, is_open
from league.match.openings.opening import Opening
from league.match.seeds import seed_of
from league.model.errors import SetupError

if TYPE_CHECKING:
    from games.chess.rules import Chess

CHECKED = 1000
"""Number of openings to search for forced wins (ms each in chess); none may be over."""

DRAWN_LEAST, DRAWN_MOST = 1000, 10_000
"""Bounds on the lines drawn from a Polyglot book; in between, one per round."""

_COMMENT = re.compile(r"(?:^|\s)#.*")
# A comma in brackets is part of a move, as in OpenSpiel's `x(0,1)`.
_COMMA = re.compile(r",(?![^()]*\))")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wish:
    """The part of a file to read; `plies` truncates move lists, None keeps them whole."""

    path: Path
    game: Game
    plies: int | None
    rounds: int
    seed: int


def read_book(
    path: Path, game: Game, *, plies: int | None, rounds: int, seed: int, is_shuffled: bool
) -> tuple[Opening, ...]:
    """Return the distinct openings of a file in playing order: the file's, or shuffled by `seed`.

    `plies` truncates move lists and is the length of Polyglot lines (None for the game's default).
    Raises `SetupError`, naming file and line, for unreadable files, illegal moves or positions, and
    openings that are over or decided within `CLEAR_DEPTH` plies.
    """
    found: dict[Opening, str] = {}
    try:
        with plain_file(path) as plain:
            read = _READERS.get(plain.suffix.lower())
            if read is None:
                raise SetupError(f"expected a file that ends in {_ENDINGS}")
            wish = _Wish(path=plain, game=game, plies=plies, rounds=rounds, seed=seed)
            for where, opening in read(wish):
                found.setdefault(opening, where)
    except OSError as error:
        raise SetupError(f"openings {str(path)!r}: {error.strerror}") from None
    except InputError as error:
        raise SetupError(f"openings {str(path)!r}, {error}") from None
    if not found:
        raise SetupError(f"openings {str(path)!r}: expected openings, found none")
    order = list(found)
    if is_shuffled:
        random.Random(seed_of(seed, "openings")).shuffle(order)
    for opening in order[:CHECKED]:
        if not is_open(replay(find_game(opening.game).initial(), opening.moves)):
            raise SetupError(
                f"openings {str(path)!r}, {found[opening]}: somebody wins by force within "
                f"{CLEAR_DEPTH} plies: leave it out"
            )
    return tuple(order)


def _lines(path: Path) -> Iterator[tuple[str, str]]:
    """Yield the location and text of each non-empty line, without comments."""
    text = path.read_text(encoding="utf-8-sig", errors="replace")
    for number, line in enumerate(text.splitlines(), 1):
        if content := _COMMENT.sub("", line).strip():
            yield f"line {number}", content


def _moves(wish: _Wish) -> Iterator[tuple[str, Opening]]:
    first = wish.game.initial()
    for where, line in _lines(wish.path):
        state = first
        moves: list[WireMove] = []
        for text in islice(split_texts(first, _COMMA.sub(" ", line)), wish.plies):
            try:
                move = state.parse(text)
            except InputError as error:
                raise PositionError(f"{where}, ply {len(moves) + 1}: {error}") from None
            moves.append(encode_move(state, move))
            state = state.play(move)
        _refuse_over(state, where)
        yield where, Opening(wish.game.spec, tuple(moves))


def _positions(wish: _Wish) -> Iterator[tuple[str, Opening]]:
    if wish.plies is not None:
        raise SetupError("which has positions: --opening-plies is for files of moves")
    game = wish.game
    pattern = game.starting_at("").initial().fen()
    for where, line in _lines(wish.path):
        try:
            begun = game.starting_at(_board_of(pattern, line))
            # Normalized, so that equal positions are equal openings.
            begun = game.starting_at(begun.initial().fen())
        except InputError as error:
            raise PositionError(f"{where}: {error}") from None
        _refuse_over(begun.initial(), where)
        yield where, Opening(begun.spec)


def _board_of(pattern: str, line: str) -> str:
    """Return the fields of a position without the EPD operations that follow.

    `pattern` is any position of the game: its trailing numeric fields are optional.
    """
    wanted, words = pattern.split(), line.split()
    least = len(wanted)
    while least and wanted[least - 1].isdigit():
        least -= 1
    fields = words[:least] + list(takewhile(str.isdigit, words[least : len(wanted)]))
    rest = " ".join(words[len(fields) :])
    if rest and not rest.endswith(";"):
        raise PositionError(
            f"{brief(rest)} after the position: expected operations of EPD, each with a semicolon"
        )
    return " ".join(fields)


def _refuse_over(state: State, where: str) -> None:
    if state.outcome() is not None:
        raise PositionError(f"{where}: the match is over there: leave it out")


def _games(wish: _Wish) -> Iterator[tuple[str, Opening]]:
    game = _chess(wish)
    from games.chess.pgn import numbered_openings  # noqa: PLC0415 (chess is an extra)

    for where, moves in numbered_openings(wish.path, wish.plies, game):
        yield where, Opening(game.spec, moves)


def _walks(wish: _Wish) -> Iterator[tuple[str, Opening]]:
    game = _chess(wish)
    from games.chess.polyglot import draw_lines  # noqa: PLC0415 (chess is an extra)

    plies = game.opening_plies if wish.plies is None else wish.plies
    count = min(max(wish.rounds, DRAWN_LEAST), DRAWN_MOST)
    source = random.Random(seed_of(wish.seed, "polyglot"))
    for moves in draw_lines(wish.path, game, plies, count, source):
        yield f"line {' '.join(map(game.initial().code, moves))}", Opening(game.spec, moves)


def _chess(wish: _Wish) -> "Chess":
    from games.chess.rules import Chess  # noqa: PLC0415 (chess is an extra)

    if not isinstance(wish.game, Chess):
        raise SetupError(f"which is only for chess, not {wish.game.spec}")
    return wish.game


_READERS: dict[str, Callable[[_Wish], Iterator[tuple[str, Opening]]]] = {
    ".txt": _moves,
    ".epd": _positions,
    ".fen": _positions,
    ".pgn": _games,
    ".bin": _walks,
}
_ENDINGS = "{} or {}, or that and {}, {} or {}".format(
    ", ".join(list(_READERS)[:-1]), list(_READERS)[-1], *COMPRESSED
)
