"""Which openings a tournament has."""

from functools import lru_cache

from games.support.specs import find_game
from league.match.openings.book import BookOpenings, unpack
from league.match.openings.drawn import DrawnOpenings
from league.match.openings.opening import Openings
from league.model.records import TournamentConfig

TOLD = 200
"""A game that gives more openings than that hardly ever runs out of them."""


def openings_of(config: TournamentConfig, book: str) -> Openings:
    """Return the openings of a tournament: those of its book as it is stored, or drawn ones."""
    if book:
        return BookOpenings(unpack(book))
    return _drawn(config.game, config.opening_plies, config.seed)


# Whoever sets a tournament up asks for its openings, and then whoever runs it: drawn once.
@lru_cache(maxsize=1)
def _drawn(game: str, plies: int, seed: int) -> DrawnOpenings:
    return DrawnOpenings(find_game(game), plies, seed)


def repeated(config: TournamentConfig, openings: Openings) -> str:
    """Say that a tournament has fewer openings than rounds; '' where that is not so or not known.

    Without opening plies every match begins at the first position, which nobody need be told. Of
    drawn openings only the first `TOLD` are looked at.
    """
    needed = config.rounds
    looked = needed if config.openings else min(needed, TOLD)
    distinct = openings.distinct(looked)
    is_asked = bool(config.openings or config.opening_plies) and config.until_error is None
    if distinct == looked or not is_asked:
        return ""
    origin = "the file has" if config.openings else f"{config.game} gave"
    return f"{needed} rounds need {needed} openings, {origin} {distinct}: they repeat"
