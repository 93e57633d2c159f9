"""The live pages: tournaments, and matches in play."""

from dataclasses import replace
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from games.support.errors import InputError
from games.support.specs import find_game
from league.formats.format import Format
from league.formats.gauntlet import Gauntlet
from league.formats.knockout import Knockout
from league.formats.ladder import Ladder
from league.formats.roundrobin import RoundRobin
from league.formats.schedule import field_of
from league.formats.specs import make_format
from league.formats.swiss import Swiss
from league.model.clock import now_ms
from league.model.errors import UnknownRowError
from league.model.number_format import spaced_units
from league.model.records import MatchKey
from league.render.move_rows import has_row_numbers
from league.render.template import ROOT, render
from league.store.rows import TournamentRow
from league.tournament.settings import settings_of
from league.web.match_watch import MatchWatch
from league.web.page_route import Audience, PageRoute
from league.web.page_source import page_source_of, store_of
from league.web.pages import tournament_names
from league.web.query import KEY, NUMBER
from league.web.stream import topic_of
from league.web.tournament_watch import TournamentWatch

PAGE_S = 0.2
"""Longest time to read new results while a visitor waits for the page."""

FACTS = {
    "rounds": "{} rounds",
    "time": "{} for a match",
    "move-time": "{} per move",
    "depth": "depth {}",
    "nodes": "{} nodes per move",
}
"""The settings that stand below the title, and their words; the others end the page."""


async def _tournament(request: Request) -> Response:
    store = store_of(request)
    number = request.path_params["number"]
    watch: TournamentWatch = page_source_of(request).tournaments.of(number)
    look = await watch.look(PAGE_S)
    row = watch.newest.row
    settings: dict[str, Any] = await run_in_threadpool(settings_of, store, row)
    is_imported = row.config.is_imported
    rule = None if is_imported else make_format(row.config.format)
    # In formats without real rounds, their number is only a limit.
    unsaid = {"rounds"} if rule and not rule.has_rounds else set()
    words = [word for word in FACTS if word in settings and word not in unsaid]
    facts = [_fact(word, settings[word]) for word in words]
    if rule and (each := await run_in_threadpool(_matches_each, row, rule)):
        facts.insert(words.index("rounds") + 1 if "rounds" in words else 0, each)
    parts = await run_in_threadpool(tournament_names, request)
    text = render(
        "tournament.html",
        league=request.app.state.name,
        row=row,
        format=rule.title if rule else "imported matches",
        part=parts.get(row.id, ""),
        explained=rule.help[:1].upper() + rule.help[1:] if rule else "",
        tuned=settings["bots"][0] if row.config.parameters else "",
        facts=facts,
        settings=settings,
        parts=look.drawing.texts,
        version=look.drawing.version,
        is_over=look.is_over,
        now_ms=now_ms(),
    )
    return HTMLResponse(text)


def _fact(word: str, value: Any) -> str:
    r"""Write a setting as people say it.

    >>> _fact("rounds", 1), _fact("move-time", "50ms"), _fact("nodes", 3000)
    ('1 round', '50\xa0ms per move', '3,000 nodes per move')
    """
    told = f"{value:,}" if isinstance(value, int) else spaced_units(str(value))
    text = FACTS[word].format(told)
    return "1 round" if text == "1 rounds" else text


def _matches_each(row: TournamentRow, rule: Format) -> str:
    """Say how many matches those who meet play where all play as many; '' elsewhere."""
    try:
        field = field_of(row.config, find_game(row.config.game))
    except InputError:
        # The file of its game may be gone.
        return ""
    if isinstance(rule, Swiss | Ladder):
        return f"{field.seats} matches per pairing"
    if isinstance(rule, Knockout):
        return f"{field.seats * field.rounds} matches per tie"
    if not isinstance(rule, RoundRobin | Gauntlet) or not row.total:
        return ""
    groups = rule.planned(replace(field, rounds=1))
    if not groups or row.total % groups:
        return ""
    return f"{row.total // groups} matches per {'pair' if field.seats == 2 else 'group'}"


async def _live_match(request: Request) -> Response:
    store = store_of(request)
    number, encounter, rotation = (
        request.path_params[name] for name in ("number", "encounter", "rotation")
    )
    key = MatchKey(encounter, rotation)
    found = await run_in_threadpool(store.matches.at, number, key)
    if found is not None:
        return RedirectResponse(f"{ROOT.get()}/matches/{found}", 303)
    watch: MatchWatch = page_source_of(request).matches.of((number, key))
    look = await watch.look(PAGE_S)
    if not watch.seats:
        raise UnknownRowError("this match is not in play", "match", str(key))
    text = render(
        "live_match.html",
        league=request.app.state.name,
        tournament=number,
        key=key,
        game=watch.game,
        has_row_numbers=has_row_numbers(find_game(watch.game)),
        seats=watch.seats,
        limits=watch.limits,
        topic=topic_of(number, key),
        parts=look.drawing.texts,
        version=look.drawing.version,
        is_over=look.is_over,
        now_ms=now_ms(),
    )
    return HTMLResponse(text)


async def _any_live_match(request: Request) -> Response:
    """Lead to the match in play that began last, or to the tournament."""
    store = store_of(request)
    number = request.path_params["number"]
    shown = await run_in_threadpool(store.live.shown, number)
    address = f"{ROOT.get()}/tournaments/{number}"
    if shown:
        key = min(shown, key=lambda each: len(each.plies)).key
        address += f"/live/{key.encounter}/{key.rotation}"
    return RedirectResponse(address, 303)


ROUTES = [
    PageRoute(f"/tournaments/{NUMBER}", _tournament, Audience.RESULTS),
    PageRoute(f"/tournaments/{NUMBER}/live", _any_live_match, Audience.RESULTS),
    PageRoute(f"/tournaments/{NUMBER}/live/{KEY}", _live_match, Audience.RESULTS),
]
