"""The state of a host: its season, its matches, its processes and its machine."""

import os
import shutil
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from league.hosting.api.health import UNDECIDED, fault_of
from league.hosting.model.people import TeamStanding
from league.hosting.model.season import Season
from league.hosting.model.services import HostCounts, ServiceRow
from league.hosting.season.room import shortage
from league.hosting.store.host_store import HostStore
from league.render.text.table import Block


@dataclass(frozen=True, slots=True, kw_only=True)
class HostStatus:
    """The state of a host: its season, processes, queue, faults and machine.

    `fault` says what is wrong with the processes, '' for nothing; `shortage` why no upload is
    taken. `teams_out` are the teams that do not play, each with its standing and the reason.
    `disk_free` is None where the disk is not known.
    """

    season: Season | None
    is_hosted: bool
    fault: str
    shortage: str
    services: Sequence[ServiceRow]
    counts: HostCounts
    teams_out: Mapping[str, str]
    load: float
    disk_free: int | None

    @property
    def trouble(self) -> str:
        """Why no match is played although one is due, '' for nothing."""
        told = (str(each.state.get("trouble", "")) for each in self.services)
        return next((each for each in told if each not in ("", self.shortage)), "")

    @property
    def calm(self) -> str:
        """Why few matches are played, '' for the usual."""
        told = (each.state.get("calm") for each in self.services)
        return next((f"calm: {each}, so few matches are played" for each in told if each), "")

    @property
    def in_play(self) -> int:
        """The number of matches in play."""
        return int(self._of_season("in_play") or 0)

    @property
    def workers(self) -> int | None:
        """The number of workers that play; None while none does, or for all of a cluster."""
        found = self._of_season("workers")
        return None if found is None else int(found)

    @property
    def per_s(self) -> float:
        """Matches a second of the leg or the final in play."""
        return float(self._of_season("per_s") or 0.0)

    def _of_season(self, key: str) -> Any:
        season = (each for each in self.services if each.name == "season")
        return next((each.state.get(key) for each in season if self.is_hosted), None)

    @property
    def queue(self) -> int:
        """Return the number of submissions that wait or are checked."""
        return sum(self.counts.submissions.get(each, 0) for each in UNDECIDED)


def status_of(store: HostStore) -> HostStatus:
    """Return how the host of a league does."""
    services = store.services.all()
    is_hosted = store.services.is_hosted()
    fault = "nobody hosts this league: run 'league host'" if not is_hosted else ""
    free = None
    if store.path is not None:
        free = shutil.disk_usage(store.path.resolve().parent).free
    return HostStatus(
        season=store.seasons.get(),
        is_hosted=is_hosted,
        fault=fault or fault_of(services),
        shortage=shortage(store),
        services=services,
        counts=store.services.counts(),
        teams_out={
            each.name: f"{each.standing}: {each.standing_reason}"
            for each in store.people.teams()
            if each.standing is not TeamStanding.ACTIVE
        },
        load=os.getloadavg()[0],
        disk_free=free,
    )


def status_blocks(found: HostStatus) -> list[Block]:
    """Return a status as text."""
    from league.hosting.text.host import (
        attention_lines,
        counts_lines,
        machine_line,
        playing_line,
        processes_table,
        season_line,
    )

    at = time.time()
    blocks: list[Block] = [
        season_line(found.season),
        *attention_lines(found.fault, found.shortage, found.trouble),
        *filter(None, [found.calm]),
        playing_line(found.in_play, found.workers, found.per_s),
        *counts_lines(found.counts, found.queue, at),
        *(f"team {name} is {told}" for name, told in found.teams_out.items()),
        machine_line(found.counts, found.load, found.disk_free),
    ]
    return [*blocks, processes_table(found.services, at)] if found.services else blocks
