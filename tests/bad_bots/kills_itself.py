"""Dies by the signal that looks like an accident of the host."""

import os
import signal

from bots import Clock
from games import State


def choose(state: State, clock: Clock) -> object:
    """Send the signal to itself."""
    os.kill(os.getpid(), signal.SIGKILL)
    return state.legal_moves()[0]
