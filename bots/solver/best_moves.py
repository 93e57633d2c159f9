"""Perfect play: the moves that preserve a solved position's value, and a line of them."""

from bots.solver.worth import Solution, Solver, later
from bots.support.bot import Clock
from bots.support.search import FREE
from games.support.game import Move, State


def best_moves(
    solver: Solver, state: State, solution: Solution, clock: Clock = FREE
) -> tuple[Move, ...]:
    """Return all moves that preserve the value of `state`, in the order of `legal_moves`.

    If the solver counts plies, they win as soon and lose as late as possible. `solution` is the
    solver's for `state`. Empty if the match is over. Raises `Exhausted` at the clock's limits.
    """
    if state.outcome() is not None:
        return ()
    worth = _worth(solver, solution)
    return tuple(
        move for move in state.legal_moves() if _is_kept(solver, state, move, worth, clock)
    )


def best_line(
    solver: Solver, state: State, solution: Solution, clock: Clock = FREE
) -> tuple[Move, ...]:
    """Return the moves to the end if each seat plays its first best move.

    Arguments and errors are those of `best_moves`.
    """
    line = []
    worth = _worth(solver, solution)
    while state.outcome() is None:
        move = next(
            move for move in state.legal_moves() if _is_kept(solver, state, move, worth, clock)
        )
        line.append(move)
        child = state.play(move)
        worth = _before(solver, worth) * (1 if child.to_move == state.to_move else -1)
        state = child
    return tuple(line)


def _worth(solver: Solver, solution: Solution) -> float:
    sign = (solution.utility > 0) - (solution.utility < 0)
    return solution.utility * solver.unit - sign * (solution.plies or 0)


def _is_kept(solver: Solver, state: State, move: Move, worth: float, clock: Clock) -> bool:
    """Tell whether a move preserves its position's value for the mover."""
    child = state.play(move)
    outcome = child.outcome()
    if outcome is not None:
        end = outcome[state.to_move] * solver.unit
        return (later(end) if solver.unit > 1 else end) >= worth
    same = _before(solver, worth)
    if child.to_move == state.to_move:
        return solver.is_worth(child, same, clock)
    return not solver.is_worth(child, 1 - same, clock)


def _before(solver: Solver, worth: float) -> float:
    """Return a value one ply nearer to the end, for the same seat."""
    return worth + ((worth > 0) - (worth < 0)) if solver.unit > 1 else worth
