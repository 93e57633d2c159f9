"""The processes of a host, as they tell of themselves in the database."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

from league.model.document import Count, SecondsSince, about, document

HOST = "host"
"""The supervisor's own name among its processes."""

PARTS = ("web", "intake", "season", "play")
"""The processes that a host needs."""


@document("HostProcess", "name pid started_at beat_at starts")
@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceRow:
    """A process of the host.

    `state` holds measures that the process tells.
    """

    name: str
    pid: Count
    started_at: SecondsSince
    beat_at: Annotated[SecondsSince, about("its latest heartbeat")]
    starts: Annotated[Count, about("since the host began")]
    state: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class HostCounts:
    """Counts of a hosted league: matches, submissions by state, faults by kind, and its size.

    `faults` counts the matches that a bot lost by its own fault, by termination.

    `last_match_at` is seconds since 1970, None before the first match. `oldest_waiting_ms` is when
    the oldest submission came that nobody has taken up, None for none. `database_bytes` includes
    what SQLite has not moved into its file yet.
    """

    matches: int
    last_match_at: int | None
    faults: Mapping[str, int]
    submissions: Mapping[str, int]
    oldest_waiting_ms: int | None
    teams: Mapping[str, int]
    database_bytes: int
