"""The place in a bot's code at which it is late, from a dump of its stack.

The dump is written by C code in a signal handler, also while the bot holds the interpreter lock.
"""

import faulthandler
import re
import signal
from collections.abc import Iterable
from pathlib import Path

from games.support.printable import drawable

SIGNAL = signal.SIGUSR1

SAMPLE_S = 0.5
"""The longest wait for the dump of a bot that is late already."""

LINES_MAX = 250
"""The most lines of a dump that are read; it has at most 100 frames of each thread."""

_NAME_MAX = 60

_FRAME = re.compile(rb'  File "([^"]*)", line (\d{1,7}) in ([\w<>.]+)')


def answer_signal(descriptor: int) -> None:
    """Let the signal write the stack of this process, innermost frame first."""
    faulthandler.register(SIGNAL, file=descriptor, all_threads=False)


def place_in(lines: Iterable[bytes], folder: Path) -> str:
    """Return the innermost place in the files of `folder`: '`think`, mine.py line 14'; '' if none.

    The lines come from the bot's process, which may write anything.
    """
    # The dump writes what is not ASCII as escapes.
    start = f"{folder}/".encode("ascii", "backslashreplace")
    for line in lines:
        found = _FRAME.match(line)
        if found is None or not found[1].startswith(start):
            continue
        name = drawable(Path(found[1].decode("ascii", "replace")).name[:_NAME_MAX])
        function = found[3].decode("ascii", "replace")[:_NAME_MAX]
        place = f"{name} line {int(found[2])}"
        return place if function == "<module>" else f"`{function}`, {place}"
    return ""
