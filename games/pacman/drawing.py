"""Draw a maze with Pacman and the ghosts as an SVG document."""

from collections.abc import Sequence

from games.pacman.mazes import Maze
from games.support.drawing import document, piece
from games.support.look import WHITE, Look

_CELL = 20
_HALF = _CELL // 2
_STYLE = """
.floor { fill: #f4f1ea }
.wall { stroke: #3556a8; stroke-width: 8; stroke-linecap: round; fill: none }
.food { fill: #8a6a24 }
.pacman { fill: #f2b705; stroke: #7a5c00; stroke-width: 1 }
.ghost { stroke: #24292f; stroke-width: 1 }
.ghost1 { fill: #d83a34 } .ghost2 { fill: #2a9d8f } .ghost3 { fill: #e08a3c }
.ghost4 { fill: #b05fb8 } .ghost5 { fill: #6a994e } .ghost0 { fill: #bc6c8f }
.scared { fill: #3b5bdb }
.eye { fill: #fff } .pupil { fill: #10131a }
.number { font: bold 8px sans-serif; fill: #fff }
@media (prefers-color-scheme: dark) {
  .floor { fill: #0d1117 }
  .wall { stroke: #4c78d8 }
  .food { fill: #f0d9a8 }
}
"""
_FLOOR = "#10131a"
GHOST_COLOURS = ("red", "teal", "orange", "purple", "green", "pink")
"""The colours of the ghosts in order, by name; with more ghosts they start again."""

_GHOSTS = ("#ff6b63", "#3fd0bf", "#f5a14e", "#d988e0", "#93cf6c", "#f09cc0")
LOOK = Look(
    {
        **{"%": ("█", "#3b5bdb"), "P": ("●", "#ffd43b"), ".": ("·", WHITE), "o": ("•", WHITE)},
        **{str(number): (str(number), colour) for number, colour in enumerate(_GHOSTS, 1)},
    },
    light=_FLOOR,
    dark=_FLOOR,
)
_TURNS = (270, 0, 90, 180, 0)


def draw_maze(
    maze: Maze,
    title: str,
    pacman: tuple[int, int],
    ghosts: Sequence[tuple[int, int, int]],
    food: int,
    capsules: int,
) -> str:
    """Draw the maze; `pacman` is his cell and heading, `ghosts` also have their scared time.

    Ghosts carry their seat number, so that nobody has to tell them apart by colour.
    """
    width, height = maze.width * _CELL, maze.height * _CELL
    body = [f'<rect class="floor" width="{width}" height="{height}"/>']
    body.append(f'<path class="wall" d="{_walls(maze)}"/>')
    for cell in range(len(maze.walls)):
        x, y = middle_of(maze, cell)
        if food >> cell & 1:
            body.append(f'<circle class="food" cx="{x}" cy="{y}" r="2"/>')
        elif capsules >> cell & 1:
            body.append(f'<circle class="food" cx="{x}" cy="{y}" r="6"/>')
    turn = f"rotate({_TURNS[pacman[1]]})"
    drawn = f'<path class="pacman" transform="{turn}" d="M0 0L7 -5A8.6 8.6 0 1 0 7 5Z"/>'
    body.append(piece(*middle_of(maze, pacman[0]), "", drawn))
    for seat, (cell, _, scared) in enumerate(ghosts, 1):
        body.append(_ghost(*middle_of(maze, cell), seat, bool(scared)))
    return document(title, (0, width, height), body, style=_STYLE, cell=_CELL)


def middle_of(maze: Maze, cell: int) -> tuple[int, int]:
    """Return the middle of a cell in the drawing."""
    return cell % maze.width * _CELL + _HALF, cell // maze.width * _CELL + _HALF


def _walls(maze: Maze) -> str:
    """Return strokes between neighbouring wall cells; an isolated one is a dot."""
    strokes = []
    for cell, is_wall in enumerate(maze.walls):
        if not is_wall:
            continue
        x, y = middle_of(maze, cell)
        right = cell % maze.width + 1 < maze.width and maze.walls[cell + 1]
        below = cell + maze.width < len(maze.walls) and maze.walls[cell + maze.width]
        strokes.append(f"M{x} {y}h{_CELL if right else 0}")
        if below:
            strokes.append(f"M{x} {y}v{_CELL}")
    return "".join(strokes)


def _ghost(x: int, y: int, seat: int, is_scared: bool) -> str:
    kind = "scared" if is_scared else f"ghost{seat % 6}"
    shape = "M-8 8V-1A8 8 0 0 1 8 -1V8L5 5L2.5 8L0 5L-2.5 8L-5 5Z"
    eyes = "".join(
        f'<circle class="eye" cx="{side}" cy="-3" r="2.4"/>'
        f'<circle class="pupil" cx="{side}" cy="-3" r="1.1"/>'
        for side in (-3, 3)
    )
    number = f'<text class="number" y="5.5">{seat}</text>'
    body = f'<path class="ghost {kind}" d="{shape}"/>'
    return piece(x, y, "", f"{body}{eyes}{number}")
