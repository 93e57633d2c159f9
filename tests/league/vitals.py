"""What the processes of a league hold: memory and descriptors."""

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from tests.league.command import below
from tests.league.disturbances import BOT, RUNNER


@dataclass(slots=True)
class Vitals:
    """The most that a process of the league's own has had, by generation; bots left out."""

    memory_kb: Counter[int] = field(default_factory=Counter)
    descriptors: Counter[int] = field(default_factory=Counter)

    def look(self, runner: int) -> None:
        """Look at the runner, the worker parent and the workers."""
        for pid, generation in [(runner, RUNNER), *below(runner)]:
            if generation < BOT:
                memory_kb, descriptors = held(pid)
                self.memory_kb[generation] = max(self.memory_kb[generation], memory_kb)
                self.descriptors[generation] = max(self.descriptors[generation], descriptors)


def held(pid: int) -> tuple[int, int]:
    """Return the peak of a process's memory in kB, and its descriptors; zeros where it is gone."""
    folder = Path(f"/proc/{pid}")
    try:
        lines = (folder / "status").read_text().splitlines()
        status = {name: words for name, _, words in (line.partition(":") for line in lines)}
        memory_kb = int(status["VmHWM"].split()[0])
        try:
            return memory_kb, len(list((folder / "fd").iterdir()))
        except PermissionError:
            # Only root sees them; so many are open at once now, or were.
            return memory_kb, int(status["FDSize"]) // 2
    except (OSError, KeyError):
        return 0, 0
