"""Bots, how they fare, and games."""

from league.interchange.schemas.shapes import (
    COUNT,
    FLAG,
    ID,
    NUMBER,
    SCALAR,
    TEXT,
    Schema,
    list_of,
    map_of,
    object_of,
    or_null,
    rows_of,
    told,
)
from league.interchange.schemas.shared_fields import BOT_LABEL, FORFEITS, SECONDS_SINCE

BOT = object_of(
    bot=told(TEXT, "its name"),
    is_retired=FLAG,
    games=told(list_of(TEXT), "those that it plays, empty for any"),
    versions=told(
        rows_of(
            id=ID,
            version=told(ID, "of this bot, from 1"),
            spec=TEXT,
            options=map_of(TEXT),
            digest=told(TEXT, "SHA-256 of its sources, or of its program"),
            created_at=SECONDS_SINCE,
        ),
        "the newest last",
    ),
)

_TIME = or_null(NUMBER)

HEALTH = object_of(
    game=TEXT,
    tournament=or_null(ID),
    newest=told(ID, "at most so many matches of each bot were looked at"),
    bots=rows_of(
        bot=BOT_LABEL,
        version=ID,
        matches=COUNT,
        forfeits=FORFEITS,
        moves=COUNT,
        wall_s=told(_TIME, "the median time of a move, in seconds"),
        wall_p99_s=told(_TIME, "99 of 100 moves keep within it"),
        slack_s=told(_TIME, "the median of what was left of it, null if unlimited"),
        slack_least_s=told(_TIME, "below 0 where a move was late"),
        late=told(COUNT, "moves late within the grace"),
        starved=told(COUNT, "late moves that had little of the processor"),
        cpu_share=told(or_null(NUMBER), "processor time by time"),
        nodes_a_second=or_null(NUMBER),
        depth=told(or_null(NUMBER), "the median"),
        without_report=COUNT,
        by_ply=rows_of(
            first=ID,
            last=ID,
            moves=COUNT,
            wall_s=_TIME,
            depth=or_null(NUMBER),
        ),
    ),
)

RATING = object_of(
    game=TEXT,
    bot=TEXT,
    version=ID,
    tournament=ID,
    as_of_match=told(ID, "the newest match that it counts"),
    at=told(SECONDS_SINCE, "when that match ended: UTC, seconds since 1970"),
    matches=told(COUNT, "of this version by then"),
    rating=NUMBER,
    error=told(or_null(NUMBER), "half the 95% interval"),
)
"""A rating that a bot had once."""

GAME = object_of(
    game=told(TEXT, "its name with its options"),
    title=TEXT,
    seats=ID,
    seat_names=list_of(TEXT),
    sides=told(list_of(COUNT), "by seat: seats of one side win together"),
    chance=told(FLAG, "whether there is luck in it"),
    options=map_of(SCALAR),
    evaluations=list_of(TEXT),
)

LISTED_GAME: Schema = {"anyOf": [GAME, object_of(game=TEXT, why_not=TEXT)]}
"""A game in the list, or why it can't be played here."""
