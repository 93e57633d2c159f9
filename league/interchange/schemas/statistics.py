"""What the results say beside the standings."""

from league.interchange.schemas.shapes import (
    COUNT,
    FLAG,
    ID,
    NUMBER,
    SHARE,
    TEXT,
    Schema,
    list_of,
    map_of,
    object_of,
    one_of,
    or_null,
    rows_of,
    told,
)
from league.interchange.schemas.shared_fields import (
    BOT_LABEL,
    ENCOUNTERS,
    HEAD_TO_HEAD,
    TERMINATION,
)
from league.ratings.goodness_of_fit import CalibrationVerdict

_ELO: Schema = {
    "elo": told(or_null(NUMBER), "null where it is infinite"),
    "elo_error": told(or_null(NUMBER), "half the 95% interval, null where it is infinite"),
}


def _parts(kind: str) -> Schema:
    return rows_of(**{kind: TEXT}, **HEAD_TO_HEAD)


VERSUS = object_of(
    game=TEXT,
    bot=BOT_LABEL,
    against=BOT_LABEL,
    **HEAD_TO_HEAD,
    **_ELO,
    nelo=or_null(NUMBER),
    nelo_error=or_null(NUMBER),
    los=told(or_null(SHARE), "how likely the first is stronger"),
    encounters=ENCOUNTERS,
    left_out=told(COUNT, "matches whose encounter lacks the other"),
    draw_rate=SHARE,
    seats=_parts("seat"),
    terminations=_parts("termination"),
    openings=told(_parts("opening"), "the least even first"),
    versions=_parts("versions"),
    newest=told(list_of(ID), "the matches, newest first"),
)

STATS = object_of(
    game=TEXT,
    bots=COUNT,
    matches=COUNT,
    encounters=COUNT,
    draw_rate=SHARE,
    seats=told(list_of(SHARE), "mean scores by seat"),
    first_seat=told(
        or_null(object_of(**HEAD_TO_HEAD, **_ELO, encounters=ENCOUNTERS)),
        "what the first of two seats scored, null in games for more",
    ),
    plies_median=NUMBER,
    plies_longest=COUNT,
    longest=told(or_null(ID), "the first match of that length"),
    terminations=map_of(COUNT, TERMINATION),
    openings=told(_parts("opening"), "for the first seat, the least even first"),
    cycles=told(
        rows_of(bots=list_of(BOT_LABEL), won=list_of(COUNT), lost=list_of(COUNT)),
        "rings in which each beats the next, with its encounters against that one",
    ),
)

_TEST = or_null(object_of(chi_square=or_null(NUMBER), freedom=COUNT, chance=SHARE, is_failed=FLAG))

CALIBRATION = object_of(
    game=TEXT,
    bots=COUNT,
    verdict=told(one_of(CalibrationVerdict), "whether one number describes each bot"),
    by_difference=_TEST,
    by_pairs=_TEST,
    bins=told(
        rows_of(
            low=NUMBER,
            high=told(or_null(NUMBER), "null where whatever is beyond is in it"),
            elo=NUMBER,
            matches=NUMBER,
            expected=SHARE,
            actual=SHARE,
            actual_low=SHARE,
            actual_high=SHARE,
            is_tested=told(FLAG, "whether there are matches enough"),
        ),
        "by difference in Elo, the smallest first",
    ),
    pairs=told(
        rows_of(
            bot=BOT_LABEL,
            against=BOT_LABEL,
            matches=NUMBER,
            expected=SHARE,
            actual=SHARE,
            sigmas=NUMBER,
            is_tested=FLAG,
        ),
        "the worst fit first",
    ),
)
