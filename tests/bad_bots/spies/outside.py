"""Searches beyond a bot's process: other processes, files, and the league's own seeds."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import luck  # type: ignore[import-not-found]  # beside it
from inside import memory  # type: ignore[import-not-found]  # beside it
from published import SCRATCH  # type: ignore[import-not-found]  # beside it

SHARED = Path("/dev/shm")  # noqa: S108 (where programs share memory)
_PARENT = re.compile(r"^PPid:\s*(\d+)", re.MULTILINE)


def _relatives() -> list[str]:
    """List the worker, its other bots, and all that these have started."""
    parents = {}
    for entry in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            found = _PARENT.search((entry / "status").read_text())
            parents[int(entry.name)] = int(found[1]) if found else 0
    family = {os.getppid()}
    while more := {each for each, parent in parents.items() if parent in family} - family:
        family |= more
    return [str(each) for each in family - {os.getpid()}]


def processes() -> Iterator[bytes]:
    """Yield what other processes were started with, and what they have open."""
    for process in _relatives():
        for name in ("environ", "cmdline", "maps"):
            with suppress(OSError):
                yield Path(f"/proc/{process}/{name}").read_bytes()
        with suppress(OSError):
            for entry in Path(f"/proc/{process}/fd").iterdir():
                yield str(entry.readlink()).encode()
                if entry.is_file():
                    yield entry.read_bytes()


def memories() -> Iterator[bytes]:
    """Yield the memory of other bots: the worker's has all tokens, also those that nobody got."""
    for process in set(_relatives()) - {str(os.getppid())}:
        with suppress(OSError):
            yield from memory(process)


def shared(mark: str) -> Iterator[bytes]:
    """Yield shared memory and the names of sockets, those of this run alone."""
    for path in SHARED.glob(f"{mark}*"):
        yield path.read_bytes()
    for line in Path("/proc/net/unix").read_bytes().splitlines():
        if mark.encode() in line:
            yield line


def temporary_files(folder: Path) -> Iterator[bytes]:
    """Yield the temporary files of all bots that can be found."""
    for place in {folder / SCRATCH, Path(os.environ["TMPDIR"])}:
        for path in place.rglob("*"):
            if path.is_file():
                yield path.read_bytes()


def seeds(folder: Path) -> Iterator[bytes]:
    """Yield what luck brings, computed from the seeds in the league's database."""
    told = [sys.executable, luck.__file__, str(folder / "league.db")]
    yield subprocess.run(told, capture_output=True, check=True).stdout
