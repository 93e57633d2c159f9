"""The opening of each encounter of a tournament, if each has its own."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from math import comb

from games.support.specs import find_game
from league.match.openings.drawn import DrawnOpenings
from league.match.openings.opening import Opening, Openings
from league.match.seeds import seed_of
from league.model.records import TournamentConfig

GROUPS_KEPT = 10_000
"""Number of groups of bots whose drawn openings stay in memory; others are drawn again."""


class EncounterOpenings:
    """Gives encounters an opening by their bots and how often these met before.

    Only that decides, so that a tournament that bots join later has the same openings as one that
    they began. Each group of bots draws its own openings. Of a book, groups take the openings in
    order when they meet first, and the next one each time they meet again: so bots meet from every
    opening before one repeats.
    """

    def __init__(self, config: TournamentConfig, openings: Openings) -> None:
        self._config = config
        self._book = openings if config.openings else None
        self._drawn = lru_cache(GROUPS_KEPT)(self._draw)
        self._meetings: list[int] = []
        self._met: dict[tuple[int, ...], int] = {}
        self._groups: dict[tuple[int, ...], tuple[int, ...]] = {}

    def opening(self, encounter: int, entrants_of: Callable[[int], tuple[int, ...]]) -> Opening:
        """Return the opening of an encounter; `entrants_of` gives those of all up to it."""
        groups, met, meetings = self._groups, self._met, self._meetings
        for number in range(len(meetings), encounter + 1):
            entrants = entrants_of(number)
            # Few who meet often: each group is sorted once.
            bots = groups.get(entrants) or groups.setdefault(entrants, tuple(sorted(entrants)))
            meeting = met.get(bots, 0)
            meetings.append(meeting)
            met[bots] = meeting + 1
        bots, meeting = groups[entrants_of(encounter)], meetings[encounter]
        if self._book is None:
            return self._drawn(bots)[meeting]
        return self._book[rank(bots) + meeting]

    def _draw(self, bots: tuple[int, ...]) -> DrawnOpenings:
        config = self._config
        seed = seed_of(config.seed, "openings", *bots)
        return DrawnOpenings(find_game(config.game), config.opening_plies, seed)


def rank(bots: Sequence[int]) -> int:
    """Return the place of a sorted group among all groups of its size, the same if more bots join.

    In colexicographic order: (0, 1), (0, 2), (1, 2), (0, 3), ...
    """
    return sum(comb(bot, place) for place, bot in enumerate(bots, 1))
