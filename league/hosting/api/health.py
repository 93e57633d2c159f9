"""Whether a host is well, and what it measures."""

import time
from collections.abc import Iterable, Iterator
from typing import Any

from league.hosting.model.services import HOST, PARTS, HostCounts, ServiceRow
from league.hosting.store.host_store import HostStore

SILENT_S = 15
"""A process without a heartbeat for so long is not well."""

UNDECIDED = ("received", "building", "checking")
"""The states of submissions in the queue."""


def fault_of(services: Iterable[ServiceRow], at: float | None = None) -> str:
    """Return what is wrong with the processes of a host at a time, '' if they are well."""
    at = time.time() if at is None else at
    known = {each.name: each for each in services}
    for name in PARTS:
        if name not in known:
            return f"{name} has not started"
        # A clock that was set back makes no process ill.
        if (silent_s := at - known[name].beat_at) > SILENT_S:
            return f"{name} has shown no sign of life for {silent_s:.0f} s"
    return ""


def metrics_text(store: HostStore, at: float | None = None) -> str:
    """Return what a host measures, in Prometheus's text format 0.0.4."""
    at = time.time() if at is None else at
    services, counts = store.services.all(), store.services.counts()
    return "".join(f"{line}\n" for line in _lines(services, counts, at))


def _lines(services: Iterable[ServiceRow], counts: HostCounts, at: float) -> Iterator[str]:
    services = list(services)
    host: dict[str, Any] = {}
    for each in services:
        if each.name == HOST:
            host = dict(each.state)
    parts = [each for each in services if each.name != HOST]
    yield from _metric(
        "up", "gauge", "1 if all processes are well.", [("", not fault_of(parts, at))]
    )
    yield from _metric(
        "matches_total", "counter", "Matches in the database.", [("", counts.matches)]
    )
    if counts.last_match_at is not None:
        since_s = max(0.0, at - counts.last_match_at)
        yield from _metric(
            "last_match_age_seconds", "gauge", "Seconds since the last match.", [("", since_s)]
        )
    yield from _metric(
        "faults_total",
        "counter",
        "Matches that a bot lost by its own fault.",
        [(f'kind="{kind}"', count) for kind, count in sorted(counts.faults.items())],
    )
    waiting = sum(counts.submissions.get(each, 0) for each in UNDECIDED)
    yield from _metric(
        "submission_queue", "gauge", "Submissions that wait or are checked.", [("", waiting)]
    )
    oldest_s = 0.0
    if counts.oldest_waiting_ms is not None:
        oldest_s = max(0.0, at - counts.oldest_waiting_ms / 1000)
    yield from _metric(
        "submission_oldest_waiting_seconds",
        "gauge",
        "How long the oldest waiting submission has waited.",
        [("", oldest_s)],
    )
    yield from _metric(
        "submissions",
        "gauge",
        "Submissions by state.",
        [(f'state="{state}"', count) for state, count in sorted(counts.submissions.items())],
    )
    yield from _metric(
        "teams",
        "gauge",
        "Teams by standing.",
        [(f'standing="{standing}"', count) for standing, count in sorted(counts.teams.items())],
    )
    yield from _metric(
        "process_starts_total",
        "counter",
        "Starts of each process since the host began.",
        [(f'process="{each.name}"', each.starts) for each in parts],
    )
    yield from _metric(
        "process_silent_seconds",
        "gauge",
        "Seconds since the last heartbeat of each process.",
        [(f'process="{each.name}"', max(0.0, at - each.beat_at)) for each in services],
    )
    yield from _metric(
        "database_bytes", "gauge", "Size of the database.", [("", counts.database_bytes)]
    )
    for key, name, says in (
        ("disk_free", "disk_free_bytes", "Free bytes on the disk of the database."),
        ("load", "load1", "Load of the machine over one minute."),
        ("backup_at", "backup_timestamp_seconds", "When the last backup was made."),
    ):
        if isinstance(host.get(key), int | float):
            yield from _metric(name, "gauge", says, [("", host[key])])


def _metric(name: str, kind: str, says: str, samples: Iterable[tuple[str, float]]) -> Iterator[str]:
    """Yield the lines of one metric; labels hold our own words alone, so nothing is escaped."""
    name = f"botleague_{name}"
    yield f"# HELP {name} {says}"
    yield f"# TYPE {name} {kind}"
    for labels, value in samples:
        told = f"{int(value)}" if float(value).is_integer() else f"{value:.3f}"
        yield f"{name}{{{labels}}} {told}" if labels else f"{name} {told}"
