"""The documents that commands print with `--json` and the dashboard's API hands out.

Those of one value are its `as_json`; these are put together from several.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from games.support.errors import GameError
from games.support.game import Game
from games.support.specs import find_game
from league.analysis.bot_health import Health
from league.analysis.loss_report import loss_report
from league.analysis.rating_history import history
from league.analysis.replay import Replay
from league.analysis.standings import crosstable
from league.store.rows import TournamentRow
from league.store.store import Store
from league.tournament.planner import outlook
from league.tournament.settings import settings_of


def tournament_document(store: Store, row: TournamentRow) -> dict[str, Any]:
    """Return a tournament with its settings, and how it stands."""
    expected, says = None, f"from a file whose text has the SHA-256 {row.config.source}"
    if not row.config.is_imported:
        says, expected = outlook(store, row)
    return {
        **row.as_json(),
        "settings": settings_of(store, row),
        "is_in_play": row.state == "open" and store.is_in_play(row.id),
        "expected": expected,
        "says": says,
    }


def crosstable_document(store: Store, game: str, tournament: int | None) -> dict[str, Any]:
    """Return what every bot of a game, or of one tournament, scored against every other."""
    rows, cells = crosstable(store, game, tournament)
    return {
        "game": game,
        "tournament": tournament,
        "bots": [row.bot for row in rows],
        "cells": [
            {
                "bot": row.bot,
                "against": other.bot,
                "wins": cell.wins,
                "draws": cell.draws,
                "losses": cell.losses,
                "points": cell.points,
            }
            for row in rows
            for other in rows
            if (cell := cells.get((row.version, other.version)))
        ],
    }


def health_document(
    game: str, rows: Iterable[Health], *, tournament: int | None, matches: int
) -> dict[str, Any]:
    """Return how bots fare in a game, or in one tournament, each by its newest `matches`."""
    return {
        "game": game,
        "tournament": tournament,
        "newest": matches,
        "bots": [row.as_json() for row in rows],
    }


def rating_documents(
    store: Store, played: Iterable[str], system: str, bot: str
) -> list[dict[str, Any]]:
    """List the ratings that a bot had in these games, as they were kept."""
    return [
        {
            "game": game,
            "bot": bot,
            "version": point.version,
            "tournament": point.tournament,
            "as_of_match": point.match,
            "at": point.at,
            "matches": point.matches,
            "rating": point.value,
            "error": point.error,
        }
        for game in played
        for point in history(store, game, system, bot)
    ]


def reason_document(replay: Replay, command: str | None = None) -> dict[str, Any]:
    """Return why a match ended as it did; `command` is how to see it again, where it is known."""
    reason = loss_report(replay)
    return {
        **reason.as_json(),
        "match": replay.row.id,
        "command": reason.command if command is None else command,
    }


def game_document(game: Game) -> dict[str, Any]:
    """Return a game with its options and evaluations."""
    return {
        "game": game.spec,
        "title": game.title,
        "seats": game.seats,
        "seat_names": list(game.seat_names),
        "sides": list(game.sides),
        "chance": game.has_chance,
        "options": game.values,
        "evaluations": [each.name for each in game.evaluations],
    }


def game_documents(names: Sequence[str]) -> list[dict[str, Any]]:
    """List games, those that can be played here first; of the others it says why not."""
    found, missing = [], []
    for name in names:
        try:
            found.append(game_document(find_game(name)))
        except GameError as error:
            missing.append({"game": name, "why_not": str(error)})
    return [*found, *missing]
