"""Results in words."""

import math

from league.ratings.elo_difference import elo_of
from league.ratings.head_to_head import HeadToHead


def interval_of(head_to_head: HeadToHead) -> str:
    """Write the 95% interval of a score."""
    low, high = head_to_head.interval
    return f"{100 * low:.1f}–{100 * high:.1f}%"


def elo_told(head_to_head: HeadToHead) -> str:
    """Write the Elo difference with half its 95% interval.

    If that is infinite, write the whole interval, from that of the score.
    """
    found = head_to_head.difference
    if found is None:
        return "–"
    if math.isfinite(found.elo_error):
        return f"{found.elo:+.1f} ± {found.elo_error:.1f}"
    low, high = (f"{elo_of(score):+.1f}".replace("inf", "∞") for score in head_to_head.interval)
    return f"{low} to {high}"
