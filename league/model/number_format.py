"""Compact formats for times, counts, scores and search reports, one for each purpose."""

import math
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from league.model.records import ReportRecord

_HYPHEN = re.compile(r"(?<![\w.)-])-(?=[\d.∞])")
"""A hyphen that begins a number: one inside a name, a date or a range follows a letter or digit."""


def numbers(report: "ReportRecord") -> str:
    """Format the depth, nodes, speed, tablebase hits and score of a report."""
    depth = told_depth(report)
    parts = (
        f"depth {depth}" if depth else "",
        "" if report.nodes is None else f"nodes {short_count(report.nodes)}",
        "" if report.nps is None else f"{short_count(report.nps)} a second",
        f"{short_count(report.tbhits)} from tables" if report.tbhits else "",
        "" if report.score is None else f"score {told_score(report)}",
    )
    return ", ".join(part for part in parts if part)


def told_depth(report: "ReportRecord") -> str:
    """Write the depth, and behind a stroke that of the longest line if it is larger: `9/14`."""
    depth, longest = report.depth, report.seldepth
    if depth is None:
        return ""
    return f"{depth}/{longest}" if longest is not None and longest > depth else f"{depth}"


def told_score(report: "ReportRecord") -> str:
    """Format the score of a report: `+0.35`, or `#3` and `#−3` for mate in three moves."""
    return short_score(report.score) if report.mate is None else true_minus(f"#{report.mate}")


def true_minus(text: str) -> str:
    """Write the hyphens before numbers as minus signs (U+2212), for people to read.

    >>> true_minus("-0.5 to +3, #-2 of match-2")
    '−0.5 to +3, #−2 of match-2'
    """
    return _HYPHEN.sub("−", text)


def ordinal(number: int) -> str:
    """Write a place.

    >>> [ordinal(number) for number in (1, 2, 3, 4, 11, 12, 13, 21, 102, 111)]
    ['1st', '2nd', '3rd', '4th', '11th', '12th', '13th', '21st', '102nd', '111th']
    """
    last = 0 if number // 10 % 10 == 1 else number % 10
    return f"{number}{({1: 'st', 2: 'nd', 3: 'rd'}).get(last, 'th')}"


def told_interval(low: float, high: float, digits: int = 1) -> str:
    """Write a 95% interval, one of whose ends may be infinite: results can't bound it yet.

    >>> told_interval(-12.34, 5), told_interval(-math.inf, -94.2), told_interval(94.2, math.inf)
    ('-12.3 to +5.0', 'at most -94.2, no lower bound yet', 'at least +94.2, no upper bound yet')
    >>> told_interval(-math.inf, math.inf)
    'unknown yet'
    """
    least, most = (f"{end:+z.{digits}f}" for end in (low, high))
    if math.isfinite(low) and math.isfinite(high):
        return f"{least} to {most}"
    if math.isfinite(low):
        return f"at least {least}, no upper bound yet"
    return f"at most {most}, no lower bound yet" if math.isfinite(high) else "unknown yet"


def spaced_units(text: str) -> str:
    r"""Write spans for people, with a space that does not break (U+00A0) before each unit.

    >>> spaced_units("50ms"), spaced_units("10+0.1")
    ('50\xa0ms', '10+0.1')
    """
    return re.sub(r"(?<=\d)(?=[a-z])", "\u00a0", text)


def short_time(nanoseconds: int) -> str:
    """Format a measured time: 12 µs, 4.2 ms, 1.25 s, 90 min."""
    if nanoseconds < 999_500:
        return f"{nanoseconds / 1e3:.0f} µs"
    if nanoseconds < 999_950_000:
        return f"{nanoseconds / 1e6:.1f} ms"
    if nanoseconds < 600e9:
        return f"{nanoseconds / 1e9:.2f} s"
    return f"{nanoseconds / 60e9:.0f} min"


def measured(seconds: float | None) -> str:
    """Format seconds as `short_time` does: below 0 for what is missing, a dash if unknown."""
    if seconds is None:
        return "–"
    return f"{'−' if seconds < 0 else ''}{short_time(round(abs(seconds) * 1e9))}"


def clock_time(seconds: float, *, is_running: bool = False) -> str:
    """Format a clock reading: 1:02:03, 5:07, or below a minute 9.85 s, 0:09 while `is_running`."""
    if seconds < 60 and not is_running:
        return f"{int(seconds * 100) / 100:.2f} s"
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def exact_span(seconds: float) -> str:
    """Write how long something takes, to the second below an hour: 45 s, 3 min 20 s, 2 h 5 min."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


def rough_span(seconds: float) -> str:
    """Write an estimate without more digits than are known: 40 s, 12 min, 3 h 20 min, 15 h."""
    if seconds < 55:
        return f"{math.ceil(seconds / 5) * 5} s"
    minutes = math.ceil(seconds / 60)
    if minutes < 60:
        return f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours < 10 else f"{hours} h"


def age(seconds: float) -> str:
    """Write how long ago something was, in its largest unit.

    >>> age(0.4), age(75), age(7200), age(200_000)
    ('0 s', '1 min', '2 h', '2 d')
    """
    seconds = max(0.0, seconds)
    for unit, name in ((86_400, "d"), (3600, "h"), (60, "min")):
        if seconds >= unit:
            return f"{seconds // unit:.0f} {name}"
    return f"{seconds:.0f} s"


def short_count(count: int) -> str:
    """Format a count: 950, 12.3k, 456.0k, 7.8M."""
    if count < 10_000:
        return str(count)
    value, power = count / 1000, 0
    while value >= 999.95 and power < 5:
        value, power = value / 1000, power + 1
    return f"{value:.1f}{'kMGTPE'[power]}"


def short_bytes(size: int) -> str:
    """Write a size of files or memory, in powers of 1024.

    >>> [short_bytes(size) for size in (800, 12_345, 20 << 20, 5_000_000_000)]
    ['800 bytes', '12 kB', '20 MB', '4.7 GB']
    """
    for unit, name in ((30, "GB"), (20, "MB")):
        if size >= 1 << unit:
            return f"{size / (1 << unit):.1f}".removesuffix(".0") + f" {name}"
    return f"{size / 1024:.0f} kB" if size >= 1024 else f"{size} bytes"


def short_value(value: float) -> str:
    """Format the value of a position, or a bound on it, which may be infinite.

    >>> short_value(-1.5), short_value(math.inf), short_value(-math.inf)
    ('−1.5', '∞', '−∞')
    """
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    return true_minus(f"{value + 0:.6g}")


def short_score(score: float | None) -> str:
    """Format a score, or a difference, with its sign; '' for None."""
    return "" if score is None else true_minus(f"{score:+.6g}") if score else "0"


def exact_number(value: float) -> str:
    """Write a sum of points with at most two decimals, without losing digits before them.

    >>> exact_number(12398.25), exact_number(9554.5), exact_number(3.0), exact_number(2 / 3)
    ('12398.25', '9554.5', '3', '0.67')
    """
    return f"{value:.2f}".rstrip("0").rstrip(".")


def half_points(points: float) -> str:
    """Write points with a half sign, as in '1½'.

    >>> half_points(0.5), half_points(3.0)
    ('½', '3')
    """
    whole, rest = divmod(points, 1)
    if rest == 0.5:
        return f"{whole:.0f}½" if whole else "½"
    return exact_number(points)
