"""Matches: in a list, ply by ply, and why they ended."""

from league.interchange.schemas.shapes import (
    COUNT,
    FLAG,
    ID,
    INTEGER,
    NUMBER,
    SHARE,
    TEXT,
    Schema,
    list_of,
    object_of,
    or_null,
    rows_of,
    told,
)
from league.interchange.schemas.shared_fields import (
    BOT_LABEL,
    FAULT_SEAT,
    SECONDS_SINCE,
    TERMINATION,
)

_PLACE: Schema = {
    "match": ID,
    "tournament": ID,
    "encounter": told(COUNT, "from 0, in the order of the plan"),
    "rotation": told(COUNT, "how far the seats are rotated in it"),
    "game": told(TEXT, "its name with its options"),
    "bots": told(list_of(BOT_LABEL), "by seat"),
    "versions": told(list_of(ID), "by seat"),
}

_SCORES = told(list_of(SHARE), "points by seat")

SUMMARY = object_of(
    **_PLACE,
    scores=_SCORES,
    termination=TERMINATION,
    fault_seat=FAULT_SEAT,
    plies=COUNT,
    wall_ms=told(COUNT, "how long it took"),
    finished_at=SECONDS_SINCE,
)
"""A match in the list."""

_PLY: Schema = {
    "ply": told(COUNT, "0 is the first position"),
    "seat": told(or_null({"type": "integer", "minimum": -1}), "who moved, -1 where luck did"),
    "move": told(TEXT, "as the game writes it"),
    "is_opening": told(FLAG, "whether nobody was asked for it"),
    "wall_ns": told(or_null(COUNT), "from the question to the answer"),
    "cpu_ns": told(or_null(COUNT), "processor time of the bot, null where nobody told"),
    "over_ns": told(or_null(COUNT), "how late the answer came, 0 in time"),
    "left_s": told(or_null(NUMBER), "what its clock shows then, null without one"),
    "depth": or_null(COUNT),
    "nodes": or_null(COUNT),
    "score": told(or_null(NUMBER), "from its own view, in its own unit"),
    "mate": told(or_null(INTEGER), "in so many of its own moves, below 0 where it is mated"),
    "seldepth": or_null(COUNT),
    "nps": told(or_null(COUNT), "nodes a second"),
    "tbhits": or_null(COUNT),
    "pv": told(list_of(TEXT), "the line that the bot expected, its own move first"),
    "text": told(TEXT, "what else the bot told"),
    "board": told(TEXT, "the position after it"),
}


def _match(ply: Schema) -> Schema:
    return object_of(
        **_PLACE,
        is_imported=told(FLAG, "whether it was played elsewhere and came from a file"),
        seed=INTEGER,
        time=told(list_of(TEXT), "time controls by seat, empty for none"),
        scores=_SCORES,
        utilities=told(or_null(list_of(NUMBER)), "the game's own, null without a result"),
        termination=TERMINATION,
        fault_seat=FAULT_SEAT,
        detail=told(TEXT, "how it ended, in words"),
        plies=rows_of(**ply),
    )


MATCH = _match(_PLY)
"""A whole match, as `league replay --json` prints it."""

EXPORTED = _match({name: schema for name, schema in _PLY.items() if name != "board"})
"""A whole match, as `league export` writes it: without the boards."""

REASON = object_of(
    sentences=list_of(TEXT),
    ply=COUNT,
    board=told(TEXT, "the last position"),
    log=told(TEXT, "the end of the log of the bot at fault"),
    command=told(TEXT, "what plays that move again, empty where no bot of this league did"),
    match=ID,
)
