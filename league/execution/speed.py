"""The speed of this machine, by a search whose work is known."""

import statistics
import time

from bots.support.bot import Clock
from bots.support.specs import make_bot
from games.support.specs import find_game

NODES = 20_000
"""Nodes of one search; it takes about a tenth of a second."""

SEARCHES = 3

SPEED_MIN = 0.6
"""A machine with a smaller share of the runner's speed gets no matches with time limits."""

FACTOR_MAX = 4.0
"""With scaled times, a machine that is more times as slow or as fast gets none either."""


def nodes_per_s() -> float:
    """Search the first position of Connect Four; return the median of the nodes per second.

    The search is the pure one, since not every machine has compiled code, and its time is that of
    the processor, so that other programs do not count.
    """
    game = find_game("connectfour")
    found = []
    for _ in range(SEARCHES):
        bot = make_bot("iterative", {"fast": "no"})
        bot.new_match(game, 0, 0)
        begin = time.thread_time_ns()
        bot.choose(game.initial(), Clock(nodes=NODES))
        found.append(NODES * 1e9 / max(1, time.thread_time_ns() - begin))
    return statistics.median(found)
