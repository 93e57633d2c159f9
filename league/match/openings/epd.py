"""One line of EPD: a position, and what its operations say of the clock and the move number.

Source: the PGN standard, section 16.2.
"""

import re
from dataclasses import dataclass
from itertools import takewhile

from games.support.errors import PositionError, brief

_OPERATION = re.compile(
    r"""\s* (?P<opcode>[A-Za-z]\w*) (?P<operands>(?:\s+ (?:"[^"]*" | [^\s";]+))*) \s* (?:;|$)""",
    re.VERBOSE,
)
_CLOCK, _NUMBER = "hmvc", "fmvn"


@dataclass(frozen=True, slots=True)
class EpdLine:
    """A position as FEN, and all operations with their operands as text, quotes included."""

    fen: str
    operations: dict[str, str]


def read_epd(line: str, pattern: str) -> EpdLine:
    """Read a line; raise `PositionError` for text that is no operation.

    `pattern` is any position of the game. Its trailing numbers, the clock and the move number, may
    be left out: then `hmvc` and `fmvn` give them. The semicolon of the last operation is optional.
    """
    wanted, words = pattern.split(), line.split()
    least = len(wanted)
    while least and wanted[least - 1].isdigit():
        least -= 1
    fields = words[:least]
    numbers = list(takewhile(str.isdigit, words[least : len(wanted)]))
    # The rest of the line as it is written: blanks within quotes stay.
    parts = line.split(maxsplit=least + len(numbers))
    operations = _operations(parts[-1] if len(parts) > least + len(numbers) else "")
    if not numbers and operations.keys() & {_CLOCK, _NUMBER}:
        told = [_count(operations, _CLOCK, "0"), _count(operations, _NUMBER, "1")]
        missing = len(wanted) - least
        numbers = told[len(told) - missing :] if missing else []
    return EpdLine(" ".join([*fields, *numbers]), operations)


def _operations(text: str) -> dict[str, str]:
    found, at = dict[str, str](), 0
    while at < len(text.rstrip()):
        match = _OPERATION.match(text, at)
        if match is None:
            raise PositionError(
                f"{brief(text[at:].strip())} after the position: expected operations of EPD, such "
                "as 'bm e4;'"
            )
        found[match["opcode"]] = match["operands"].strip()
        at = match.end()
    return found


def _count(operations: dict[str, str], opcode: str, usual: str) -> str:
    value = operations.get(opcode, usual)
    if not value.isdecimal():
        raise PositionError(f"{opcode} {brief(value)}: expected a whole number")
    return value
