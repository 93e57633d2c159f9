"""What several documents say in the same words."""

from league.interchange.schemas.shapes import (
    COUNT,
    NUMBER,
    SHARE,
    TEXT,
    Schema,
    map_of,
    object_of,
    one_of,
    or_null,
    told,
)
from league.model.records import FAULTS, Termination
from league.ratings.head_to_head import KINDS

SECONDS_SINCE = told(COUNT, "UTC, seconds since 1970")
BOT_LABEL = told(TEXT, "a bot's name, with ` v2` and so on for a later version")
SEAT = told(COUNT, "from 0, which moves first")
FAULT_SEAT = told(or_null(SEAT), "who lost by a fault or resigned")
TERMINATION = one_of(Termination)
FORFEITS = map_of(COUNT, one_of(sorted(FAULTS)))
ENCOUNTERS = told(
    object_of(**dict.fromkeys(KINDS, COUNT)), "encounters of two matches, by won, drawn and lost"
)

HEAD_TO_HEAD: Schema = {
    "matches": COUNT,
    "wins": COUNT,
    "draws": COUNT,
    "losses": COUNT,
    "points": NUMBER,
    "score": SHARE,
    "score_low": told(SHARE, "the 95% interval of the score"),
    "score_high": SHARE,
}
"""The keys of what one side scored."""
