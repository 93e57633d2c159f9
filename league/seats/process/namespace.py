"""A PID namespace without bubblewrap: a bot sees and signals no processes but its own.

See user_namespaces(7) and pid_namespaces(7).
"""

import ctypes
import os
import subprocess
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import NoReturn

from league.platform import HAS_SANDBOX, children
from league.platform.family import CROWD
from league.platform.linux import BOUNDS_PIDS, allow_tracing, die_with, forbid_tracing
from league.seats.process.sandbox_handshake import SandboxedProcess

PROBE_S = 10.0

_NEW_MOUNTS, _NEW_USER, _NEW_PID = 0x20000, 0x10000000, 0x20000000
_NO_PRIVILEGES = 0x2 | 0x4 | 0x8
"""MS_NOSUID, MS_NODEV and MS_NOEXEC, which the system's own /proc has too."""
_RECURSIVE, _PRIVATE = 0x4000, 0x40000
_READ_ONLY, _REMOUNT, _BIND = 0x1, 0x20, 0x1000
_DROP_FROM_BOUND, _POWERS = 24, 64
"""PR_CAPBSET_DROP of prctl(2), and more than there are capabilities(7)."""
_SIGNAL_STATUS = 128

_PID_MAX = 300 + CROWD + 1
"""The kernel gives the first 300 IDs out once (RESERVED_PIDS in kernel/pid.c)."""
_DESCRIPTORS = 1 << 20

# Loaded here because use is between fork and exec, where loading is unsafe.
_LIBC = ctypes.CDLL(None, use_errno=True)


def enter_namespace() -> None:
    """Move this process, between fork and exec, into a PID namespace as its second process.

    The process that was forked waits outside and ends as the bot does. The first inside reaps; with
    it the kernel ends all others. Raises `OSError` before anything has changed.
    """
    user, group = os.geteuid(), os.getegid()
    allow_tracing()
    _call("unshare", _NEW_USER | _NEW_PID | _NEW_MOUNTS)
    Path("/proc/self/setgroups").write_text("deny")
    Path("/proc/self/uid_map").write_text(f"{user} {user} 1")
    Path("/proc/self/gid_map").write_text(f"{group} {group} 1")
    # Both processes that stay behind are copies of the worker, which no bot may read.
    forbid_tracing()
    if first := os.fork():
        _end_as(first)
    die_with(0)
    _call("mount", None, b"/", None, _RECURSIVE | _PRIVATE, None)
    _call("mount", b"proc", b"/proc", b"proc", _NO_PRIVILEGES, None)
    if BOUNDS_PIDS:
        Path("/proc/sys/kernel/pid_max").write_text(str(_PID_MAX))
    if bot := os.fork():
        _end_as(bot)


def seal_proc() -> None:
    """Make /proc read-only in this process's namespace, when what had to be written there is.

    A bot could take back there that it is killed first when memory runs out. So that root's bot
    can't mount another one, no program that it runs has any powers in the namespace.
    """
    flags = _REMOUNT | _BIND | _READ_ONLY | _NO_PRIVILEGES
    _call("mount", None, b"/proc", None, flags, None)
    for power in range(_POWERS):
        _LIBC.prctl(_DROP_FROM_BOUND, power, 0, 0, 0)


def namespaced(outer: int) -> SandboxedProcess | None:
    """Return the namespace that the child `outer` has entered; None if it is gone already."""
    with suppress(OSError, StopIteration):
        return SandboxedProcess(next(iter(children(outer))))
    return None


@cache
def why_no_namespace() -> str:
    """Try a namespace; return why it does not work here, '' if it does."""
    if not HAS_SANDBOX:
        return "namespaces need Linux"
    try:
        subprocess.run("/bin/true", preexec_fn=enter_namespace, timeout=PROBE_S, check=True)
    except (OSError, subprocess.SubprocessError):
        return "user namespaces are off here"
    return ""


def _end_as(child: int) -> NoReturn:
    """Wait for a child and exit with its status, 128 plus the number for a signal."""
    try:
        # An open pipe would hide that the bot has closed its own.
        os.closerange(0, _DESCRIPTORS)
        while (ended := os.wait())[0] != child:
            continue
        code = os.waitstatus_to_exitcode(ended[1])
        os._exit(code if code >= 0 else _SIGNAL_STATUS - code)
    finally:
        os._exit(1)


def _call(name: str, *arguments: object) -> None:
    if getattr(_LIBC, name)(*arguments):
        number = ctypes.get_errno()
        raise OSError(number, f"{name}: {os.strerror(number)}")
