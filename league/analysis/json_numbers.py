"""Figures as JSON holds them."""

import math


def finite(number: float | None, digits: int = 2) -> float | None:
    """Return a number rounded; None, which is null in JSON, for an infinite or a missing one."""
    return None if number is None or not math.isfinite(number) else round(number, digits)
