"""The time of day, as the database keeps it."""

import time


def now() -> int:
    """Return the time in whole seconds since 1970, UTC."""
    return int(time.time())


def now_ms() -> int:
    """Return the time in whole milliseconds since 1970, UTC."""
    return time.time_ns() // 1_000_000
