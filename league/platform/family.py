"""A process with its descendants."""

from dataclasses import dataclass

FEW = 8
"""So few processes are suspended at once; more take as long as a bot's move."""


@dataclass(frozen=True, slots=True)
class Family:
    """The IDs of a process and its descendants, as the system takes them for signals.

    `newest` is the newest process ID on the machine when they were listed, None if unknown.
    """

    pids: frozenset[int]
    newest: int | None = None


NO_FAMILY = Family(frozenset())
