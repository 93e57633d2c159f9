"""Seat order in the first match of an encounter; the others rotate from there."""

from collections.abc import Iterable


def seated(group: Iterable[int], stage: int) -> tuple[int, ...]:
    """Return a group's positions in seat order.

    For two, the lower position is first if their sum is odd, as in the Berger tables, and second in
    every other stage: against all others, each entrant is first as often as second, or once more.
    The order does not depend on the number of entrants, so a bot that joins changes no encounter of
    the others.
    """
    order = tuple(sorted(group))
    turn = (sum(order) + 1 + stage) % len(order)
    return order[turn:] + order[:turn]
