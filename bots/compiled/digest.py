"""A digest of the sources, versions and machine of compiled code, without importing numba."""

import os
import platform
import sys
from collections.abc import Sequence
from dataclasses import fields
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from inspect import isfunction
from pathlib import Path
from typing import Any

import games
from games.kernels import Kernel

CPU_INFO = Path("/proc/cpuinfo")
"""Linux's description of the processors."""

_HERE = Path(__file__).parent
_GAMES = Path(games.__file__).parent
_CPU_TRAITS = ("vendor_id", "cpu family", "model", "flags", "CPU ", "Features")
_SETTINGS = ("NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES")


def digest_of(kernel: Kernel) -> int:
    """Return the digest for a kernel, as of its first use in this process."""
    return _first_digest(sources_of(kernel))


def sources_of(kernel: Kernel) -> tuple[str, ...]:
    """List the source files of a kernel's own functions."""
    parts: list[Any] = [each for each in (kernel, kernel.solving, kernel.deepening) if each]
    found = (getattr(part, field.name) for part in parts for field in fields(part))
    return tuple(sorted({each.__code__.co_filename for each in found if isfunction(each)}))


def digest(sources: Sequence[str]) -> int:
    """Return a number of 62 bits that changes with the sources, the versions and the machine.

    Besides `sources` it covers the loops, and all games, whose tables are compiled in as constants.
    Raises `PackageNotFoundError` if numba is missing, `OSError` if a file can't be read.
    """
    found = sha256("\n".join(platform_now()).encode())
    for path in sorted({*map(Path, sources), *_HERE.glob("*.py"), *_GAMES.rglob("*.py")}):
        found.update(path.read_bytes())
    return int.from_bytes(found.digest()[:8], "big") >> 2


def platform_now() -> tuple[str, ...]:
    """Return what code is compiled with and for: Python, packages, the processor."""
    packages = (version(name) for name in ("numba", "llvmlite", "numpy"))
    settings = (os.environ.get(name, "") for name in _SETTINGS)
    return (sys.version, *packages, *settings, platform.machine(), *_processor())


def _processor() -> list[str]:
    try:
        text = CPU_INFO.read_text()
    except OSError:
        return [platform.processor()]
    # The first processor; the others differ only in their numbers and clock rates.
    return [line for line in text.split("\n\n")[0].splitlines() if line.startswith(_CPU_TRAITS)]


_first_digest = cache(digest)
