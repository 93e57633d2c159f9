"""Has children in sessions of their own that compute while it is its opponent's move."""

import mmap
import os
import struct
import time

from breaking_in import Intruder  # type: ignore[import-not-found]  # beside it

CHILDREN = 8
SLOT = struct.Struct("d")


class Thief(Intruder):  # type: ignore[misc]  # its base is found by the host alone
    """Try that."""

    def __init__(self) -> None:
        self.used_s = mmap.mmap(-1, SLOT.size * CHILDREN)
        self.since_s = 0.0
        self.before_s = 0.0

    def attack(self) -> None:
        """Try: it got in where its children computed much of a long time between two moves."""
        if not self.since_s:
            for number in range(CHILDREN):
                if not os.fork():
                    self.compute(number)
        now_s = time.monotonic()
        used_s = sum(each for (each,) in SLOT.iter_unpack(self.used_s[:]))
        took_s, stolen_s = now_s - self.since_s, used_s - self.before_s
        self.since_s, self.before_s = now_s, used_s
        if took_s > now_s / 2 or took_s < 1 or stolen_s < took_s / 5:
            raise OSError("stood still")

    def compute(self, number: int) -> None:
        """Compute for ever, in a session of its own."""
        os.setsid()
        while True:
            SLOT.pack_into(self.used_s, SLOT.size * number, time.process_time())
