"""Pacman's mazes: parsing and checking of layouts, and distances."""

from collections import deque
from functools import cache

from games.support.errors import PositionError

WALL, FOOD, CAPSULE, PACMAN, GHOST, FLOOR = "%.oPG "
SIGNS = {
    WALL: "wall",
    FOOD: "food",
    CAPSULE: "capsule",
    PACMAN: "Pacman",
    GHOST: "ghost",
    FLOOR: "floor",
}
WIDTH_MAX = 78
HEIGHT_MAX = 60
GHOSTS_MAX = 9

PROJECT = ".lay"
"""The ending of mazes of the projects of CS 188, which number ghosts by column and from below."""


class Maze:
    """A parsed layout.

    A cell is row × `width` + column, from 0 at the top left. `ways` has for each cell the cells to
    the north, east, south and west, -1 for a wall; `distances` the steps between each two cells;
    `food` and `capsules` are bit sets of cells. `ghosts` are in reading order, but in a file of the
    projects by column from the left, and in a column from below.
    """

    def __init__(self, text: str, name: str) -> None:
        rows = _rows(text, name)
        self.text = text
        self.name = name
        self.width, self.height = len(rows[0]), len(rows)
        signs = "".join(rows)
        self.walls = tuple(sign == WALL for sign in signs)
        starts = _cells(signs, PACMAN)
        if len(starts) != 1:
            raise PositionError(f"layout {name!r}: {len(starts)} P in it, expected one Pacman")
        self.start = starts[0]
        self.ghosts = _cells(signs, GHOST)
        if name.endswith(PROJECT):
            by_column = sorted(self.ghosts, key=lambda cell: (cell % self.width, -cell))
            self.ghosts = tuple(by_column)
        if not 1 <= len(self.ghosts) <= GHOSTS_MAX:
            raise PositionError(
                f"layout {name!r}: {len(self.ghosts)} G in it, expected 1 to {GHOSTS_MAX} ghosts"
            )
        self.food = sum(1 << cell for cell in _cells(signs, FOOD))
        self.capsules = sum(1 << cell for cell in _cells(signs, CAPSULE))
        if not self.food:
            raise PositionError(f"layout {name!r}: no food (.) in it")
        self.ways = tuple(self._ways(cell) for cell in range(len(signs)))
        self.distances = tuple(
            () if wall else self._distances(cell) for cell, wall in enumerate(self.walls)
        )
        for cell in _cells(signs, FOOD):
            if self.distances[self.start][cell] < 0:
                raise PositionError(f"{self.place(cell)}: Pacman can't get to this food")
        self.longest = max(max(row) for row in self.distances if row)

    def place(self, cell: int) -> str:
        """Name a cell's place in the text."""
        return _place(self.name, cell // self.width, cell % self.width)

    def __reduce__(self) -> tuple[object, tuple[str, str]]:
        return maze_of, (self.text, self.name)

    def _ways(self, cell: int) -> tuple[int, int, int, int]:
        if self.walls[cell]:
            return (-1, -1, -1, -1)
        steps = (-self.width, 1, self.width, -1)
        north, east, south, west = (
            -1 if self.walls[cell + step] else cell + step for step in steps
        )
        return (north, east, south, west)

    def _distances(self, start: int) -> tuple[int, ...]:
        found = [-1] * len(self.walls)
        found[start] = 0
        edge = deque([start])
        while edge:
            cell = edge.popleft()
            for other in self.ways[cell]:
                if other >= 0 and found[other] < 0:
                    found[other] = found[cell] + 1
                    edge.append(other)
        return tuple(found)


@cache
def maze_of(text: str, name: str) -> Maze:
    """Return the shared maze of that text; raise `PositionError` with the line."""
    return Maze(text, name)


def _cells(signs: str, wanted: str) -> tuple[int, ...]:
    return tuple(cell for cell, sign in enumerate(signs) if sign == wanted)


def _place(name: str, row: int, column: int) -> str:
    return f"layout {name!r} line {row + 1} column {column + 1}"


def _rows(text: str, name: str) -> list[str]:
    """Return the lines; check signs, equal lengths and walls all around."""
    rows = [line.rstrip("\r") for line in text.rstrip().split("\n")]
    width = len(rows[0].rstrip())
    # Some files of mazes have blanks after the last wall.
    rows = [row.rstrip() if len(row) > width else row for row in rows]
    if not (3 <= width <= WIDTH_MAX and 3 <= len(rows) <= HEIGHT_MAX):
        raise PositionError(
            f"layout {name!r} is {width} wide and {len(rows)} high: "
            f"expected 3 to {WIDTH_MAX} and 3 to {HEIGHT_MAX}"
        )
    known = ", ".join(f"{sign!r} {meaning}" for sign, meaning in SIGNS.items())
    for row, line in enumerate(rows):
        for column, sign in enumerate(line):
            if sign not in SIGNS:
                raise PositionError(
                    f"{_place(name, row, column)}: {sign!r} is no sign (known: {known})"
                )
        if len(line) != width:
            raise PositionError(
                f"layout {name!r} line {row + 1}: {len(line)} signs, the first line has {width}"
            )
        ends = range(width) if row in (0, len(rows) - 1) else (0, width - 1)
        for column in ends:
            if line[column] != WALL:
                raise PositionError(
                    f"{_place(name, row, column)}: {line[column]!r} at the edge, "
                    "expected a wall (%)"
                )
    return rows
