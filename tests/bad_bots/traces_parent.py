"""Attaches to the process that has started it as a debugger does, which stops that for ever."""

import ctypes
import os

from breaking_in import Intruder  # type: ignore[import-not-found]  # beside it

PTRACE_ATTACH = 16


class Tracer(Intruder):  # type: ignore[misc]  # its base is found by the host alone
    """Try that."""

    def attack(self) -> None:
        """Try."""
        if ctypes.CDLL(None).ptrace(PTRACE_ATTACH, os.getppid(), None, None):
            raise OSError("refused")
