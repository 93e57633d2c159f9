"""Sandboxes that outlive the process that started them.

The kernel ends a sandbox with its parent only once bubblewrap has asked it to. A sandbox whose
parent is killed before that waits forever, and its next parent may be anybody. So each command line
says who started it.
"""

import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from league.platform import HAS_SANDBOX

_PROC = Path("/proc")
_VARIABLE = "botleague-starter"
_START_TIME = 19
"""`starttime` in /proc/PID/stat, counted from the field after the name (proc(5))."""


def starter_options() -> list[str]:
    """Return bubblewrap options that name this process and change nothing inside."""
    name = f"{_namespace()}:{os.getpid()}:{_started_at(os.getpid())}"
    return ["--setenv", _VARIABLE, name, "--unsetenv", _VARIABLE]


def end_orphans() -> None:
    """Kill the sandboxes whose starter is gone; those of other process namespaces stay."""
    if not HAS_SANDBOX:
        return
    namespace = _namespace()
    for pid, starter in _sandboxes():
        place, _, rest = starter.partition(":")
        number, _, started_at = rest.partition(":")
        if place == namespace and number.isdecimal() and _started_at(int(number)) != started_at:
            with suppress(OSError):
                os.kill(pid, signal.SIGKILL)


def _sandboxes() -> Iterator[tuple[int, str]]:
    """Yield the processes of bubblewrap with the name of their starter."""
    for entry in _PROC.glob("[0-9]*/cmdline"):
        with suppress(OSError, ValueError):
            words = entry.read_text(errors="replace").split("\0")
            yield int(entry.parent.name), words[words.index(_VARIABLE) + 1]


def _namespace() -> str:
    """Return the number of this process's namespace, in which its ID counts; '' without any."""
    with suppress(OSError):
        return str((_PROC / "self/ns/pid").stat().st_ino)
    return ""


def _started_at(pid: int) -> str:
    """Return when a process started, in ticks since the machine did; '' for one that is gone."""
    with suppress(OSError, IndexError):
        fields = (_PROC / f"{pid}/stat").read_text().rpartition(") ")[2].split()
        # A dead process that nobody has waited for holds its number, and starts nothing.
        return "" if fields[0] in "ZX" else fields[_START_TIME]
    return ""
