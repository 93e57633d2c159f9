"""Computes in a thread while it is its opponent's move."""

import threading
import time
from itertools import pairwise

from breaking_in import Intruder  # type: ignore[import-not-found]  # beside it


class Ponderer(Intruder):  # type: ignore[misc]  # its base is found by the host alone
    """Try that."""

    def __init__(self) -> None:
        self.ran_at: list[float] = []

    def attack(self) -> None:
        """Try: it got in where nothing stopped it in most of a long time between two moves."""
        if not self.ran_at:
            threading.Thread(target=self.think, daemon=True).start()
        ran_at = [*self.ran_at, time.monotonic()]
        self.ran_at = ran_at[-1:]
        took_s = ran_at[-1] - ran_at[0]
        # A machine that others use stops everybody for some hundredths of a second.
        stood_s = max((later - one for one, later in pairwise(ran_at)), default=0.0)
        if took_s < 1 or stood_s > took_s / 2:
            raise OSError("stood still")

    def think(self) -> None:
        """Note the time a hundred times a second."""
        while True:
            self.ran_at.append(time.monotonic())
            time.sleep(0.01)
