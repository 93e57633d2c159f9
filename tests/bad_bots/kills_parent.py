"""Kills the process that has started it."""

import os
import signal

from breaking_in import Intruder  # type: ignore[import-not-found]  # beside it


class Killer(Intruder):  # type: ignore[misc]  # its base is found by the host alone
    """Try that."""

    def attack(self) -> None:
        """Try."""
        if os.getppid() <= 1:
            raise OSError("nobody there")
        os.kill(os.getppid(), signal.SIGKILL)
