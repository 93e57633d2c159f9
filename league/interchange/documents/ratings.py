"""Ratings: as they were kept, of everybody in PGN files, and what counts of results prove."""

from typing import Annotated

from league.interchange.documents.document import (
    Count,
    Document,
    Id,
    SecondsSince,
    Share,
    about,
    taken,
)


class Rating(Document):
    """A rating that a bot had once."""

    game: str
    bot: str
    version: Id
    tournament: Id
    as_of_match: Annotated[Id, taken("match", "the newest match that it counts")]
    at: Annotated[SecondsSince, about("end of that match: UTC, seconds since 1970")]
    matches: Annotated[Count, about("matches of this version by then")]
    rating: Annotated[float, taken("value")]
    error: Annotated[float | None, about("half the 95% interval")]


class Recomputed(Document):
    """The number of a system's ratings that were stored again for a game."""

    game: str
    system: str
    snapshots: Count


class RatedPlayer(Document):
    """A name in PGN files."""

    pool: Id
    rank: Annotated[Id, about("in its pool")]
    name: str
    elo: float
    error: Annotated[float | None, about("half the 95% interval")]
    los: Annotated[float | None, about("likelihood that it is stronger than the next, 0 to 1")]
    wins: Count
    draws: Count
    losses: Count
    matches: Count
    score: Share


class PlayerRatings(Document):
    """Everybody in PGN files."""

    rows: Annotated[list[RatedPlayer], about("the best of each pool first")]
    pools: Annotated[Count, about("number of groups of names that never met one another")]
    advantage: Annotated[float, about("of the first seat, in Elo")]
    advantage_error: Annotated[float, about("half the 95% interval")]
    draw_rate: Annotated[float, about("between equal bots, 0 to 1")]
    matches: Count
    rare: Annotated[Count, about("names with too few matches")]
    left_out: Annotated[dict[str, Count], about("games that were skipped, by reason")]
    faults: Annotated[list[str], about("of the files")]
