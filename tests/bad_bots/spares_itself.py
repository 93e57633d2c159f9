"""Takes back that it is killed first when the machine runs out of memory."""

import ctypes
from contextlib import suppress
from pathlib import Path

from breaking_in import Intruder  # type: ignore[import-not-found]  # beside it

REMOUNT, BIND, DETACH = 0x20, 0x1000, 2
NO_PRIVILEGES = 0x2 | 0x4 | 0x8


class Spared(Intruder):  # type: ignore[misc]  # its base is found by the host alone
    """Try that."""

    def attack(self) -> None:
        """Try, also by mounts, which root's bot in a namespace may try too."""
        wanted = Path("/proc/self/oom_score_adj")
        with suppress(OSError):
            wanted.write_text("0")
        libc = ctypes.CDLL(None)
        with suppress(AttributeError):
            libc.mount(None, b"/proc", None, REMOUNT | BIND | NO_PRIVILEGES, None)
            libc.mount(b"proc", b"/proc", b"proc", NO_PRIVILEGES, None)
            libc.umount2(b"/proc", DETACH)
        wanted.write_text("0")
