"""The file of all that is said to engines and by them, by all workers of a run."""

import os
import time
from contextlib import suppress
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path

LOG_MAX = 16 << 30
"""A log grows no larger: an engine that floods its output must not fill the disk."""


class EngineLog:
    """Appends lines to the log; `leader` is the ID of an engine's first process."""

    def __init__(self, path: Path) -> None:
        self._file = _opened(path)

    def write(self, name: str, leader: int | None, sign: str, said: bytes) -> None:
        """Write what was said, a line for each of its lines.

        `sign` is > for what the engine was told, < for what it answered, ! for its standard error.
        """
        now = datetime.fromtimestamp(time.time(), UTC).strftime("%H:%M:%S.%f")
        head = f"{now} {name}[{leader}] {sign} ".encode()
        text = b"".join(head + line + b"\n" for line in said.splitlines())
        with suppress(OSError):
            # Whole lines of several workers don't mix: each write goes to the end of the file.
            if os.fstat(self._file).st_size + len(text) <= LOG_MAX:
                os.write(self._file, text)


@lru_cache(maxsize=2)
def _opened(path: Path) -> int:
    """Open the log once in each process."""
    return os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
