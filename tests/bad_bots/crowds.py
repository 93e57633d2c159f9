"""Has 200 sleeping children, which take long to suspend, and answers at once."""

import os
import signal

from bots import Bot, Clock
from games import State

CHILDREN = 200


class Crowd(Bot):
    """Fork once, then play the first legal move."""

    def __init__(self) -> None:
        self.is_alone = True

    def choose(self, state: State, clock: Clock) -> object:
        """Answer at once."""
        if self.is_alone:
            self.is_alone = False
            for _ in range(CHILDREN):
                if not os.fork():
                    while True:
                        signal.pause()
        return state.legal_moves()[0]
