"""The place where a tournament is played, and its number of workers."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from league.model.webhook import Webhook
from league.platform import core_numbers

LOCAL = "local"
"""The executor that is this machine's own worker processes."""

PATIENCE_S = 600.0
"""Longest time that a run waits for a database that is locked or unreachable."""

ELSEWHERE = 8
"""Number of workers for matches with language models, which take hardly any core."""

WORKERS_MAX = 1 << 16
"""More than any cluster has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PullOptions:
    """How pull workers reach a run, and how it measures them.

    `certificate` and `key` are files of TLS, None for plain HTTP. Times are multiplied by the share
    of a machine's speed if it `scales_time`. If it `shows_token`, users are told the token.
    """

    certificate: Path | None = None
    key: Path | None = None
    scales_time: bool = False
    shows_token: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions:
    """The resources of a run on the machine or the cluster; none of them changes the matches.

    `executor` is `local`, `dask://HOST:PORT` or `pull://HOST:PORT`, for which `pull` is. `workers`
    is the most workers, None for one a core, or for all of a cluster. At most `starts` bots start
    at once, None for one a core. Local workers are tied to one core each if `is_pinned`, or to one
    for each thread of an engine and for each seat where bots ponder. A run waits for its database
    for `patience_s`, and copies a file every `backup_every_s`, None for never. Each worker pauses
    for `wait_s` between its matches, and a run stops after `budget_s`, or the tournament's own
    budget if that is shorter. `webhook` is called at its end. If it `is_strict`, it ends at
    the first fault of a bot. The communication with engines is written to `engine_log`. `tell` gets
    a line whenever the user should know something.
    """

    workers: int | None = None
    executor: str = LOCAL
    pull: PullOptions = PullOptions()
    starts: int | None = None
    is_pinned: bool = True
    patience_s: float = PATIENCE_S
    backup_every_s: float | None = None
    engine_log: Path | None = None
    webhook: Webhook | None = None
    wait_s: float = 0.0
    budget_s: float | None = None
    is_strict: bool = False
    tell: Callable[[str], None] = lambda text: None

    @property
    def is_local(self) -> bool:
        """Whether worker processes of this machine play."""
        return self.executor == LOCAL

    @property
    def is_pull(self) -> bool:
        """Whether machines fetch the matches."""
        return self.executor.startswith("pull:")

    def workers_wanted(self, cores_each: int = 1, *, has_models: bool = False) -> int:
        """Return the number of workers to ask for if each takes so many cores, 0 for none.

        If some bots are language models, there are more for the matches of these.
        """
        if self.workers:
            return self.workers
        if not self.is_local:
            return WORKERS_MAX
        on_cores = max(1, cores() // cores_each) if cores_each else 0
        return on_cores + (ELSEWHERE if has_models or not on_cores else 0)


def cores() -> int:
    """Return the number of cores that this process may use."""
    return len(core_numbers())
