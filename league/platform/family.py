"""A process with its descendants."""

from typing import NamedTuple, Protocol

from league.platform.cpu_usage import CpuUsage

FEW = 8
"""So few processes are suspended at once; more take as long as a bot's move."""


CROWD = 256
"""A bot may have so many processes; who counts them need not count further."""


class FamilyUse(NamedTuple):
    """What a process and its descendants take now: bytes of memory, and processes."""

    memory: int
    processes: int


class Family(Protocol):
    """A process and its descendants, as the operating system shows and suspends them."""

    @property
    def is_large(self) -> bool:
        """Whether it had more than a few processes when somebody last looked."""

    def rest(self) -> None:
        """Note that it should stand still from now on."""

    def used_at_rest_ns(self) -> int:
        """Return the CPU time in ns since the first such question after `rest`."""

    def usage(self) -> CpuUsage:
        """Return what it has used and, where the system tells, how long it has waited."""

    def use(self, bound: int) -> FamilyUse:
        """Return its memory and processes; near the `bound` in bytes, more exactly."""

    def freeze(self) -> None:
        """Suspend it until `thaw`."""

    def thaw(self) -> int:
        """Resume what `freeze` suspended; return the CPU time in ns that it has used meanwhile."""

    def close(self) -> None:
        """Close its files."""
