"""Who sits where in the first match of an encounter; the others rotate from there."""

from collections.abc import Iterable


def seated(group: Iterable[int], stage: int) -> tuple[int, ...]:
    """Return the positions of a group in the order of their seats.

    Of two, the lower one is first where the sum of both is odd, as in the Berger tables, and the
    other way round in every second stage: each entrant is first as often as second against all
    others, or once more. It depends on no count of entrants, so that a bot that joins changes no
    encounter of the others.
    """
    order = tuple(sorted(group))
    turn = (sum(order) + 1 + stage) % len(order)
    return order[turn:] + order[:turn]
