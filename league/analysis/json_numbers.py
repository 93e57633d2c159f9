"""Numbers for JSON."""

import math


def finite(number: float | None, digits: int = 2) -> float | None:
    """Return a rounded number; None, null in JSON, for an infinite or missing one."""
    return None if number is None or not math.isfinite(number) else round(number, digits)
