"""Searches of a bot's own process: its objects, its frames, its memory and its open files."""

import gc
import os
import re
import select
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

CHUNK = 1 << 20
OVERLAP = 64
"""What two chunks have in common, so that none cuts a token in two."""

_WRITABLE = re.compile(r"([0-9a-f]+)-([0-9a-f]+) rw")


def objects() -> Iterator[bytes]:
    """Yield all texts and bytes that any Python object of the process leads to."""
    # Objects that are frozen are not listed: they are reached from the modules and the frames.
    rest = [sys.modules, sys._current_frames(), threading.enumerate(), *gc.get_objects()]
    seen = {id(rest)}
    while rest:
        each = rest.pop()
        if isinstance(each, str):
            yield each.encode(errors="replace")
        elif isinstance(each, bytes | bytearray | memoryview):
            yield bytes(each)
        for other in gc.get_referents(each):
            if id(other) not in seen:
                seen.add(id(other))
                rest.append(other)


def frames() -> Iterator[bytes]:
    """Yield the variables of all functions that run, up to the first one of each thread."""
    for frame in sys._current_frames().values():
        place = frame
        while place is not None:
            yield repr((place.f_locals, place.f_globals, place.f_code.co_consts)).encode()
            place = place.f_back  # type: ignore[assignment]  # None ends the loop


def memory(process: str = "self") -> Iterator[bytes]:
    """Yield what a process may write in its memory."""
    with Path(f"/proc/{process}/mem").open("rb", 0) as file:
        for found in _WRITABLE.finditer(Path(f"/proc/{process}/maps").read_text()):
            begin, end = int(found[1], 16), int(found[2], 16)
            for place in range(begin, end, CHUNK):
                try:
                    yield os.pread(file.fileno(), CHUNK + OVERLAP, place)
                except OSError:
                    # Some pages belong to the kernel.
                    break


def descriptors() -> Iterator[bytes]:
    """Yield the environment, the command line, and what waits in the open files."""
    for name in ("environ", "cmdline"):
        yield Path(f"/proc/self/{name}").read_bytes()
    for entry in list(Path("/proc/self/fd").iterdir()):
        try:
            yield str(entry.readlink()).encode()
            number = int(entry.name)
            if select.select([number], [], [], 0)[0]:
                yield os.read(number, CHUNK)
        except OSError:
            # The listing's own, and files that are only written.
            continue
