"""The list of matches."""

from dataclasses import replace
from typing import Any, cast

from starlette.requests import Request

from league.model.errors import UnknownRowError
from league.model.records import Result, Termination
from league.render.match_endings import remembered_endings
from league.store.match_filter import MatchFilter, MatchOrder
from league.store.store import StoreReader
from league.web.error_page import no_bot
from league.web.filters import BOT, FROM, SEARCH, TO, bot_names, game_field, words
from league.web.html_response import Answer, drawn, listed
from league.web.listing import Column, FilterField, Listing, ListKind, read_listing

ANY_FAULT = "any fault"

_KIND = ListKind(
    "/matches",
    "match",
    (
        Column("Match", "match", is_number=True, is_descending=True),
        Column("Result"),
        Column("Game"),
        Column("Ended by"),
        Column("Plies", "plies", is_number=True, is_descending=True),
        Column("Duration", "time", is_number=True, is_descending=True),
        Column("Ended (UTC)", is_number=True),
    ),
    "-match",
)


def _matches(store: StoreReader, request: Request) -> Answer:
    offers = bot_names(store)
    ends = [(ANY_FAULT, ANY_FAULT), *words([str(each) for each in Termination])]
    fields = (
        replace(SEARCH, label="Name or number"),
        game_field(store),
        replace(BOT, offers=offers),
        FilterField("end", "End", "choice", choices=ends),
        FilterField("opponent", "Opponent", offers=offers, is_more=True),
        FilterField(
            "result",
            "Result",
            "choice",
            choices=words([str(each) for each in Result]),
            is_more=True,
        ),
        FilterField("tournament", "Tournament", "number", is_more=True),
        FROM,
        TO,
    )
    listing = read_listing(request.query_params, _KIND, fields)
    faults = [*listing.faults]
    for name in (listing.value("bot"), listing.value("opponent")):
        try:
            if name is not None:
                store.bots.get(name)
        except UnknownRowError as error:
            faults.append(no_bot(error))
    wanted = _wanted(listing)
    key = ("match list", tuple(offers), tuple(wanted.items()))
    total = store.recall_recent((*key, "count"), lambda: store.matches.count(**wanted))
    listing = replace(listing.counted(total), faults=faults)
    order, offset = MatchOrder(listing.sort), listing.offset
    rows = store.recall_recent(
        (*key, order, offset),
        lambda: store.matches.page(limit=listing.size, offset=offset, order=order, **wanted),
    )
    return drawn(
        request,
        "matches.html",
        listing=replace(listing, rows=rows),
        endings=remembered_endings(store, rows),
        section="Matches",
    )


def _wanted(listing: Listing) -> MatchFilter:
    end, result = listing.value("end"), listing.value("result")
    wanted: dict[str, Any] = {
        "search": listing.value("q"),
        "game": listing.value("game"),
        "bot": listing.value("bot"),
        "opponent": listing.value("opponent"),
        "result": Result(result) if result else None,
        "termination": Termination(end) if end and end != ANY_FAULT else None,
        "faults_only": end == ANY_FAULT,
        "tournament": listing.number("tournament"),
        "ended_from": listing.begin_s("from"),
        "ended_before": listing.end_s("to"),
    }
    return cast(MatchFilter, wanted)


ROUTES = [listed("/matches", _matches)]
