"""Compact storage of many boards: the drawings of a match share nearly all their lines."""

from collections.abc import Iterable, Sequence


def pack(drawings: Iterable[str]) -> tuple[list[str], list[list[int]]]:
    """Return the lines that occur in any drawing, and each drawing as places in that list."""
    places: dict[str, int] = {}
    boards = [
        [places.setdefault(line, len(places)) for line in drawing.split("\n")]
        for drawing in drawings
    ]
    return list(places), boards


def packed(drawings: Iterable[str]) -> dict[str, list[str] | list[list[int]]]:
    """Return the lines and the boards for the function `unpacked` of `drawn_board.js`."""
    lines, boards = pack(drawings)
    return {"lines": lines, "boards": [_runs(board) for board in boards]}


def _runs(board: Sequence[int]) -> list[int]:
    """Shorten a list of lines: -n after a line stands for the n lines that follow it."""
    runs: list[int] = []
    before = None
    for line in board:
        if before is None or line != before + 1:
            runs.append(line)
        elif runs[-1] < 0:
            runs[-1] -= 1
        else:
            runs.append(-1)
        before = line
    return runs
