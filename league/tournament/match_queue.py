"""The matches that a runner has still to hand out."""

from collections import deque
from collections.abc import Iterable

from league.execution.worker import MatchJob
from league.seats.bot_specs import is_model


class MatchQueue:
    """Matches in order, those with language models in a line of their own.

    A worker waits in such a match for most of the time, and the others go on meanwhile.
    """

    def __init__(self) -> None:
        self.computed: deque[MatchJob] = deque()
        self.called: deque[MatchJob] = deque()

    def __len__(self) -> int:
        """Return the number of matches."""
        return len(self.computed) + len(self.called)

    def put(self, job: MatchJob) -> None:
        """Add a match at the end."""
        self._line(job).append(job)

    def put_first(self, jobs: Iterable[MatchJob]) -> None:
        """Add matches at the beginning, in their order."""
        for job in reversed([*jobs]):
            self._line(job).appendleft(job)

    def clear(self) -> None:
        """Drop all matches."""
        self.computed.clear()
        self.called.clear()

    def _line(self, job: MatchJob) -> deque[MatchJob]:
        return self.called if has_model(job) else self.computed


def has_model(job: MatchJob) -> bool:
    """Whether a language model plays in a match."""
    return any(is_model(version.spec) for version in job.versions)
