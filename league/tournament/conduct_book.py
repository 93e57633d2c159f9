"""What the bots of a tournament are forgiven, and when they are suspended."""

import logging
from collections.abc import Sequence
from dataclasses import replace

from league.execution.worker import MatchJob
from league.match.conduct import FAILED_STARTS, KILLS, LEEWAY, Leeway, Visit
from league.model.records import BotVersion, Conduct, Limits
from league.store.store import Store

log = logging.getLogger("league.tournament.conduct")

HANGS = 3
"""A bot is suspended after so many workers hung while it was to move."""

STARTS_AT_ONCE, STARTS_A_MATCH = 6.0, 0.2
"""A bot's budget for preparation in a tournament and for each match, in limits of a start."""


class ConductBook:
    """The conduct of all bots in a tournament, kept through its runs."""

    def __init__(self, store: Store, tournament: int, limits: Limits) -> None:
        self._store = store
        self._tournament = tournament
        self._start_s = limits.start_s
        self._conduct = {version: each for (_, version), each in store.conduct(tournament).items()}
        self._unsaved: set[int] = set()

    def leeway_of(self, versions: Sequence[BotVersion]) -> tuple[Leeway, ...]:
        """Return what the bots of a match are forgiven, by seat."""
        return tuple(self._leeway(each.id) for each in versions)

    def take(self, job: MatchJob, visits: Sequence[Visit]) -> None:
        """Take account of the visits of a finished match, none if nothing was notable."""
        for place, version in enumerate(job.versions):
            conduct = self._of(version.id)
            visit = visits[place] if visits else Visit()
            failed = visit.has_started is False
            now = replace(
                conduct,
                matches=conduct.matches + 1,
                kills=conduct.kills + visit.kills,
                failed_starts=conduct.failed_starts + failed,
                failed_in_a_row=0 if visit.has_started else conduct.failed_in_a_row + failed,
                preparation_ms=conduct.preparation_ms + visit.preparation_ns // 1_000_000,
            )
            if visit.is_notable and (reason := self._leeway(version.id).after(visit).suspended):
                now = self._suspended(version.name, now, reason)
            self._conduct[version.id] = now
            if visit.is_notable:
                self._unsaved.add(version.id)

    def take_hang(self, version: int, name: str) -> None:
        """Take account of a worker that hung while the version was to move."""
        conduct = self._of(version)
        now = replace(conduct, hangs=conduct.hangs + 1)
        if now.hangs >= HANGS:
            text = f"{HANGS} worker processes stopped answering while it was to move"
            now = self._suspended(name, now, text)
        self._conduct[version] = now
        self._unsaved.add(version)

    def save_all(self) -> None:
        """Store also how many matches the bots have played that did something notable before."""
        self._unsaved |= {version for version, each in self._conduct.items() if each.is_notable}
        self.save()

    def save(self) -> None:
        """Store what is notable and new."""
        if self._unsaved:
            self._store.save_conduct(
                self._tournament, {version: self._conduct[version] for version in self._unsaved}
            )
            self._unsaved.clear()

    def _of(self, version: int) -> Conduct:
        return self._conduct.get(version, Conduct())

    def _suspended(self, name: str, conduct: Conduct, reason: str) -> Conduct:
        if conduct.suspended:
            return conduct
        log.warning("tournament %d: bot %r is suspended: %s", self._tournament, name, reason)
        return replace(conduct, suspended=reason)

    def _leeway(self, version: int) -> Leeway:
        conduct = self._of(version)
        allowed_s = self._start_s * (STARTS_AT_ONCE + STARTS_A_MATCH * conduct.matches)
        return replace(
            LEEWAY,
            kills=KILLS - conduct.kills,
            failed_starts=FAILED_STARTS - conduct.failed_in_a_row,
            preparation_s=allowed_s - conduct.preparation_ms / 1e3,
            suspended=conduct.suspended,
        )
