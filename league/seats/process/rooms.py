"""The folders of a sandbox that a bot may write to: in memory, and bounded.

Bubblewrap bounds their bytes but not their files, each of which takes about a kilobyte of the
kernel's memory. So the league bounds these itself, before the bot runs.
"""

import ctypes
import errno
import fcntl
import os
import select
import time
from pathlib import Path

ROOMS = ("/tmp", "/dev/shm")  # noqa: S108 (the sandbox's own)

ROOM_BYTES = 64 << 20
"""Maximum bytes in each room."""

ROOM_FILES = 8192
"""Maximum files, folders and links in each room."""

SETUP_S = 10.0
"""Longest time for bubblewrap to set up the folders of a sandbox."""

PAUSE_MS = 1

_NEW_MOUNTS, _NEW_USER = 0x20000, 0x10000000
_OWNER_OF_NAMESPACE = 0xB701
"""NS_GET_USERNS of ioctl_ns(2)."""

_REMOUNT, _NO_SETUID, _NO_DEVICES = 0x20, 0x2, 0x4

# Loaded here because use is after a fork, where loading is unsafe.
_LIBC = ctypes.CDLL(None, use_errno=True)


def bound_files(first: int, mark: str) -> None:
    """Bound the files in the rooms of a sandbox; raise `OSError`.

    `first` is its first process, and `mark` a folder that no other file system has: when it is
    there, so are the rooms.
    """
    child = os.fork()
    if child == 0:
        number = errno.EIO
        try:
            number = _bound_inside(first, mark)
        finally:
            os._exit(number)
    if number := abs(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])):
        raise OSError(number, f"its files can't be bounded: {os.strerror(number)}")


def _bound_inside(first: int, mark: str) -> int:
    """Enter the mount namespace of a process, bound the rooms, and return the error's number."""
    ended = select.poll()
    try:
        ended.register(os.pidfd_open(first), select.POLLIN)
        mounts = os.open(f"/proc/{first}/ns/mnt", os.O_RDONLY)
        # The process may be in a user namespace below this one already.
        owner = fcntl.ioctl(mounts, _OWNER_OF_NAMESPACE)
        is_ours = os.path.samestat(os.fstat(owner), Path("/proc/self/ns/user").stat())
    except OSError as error:
        return error.errno or errno.EIO
    if not is_ours and _LIBC.setns(owner, _NEW_USER):
        return ctypes.get_errno()
    deadline = time.monotonic() + SETUP_S
    while not os.path.exists(mark):  # noqa: PTH110 (that of pathlib raises more errors)
        if time.monotonic() > deadline or ended.poll(PAUSE_MS):
            return errno.ESRCH
        # Each time, this leads to the root that the process has now.
        if _LIBC.setns(mounts, _NEW_MOUNTS):
            return ctypes.get_errno()
    flags = _REMOUNT | _NO_SETUID | _NO_DEVICES
    options = f"nr_inodes={ROOM_FILES}".encode()
    for room in ROOMS:
        if _LIBC.mount(b"tmpfs", room.encode(), b"tmpfs", flags, options):
            return ctypes.get_errno()
    return 0
