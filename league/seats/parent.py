"""Processes that end with their parent."""

import ctypes
import os
import signal

_PR_SET_PDEATHSIG = 1


def die_with(parent: int) -> None:
    """Have the kernel end this process when its parent ends, however that ends.

    `parent` is the number the parent had when it started this process; it may be gone already.
    Linux alone has this; elsewhere a bot notices the end of its pipe.
    """
    try:
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    except (OSError, AttributeError):
        return
    if os.getppid() != parent:
        os._exit(1)
