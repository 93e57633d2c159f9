"""The filters that several lists have."""

from collections.abc import Sequence

from league.analysis.overview import summarize_games
from league.render.game_look import title_of
from league.store.store import StoreReader
from league.web.listing import FilterField

OFFERED_MAX = 300
"""A field for a bot offers at most this many names; you can type any other."""

SEARCH = FilterField("q", "Search", "search")
BOT = FilterField("bot", "Bot")
FROM = FilterField("from", "From", "date", is_more=True)
TO = FilterField("to", "To", "date", is_more=True)


def game_field(store: StoreReader) -> FilterField:
    """Return the filter by game, which offers the games that have been played."""
    games = [(each.spec, title_of(each.spec)) for each in summarize_games(store)]
    return FilterField("game", "Game", "choice", choices=games)


def bot_names(store: StoreReader) -> list[str]:
    """Return the names of bots to offer, retired ones too."""
    return [bot.name for bot in store.bots.all(include_retired=True)[:OFFERED_MAX]]


def words(values: Sequence[str]) -> list[tuple[str, str]]:
    """Return choices that are labelled by their own values."""
    return [(value, value) for value in values]


def contains(text: str | None, *places: str) -> bool:
    """Whether a text is empty, or is part of one of the places; case does not count."""
    return not text or any(text.casefold() in place.casefold() for place in places)
