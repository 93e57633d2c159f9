"""Which opening each encounter of a tournament starts from, if each has its own."""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from math import comb

from games.support.specs import find_game
from league.match.openings.drawn import DrawnOpenings
from league.match.openings.opening import Opening, Openings
from league.match.seeds import seed_of
from league.model.records import TournamentConfig

GROUPS_KEPT = 10_000
"""How many groups of bots keep their drawn openings in memory; others draw theirs again."""


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
        self._met: Counter[tuple[int, ...]] = Counter()

    def opening(self, encounter: int, entrants_of: Callable[[int], Sequence[int]]) -> Opening:
        """Return the opening of an encounter; `entrants_of` gives those of all up to it."""
        for number in range(len(self._meetings), encounter + 1):
            bots = tuple(sorted(entrants_of(number)))
            self._meetings.append(self._met[bots])
            self._met[bots] += 1
        bots, meeting = tuple(sorted(entrants_of(encounter))), self._meetings[encounter]
        if self._book is None:
            return self._drawn(bots)[meeting]
        return self._book[rank(bots) + meeting]

    def _draw(self, bots: tuple[int, ...]) -> DrawnOpenings:
        config = self._config
        seed = seed_of(config.seed, "openings", *bots)
        return DrawnOpenings(find_game(config.game), config.opening_plies, seed, config.proof_nodes)


def rank(bots: Sequence[int]) -> int:
    """Return the place of a sorted group among all groups of its size, the same if more bots join.

    In colexicographic order: (0, 1), (0, 2), (1, 2), (0, 3), ...
    """
    return sum(comb(bot, place) for place, bot in enumerate(bots, 1))
