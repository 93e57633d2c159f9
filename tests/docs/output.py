"""Compares what a command printed with the output that a page shows.

Three dots alone on a line stand for any lines, and within a line for any text.
"""

import difflib
import re

_DOTS = re.compile(r" *(?<!\.)\.\.\.(?!\.) *")
"""The blanks beside dots belong to them: a column of a table keeps its width on the page."""


def difference(shown: str, printed: str) -> str:
    """Return a diff from the page's output to the real one, '' where they agree."""
    wanted, found = _lines(shown), _lines(printed)
    if re.fullmatch("".join(map(_pattern, wanted)), "".join(f"{line}\n" for line in found)):
        return ""
    # The lines that a wildcard accounts for are no difference.
    for index, line in enumerate(wanted):
        equal = [each for each in found if re.fullmatch(_pattern(line), f"{each}\n")]
        if line.strip() != "..." and equal:
            wanted[index] = equal[0]
    return "\n".join(difflib.unified_diff(wanted, found, "page", "printed", lineterm="", n=99))


def _lines(text: str) -> list[str]:
    """Return the lines without blanks at their ends, and without empty ones around them."""
    return [line.rstrip() for line in text.rstrip().strip("\n").splitlines()]


def _pattern(line: str) -> str:
    if line.strip() == "...":
        return r"(?:.*\n)*?"
    return ".*?".join(re.escape(part) for part in _DOTS.split(line)) + r"\n"
