"""Find the solver of a game: compiled if there is one, else pure."""

from importlib.util import find_spec
from pathlib import Path

from bots.compiled.ready import solving_loops
from bots.solver.compiled import CompiledSolver
from bots.solver.pure import PureSolver
from bots.solver.worth import Solver
from games import kernels
from games.support.game import Game


def solver_of(game: Game, is_fast: bool = True) -> Solver:
    """Return the compiled solver if there is one and `is_fast`, else the pure one.

    Raises `ValueError` unless the game has two opposing seats and no luck.
    """
    loops = solving_loops(game) if is_fast else None
    if loops is not None:
        return CompiledSolver(loops, game.utility_bounds)
    if game.has_chance or sorted(game.sides) != [0, 1]:
        raise ValueError(f"no solver for {game.spec}: it takes two seats, and no luck")
    return PureSolver(game)


def lacks_numba(game: Game) -> bool:
    """Whether the game has a compiled solver, and numba, which that needs, is missing."""
    kernel = Path(kernels.__file__).with_name(f"{game.name}.py")
    return kernel.is_file() and find_spec("numba") is None
