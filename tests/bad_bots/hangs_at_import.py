"""Never comes to its first function."""

import time

time.sleep(3600)


def choose(state: object, clock: object) -> object:
    """Never be reached."""
    return 0
