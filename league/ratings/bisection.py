"""Zeros of rising functions."""

from collections.abc import Callable


def rising_root(
    function: Callable[[float], float], low: float, high: float, *, within: float = 0.0
) -> float:
    """Bisect for the zero of a rising function strictly between `low` and `high`.

    The error is at most `within`, or that of a float.
    """
    for _ in range(200):
        middle = (low + high) / 2
        if middle in (low, high) or high - low < within:
            break
        if function(middle) < 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2
