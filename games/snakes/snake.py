"""A snake, what a turn does to snakes, and the text that tells a turn."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Self

Point = tuple[int, int]
"""A square as x and y, counted from 0 at the bottom left."""

HEALTH = 100
"""The health of a snake at the start, and after a meal."""

LENGTH = 3
"""The length of a snake at the start, when all of it is on one square."""

STEPS = ((0, 1), (0, -1), (-1, 0), (1, 0))
"""The steps of the moves up, down, left and right."""

HUNGER, WALL, ITSELF, BODY, HEAD = "hunger", "wall", "itself", "body", "head"
"""What takes a snake out: no health, the edge, its own body, another's, or another's head."""


class Snake(NamedTuple):
    """A snake, its `body` from head to tail; once it is out, that is empty.

    `cause` says what took it out, in the turn `out`; '' and 0 while it lives.
    """

    body: tuple[Point, ...]
    health: int = HEALTH
    cause: str = ""
    out: int = 0

    @property
    def head(self) -> Point:
        """The square of its head."""
        return self.body[0]

    def moved(self, move: int, food: Sequence[Point]) -> Self:
        """Return the snake after a step, which makes it hungrier unless it ends on `food`.

        Whether it survives the step is another question: see `causes_of`.
        """
        (x, y), (right, up) = self.head, STEPS[move]
        head = (x + right, y + up)
        body = (head, *self.body[:-1])
        if head in food:
            # The new part lies on the tail, and shows when the snake moves on.
            return self._replace(body=(*body, body[-1]), health=HEALTH)
        return self._replace(body=body, health=self.health - 1)


def causes_of(snakes: Mapping[int, Snake], width: int, height: int) -> dict[int, str]:
    """Return what takes snakes out after all have moved, by seat; `snakes` are those alive before.

    Snakes that starve or leave the board do not stop others. All others die at the same time, so
    that two snakes can take each other out.
    """
    causes = {}
    for seat, snake in snakes.items():
        x, y = snake.head
        if snake.health <= 0:
            causes[seat] = HUNGER
        elif not (0 <= x < width and 0 <= y < height):
            causes[seat] = WALL
    there = {seat: snake for seat, snake in snakes.items() if seat not in causes}
    for seat, snake in there.items():
        others = [other for number, other in there.items() if number != seat]
        if snake.head in snake.body[1:]:
            causes[seat] = ITSELF
        elif any(snake.head in other.body[1:] for other in others):
            causes[seat] = BODY
        elif any(
            snake.head == other.head and len(snake.body) <= len(other.body) for other in others
        ):
            causes[seat] = HEAD
    return causes


def write_point(point: Point) -> str:
    """Write a square as `3,10`: x and y."""
    return f"{point[0]},{point[1]}"


def read_point(text: str) -> Point:
    """Read the output of `write_point`."""
    x, y = text.split(",")
    return int(x), int(y)


def write_turn(
    turn: int, food: Sequence[Point], snakes: Sequence[Snake], names: Sequence[str]
) -> str:
    """Write a position: `turn 7; food 3,10 5,5; Blue 93 4,4 4,3 4,2; Orange wall 6`.

    A living snake has its health and its body from head to tail, one that is out the cause and the
    turn.
    """
    parts = [f"turn {turn}", " ".join(["food", *map(write_point, food)])]
    for name, snake in zip(names, snakes, strict=True):
        told = [snake.health, *map(write_point, snake.body)] if snake.body else snake[2:]
        parts.append(" ".join(map(str, [name, *told])))
    return "; ".join(parts)


def read_turn(text: str) -> tuple[int, tuple[Point, ...], tuple[Snake, ...]]:
    """Return the turn, the food and the snakes from the output of `write_turn`."""
    turn, food, *told = (part.split(" ")[1:] for part in text.split("; "))
    return int(turn[0]), tuple(map(read_point, food)), tuple(map(_read_snake, told))


def _read_snake(words: Sequence[str]) -> Snake:
    if words[0].isdigit():
        return Snake(tuple(map(read_point, words[1:])), int(words[0]))
    return Snake((), 0, words[0], int(words[1]))
