"""Solving positions exactly, searched to the end."""

from bots.solver.find import lacks_numba, solver_of
from bots.solver.worth import Bounds, Solution, Solver, split

__all__ = ["Bounds", "Solution", "Solver", "lacks_numba", "solver_of", "split"]
