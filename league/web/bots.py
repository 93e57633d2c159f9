"""The page of a bot: its record, rating and health."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from markupsafe import Markup
from starlette.requests import Request

from games.support.errors import InputError
from league.analysis.bot_health import Health, health
from league.analysis.bot_record import (
    VersionStep,
    notable_results,
    openings_of_bot,
    placements,
    version_steps,
)
from league.analysis.opponents import opponents
from league.analysis.overview import BotRecord, record_of
from league.analysis.places import sides_of_match
from league.analysis.rating_history import HistoryPoint, field_shift, history, system_of
from league.analysis.standing_rows import Standing
from league.analysis.standings import newest_standings, standings
from league.match.scores import places_to_show, results_of_scores
from league.model.errors import LeagueError
from league.model.number_format import ordinal
from league.model.records import Result, Termination
from league.ratings.head_to_head import ScoreShare
from league.render import rating_bars
from league.render.bot_charts import PEAK_ERROR, health_charts, history_chart, live_chart
from league.render.match_endings import remembered_endings
from league.render.template import markup
from league.store.cache import Value
from league.store.rows import BotRow, MatchRow
from league.store.store import StoreReader
from league.web.html_response import drawn, page
from league.web.page_route import Audience, PageRoute
from league.web.pages import bot_buttons, tournament_names

FORM = 20
"""Number of the newest results to show as letters."""

LOOKED_AT = 40
"""The health of a bot is computed from so many of its newest matches; each is replayed."""

FORFEITS = 20
"""The shown faults are those of so many of the newest matches that it lost by one."""

FAULTS = 5
"""Number of different faults to show."""

VARYING = re.compile(r"(?<!line )(?<!\d)\d+(\.\d+)?|'[^']*'")
"""What differs between the details of one fault: numbers and quotations, not lines of a file."""

EXCERPT = 12
"""Number of shown lines of a log's end."""

LATEST = 10
TOURNAMENTS = 6
"""Number of tournaments with the place of the bot; each of them has to be rated."""

VERSIONS = 20
"""Number of the newest versions to compare with the version before."""

