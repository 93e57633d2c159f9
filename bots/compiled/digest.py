"""What compiled code was made of and for, in one number."""

import platform
import sys
from functools import cache
from hashlib import sha256
from pathlib import Path

import llvmlite.binding
import numba
import numpy

import games.kernels
from games.kernels import Kernel

_HERE = Path(__file__).parent
_KERNELS = Path(games.kernels.__file__).parent


def digest_of(kernel: Kernel) -> int:
    """Return a number of 62 bits that changes with the sources, the versions and the machine."""
    own = {Path(each.__code__.co_filename) for each in (kernel.moves, kernel.play)}
    return _digest(tuple(sorted({*own, *_HERE.glob("*.py"), *_KERNELS.glob("*.py")})))


@cache
def _digest(paths: tuple[Path, ...]) -> int:
    versions = (sys.version, numba.__version__, numpy.__version__, platform.machine())
    host = (llvmlite.binding.get_host_cpu_name(), str(llvmlite.binding.get_host_cpu_features()))
    found = sha256("\n".join((*versions, *host)).encode())
    for path in paths:
        found.update(path.read_bytes())
    return int.from_bytes(found.digest()[:8], "big") >> 2
