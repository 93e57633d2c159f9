"""Places of bots in matches of more than two sides: 1st, 2nd, 3rd."""

from collections.abc import Sequence
from contextlib import suppress

from games.support.errors import InputError
from league.analysis.rating_history import sides_of
from league.match.scores import places_of
from league.store.rows import MatchRow


def match_places(row: MatchRow) -> tuple[int, ...]:
    """Return the place of each seat of a match from 1; each plays for itself if the game is lost.

    The seats of a side share its place.
    """
    sides: Sequence[int] = ()
    with suppress(InputError):
        sides = sides_of(row.game, len(row.versions))
    return places_of(row.scores, sides)
