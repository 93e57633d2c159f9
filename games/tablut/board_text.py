"""Tablut boards in a line: rows from the top, `K`, `W` and `B`, empty squares counted."""

import re
from collections.abc import Sequence

from games.support.errors import PositionError, brief
from games.tablut.board import CAMPS, CELLS, SIZE, THRONE, WHITES

_RUN = re.compile(r"[1-9]|.")
_EMPTY = re.compile(r"[^KWB]+")


def write_pieces(rows: Sequence[str]) -> str:
    """Write `State.cells`: `3BBB3/4B4/4W4/B3W3B/BBWWKWWBB/B3W3B/4W4/4B4/3BBB3`."""
    return "/".join(_EMPTY.sub(lambda run: str(len(run[0])), row) for row in rows)


def read_pieces(text: str) -> tuple[int, int, int]:
    """Return the sets of White's soldiers and of Black's, and the king's square.

    Raises `PositionError` for what is no board, or one that the first position can't lead to.
    """
    rows = text.split("/")
    if len(rows) != SIZE:
        raise PositionError(f"board {brief(text)}: expected {SIZE} rows, here are {len(rows)}")
    signs = ""
    for row in rows:
        found = "".join("." * int(run) if run in "123456789" else run for run in _RUN.findall(row))
        if len(found) != SIZE or set(found) - set("KWB."):
            raise PositionError(
                f"board row {brief(row)}: expected {SIZE} squares of K, W, B or numbers"
            )
        signs += found
    sets = {
        sign: sum(1 << square for square in range(CELLS) if signs[square] == sign) for sign in "KWB"
    }
    faults = (
        (signs.count("K") != 1, "expected one king (K)"),
        (sets["W"].bit_count() > WHITES.bit_count(), f"more than {WHITES.bit_count()} W"),
        (sets["B"].bit_count() > CAMPS.bit_count(), f"more than {CAMPS.bit_count()} B"),
        (THRONE & (sets["W"] | sets["B"]), "only the king (K) may stand on the throne, e5"),
        (CAMPS & (sets["W"] | sets["K"]), "only B may stand on a camp"),
    )
    for is_broken, told in faults:
        if is_broken:
            raise PositionError(f"board {brief(text)}: {told}")
    return sets["W"], sets["B"], sets["K"].bit_length() - 1
