"""How long simulations are: short by default, whole with `SIMULATIONS=whole`."""

import os

IS_WHOLE = os.environ.get("SIMULATIONS") == "whole"


def runs(whole: int, short: int) -> int:
    """Return how many runs to draw."""
    return whole if IS_WHOLE else short
