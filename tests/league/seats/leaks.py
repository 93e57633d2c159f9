"""The searches of the spies as data: what each looks through, and where it finds the secret.

`docs/explanation/isolation.md` shows the same table, and a test holds the two against each other.
"""

from dataclasses import dataclass

from tests.league.seats.hostile_bots import LIMITS, NAMESPACE, NONE, SANDBOX, Level


@dataclass(frozen=True, slots=True)
class Leak:
    """One search of `tests/bad_bots/spies/spy.py`, by its name there and in words.

    `stopped_at` is the first level at which the other seat's secret is not found. If it
    `finds_own` at a level, it finds there what the spy itself has put in such places.
    """

    name: str
    looks_through: str
    stopped_at: Level = NONE
    finds_own: tuple[Level, ...] = (LIMITS, NAMESPACE, SANDBOX)

    def cell(self, level: Level) -> str:
        """Say what it finds at a level."""
        return "nothing" if level.holds(self.stopped_at) else "the secret"


LEAKS = (
    Leak("objects", "all Python objects of its process, and what they lead to"),
    Leak("frames", "the variables of all functions that run in its process"),
    Leak("memory", "the memory of its process"),
    Leak("descriptors", "its environment, its command line and its open files"),
    Leak(
        "processes",
        "the environments, command lines and open files of the worker and the opponent",
        NAMESPACE,
    ),
    Leak("memories", "the memory of the opponent", NAMESPACE),
    Leak("shared", "shared memory and sockets of the opponent", SANDBOX),
    Leak("temporary_files", "temporary files of the opponent", SANDBOX),
    Leak("league_files", "the league's database, its log and its cache", finds_own=()),
    Leak(
        "seeds",
        "what luck brings, computed from the league's database",
        SANDBOX,
        (LIMITS, NAMESPACE),
    ),
    Leak("pages", "the pages, the API and the streams that the league serves", finds_own=()),
)

LEVELS = (LIMITS, NAMESPACE, SANDBOX)


def table() -> list[str]:
    """Return the lines of the table in `docs/explanation/isolation.md`."""
    lines = [
        "| the bot searches | `limits` | `limits` with a namespace | `sandbox` | search |",
        "| --- | --- | --- | --- | --- |",
    ]
    for leak in LEAKS:
        cells = " | ".join(map(leak.cell, LEVELS))
        lines.append(f"| {leak.looks_through} | {cells} | `{leak.name}` |")
    return lines
