"""How much of its clock a bot should take for a move, where it heeds one move's time alone."""

from league.seats.seat import MoveBudget

MOVES_LEFT = 25
"""A match is paced as if so many moves of the seat were to come, however many there were."""

INCREMENT_SHARE = 0.8
MOST = 0.5
"""No move takes more than this share of what is left."""


def move_time_s(budget: MoveBudget) -> float | None:
    """Return the seconds that a move should take; None where time is free."""
    limit = budget.limit_s
    if limit is None or not budget.left_s:
        return limit
    left = budget.left_s[budget.seat]
    moves = min(budget.moves_to_go or MOVES_LEFT, MOVES_LEFT)
    share = left / moves + INCREMENT_SHARE * budget.increments_s[budget.seat]
    return min(limit, share, MOST * left)
