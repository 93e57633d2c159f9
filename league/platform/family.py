"""A process with its descendants."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

FEW = 8
"""So few processes are suspended at once; more take as long as a bot's move."""


CROWD = 256
"""A bot may have so many processes; who counts them need not count further."""


class FamilyUse(NamedTuple):
    """What a process and its descendants take now: bytes of memory, and processes."""

    memory: int
    processes: int


@dataclass(frozen=True, slots=True)
class ProcessFamily:
    """The IDs of a process and its descendants, as the system takes them for signals.

    `newest` is the newest process ID on the machine when they were listed, None if unknown.
    `cpu_ns` is the CPU time of each when they had been suspended, where the system tells it.
    """

    pids: frozenset[int]
    newest: int | None = None
    cpu_ns: Mapping[int, int] = field(default_factory=dict)


NO_FAMILY = ProcessFamily(frozenset())
