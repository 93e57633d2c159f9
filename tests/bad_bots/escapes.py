"""Crashes with words that a terminal would obey, NUL bytes and half characters."""

import sys

from bots import Clock
from games import State


def choose(state: State, clock: Clock) -> object:
    """Raise the words, and print them."""
    words = "\x1b[2J\x1b]0;owned\x07\x00\udcff\u202e"
    sys.stdout.buffer.write(words.encode("utf-8", "surrogateescape"))
    raise ValueError(words)
