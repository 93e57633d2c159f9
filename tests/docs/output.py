"""Compares what a command printed with the output that a page shows.

Three dots alone on a line stand for any lines, and within a line for any text. Columns may be wider
or narrower in the lines next to such a line, up to an empty one: the heads of a table move with it.
"""

import difflib
import re
from itertools import groupby

_DOTS = re.compile(r" *(?<!\.)\.\.\.(?!\.) *")
"""The blanks beside dots belong to them: a column of a table keeps its width on the page."""


def difference(shown: str, printed: str) -> str:
    """Return a diff from the page's output to the real one, '' where they agree."""
    wanted, found = _lines(shown), _lines(printed)
    patterns = _patterns(wanted)
    if re.fullmatch("".join(patterns), "".join(f"{line}\n" for line in found)):
        return ""
    # The lines that a wildcard accounts for are no difference.
    for index, (line, pattern) in enumerate(zip(wanted, patterns, strict=True)):
        equal = [each for each in found if re.fullmatch(pattern, f"{each}\n")]
        if line.strip() != "..." and equal:
            wanted[index] = equal[0]
    return "\n".join(difflib.unified_diff(wanted, found, "page", "printed", lineterm="", n=99))


def _lines(text: str) -> list[str]:
    """Return the lines without blanks at their ends, and without empty ones around them."""
    return [line.rstrip() for line in text.rstrip().strip("\n").splitlines()]


def _patterns(lines: list[str]) -> list[str]:
    patterns = []
    for _, group in groupby(lines, key=bool):
        table = list(group)
        gap = "  +" if any(map(_is_open, table)) else ""
        patterns += [_pattern(line, gap) for line in table]
    return patterns


def _is_open(line: str) -> bool:
    return line.strip() != "..." and _DOTS.search(line) is not None


def _pattern(line: str, gap: str) -> str:
    """Return what matches a line; `gap` matches two blanks or more, '' as many as are shown."""
    if line.strip() == "...":
        return r"(?:.*\n)*?"
    exact = ".*?".join(re.escape(part) for part in _DOTS.split(line)) + r"\n"
    return re.sub(r"(?:\\ ){2,}", gap, exact) if gap else exact
