"""Makes system calls that no bot needs, and in which most holes of the kernel were found."""

import ctypes
import platform

from breaking_in import Intruder  # type: ignore[import-not-found]  # beside it

KEYCTL = {"x86_64": 250, "aarch64": 219}
IO_URING_SETUP = 425


class Caller(Intruder):  # type: ignore[misc]  # its base is found by the host alone
    """Try that."""

    def attack(self) -> None:
        """Ask for the key ring of the session, then for a ring of input and output."""
        libc = ctypes.CDLL(None)
        session = libc.syscall(KEYCTL[platform.machine()], 0, -3, 0)
        ring = libc.syscall(IO_URING_SETUP, 1, ctypes.create_string_buffer(120))
        if session < 0 and ring < 0:
            raise OSError("refused")
