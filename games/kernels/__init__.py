"""Kernels: the rules and evaluations of games for the compiled search, one module a game.

Only the modules of single games import numba; `find_kernel` loads them where it is installed.
"""

from games.support.find_kernel import find_kernel
from games.support.kernel import UNIT, Deepening, Kernel, Packing, Solving, compilable

__all__ = ["UNIT", "Deepening", "Kernel", "Packing", "Solving", "compilable", "find_kernel"]
