"""How long tests wait, and for how long bots may: no test may fail because the machine is busy."""

import time
from collections.abc import Callable

PATIENCE_S = 300.0
"""How long a test waits for what must happen."""

ENDLESS_S = 10 * PATIENCE_S
"""A limit that is never reached: a wait that lasts until there fails its test before."""


def wait_until(condition: Callable[[], object], pause_s: float = 0.02) -> None:
    """Return when the condition holds; fail when it does not in time."""
    end = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < end, condition
        time.sleep(pause_s)
