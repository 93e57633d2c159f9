"""Where snakes and food may appear: the standard map of Battlesnake."""

from collections.abc import Iterator, Sequence
from functools import cache

from games.snakes.snake import STEPS, Point

SPAWN_SHARE = 0.14
"""How often food appears that is not needed.

The setting is called 15 %, but the official engine draws a number from 1 to 100 and wants less.
"""

SMALL = 11
"""Square boards below this width have food near the snakes only if there are few of them."""

FEW = 4


def centre_of(width: int, height: int) -> Point:
    """Return the square in the middle, or the one below and left of it."""
    return (width - 1) // 2, (height - 1) // 2


def has_fixed_places(width: int, height: int) -> bool:
    """Whether snakes start at the fixed places, which are for square boards."""
    return width == height


def first_food(width: int, height: int, snakes: int) -> int:
    """Return how much food luck places before the first turn, besides that in the centre."""
    is_crowded = has_fixed_places(width, height) and width < SMALL and snakes > FEW
    return 0 if is_crowded else snakes


def snake_places(width: int, height: int, heads: Sequence[Point]) -> list[Point]:
    """List where the next snake may start, each with the same probability, after those at `heads`.

    On square boards that is one square from the edge: either the corners are taken before the
    middles of the edges, or the other way round. On other boards any square will do whose x and y
    add up to an even number, except for the centre.
    """
    if not has_fixed_places(width, height):
        taken = {*heads, centre_of(width, height)}
        return [
            each for each in _squares(width, height) if sum(each) % 2 == 0 and each not in taken
        ]
    low, middle, high = 1, (width - 1) // 2, width - 2
    corners = [(low, low), (low, high), (high, low), (high, high)]
    middles = [(low, middle), (middle, low), (middle, high), (high, middle)]
    if not heads:
        return [*corners, *middles]
    groups = (corners, middles) if heads[0] in corners else (middles, corners)
    left = ([place for place in group if place not in heads] for group in groups)
    return next(filter(None, left))


def food_places(
    width: int, height: int, heads: Sequence[Point], food: Sequence[Point]
) -> list[Point]:
    """List where the next food may be placed before the first turn, after that in `food`.

    On square boards each snake gets its own, diagonally beside its head and farther from the
    centre, but in no corner. On other boards it is anywhere except beside heads.
    """
    if not has_fixed_places(width, height):
        return free_places(width, height, [(head,) for head in heads], food)
    centre, edges = centre_of(width, height), (0, width - 1)
    x, y = heads[len(food)]
    return [
        (x + right, y + up)
        for right in (-1, 1)
        for up in (-1, 1)
        if (_is_outward(x, right, centre[0]) or _is_outward(y, up, centre[1]))
        and not (x + right in edges and y + up in edges)
        and (x + right, y + up) not in food
    ]


def _is_outward(start: int, step: int, centre: int) -> bool:
    return start != centre and (start > centre) == (step > 0)


def free_places(
    width: int, height: int, bodies: Sequence[Sequence[Point]], food: Sequence[Point]
) -> list[Point]:
    """List the squares for new food: without food or snakes, and not beside a head."""
    taken = {*food, *(part for body in bodies for part in body), *_beside(bodies)}
    return [square for square in _squares(width, height) if square not in taken]


@cache
def _squares(width: int, height: int) -> tuple[Point, ...]:
    return tuple((x, y) for x in range(width) for y in range(height))


def _beside(bodies: Sequence[Sequence[Point]]) -> Iterator[Point]:
    for body in bodies:
        x, y = body[0]
        yield from ((x + right, y + up) for right, up in STEPS)
