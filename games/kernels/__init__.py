"""Kernels: the rules and evaluations of games written for the compiled search, one a module.

Only this package's modules for single games import numba; `find` loads them where it is installed.
"""

from games.kernels.contract import UNIT, Kernel, Solving, find

__all__ = ["UNIT", "Kernel", "Solving", "find"]