SHOWN = 8
"""Number of rows of a long table that are visible at first; the others are folded."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BotRating:
    """The standing in a game of the newest version of a bot that played it.

    `rank` is among the `count` connected bots of the standings; None for a bot without a row
    there, such as a retired one. `pool` is its pool there where there are several. `scale` draws
    its interval on the scale of all bots.
    """

    game: str
    row: Standing
    rank: int | None
    count: int
    pool: int | None
    scale: Markup


@dataclass(frozen=True, slots=True)
class MatchResult:
    """One match in a row of results: its letter, or its place among many, and both in words."""

    match: int
    result: Result
    letter: str
    told: str


@dataclass(frozen=True, slots=True)
class Forfeit:
    """The matches that a bot lost by one fault of its own, newest first.

    `detail` is that of the newest, and `excerpt` the end of its log.
    """

    matches: list[MatchRow]
    detail: str
    excerpt: str


def _bot(store: StoreReader, request: Request) -> str:
    bot = store.bots.get(request.path_params["name"])
    rated = [each for game in store.totals.games_played() if (each := _rating(store, game, bot))]
    rated.sort(key=lambda each: -each.row.matches)
    asked = request.query_params.get("game", "")
    chosen = next((each for each in rated if each.game == asked), rated[0] if rated else None)
    placed, entered = store.recall_recent(
        ("placements", bot.name, len(bot.versions)), lambda: placements(store, bot, TOURNAMENTS)
    )
    return drawn(
        request,
        "bot.html",
        bot=bot,
        rated=rated,
        chosen=chosen,
        game=chosen.game if chosen else "",
        placements=placed,
        tournaments=entered,
        season_parts=tournament_names(request),
        shown=SHOWN,
        buttons=bot_buttons(request, bot),
        **(_in_game(store, bot, chosen) if chosen else {"steps": _unplayed(bot)}),
    )


def _rating(store: StoreReader, game: str, bot: BotRow) -> BotRating | None:
    own = {version.id: version.number for version in bot.versions}
    rows = standings(store, game).rows
    played = [row for row in rows if row.rank and row.version in own]
    if not played:
        return None
    row = max(played, key=lambda row: own[row.version])
    values = [(each.rating, each.error) for each in rows]
    newest = newest_standings(store, game)
    held = next((each for each in newest.rows if each.rank and each.version == row.version), None)
    return BotRating(
        game=game,
        row=row,
        rank=held.shown_rank if held else None,
        count=newest.pool_sizes[held.pool] if held else 0,
        pool=held.pool if held and newest.pools > 1 else None,
        scale=markup(rating_bars.scaled_interval(values, rows.index(row))),
    )


def _in_game(store: StoreReader, bot: BotRow, chosen: BotRating) -> dict[str, object]:
    """Return the template values for one game."""
    game, key = chosen.game, (bot.name, len(bot.versions))
    found = store.matches.page(bot=bot.name, game=game, limit=FORM)
    tally = _tally(store, game, bot)

    def kept(name: str, make: Callable[[], Value], *more: str) -> Value:
        """Return what takes long, as it is or was lately: matches of other games do not matter."""
        return store.recall_recent((name, game, *more, *key), make, game=game)

    fares, why_not = kept("health", lambda: _fares(store, game, bot))
    points = kept("history", lambda: _history(store, game, bot, "fitted"))
    settings = str(system_of(store, "elo"))
    live = kept("live", lambda: _history(store, game, bot, "elo"), settings)
    return {
        "form": [_result(match, bot.name) for match in found],
        "tally": tally,
        "peak": _peak(points, chosen.row),
        "history": history_chart(points, bot, chosen.row),
        "shift": kept("shift", lambda: field_shift(store, game, "fitted", bot.name)),
        "live": live_chart(live, bot),
        "opponents": kept("opponents", lambda: opponents(store, game, bot)),
        "notable": kept("notable", lambda: notable_results(store, game, bot)),
        "openings": kept("openings", lambda: _openings(store, game, bot)),
        "steps": kept("steps", lambda: version_steps(store, game, bot, VERSIONS)),
        "health": fares,
        "why_not": why_not,
        "charts": health_charts(fares) if fares else [],
        "forfeits": _forfeits(store, bot.name, game) if tally.forfeits else [],
        "forfeits_looked_at": FORFEITS,
        "matches": found[:LATEST],
        "endings": remembered_endings(store, found[:LATEST]),
    }


def _tally(store: StoreReader, game: str, bot: BotRow) -> BotRecord:
    own = {version.id for version in bot.versions}
    return record_of(row for row in standings(store, game).rows if row.version in own)


def _history(store: StoreReader, game: str, bot: BotRow, spec: str) -> list[HistoryPoint]:
    return history(store, game, spec, bot.name)


def _peak(points: Sequence[HistoryPoint], row: Standing) -> HistoryPoint | None:
    """Return the highest reliable rating; None if the current one is as high, as it is shown."""
    known = [each for each in points if each.error is not None and each.error <= PEAK_ERROR]
    best = max(known, key=lambda each: each.value, default=None)
    return best if best and round(best.value) > round(row.rating) else None


def _openings(store: StoreReader, game: str, bot: BotRow) -> list[ScoreShare]:
    try:
        return openings_of_bot(store, game, bot)
    except InputError:
        # Without the file of a game its moves can't be written.
        return []


def _unplayed(bot: BotRow) -> list[VersionStep]:
    return [VersionStep(version, None, None) for version in reversed(bot.versions)]


def _fares(store: StoreReader, game: str, bot: BotRow) -> tuple[Health | None, str]:
    """Return the health of the newest version that played, or why no match can be replayed."""
    try:
        found = health(store, game, bots=[bot], matches=LOOKED_AT)
    except InputError as error:
        # The file of a game may be missing; only its replays need it.
        return None, str(error)
    return (found[0] if found else None), ""


def _result(match: MatchRow, bot: str) -> MatchResult:
    seat = next(seat for seat, each in enumerate(match.versions) if each.bot == bot)
    result = results_of_scores(match.scores)[seat]
    letter, word = result[0].upper(), str(result)
    if places := places_to_show(match.scores, sides_of_match(match)):
        letter, word = str(places[seat]), ordinal(places[seat])
    others = [str(each) for each in match.versions if each.bot != bot]
    told = f"{word} against {' and '.join(others)}" if others else word
    return MatchResult(match.id, result, letter, told)


def _forfeits(store: StoreReader, bot: str, game: str) -> list[Forfeit]:
    found: dict[tuple[Termination, str], Forfeit] = {}
    newest = store.matches.page(game=game, fault_of=bot, limit=FORFEITS)
    for each in store.matches.records([row.id for row in newest]):
        if isinstance(each, LeagueError):
            continue
        match, record = each
        lines = record.log.rstrip().split("\n")[-EXCERPT:]
        first = Forfeit([], record.detail, "\n".join(lines))
        kind = VARYING.sub("…", record.detail)
        found.setdefault((match.termination, kind), first).matches.append(match)
    return list(found.values())[:FAULTS]


ROUTES = [PageRoute("/bots/{name:path}", page(_bot), Audience.RESULTS)]
