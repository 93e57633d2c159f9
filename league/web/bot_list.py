"""The list of bots."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import RedirectResponse

from league.analysis.overview import BotSummary, summarize_bots
from league.model.names import natural_order
from league.render.template import ROOT
from league.store.store import StoreReader
from league.web.filters import SEARCH, contains, game_field, words
from league.web.html_response import Answer, drawn, listed
from league.web.listing import Column, FilterField, ListKind, read_listing

_KIND = ListKind(
    "/bots",
    "bot",
    (
        Column("Bot", "name"),
        Column("Spec"),
        Column("Rating", "rating", is_number=True, is_descending=True),
        Column("Rank"),
        Column("Won, drawn, lost"),
        Column("Score", "score", is_number=True, is_descending=True),
        Column("Matches", "matches", is_number=True, is_descending=True),
        Column("Last match (UTC)", "last", is_number=True, is_descending=True),
    ),
    "-rating",
)
"""The list of the bots of one game."""

_OF_ALL = replace(
    _KIND,
    columns=(
        *_KIND.columns[:2],
        # Ratings of one game are an order; those of several are not.
        Column("Rating", is_number=True),
        Column("Rank in most played game"),
        *_KIND.columns[4:],
    ),
    usual="name",
)


def _bots(store: StoreReader, request: Request) -> Answer:
    states = words(("active", "retired"))
    fields = (
        replace(SEARCH, label="Name or spec"),
        game_field(store),
        FilterField("state", "State", "choice", choices=states),
    )
    asked = request.query_params
    listing = read_listing(asked, _KIND if asked.get("game") else _OF_ALL, fields)
    search, state = listing.value("q"), listing.value("state")
    rows = [
        each
        for each in summarize_bots(store, listing.value("game"))
        if contains(search, each.bot.name, f"{each.bot.versions[-1].spec} {each.options}")
        and state in (None, "retired" if each.bot.is_retired else "active")
    ]
    if search and set(asked) == {"q"} and len(rows) == 1:
        name = rows[0].bot.name
        if name.casefold() == search.casefold():
            return RedirectResponse(f"{ROOT.get()}/bots/{quote(name, safe='')}", 303)
    listing = listing.cut(listing.ordered(rows, _KEYS))
    return drawn(request, "bots.html", listing=listing, section="Bots")


def _rating_of(each: BotSummary) -> float:
    return each.rated[1].rating if each.rated else float("-inf")


_KEYS: dict[str, Callable[[BotSummary], Any]] = {
    "name": lambda each: natural_order(each.bot.name),
    "rating": _rating_of,
    "score": lambda each: each.record.score,
    "matches": lambda each: each.tally.matches,
    "last": lambda each: each.tally.finished_at,
}


ROUTES = [listed("/bots", _bots)]
