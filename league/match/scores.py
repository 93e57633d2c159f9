"""League points of a match: what a seat gets for how it stands to the other sides."""

from collections.abc import Sequence


def scores_of(placing: Sequence[float], sides: Sequence[int]) -> tuple[float, ...]:
    """Return points by seat, 0 to 1: the share of other sides' seats beaten, ties counting half.

    `placing` has a number for each seat, more being better (`games.State.placing`).
    """
    scores = []
    for seat, mine in enumerate(placing):
        others = [theirs for other, theirs in enumerate(placing) if sides[other] != sides[seat]]
        points = sum(1.0 if mine > theirs else 0.5 if mine == theirs else 0.0 for theirs in others)
        scores.append(points / len(others) if others else 1.0)
    return tuple(scores)


def scores_without(seat: int, sides: Sequence[int]) -> tuple[float, ...]:
    """Return points by seat when `seat` lost by a fault: its side nothing, the others all."""
    return tuple(0.0 if side == sides[seat] else 1.0 for side in sides)
