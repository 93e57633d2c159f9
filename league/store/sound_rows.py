"""Dropping the rows of a recovered league that can't be decoded, and what depends on them."""

import json
import sqlite3
import zlib
from collections.abc import Callable
from typing import Any

from games.support.errors import InputError
from league.model.records import IMPORTED, Termination
from league.store.config_codec import decode_config
from league.store.files_codec import pack_files, unpack_files
from league.store.record_codec.record import decode_record
from league.store.rows import Request, TournamentState
from league.store.seating_codec import decode_scores, decode_seating

NO_FILES = pack_files({})


def keep_sound_rows(copy: sqlite3.Connection) -> None:
    """Drop what can't be decoded; rows that were their children may be left without parents."""
    for table, (columns, decode) in _DECODED.items():
        key = "match_id" if table == "record" else "id"
        query = f'SELECT {key}, {columns} FROM "{table}"'  # noqa: S608 (names of our own)
        lost = [(row[0],) for row in copy.execute(query) if not _is_sound(decode, row[1:])]
        copy.executemany(f'DELETE FROM "{table}" WHERE {key} = ?', lost)  # noqa: S608
    _cut_plans(copy)
    for statement in _DEPENDENT:
        copy.execute(statement)
    _replace_lost_versions(copy)
    _seat_lineups(copy)
    copy.execute(_REOPENED)
    copy.commit()


def _is_sound(decode: Callable[..., object], values: tuple[Any, ...]) -> bool:
    try:
        decode(*values)
    except (KeyError, TypeError, ValueError, AttributeError, InputError, zlib.error):
        return False
    return True


def _bot(name: str, games: str) -> object:
    return name.casefold(), json.loads(games)


def _version(options: str, files: bytes) -> object:
    return json.loads(options), unpack_files(files)


def _tournament(config: str, state: str, request: str) -> object:
    return decode_config(config), TournamentState(state), Request(request)


def _match(scores: str, termination: str, utilities: str | None, plies: int) -> object:
    ended = decode_scores(scores), Termination(termination), decode_scores(utilities or "0")
    return *ended, range(plies)


_DECODED: dict[str, tuple[str, Callable[..., object]]] = {
    "bot": ("name, games", _bot),
    "version": ("options, files", _version),
    "tournament": ("config, state, request", _tournament),
    "lineup": ("versions", decode_seating),
    "match": ("scores, termination, utilities, plies", _match),
    "record": ("data, moves", decode_record),
    "void_match": ("scores, termination, utilities, plies", _match),
}

_DEPENDENT = (
    "DELETE FROM match WHERE lineup_id NOT IN (SELECT id FROM lineup)",
    "DELETE FROM match WHERE id NOT IN (SELECT match_id FROM record)",
    # A plan that was cut is made again; an imported tournament has none.
    """
    DELETE FROM match WHERE NOT EXISTS (
        SELECT 1 FROM encounter
        WHERE encounter.tournament_id = match.tournament_id AND number = match.encounter
    ) AND tournament_id NOT IN (SELECT id FROM tournament WHERE source IS NOT NULL)
    """,
    "DELETE FROM record WHERE match_id NOT IN (SELECT id FROM match)",
)

_REOPENED = """
    UPDATE tournament SET state = 'open'
    WHERE state = 'finished'
    AND total <> (SELECT count(*) FROM match WHERE tournament_id = tournament.id)
"""


def _cut_plans(copy: sqlite3.Connection) -> None:
    """Cut each plan before its first encounter that is lost."""
    query = "SELECT tournament_id, number, entrants FROM encounter ORDER BY tournament_id, number"
    planned: dict[int, int] = {}
    for tournament, number, entrants in copy.execute(query):
        is_next = number == planned.get(tournament, 0)
        if is_next and _is_sound(lambda text: [int(each) for each in text.split(",")], (entrants,)):
            planned[tournament] = number + 1
    for (tournament,) in copy.execute("SELECT DISTINCT tournament_id FROM encounter").fetchall():
        copy.execute(
            "DELETE FROM encounter WHERE tournament_id = ? AND number >= ?",
            (tournament, planned.get(tournament, 0)),
        )


def _replace_lost_versions(copy: sqlite3.Connection) -> None:
    """Add bots of which only results are known, in place of lost ones that have some."""
    wanted = {
        version
        for (text,) in copy.execute("SELECT versions FROM lineup")
        for version in decode_seating(text)
    }
    for (config,) in copy.execute("SELECT config FROM tournament"):
        wanted.update(decode_config(config).entrants)
    copy.execute("DELETE FROM bot WHERE id NOT IN (SELECT bot_id FROM version)")
    known = {version for (version,) in copy.execute("SELECT id FROM version")}
    for bot in copy.execute(
        "SELECT DISTINCT bot_id FROM version WHERE bot_id NOT IN (SELECT id FROM bot)"
    ).fetchall():
        _add_bot(copy, f"lost-bot-{bot[0]}", bot[0])
    for version in sorted(wanted - known):
        bot_id = _add_bot(copy, f"lost-version-{version}", None)
        copy.execute(
            "INSERT INTO version (id, bot_id, number, spec, options, files, digest, created_at) "
            "VALUES (?, ?, 1, ?, '{}', ?, '', 0)",
            (version, bot_id, IMPORTED, NO_FILES),
        )


def _add_bot(copy: sqlite3.Connection, name: str, number: int | None) -> int | None:
    return copy.execute(
        "INSERT INTO bot (id, name, name_folded, is_retired, games, created_at) "
        "VALUES (?, ?, ?, 0, '[]', 0)",
        (number, name, name),
    ).lastrowid


def _seat_lineups(copy: sqlite3.Connection) -> None:
    copy.execute("DELETE FROM lineup_seat")
    copy.executemany(
        "INSERT INTO lineup_seat (lineup_id, seat, version_id) VALUES (?, ?, ?)",
        [
            (lineup, seat, version)
            for lineup, text in copy.execute("SELECT id, versions FROM lineup").fetchall()
            for seat, version in enumerate(decode_seating(text))
        ],
    )
