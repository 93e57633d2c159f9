"""Find a game's kernel, importing numba only if it can be used."""

import importlib
import os
import sys
from functools import cache
from math import inf

from games.support.game import Game
from games.support.kernel import Kernel

NEEDED_BYTES = 640 << 20
"""The least address space for loading numba, which may hang with less."""

LOADING_BYTES = 384 << 20
"""The least address space for loading machine code; llvmlite takes 160 MB of it."""


def find_kernel(game: Game) -> Kernel | None:
    """Return the kernel of a game from the module of its name in `games.kernels`.

    None if numba is missing or lacks memory, or if the kernel does not support the game's options.
    """
    if not _is_numba_here():
        return None
    module = importlib.import_module(f"games.kernels.{game.name}")
    kernel: Kernel | None = module.kernel_of(game)
    return kernel


def has_room() -> bool:
    """Tell whether this process may have enough memory for compiled code and what loads it."""
    return _address_space() >= LOADING_BYTES


@cache
def _is_numba_here() -> bool:
    if _address_space() < NEEDED_BYTES:
        return False
    if "numpy" not in sys.modules:
        # Each thread of its linear algebra takes address space, and none is needed here.
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        importlib.import_module("numba")
    except ImportError:
        return False
    return True


def _address_space() -> float:
    try:
        resource = importlib.import_module("resource")
    except ImportError:
        return inf
    limit: int = resource.getrlimit(resource.RLIMIT_AS)[0]
    return inf if limit == resource.RLIM_INFINITY else limit
