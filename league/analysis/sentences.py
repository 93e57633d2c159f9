"""Results in words."""

import math
from collections.abc import Mapping

from games.support.counts import counted
from league.model.number_format import told_interval, true_minus
from league.model.records import Termination
from league.ratings.elo_difference import elo_of
from league.ratings.head_to_head import HeadToHead

_CERTAINTIES = ((0.999, "almost certainly"), (0.975, "very likely"), (0.9, "probably"))
"""From which likelihood of superiority on a bot is called the stronger one in these words."""


def faults_told(faults: Mapping[Termination, int]) -> str:
    """Write how often each kind of fault ended a match: `1 crash, 2 time forfeits`; '' for none."""
    return ", ".join(counted(count, kind) for kind, count in sorted(faults.items()))


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
    if math.isfinite(head_to_head.elo_error):
        return true_minus(f"{found.elo:+z.1f} ± {head_to_head.elo_error:.1f}")
    low, high = map(elo_of, head_to_head.interval)
    # Losses alone say nothing of how low it is, nor wins alone of how high.
    low = low if head_to_head.score > 0 else -math.inf
    high = high if head_to_head.score < 1 else math.inf
    return true_minus(told_interval(low, high))


def nelo_told(head_to_head: HeadToHead, digits: int = 1) -> str:
    """Write normalized Elo with half its 95% interval, or what is known of it."""
    found = head_to_head.difference
    if found is None:
        return "–"
    if math.isfinite(found.nelo_error):
        return true_minus(f"{found.nelo:+z.{digits}f} ± {found.nelo_error:.{digits}f}")
    return true_minus(told_interval(found.nelo_low, found.nelo_high, digits))


def is_even_possible(head_to_head: HeadToHead) -> bool:
    """Whether the 95% interval of the score has room for an even one."""
    low, high = head_to_head.interval
    return low <= 0.5 <= high


def superiority_told(one: str, other: str, head_to_head: HeadToHead) -> str:
    """Say which of two bots is stronger, and how sure that is; '' without matches.

    Of a few results that are all alike, the sign test says how sure it is: it is exact. More than
    "probably" needs an interval of the score without an even one.
    """
    found = head_to_head.difference
    if found is None:
        return ""
    los = found.los
    if head_to_head.counts.are_alike:
        half = head_to_head.chance / 2
        los = half if head_to_head.behind else 1 - half
    if los < 0.5:
        one, other, los = other, one, 1 - los
    known = _CERTAINTIES[-1:] if is_even_possible(head_to_head) else _CERTAINTIES
    for least, word in known:
        if los >= least:
            return f"{one} is {word} stronger than {other}"
    return f"No clear difference between {one} and {other} yet"
