"""Stops the process that has started it, for ever."""

import os
import signal

from breaking_in import Intruder  # type: ignore[import-not-found]  # beside it


class Stopper(Intruder):  # type: ignore[misc]  # its base is found by the host alone
    """Try that."""

    def attack(self) -> None:
        """Try."""
        if os.getppid() <= 1:
            raise OSError("nobody there")
        os.kill(os.getppid(), signal.SIGSTOP)
