"""The conduct of the bots of a tournament, and when they are suspended."""

import logging
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from league.execution.worker import MatchJob
from league.match.conduct import Visit, after
from league.model.records import BotVersion, Conduct
from league.store.store import Store

log = logging.getLogger("league.tournament.conduct")

HANGS = 3
"""A bot is suspended after so many workers hung while it was to move."""


class ConductBook:
    """The conduct of all bots in a tournament, kept through its runs."""

    def __init__(self, store: Store, tournament: int) -> None:
        self._store = store
        self._tournament = tournament
        self._conduct = store.conduct.of(tournament)
        self._played: Counter[int] = Counter()
        self._unsaved: set[int] = set()

    def of(self, versions: Sequence[BotVersion]) -> tuple[Conduct, ...]:
        """Return the conduct of the bots of a match, by seat."""
        return tuple(self._conduct.get(each.id, Conduct()) for each in versions)

    def take(self, job: MatchJob, visits: Sequence[Visit]) -> None:
        """Take account of the visits of a finished match, none if nothing was notable."""
        for version in job.versions:
            self._played[version.id] += 1
        for version, visit in zip(job.versions, visits, strict=False):
            if visit.is_notable:
                (conduct,) = self.of([version])
                self._set(version, after(conduct, visit))

    def take_hang(self, version: BotVersion) -> None:
        """Take account of a worker that hung while the version was to move."""
        (conduct,) = self.of([version])
        hangs, suspended = conduct.hangs + 1, conduct.suspended
        if hangs >= HANGS:
            text = f"{HANGS} worker processes stopped answering while it was to move"
            suspended = suspended or text
        self._set(version, replace(conduct, hangs=hangs, suspended=suspended))

    def save_all(self) -> None:
        """Store also how many matches the bots have played that did something notable before."""
        self._unsaved |= set(self._conduct)
        self.save()

    def save(self) -> None:
        """Store what is notable and new."""
        for version, conduct in self._conduct.items():
            if played := self._played.pop(version, 0):
                self._conduct[version] = replace(conduct, matches=conduct.matches + played)
        if self._unsaved:
            self._store.conduct.save(
                self._tournament, {version: self._conduct[version] for version in self._unsaved}
            )
            self._unsaved.clear()

    def _set(self, version: BotVersion, conduct: Conduct) -> None:
        (before,) = self.of([version])
        if conduct.suspended and not before.suspended:
            place = self._tournament, version.name, conduct.suspended
            log.warning("tournament %d: bot %r is suspended: %s", *place)
        self._conduct[version.id] = conduct
        self._unsaved.add(version.id)
