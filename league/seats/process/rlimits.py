"""Resource limits of a process, set between fork and exec."""

import errno
import os
import resource
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from league.platform import FORKS, threads_of_user
from league.platform.family import CROWD
from league.platform.linux import die_with, pin, sacrifice
from league.seats.process.cgroup import BotGroup
from league.seats.process.namespace import enter_namespace, seal_proc

FILE_BYTES = 256 << 20
"""Maximum size of a file that a bot writes."""

FILES = 1024
"""Maximum open files of a bot."""

RESERVED = 8
"""A program may reserve so many times as much memory as it may use.

Engines reserve a large hash, or memory for each search, and never touch most of it.
"""

PROCESSES_OF_USER = 4096
"""Allowed growth of a user's processes and threads, if only these can be counted.

Generous, because the user's own later programs also count and must not starve a bot.
"""


_ULIMIT = {
    resource.RLIMIT_CORE: "c",
    resource.RLIMIT_FSIZE: "f",
    resource.RLIMIT_NOFILE: "n",
}
"""The options of the shell's ulimit (POSIX.1-2024) for limits that a shell sets."""

_BLOCK = 512
"""The unit of `ulimit -f`."""


@dataclass(frozen=True, slots=True)
class ProcessLimits:
    """Resource limits, keyed by their numbers in `resource`; `enter` applies them.

    `processes` limits a whole sandbox once that is set up; None if `limits` has it or there is
    none. A process that `is_apart` enters a PID namespace first; `group` bounds it with its
    children. `memory_mb` bounds what it uses with its descendants, where no `group` does.
    """

    limits: Mapping[int, int] = field(default_factory=dict)
    processes: int | None = None
    is_sacrificed: bool = False
    is_apart: bool = False
    group: BotGroup | None = None
    core: int | None = None
    memory_mb: int | None = None

    @classmethod
    def none(cls) -> "ProcessLimits":
        """Return no limits: the process may do what the user may."""
        return cls()

    @classmethod
    def within(cls, data_mb: int | None, processes_of_user: int | None) -> "ProcessLimits":
        """Return the limits of a bot; `processes_of_user` is None in a sandbox.

        `data_mb` bounds what a program allocates and touches only roughly: what it uses is watched.
        """
        limits = {
            resource.RLIMIT_CORE: 0,
            resource.RLIMIT_FSIZE: FILE_BYTES,
            resource.RLIMIT_NOFILE: FILES,
        }
        if data_mb is not None:
            limits[resource.RLIMIT_DATA] = RESERVED * data_mb << 20
        if processes_of_user is None:
            return cls(limits, CROWD, is_sacrificed=True)
        return cls({**limits, resource.RLIMIT_NPROC: processes_of_user}, is_sacrificed=True)

    def applied(
        self, command: Sequence[str], env: Mapping[str, str]
    ) -> tuple[Sequence[str], Callable[[], None] | None]:
        """Return the command to start, and what to call between fork and exec, None for nothing.

        Raises `OSError` if the command can't be started.
        """
        if FORKS:
            return command, partial(self.enter, os.getpid())
        bounds = [
            f"ulimit -{_ULIMIT[kind]} {most // _BLOCK if kind == resource.RLIMIT_FSIZE else most}"
            for kind, most in self.limits.items()
            if kind in _ULIMIT
        ]
        if not bounds:
            return command, None
        _require_program(command[0], env)
        # A lower limit of the user stays in force.
        script = "".join(f"{bound} 2>/dev/null; " for bound in bounds) + 'exec "$@"'
        return ["/bin/sh", "-c", script, "sh", *command], None

    def enter(self, parent: int) -> None:
        """Apply the limits to this process, a child of `parent`, before it runs a program."""
        die_with(parent)
        if self.core is not None:
            pin({self.core})
        if self.group:
            self.group.enter()
        if self.is_apart:
            enter_namespace()
        # A checker bounds its own memory, which is not that of its bots.
        most_data = resource.getrlimit(resource.RLIMIT_DATA)[1]
        resource.setrlimit(resource.RLIMIT_DATA, (most_data, most_data))
        for kind, most in self.limits.items():
            hard = resource.getrlimit(kind)[1]
            bound = most if hard == resource.RLIM_INFINITY else min(most, hard)
            resource.setrlimit(kind, (bound, bound))
        if self.is_sacrificed:
            sacrifice()
        if self.is_apart:
            seal_proc()


def process_room() -> int:
    """Return a limit on this user's processes that contains fork bombs."""
    return threads_of_user(os.geteuid()) + PROCESSES_OF_USER


def _require_program(name: str, env: Mapping[str, str]) -> None:
    """Raise the `OSError` of a program that can't be started: a shell would only print it."""
    found = shutil.which(name, path=env.get("PATH"))
    if found is None:
        raise _refused(errno.EACCES if os.path.lexists(name) else errno.ENOENT, name)
    if not os.access(found, os.R_OK):
        # It can be run all the same, if it is no script.
        return
    with Path(found).open("rb") as file:
        first = file.read(256)
    if first.startswith(b"#!"):
        interpreter = first[2:].split(maxsplit=1)[:1]
        if not interpreter or not Path(os.fsdecode(interpreter[0])).exists():
            raise _refused(errno.ENOENT, name)
    elif b"\0" not in first:
        # A shell takes any text for a script of its own.
        raise _refused(errno.ENOEXEC, name)


def _refused(number: int, name: str) -> OSError:
    return OSError(number, os.strerror(number), name)
