"""Tournaments, and the tables made of their results."""

from league.interchange.schemas.shapes import (
    COUNT,
    FLAG,
    ID,
    INTEGER,
    NUMBER,
    SCALAR,
    SHARE,
    TEXT,
    Schema,
    list_of,
    map_of,
    object_of,
    of_dataclass,
    one_of,
    or_null,
    rows_of,
    told,
)
from league.interchange.schemas.shared_fields import BOT_LABEL, FORFEITS, SECONDS_SINCE
from league.model.records import TournamentConfig
from league.ratings.system_specs import SYSTEMS
from league.store.rows import TournamentState

_SUMMARY: Schema = {
    "tournament": ID,
    "config": told(of_dataclass(TournamentConfig), "what it was asked to be; times in seconds"),
    "total": told(or_null(COUNT), "matches in all, null while the results decide that"),
    "played": told(COUNT, "matches"),
    "is_finished": FLAG,
    "state": one_of(TournamentState),
    "stop_reason": or_null(TEXT),
    "created_at": SECONDS_SINCE,
}

SUMMARY = object_of(**_SUMMARY)
"""A tournament in the list."""

_SPAN: Schema = told(TEXT, "a span of time: 50ms, 2s, 10m")

_SETTINGS: Schema = {
    "game": TEXT,
    "bots": list_of(TEXT),
    "format": TEXT,
    "rounds": INTEGER,
    "seed": INTEGER,
    "opening-plies": COUNT,
    "openings": TEXT,
    "until-error": NUMBER,
    "budget": _SPAN,
    "time": told(TEXT, "a time control: 40/60+0.5"),
    "move-time": _SPAN,
    "depth": COUNT,
    "depth-rounds": COUNT,
    "nodes": COUNT,
    "grace": _SPAN,
    "cap": _SPAN,
    "start-time": _SPAN,
    "memory": told(TEXT, "512M"),
    "max-plies": COUNT,
    "isolation": TEXT,
    "no-pondering": FLAG,
    "restart": one_of(["match", "never"]),
    "draw": TEXT,
    "win": TEXT,
    "tablebases": TEXT,
    "handicap": map_of(NUMBER),
}

TOURNAMENT = object_of(
    **_SUMMARY,
    settings=told(
        object_of(optional=set(_SETTINGS) - {"game", "bots", "format"}, **_SETTINGS),
        "the options of `league run` that make the same tournament",
    ),
    is_in_play=told(FLAG, "whether a process runs it"),
    expected=told(or_null(COUNT), "a guess at the matches in all, null where nothing tells"),
    says=told(TEXT, "what its format, or the rule that stops it, concludes so far"),
)

STANDINGS = object_of(
    game=TEXT,
    tournament=or_null(ID),
    system=told(one_of(SYSTEMS.names()), "the rating system"),
    settings=told(map_of(SCALAR), "its options"),
    anchor=or_null(object_of(bot=TEXT, value=NUMBER)),
    pools=told(COUNT, "how many groups of bots never met one another"),
    overlaps=told(
        rows_of(pool=ID, first=ID, last=ID),
        "runs of ranks in which nobody is told apart",
    ),
    standings=rows_of(
        rank=told(or_null(ID), "in its pool, null without a match"),
        pool=or_null(ID),
        bot=BOT_LABEL,
        version=ID,
        rating=or_null(NUMBER),
        error=told(or_null(NUMBER), "half the 95% interval"),
        los_next=told(or_null(SHARE), "how likely it is stronger than the next"),
        score=SHARE,
        points=NUMBER,
        wins=COUNT,
        draws=COUNT,
        losses=COUNT,
        matches=COUNT,
        forfeits=FORFEITS,
    ),
    los=told(
        list_of(list_of(or_null(SHARE))),
        "how likely the bot of each row is stronger than that of each column, by rank",
    ),
    optional=["los"],
)

CROSSTABLE = object_of(
    game=TEXT,
    tournament=or_null(ID),
    bots=told(list_of(BOT_LABEL), "by rank"),
    cells=rows_of(
        bot=BOT_LABEL,
        against=BOT_LABEL,
        wins=COUNT,
        draws=COUNT,
        losses=COUNT,
        points=NUMBER,
    ),
)
