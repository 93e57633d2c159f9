"""Pacman's positions in a line: the maze, the seat to move, score, round and each seat's place."""

from dataclasses import dataclass

from games.pacman.mazes import CAPSULE, FLOOR, FOOD, WALL, Maze
from games.support.errors import PositionError, brief

HEADINGS = "neswx"
"""The signs of the headings: the directions, and none."""

_FLOOR = "_"


@dataclass(frozen=True, slots=True)
class MazeCell:
    """One seat's cell, its heading, and for how many of its moves it is scared."""

    cell: int
    heading: int
    scared: int = 0


@dataclass(frozen=True, slots=True)
class Placed:
    """A position as it is written; `places` are by seat."""

    food: int
    capsules: int
    to_move: int
    score: int
    round: int
    places: tuple[MazeCell, ...]


def write_position(maze: Maze, placed: Placed) -> str:
    """Write `%%%/%._/… 0 -3 12 5,7,w 3,4,n,38`: rows and columns count from 0 at the top left."""
    signs = [WALL if wall else _FLOOR for wall in maze.walls]
    for cell in range(len(signs)):
        if placed.food >> cell & 1:
            signs[cell] = FOOD
        elif placed.capsules >> cell & 1:
            signs[cell] = CAPSULE
    rows = ["".join(signs[at : at + maze.width]) for at in range(0, len(signs), maze.width)]
    numbers = (placed.to_move, placed.score, placed.round)
    return " ".join(
        ["/".join(rows), *map(str, numbers), *(_write(maze, each) for each in placed.places)]
    )


def _write(maze: Maze, place: MazeCell) -> str:
    row, column = divmod(place.cell, maze.width)
    scared = f",{place.scared}" if place.scared else ""
    return f"{row},{column},{HEADINGS[place.heading]}{scared}"


def read_position(maze: Maze, text: str, seats: int) -> Placed:
    """Read the output of `write_position`; raise `PositionError` with the wrong part."""
    board, *words = text.split() or [""]
    signs = "".join(board.split("/")).replace(_FLOOR, FLOOR)
    walls = tuple(sign == WALL for sign in signs)
    if walls != maze.walls or set(signs) - {WALL, FOOD, CAPSULE, FLOOR}:
        raise PositionError(
            f"board {brief(board)}: expected the walls (%) of layout {maze.name!r}, with food (.), "
            f"capsules (o) and floor (_) between, rows separated by /"
        )
    if len(words) != 3 + seats:
        raise PositionError(
            f"position {brief(text[len(board) :])}: expected, after the board, the seat to move, "
            f"the score, the round and {seats} places, got {len(words)} words"
        )
    to_move, score, played = (_number(word) for word in words[:3])
    if not 0 <= to_move < seats or played < 0:
        raise PositionError(
            f"{brief(' '.join(words[:3]))}: expected a seat below {seats}, a score, and a round "
            "from 0"
        )
    food, capsules = (_bits(signs, sign) for sign in (FOOD, CAPSULE))
    if not food:
        raise PositionError(f"board {brief(board)}: no food (.) is left, so nobody is to move")
    places = tuple(_read(maze, word) for word in words[3:])
    return Placed(food, capsules, to_move, score, played, places)


def _bits(signs: str, wanted: str) -> int:
    return sum(1 << cell for cell, sign in enumerate(signs) if sign == wanted)


def _read(maze: Maze, word: str) -> MazeCell:
    parts = word.split(",")
    if len(parts) not in (3, 4) or parts[2] not in tuple(HEADINGS):
        raise PositionError(f"place {brief(word)}: expected row,column,heading of n, e, s, w or x")
    row, column, scared = (_number(each) for each in (*parts[:2], *(parts[3:] or ["0"])))
    is_inside = 0 <= row < maze.height and 0 <= column < maze.width and scared >= 0
    if not is_inside or maze.walls[row * maze.width + column]:
        raise PositionError(f"place {brief(word)}: no floor of layout {maze.name!r} is there")
    return MazeCell(row * maze.width + column, HEADINGS.index(parts[2]), scared)


def _number(word: str) -> int:
    digits = word.removeprefix("-")
    # Few digits only: Python refuses to convert a text of thousands.
    if not (digits.isascii() and digits.isdigit() and len(digits) < 8):
        raise PositionError(f"{brief(word)}: expected a whole number")
    return int(word)
