"""Leaves children behind that live on, and says which."""

import os
import sys
import time

from bots import Clock
from games import State


def choose(state: State, clock: Clock) -> object:
    """Fork, then never answer."""
    child = os.fork()
    if child == 0:
        time.sleep(3600)
        os._exit(0)
    print("child", child, file=sys.stderr, flush=True)
    while True:
        time.sleep(1)
