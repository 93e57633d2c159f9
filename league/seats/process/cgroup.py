"""Control groups (cgroup v2): bounds on a bot together with all that it starts.

See Documentation/admin-guide/cgroup-v2.rst of the kernel.
"""

import itertools
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from league.platform import HAS_SANDBOX, core_numbers

ROOT = Path("/sys/fs/cgroup")

CONTROLLERS = frozenset({"cpu", "memory", "pids"})

_PERIOD_US = 100_000
_REMOVALS = 100
_LOOKS = 250
_numbers = itertools.count()


@dataclass(frozen=True, slots=True)
class BotGroup:
    """The group of one bot."""

    path: Path

    @classmethod
    def made(cls, parent: Path, memory_mb: int | None, processes: int) -> "BotGroup":
        """Make a group in `parent` with the cores of this process; raise `OSError`."""
        group = cls(parent / f"bot-{os.getpid()}-{next(_numbers)}")
        group.path.mkdir()
        cores = len(core_numbers())
        group._write("cpu.max", f"{cores * _PERIOD_US} {_PERIOD_US}")
        group._write("pids.max", str(processes))
        if memory_mb is not None:
            group._write("memory.max", str(memory_mb << 20))
            group._write("memory.swap.max", "0")
            group._write("memory.oom.group", "1")
        return group

    def enter(self) -> None:
        """Move this process into the group; its children are born there."""
        self._write("cgroup.procs", "0")

    def freeze(self) -> frozenset[int]:
        """Suspend every process of the bot, also those that left its session; return them."""
        self._write("cgroup.freeze", "1")
        for _ in range(_LOOKS):
            if "frozen 0" not in self._read("cgroup.events"):
                break
            time.sleep(0.001)
        return frozenset(map(int, self._read("cgroup.procs").split()))

    def thaw(self) -> None:
        """Resume what `freeze` suspended."""
        self._write("cgroup.freeze", "0")

    @property
    def is_out_of_memory(self) -> bool:
        """Whether the kernel has ended the bot for its memory."""
        events = self._read("memory.events").split()
        return "oom_kill" in events and events[events.index("oom_kill") + 1] != "0"

    def remove(self) -> None:
        """End all processes of the bot, and remove the group."""
        self._write("cgroup.kill", "1")
        for _ in range(_REMOVALS):
            try:
                self.path.rmdir()
            except FileNotFoundError:
                return
            except OSError:
                # Those that were killed are in it until they are gone.
                time.sleep(0.001)

    def _read(self, name: str) -> str:
        try:
            return (self.path / name).read_text()
        except OSError:
            return ""

    def _write(self, name: str, value: str) -> None:
        # A controller or file may be missing: older kernels have no cgroup.kill.
        with suppress(OSError), (self.path / name).open("w") as file:
            file.write(value)


def delegated(root: Path = ROOT) -> Path | None:
    """Return this process's group if it may make groups with limits in it, otherwise None.

    It must be alone there: only groups without processes can limit those in them.
    """
    if not HAS_SANDBOX:
        return None
    try:
        lines = Path("/proc/self/cgroup").read_text().splitlines()
        (place,) = (line[3:] for line in lines if line.startswith("0::"))
        group = root / place.lstrip("/")
        found = (group / "cgroup.controllers").read_text().split()
        alone = (group / "cgroup.procs").read_text().split() == [str(os.getpid())]
    except (OSError, ValueError):
        return None
    writable = all(os.access(group / name, os.W_OK) for name in ("cgroup.procs", "."))
    return group if alone and writable and set(found) >= CONTROLLERS else None


@contextmanager
def bot_groups(root: Path = ROOT) -> Iterator[Path | None]:
    """Move this process aside and yield its group for bots; yield None if that is impossible."""
    group = delegated(root)
    if group is None:
        yield None
        return
    aside = group / "league"
    try:
        aside.mkdir(exist_ok=True)
        (aside / "cgroup.procs").write_text(str(os.getpid()))
        (group / "cgroup.subtree_control").write_text(" ".join(f"+{each}" for each in CONTROLLERS))
    except OSError:
        is_ready = False
    else:
        is_ready = True
    try:
        yield group if is_ready else None
    finally:
        with suppress(OSError):
            controllers = " ".join(f"-{each}" for each in CONTROLLERS)
            (group / "cgroup.subtree_control").write_text(controllers)
            (group / "cgroup.procs").write_text(str(os.getpid()))
            aside.rmdir()
