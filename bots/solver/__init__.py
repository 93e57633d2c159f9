"""Solving positions exactly, searched to the end."""

from bots.solver.find import solver_of
from bots.solver.worth import Solution, Solver

__all__ = ["Solution", "Solver", "solver_of"]
