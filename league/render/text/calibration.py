"""Whether one number describes each bot, as text."""

import math

from league.analysis.calibration_report import PoolCalibration
from league.ratings.goodness_of_fit import Bin
from league.render.text.score_parts import where
from league.render.text.table import Block, Table

PLOT = 31
"""Width of the plot of the scores from 0% to 100%, in characters: one is 3⅓%."""


def calibration_blocks(pool: PoolCalibration, tournament: int | None) -> list[Block]:
    """Return a table and a plot of the bins, what the tests say, and the worst fitting pairs."""
    place = where(pool.game, tournament)
    if not pool.found.bins:
        return [f"{place}: no matches of two bots yet"]
    bins = Table(
        ("Elo apart", "matches", "expected", "actual", f"0%{'scores':^{PLOT - 6}}100%"),
        [
            (
                apart(each),
                f"{each.matches:,.0f}",
                f"{each.expected:.1%}",
                f"{each.actual:.1%}",
                bar(each),
            )
            for each in pool.found.bins
        ],
        right=("Elo apart", "matches", "expected", "actual"),
        title=place,
    )
    blocks: list[Block] = [
        bins,
        "● scored, with its 95% interval; │ expected; ◉ both\n",
        *pool.sentences(),
    ]
    misfits = [
        (
            f"{pool.bots[each.one]} – {pool.bots[each.other]}",
            f"{each.matches:,.0f}",
            f"{each.expected:.1%}",
            f"{each.actual:.1%}",
            f"{each.sigmas:+.1f}",
        )
        for each in pool.misfits()
    ]
    head = ("farthest from expected", "matches", "expected", "actual", "sigmas")
    return [*blocks, Table(head, misfits, right=head[1:])] if misfits else blocks


def apart(each: Bin) -> str:
    """Write which differences a bin holds."""
    return f"{each.low:g}+" if math.isinf(each.high) else f"{each.low:g}–{each.high:g}"


def bar(each: Bin) -> str:
    """Draw a bin's interval with what was scored and what was expected."""
    drawn = [" "] * PLOT
    low, high, actual, expected = (
        round(score * (PLOT - 1))
        for score in (each.actual_low, each.actual_high, each.actual, each.expected)
    )
    drawn[low : high + 1] = "─" * (high + 1 - low)
    drawn[expected] = "│"
    drawn[actual] = "◉" if actual == expected else "●"
    return "".join(drawn).rstrip()
