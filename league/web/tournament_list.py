"""The list of tournaments."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from starlette.requests import Request

from games.support.errors import InputError
from league.analysis.crosstable import crosstable
from league.analysis.outlook import outlook
from league.analysis.standings import standings
from league.formats.specs import format_title
from league.model.errors import UnknownRowError
from league.model.number_format import true_minus
from league.render.game_look import title_of
from league.render.tournament_headline import (
    challengers_of,
    format_of,
    headline,
    near_told,
    opponents_of,
    outcome_told,
    ranked,
)
from league.store.rows import TournamentRow
from league.store.store import StoreReader
from league.web.error_page import no_bot
from league.web.filters import BOT, FROM, SEARCH, TO, bot_names, contains, game_field, words
from league.web.html_response import Answer, drawn, listed
from league.web.listing import Column, FilterField, Listing, ListKind, read_listing
from league.web.pages import tournament_names

IN_PLAY = "in play"


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedTournament:
    """A tournament in the list; `state` is a word, `outcome` a sentence on who won or leads.

    `part` names it if it is a part of a season, '' else. `near` are the bots that are not separated
    from the first.
    """

    row: TournamentRow
    title: str
    part: str = ""
    state: str
    outcome: str = ""
    near: str = ""

    @property
    def format(self) -> str:
        """The title of the format, with the options that differ from its defaults."""
        return true_minus(format_title(self.row.config.format))

    @property
    def name(self) -> str:
        """What it is called: the part of a season, or else its game and format."""
        return self.part or f"{self.title}, {self.format}"


def tournaments_of(
    store: StoreReader, parts: Mapping[int, str] = MappingProxyType({})
) -> list[ListedTournament]:
    """Return all tournaments, newest first; `parts` names those of seasons."""
    rows = store.recall(("tournaments",), store.tournaments.all)
    return [
        ListedTournament(
            row=row,
            title=title_of(row.config.game),
            part=parts.get(row.id, ""),
            state=_state_of(store, row),
        )
        for row in reversed(rows)
    ]


def with_outcomes(store: StoreReader, rows: Sequence[ListedTournament]) -> list[ListedTournament]:
    """Return tournaments with who won each, or who leads by points."""
    return [_with_outcome(store, each) if each.row.played else each for each in rows]


def _with_outcome(store: StoreReader, each: ListedTournament) -> ListedTournament:
    """Say how a tournament ended or stands, by its standings if its format concludes nothing."""
    row = each.row
    is_over = row.is_over(is_in_play=each.state == IN_PLAY)
    says = headline(outlook(store, row).says)
    if format_of(row.config).is_test:
        # Its subject is the evidence, where others begin with the name of a bot.
        says = f"{says[:1].upper()}{says[1:]}"
    elif not says:
        says, near = store.recall(
            ("outcome", row.id, row.state, is_over),
            lambda: _by_results(store, row, is_over=is_over),
            tournament=row.id,
        )
        return replace(each, outcome=says, near=near)
    return replace(each, outcome=says)


def _by_results(store: StoreReader, row: TournamentRow, *, is_over: bool) -> tuple[str, str]:
    try:
        table = standings(store, row.config.game, row.id)
        _, cells = crosstable(store, row.config.game, row.id)
    except InputError:
        # The file of its game may be gone.
        return "", ""
    if not (is_over or table.has_points):
        # Nobody leads by a rating in a knockout, and ratings change with each match elsewhere.
        return "", ""
    rows = ranked(table)
    met = opponents_of(rows, cells, challengers_of(row.config))
    return outcome_told(table, rows, met, is_over=is_over), near_told(table, rows, met)


def _state_of(store: StoreReader, row: TournamentRow) -> str:
    is_open = row.state == "open"
    return IN_PLAY if is_open and store.tournaments.is_in_play(row.id) else row.status


_KIND = ListKind(
    "/tournaments",
    "tournament",
    (
        Column("No.", "number", is_number=True, is_descending=True),
        Column("Game", "game"),
        Column("Format", "format"),
        Column("Outcome"),
        Column("Bots", "bots", is_number=True, is_descending=True),
        Column("Matches", "matches", is_number=True, is_descending=True),
        Column("State"),
        Column("Started (UTC)", "begun", is_number=True, is_descending=True),
        Column("Last match (UTC)", "last", is_number=True, is_descending=True),
    ),
    "-number",
)


def _tournaments(store: StoreReader, request: Request) -> Answer:
    found = tournaments_of(store, tournament_names(request))
    formats = sorted({_format_of(each.row) for each in found})
    states = (IN_PLAY, "unfinished", "stopped", "all played", "finished", "cancelled")
    fields = (
        replace(SEARCH, label="Number, game or format"),
        game_field(store),
        FilterField("format", "Format", "choice", choices=words(formats)),
        FilterField("state", "State", "choice", choices=words(states)),
        replace(BOT, label="With the bot", offers=bot_names(store), is_more=True),
        replace(FROM, label="Started from"),
        replace(TO, label="Started to"),
    )
    listing = read_listing(request.query_params, _KIND, fields)
    listing, versions = _with_versions(store, listing)
    begin, end = listing.begin_s("from"), listing.end_s("to")
    rows = [
        each
        for each in found
        if contains(
            listing.value("q"),
            str(each.row.id),
            each.title,
            each.part,
            each.row.config.game,
            each.row.config.format,
        )
        and listing.value("game") in (None, each.row.config.game)
        and listing.value("format") in (None, _format_of(each.row))
        and listing.value("state") in (None, each.state)
        and (versions is None or versions.intersection(each.row.config.entrants))
        and (begin is None or each.row.created_at >= begin)
        and (end is None or each.row.created_at < end)
    ]
    listing = listing.cut(listing.ordered(rows, _KEYS))
    listing = replace(listing, rows=with_outcomes(store, listing.rows))
    return drawn(
        request,
        "tournaments.html",
        listing=listing,
        section="Tournaments",
    )


def _format_of(row: TournamentRow) -> str:
    """Return the format without its options."""
    return row.config.format.partition(":")[0]


_KEYS: dict[str, Callable[[ListedTournament], Any]] = {
    "number": lambda each: each.row.id,
    "game": lambda each: each.title,
    "format": lambda each: each.row.config.format,
    "bots": lambda each: len(each.row.config.entrants),
    "matches": lambda each: each.row.played,
    "begun": lambda each: each.row.created_at,
    "last": lambda each: each.row.finished_at or 0,
}


def _with_versions(store: StoreReader, listing: Listing) -> tuple[Listing, set[int] | None]:
    """Return the versions of the bot of a filter; None for all, with why for an unknown one."""
    name = listing.value("bot")
    if name is None:
        return listing, None
    try:
        return listing, {version.id for version in store.bots.get(name).versions}
    except UnknownRowError as error:
        return replace(listing, faults=(*listing.faults, no_bot(error))), set()


ROUTES = [listed("/tournaments", _tournaments)]
