"""Time management for bots that only obey a time per move."""

from league.seats.seat import MoveBudget

MOVES_LEFT = 25
"""Pace the match as if this many moves of the seat remained at any point."""

INCREMENT_SHARE = 0.8
MOST = 0.5
"""No move takes more than this share of the remaining time."""


def move_time_s(budget: MoveBudget) -> float | None:
    """Return the seconds that a move should take; None if unlimited."""
    limit = budget.limit_s
    if limit is None or not budget.left_s:
        return limit
    left = budget.left_s[budget.seat]
    moves = min(budget.moves_to_go or MOVES_LEFT, MOVES_LEFT)
    share = left / moves + INCREMENT_SHARE * budget.increments_s[budget.seat]
    return min(limit, share, MOST * left)
