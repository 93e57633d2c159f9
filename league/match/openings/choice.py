"""Choosing a tournament's openings."""

from functools import lru_cache

from games.support.specs import find_game
from league.match.openings.book import BookOpenings, unpack
from league.match.openings.drawn import DrawnOpenings
from league.match.openings.opening import Openings
from league.model.records import TournamentConfig

TOLD = 200
"""Number of drawn openings to check: a game with more hardly ever runs out."""


def openings_of(config: TournamentConfig, book: str) -> Openings:
    """Return a tournament's openings: those of its stored book, or drawn ones."""
    if book:
        return BookOpenings(unpack(book))
    return _drawn(config.game, config.opening_plies, config.seed)


# Cached because setting up and running a tournament both need its openings.
@lru_cache(maxsize=1)
def _drawn(game: str, plies: int, seed: int) -> DrawnOpenings:
    return DrawnOpenings(find_game(game), plies, seed)


def repeated(config: TournamentConfig, openings: Openings) -> str:
    """Warn that a tournament has fewer openings than rounds; '' if it has enough or may have.

    With no opening plies every match starts from the initial position, which needs no warning. Only
    the first `TOLD` drawn openings are checked.
    """
    needed = config.rounds
    looked = needed if config.openings else min(needed, TOLD)
    distinct = openings.distinct(looked)
    is_asked = bool(config.openings or config.opening_plies) and not config.is_open_ended
    if distinct == looked or not is_asked:
        return ""
    origin = "the file has" if config.openings else f"{config.game} gave"
    return f"{needed} rounds need {needed} openings, {origin} {distinct}: they repeat"
