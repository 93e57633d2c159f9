"""What the system tells of a process, gone ones included."""

import ctypes
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil

PR_SET_CHILD_SUBREAPER = 36

_PTRACE_SCOPE = Path("/proc/sys/kernel/yama/ptrace_scope")


def is_tracing_restricted() -> bool:
    """Whether the kernel lets no process trace or read another that is not its child."""
    return _PTRACE_SCOPE.exists() and _PTRACE_SCOPE.read_text().strip() != "0"


def is_running(pid: int) -> bool:
    """Whether a process is there and no mere entry in the table."""
    return state_of(pid) not in ("", psutil.STATUS_ZOMBIE)


def state_of(pid: int) -> str:
    """Return what a process does, one of psutil's `STATUS_` words; '' for one that is gone."""
    try:
        return str(psutil.Process(pid).status())
    except psutil.Error:
        return ""


def parent_of(pid: int) -> int:
    """Return the parent of a process; raise `psutil.Error` for one that is gone."""
    return int(psutil.Process(pid).ppid())


def computed_s(pid: int) -> float:
    """Return how long a process has computed: a busy machine does not make that longer."""
    times = psutil.Process(pid).cpu_times()
    return float(times.user + times.system)


def is_computing(pid: int) -> bool:
    """Whether a thread of a process computes, or would if the machine were less busy."""
    tasks = Path(f"/proc/{pid}/task")
    if not tasks.is_dir():
        # Elsewhere than on Linux a process that sleeps counts as running.
        return False
    states = (state_of(int(task.name)) for task in tasks.iterdir())
    return psutil.STATUS_RUNNING in states


@contextmanager
def adopting() -> Iterator[None]:
    """Become the parent of all orphans among the descendants of this process (prctl(2)).

    Processes that nobody ends can then be found below this process.
    """
    libc = ctypes.CDLL(None)
    libc.prctl(PR_SET_CHILD_SUBREAPER, 1)
    try:
        yield
    finally:
        libc.prctl(PR_SET_CHILD_SUBREAPER, 0)


def named(pid: int) -> str:
    """Return the command line of a process, '' for one that is gone."""
    try:
        return " ".join(psutil.Process(pid).cmdline())
    except psutil.Error:
        return ""


def marked(mark: str) -> list[int]:
    """List the other processes of this user that have `mark` in an environment variable."""
    found = []
    for process in psutil.process_iter():
        try:
            if process.pid != os.getpid() and mark in "\0".join(process.environ().values()):
                found.append(process.pid)
        except (psutil.Error, OSError):
            continue
    return found
