"""Kills its process group, itself with it."""

import os
import signal

from breaking_in import Intruder  # type: ignore[import-not-found]  # beside it


class Killer(Intruder):  # type: ignore[misc]  # its base is found by the host alone
    """Try that."""

    def attack(self) -> None:
        """Try."""
        os.killpg(0, signal.SIGKILL)
        raise OSError("alive")
