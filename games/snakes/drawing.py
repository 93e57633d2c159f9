"""Draw a board with snakes and food, as text and as an SVG document."""

from collections.abc import Sequence

from games.snakes.snake import Point, Snake
from games.support.drawing import document, piece
from games.support.look import Look

FREE, FOOD = ".", "*"

_CELL = 30
_COLOURS = (
    ("#1f6fd1", "#5aa2f5"),
    ("#c4570f", "#f0883e"),
    ("#26803b", "#57c46f"),
    ("#7d4cc2", "#b48cf2"),
    ("#0f7c80", "#3cc4c8"),
    ("#c23c86", "#f27cb9"),
    ("#c92f2f", "#f47067"),
    ("#8f6a00", "#e3b341"),
)
"""The colours of the snakes on a light and on a dark page."""

_STYLE = "\n".join(
    [
        "",
        ".ground { fill: #f3f4f6 }",
        ".rule { stroke: #d8dce1; stroke-width: 1; fill: none }",
        ".food { fill: #1f8a4c }",
        ".body { fill: none; stroke-width: 18; stroke-linecap: round; stroke-linejoin: round }",
        ".seat { font: bold 13px sans-serif; fill: #fff }",
        *(f".s{seat} {{ stroke: {light} }}" for seat, (light, _) in enumerate(_COLOURS)),
        *(f".h{seat} {{ fill: {light} }}" for seat, (light, _) in enumerate(_COLOURS)),
        "@media (prefers-color-scheme: dark) {",
        "  .ground { fill: #14181d }",
        "  .rule { stroke: #2a3038 }",
        "  .food { fill: #6fdd8b }",
        "  .seat { fill: #10131a }",
        *(f"  .s{seat} {{ stroke: {dark} }}" for seat, (_, dark) in enumerate(_COLOURS)),
        *(f"  .h{seat} {{ fill: {dark} }}" for seat, (_, dark) in enumerate(_COLOURS)),
        "}",
        "",
    ]
)
LOOK = Look(
    {
        FREE: ("·", ""),
        FOOD: ("●", "#57ab5a"),
        **{str(seat): (str(seat), dark) for seat, (_, dark) in enumerate(_COLOURS)},
        **{"abcdefgh"[seat]: ("■", dark) for seat, (_, dark) in enumerate(_COLOURS)},
    }
)


def cells_of(
    width: int, height: int, snakes: Sequence[Snake], food: Sequence[Point]
) -> tuple[str, ...]:
    """Return the rows from the top: a head is the digit of its seat, a body its letter."""
    rows = [[FREE] * width for _ in range(height)]
    for x, y in food:
        rows[y][x] = FOOD
    for seat, snake in enumerate(snakes):
        for x, y in snake.body[1:]:
            rows[y][x] = "abcdefgh"[seat]
    for seat, snake in enumerate(snakes):
        if snake.body:
            x, y = snake.head
            rows[y][x] = str(seat)
    return tuple("".join(row) for row in reversed(rows))


def draw_text(cells: Sequence[str], lines: Sequence[str]) -> str:
    """Draw the rows with y on the left and x below, and `lines` below those."""
    height, width = len(cells), len(cells[0])
    rows = [f"{height - 1 - row:>2} {' '.join(cell)}" for row, cell in enumerate(cells)]
    feet = "   " + " ".join(str(x % 10) for x in range(width))
    return "\n".join([*rows, feet, *lines])


def draw_board(
    title: str, width: int, height: int, snakes: Sequence[Snake], food: Sequence[Point]
) -> str:
    """Draw the board; heads carry their seat, so that nobody has to tell them apart by colour."""
    wide, high = width * _CELL, height * _CELL
    lines = [f"M{x * _CELL} 0V{high}" for x in range(1, width)]
    lines += [f"M0 {y * _CELL}H{wide}" for y in range(1, height)]
    body = [
        f'<rect class="ground" width="{wide}" height="{high}"/>',
        f'<path class="rule" d="{"".join(lines)}"/>',
    ]
    for point in food:
        x, y = _middle_of(point, height)
        body.append(f'<circle class="food" cx="{x}" cy="{y}" r="7"/>')
    living = [(seat, snake.body) for seat, snake in enumerate(snakes) if snake.body]
    for seat, parts in living:
        path = "L".join("{} {}".format(*_middle_of(part, height)) for part in parts)
        body.append(f'<path class="body s{seat}" d="M{path}"/>')
    for seat, parts in living:
        head = f'<circle class="h{seat}" r="13"/><text class="seat" y="5">{seat}</text>'
        body.append(piece(*_middle_of(parts[0], height), "", head))
    return document(title, (0, wide, high), body, style=_STYLE, cell=_CELL)


def _middle_of(point: Point, height: int) -> tuple[int, int]:
    """Return the middle of a square in the drawing of a board of so many rows."""
    x, y = point
    return x * _CELL + _CELL // 2, (height - 1 - y) * _CELL + _CELL // 2
