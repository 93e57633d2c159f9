"""The page of a bot: how it stands and how it fares."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from markupsafe import Markup
from starlette.requests import Request
from starlette.routing import Route

from games.support.errors import InputError
from league.analysis.bot_health import Health, health
from league.analysis.opponents import opponents
from league.analysis.rating_history import history, system_of
from league.analysis.standings import Standing, standings
from league.render import charts, match_plots
from league.render.template import markup
from league.store.rows import BotRow, MatchRow
from league.store.store import Store
from league.web.html_response import drawn, page

FORM = 20
"""How many of the newest results are shown as letters."""

LOOKED_AT = 40
"""How many of its newest matches tell how a bot fares: each is replayed for that."""

FORFEITS = 5
EXCERPT = 12
"""How many lines of a log are shown, its last ones."""

LATEST = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class BotRating:
    """Where one version stands in a game: among `count` bots that met, with its bar drawn."""

    game: str
    number: int
    row: Standing
    count: int
    bar: Markup


@dataclass(frozen=True, slots=True)
class MatchResult:
    """One match in a row of results: its letter, and in words what that stands for."""

    match: int
    letter: str
    told: str


@dataclass(frozen=True, slots=True)
class Forfeit:
    """A match that a bot lost by its own fault, with what happened and the end of its log."""

    match: MatchRow
    detail: str
    excerpt: str


def _bot(store: Store, request: Request) -> str:
    bot = store.bot(request.path_params["name"])
    rated = [each for game in store.games_played() for each in _rated(store, game, bot)]
    games = list(dict.fromkeys(each.game for each in rated))
    game = request.query_params.get("game", "")
    if game not in games:
        most = max(rated, key=lambda each: each.row.matches, default=None)
        game = most.game if most else ""
    values = _in_game(store, bot, game, rated) if game else {}
    return drawn(request, "bot.html", bot=bot, rated=rated, games=games, game=game, **values)


def _rated(store: Store, game: str, bot: BotRow) -> list[BotRating]:
    rows = standings(store, game).rows
    bars = match_plots.intervals([(row.rating, row.error) for row in rows])
    own = {version.id: version.number for version in bot.versions}
    pools = {number: len(list(pool)) for number, pool in groupby(rows, lambda row: row.pool)}
    return [
        BotRating(
            game=game, number=own[row.version], row=row, count=pools[row.pool], bar=markup(bar)
        )
        for row, bar in zip(rows, bars, strict=True)
        if row.version in own
    ]


def _in_game(store: Store, bot: BotRow, game: str, rated: Sequence[BotRating]) -> dict[str, object]:
    """Return what the page tells of one game."""
    found = store.matches(bot=bot.name, game=game, limit=FORM)
    fares, why_not = _fares(store, game, bot)
    has_failed = any(each.row.forfeits for each in rated if each.game == game)
    versions, trend = store.recall(
        ("trend", game, bot.name, str(system_of(store, "elo"))), lambda: _trend(store, game, bot)
    )
    met = store.recall(("opponents", game, bot.name), lambda: opponents(store, game, bot))
    return {
        "form": [_result(match, bot.name) for match in found],
        "opponents": met,
        "trend": trend,
        "versions": versions,
        "health": fares,
        "why_not": why_not,
        "charts": _charts(fares) if fares else [],
        "forfeits": _forfeits(store, bot.name, game) if has_failed else [],
        "matches": found[:LATEST],
    }


def _fares(store: Store, game: str, bot: BotRow) -> tuple[Health | None, str]:
    """Return how the newest version that played fares, or why its matches can't be replayed."""
    try:
        found = health(store, game, bot=bot.name, matches=LOOKED_AT)
    except InputError as error:
        # A game's file may have gone; everything else is known without it.
        return None, str(error)
    return (found[0] if found else None), ""


def _trend(store: Store, game: str, bot: BotRow) -> tuple[list[int], Markup]:
    """Draw the live Elo of each version over its matches; return the versions' numbers too."""
    numbers = {version.id: version.number for version in bot.versions}
    found: dict[int, list[tuple[float, float]]] = {}
    for point in history(store, game, "elo", bot.name):
        found.setdefault(numbers[point.version], []).append((point.matches, point.value))
    order = sorted(found)
    lines = [charts.Line(found[number]) for number in order]
    return order, markup(charts.lines("live Elo", lines, "matches of its own"))


def _result(match: MatchRow, bot: str) -> MatchResult:
    seat = next(seat for seat, each in enumerate(match.versions) if each.bot == bot)
    score = match.scores[seat]
    letter, word = {1.0: ("W", "won"), 0.0: ("L", "lost")}.get(score, ("D", "drawn"))
    others = [str(each) for each in match.versions if each.bot != bot]
    told = f"{word} against {' and '.join(others)}" if others else word
    return MatchResult(match.id, letter, told)


def _forfeits(store: Store, bot: str, game: str) -> list[Forfeit]:
    found = []
    for match in store.matches(game=game, fault_of=bot, limit=FORFEITS):
        _, record = store.match(match.id)
        lines = record.log.rstrip().split("\n")[-EXCERPT:]
        found.append(Forfeit(match, record.detail, "\n".join(lines)))
    return found


def _charts(fares: Health) -> list[Markup]:
    """Draw the median time and the median depth by ply, each where it is known."""
    spans = list(fares.depths())
    times = [((span.first + span.last) / 2, span.wall_s * 1e3) for span in spans]
    depths = [
        ((span.first + span.last) / 2, span.depth) for span in spans if span.depth is not None
    ]
    found = [
        charts.lines("time, ms", [charts.Line(times)], "ply", is_from_zero=True),
        charts.lines("depth", [charts.Line(depths)], "ply", is_from_zero=True),
    ]
    return [markup(each) for each in found if each]


ROUTES = [Route("/bots/{name:path}", page(_bot))]
