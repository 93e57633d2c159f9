"""Computes in a thread while it is its opponent's move."""

import threading
import time

from breaking_in import Intruder  # type: ignore[import-not-found]  # beside it


class Ponderer(Intruder):  # type: ignore[misc]  # its base is found by the host alone
    """Try that."""

    def attack(self) -> None:
        """Try."""
        self.thought = getattr(self, "thought", 0)
        before = self.thought
        if not before:
            threading.Thread(target=self.think, daemon=True).start()
        # What it thinks from here to the end of its move is its own time, and does not count.
        if before - getattr(self, "left_at", before) < 3:
            self.left_at = self.thought
            raise OSError("stood still")
        self.left_at = self.thought

    def think(self) -> None:
        """Count a hundred times a second."""
        while True:
            self.thought += 1
            time.sleep(0.01)
