"""The solver in pure Python, with a table of bounds by position.

Ends can't be foreseen, so it first looks for ends within few plies: R. Korf, Depth-First
Iterative-Deepening (1985).
"""

from collections.abc import Callable, Hashable
from functools import partial
from math import inf

from bots.solver.worth import Bounds, Solution, deepened, later, split, worth_of
from bots.support.bot import Clock
from bots.support.search import FREE, SearchBudget
from games.kernels import UNIT
from games.support.game import Game, State

TABLE_MAX = 1_000_000
"""The capacity of the pure solver's table in positions."""

_TAKES = "it takes whole utilities, and one seat must win what the other loses"


class PureSolver:
    """The pure solver, for any zero-sum game of two seats with integer utilities.

    Utilities from -1 to 1 are distinguished; a match may last up to `UNIT` plies.
    """

    unit = UNIT

    def __init__(self, game: Game) -> None:
        low, high = game.utility_bounds
        self._worths = (low * UNIT, high * UNIT)
        self._table: dict[Hashable, tuple[float, float]] = {}

    def solve(self, state: State, clock: Clock = FREE, bounds: Bounds | None = None) -> Solution:
        """Return the value of `state`; raise `ValueError` for unsupported utilities."""
        outcome = state.outcome()
        if outcome is not None:
            return Solution(outcome[state.to_move], 0, 1, is_compiled=False)
        value_of, nodes = self._searcher(SearchBudget(clock))
        is_at_least = partial(value_of, state)
        near = deepened(*self._worths, is_at_least, bounds=bounds)
        worth = worth_of(*near, is_at_least, bounds)
        return Solution(*split(worth), nodes(), is_compiled=False)

    def is_worth(self, state: State, worth: float, clock: Clock = FREE) -> bool:
        """Tell whether `state` is worth at least `worth`."""
        is_at_least = partial(self._searcher(SearchBudget(clock))[0], state)
        low, high = deepened(*self._worths, is_at_least, worth)
        return low >= worth or (high >= worth and is_at_least(worth) >= worth)

    def _searcher(
        self, budget: SearchBudget
    ) -> tuple[Callable[[State, float], float], Callable[[], int]]:
        """Return the recursive search and its node counter."""
        table = self._table
        # An unfinished match has at most the value of an end one ply later.
        least, most = map(later, self._worths)
        nodes = 1
        look: float = 0

        def value_of(state: State, beta: float) -> float:
            """Return a bound of the mover's value: lower if at least `beta`, else upper."""
            nonlocal nodes, look
            if beta > most:
                return most
            if beta <= least:
                return least
            key = state.key()
            low, high = table.get(key, (-inf, inf))
            if low >= beta:
                return low
            if high < beta:
                return high
            best = -inf
            seat = state.to_move
            children = []
            for move in state.order(state.legal_moves()):
                if nodes >= look:
                    look = budget.next_look(nodes)
                child = state.play(move)
                nodes += 1
                outcome = child.outcome()
                if outcome is None:
                    children.append(child)
                    continue
                utility = outcome[seat]
                if utility % 1 or utility + outcome[1 - seat]:
                    raise ValueError(f"no solver for {state.game.spec}: {_TAKES}")
                best = max(best, utility * UNIT - ((utility > 0) - (utility < 0)))
            # The value that a child must reach for the same seat, or must not reach for the other.
            same = beta + ((beta > 0) - (beta < 0))
            for child in children:
                if best >= beta:
                    break
                if child.to_move == seat:
                    value = value_of(child, same)
                else:
                    value = -value_of(child, 1 - same)
                best = max(best, value - ((value > 0) - (value < 0)))
            if key in table or len(table) < TABLE_MAX:
                table[key] = (best, high) if best >= beta else (low, best)
            return best

        return value_of, lambda: nodes
