"""How much a bot may write to its output, whatever protocol it speaks."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class OutputBound:
    """The most that a bot may write in one phase of a match.

    `lines` are those of its output, `size` the bytes of its output and its standard error.
    """

    phase: str
    lines: int
    size: int

    def fault(self, lines: int, size: int) -> str:
        """Return why so much output is too much; '' if it is not."""
        if lines > self.lines:
            return f"more than {self.lines:,} lines {self.phase}"
        return f"more than {self.size >> 20} MiB {self.phase}" if size > self.size else ""


START = OutputBound("to start", 10_000, 1 << 20)
"""Seats keep what a bot tells of itself: its options, its commands."""

PREPARATION = OutputBound("to prepare for a match", 10_000, 1 << 20)

MOVE = OutputBound("for a move", 250_000, 64 << 20)
"""Some engines tell of every thousand positions that they search."""
