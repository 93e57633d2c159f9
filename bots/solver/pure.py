"""The solver in Python alone.

Nothing tells it an end before the end is there, so it first asks for ends within few plies:
R. Korf, Depth-First Iterative-Deepening (1985). It keeps a table of bounds by position.
"""

from collections.abc import Callable, Hashable
from functools import partial
from math import inf

from bots.solver.worth import Solution, deepened, later, split, worth_of
from bots.support.bot import Clock
from bots.support.search import FREE, SearchBudget
from games.kernels import UNIT
from games.support.game import Game, State

TABLE_MAX = 1_000_000
"""Positions that the pure solver's table holds."""

_TAKES = "it takes whole utilities, and one seat must win what the other loses"


class PureSolver:
    """The solver in Python alone, for any game of two seats whose utilities are whole numbers.

    What one seat wins the other must lose. Utilities of 0 to 1 in size are told from one another;
    a match may last up to `UNIT` plies.
    """

    unit = UNIT

    def __init__(self, game: Game) -> None:
        low, high = game.utility_bounds
        self._worths = (low * UNIT, high * UNIT)
        self._table: dict[Hashable, tuple[float, float]] = {}

    def solve(self, state: State, clock: Clock = FREE) -> Solution:
        """Return what `state` is worth; raise `ValueError` where utilities are not as they must."""
        outcome = state.outcome()
        if outcome is not None:
            return Solution(outcome[state.to_move], 0, 1, is_compiled=False)
        value_of, nodes = self._searcher(SearchBudget(clock))
        is_at_least = partial(value_of, state)
        worth = worth_of(*deepened(*self._worths, is_at_least), is_at_least)
        return Solution(*split(worth), nodes(), is_compiled=False)

    def is_worth(self, state: State, worth: float, clock: Clock = FREE) -> bool:
        """Tell whether `state` is worth at least so much."""
        is_at_least = partial(self._searcher(SearchBudget(clock))[0], state)
        low, high = deepened(*self._worths, is_at_least, worth)
        return low >= worth or (high >= worth and is_at_least(worth) >= worth)

    def _searcher(
        self, budget: SearchBudget
    ) -> tuple[Callable[[State, float], float], Callable[[], int]]:
        """Return the recursive search, and what tells its nodes."""
        table = self._table
        # No match that goes on is worth more or less than its end a ply later.
        least, most = map(later, self._worths)
        nodes = 1
        look: float = 0

        def value_of(state: State, beta: float) -> float:
            """Return a bound of the worth to the mover: from below from `beta` on, else above."""
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
            # What a child must be worth to its mover: of the same seat at the least, of the other
            # it is this that it may not reach.
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
