"""A limit on the reports and logs of a bot that a run stores in a day."""

import time
from collections import Counter
from collections.abc import Sequence

from league.model.records import BotVersion

DAY_MAX = 64 << 20
"""Bytes of reports and logs of each bot, before compression; then `ReportShare` keeps less."""

_DAY_S = 86_400


class StorageQuota:
    """Counts what each bot has stored in the current day (UTC) of this run."""

    def __init__(self) -> None:
        self._day = 0
        self._used: Counter[str] = Counter()

    def take(self, versions: Sequence[BotVersion], told: Sequence[int]) -> None:
        """Count the bytes of a match by seat."""
        day = int(time.time() // _DAY_S)
        if day != self._day:
            self._day = day
            self._used.clear()
        for version, size in zip(versions, told, strict=False):
            self._used[version.name] += size

    def spent(self, versions: Sequence[BotVersion]) -> tuple[int, ...]:
        """Return the seats whose bots have no room left today."""
        return tuple(
            seat for seat, version in enumerate(versions) if self._used[version.name] >= DAY_MAX
        )
