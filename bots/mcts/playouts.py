"""The value of a leaf of a Monte Carlo tree: a random playout, or an evaluation."""

import random
from dataclasses import dataclass
from math import inf, sqrt, tanh

from bots.support.search import SearchBudget, estimate_of
from games.support.game import CHANCE, Evaluation, Game, Move, State

RANDOM, GREEDY, EVALUATION = ROLLOUTS = ("random", "greedy", "evaluation")

PLIES = 100
"""The length of a playout in plies if the game has an evaluation to cut it by."""

PLIES_MAX = 10_000
"""The maximum length of a playout to the end: not every game ends by itself."""

SPAN_MAX = 256
"""Wider utility bounds are only a safeguard: values stay far inside them."""

Values = tuple[float, ...]
"""One utility for each seat, exact or estimated."""


@dataclass(frozen=True, slots=True)
class Rollout:
    """The valuation of leaves: one of `ROLLOUTS`, and the plies after which a playout is cut.

    None is `PLIES` with an evaluation, else to the end of the match, at most `PLIES_MAX` plies.
    """

    kind: str = RANDOM
    plies: int | None = None

    def plies_for(self, evaluation: Evaluation) -> int:
        """Return the length of playouts in plies; 0, the evaluation alone, only if there is one."""
        has_estimate = estimate_of(evaluation) is not None
        if self.kind == EVALUATION and has_estimate:
            return 0
        if self.plies is None:
            return PLIES if has_estimate else PLIES_MAX
        return self.plies


class LeafValue:
    """The utilities of one game and its sides, and the range seen so far."""

    def __init__(self, game: Game, evaluation: Evaluation) -> None:
        self.low, self.high = game.utility_bounds
        self.total = self.low + self.high
        sides = game.sides
        # By seat: the first seat of its side, whose utility represents the side's.
        self.leads = tuple(sides.index(side) for side in sides)
        self.is_first = tuple(lead == 0 for lead in self.leads)
        self.is_duel = len(set(sides)) == 2
        self.is_wide = self.high - self.low > SPAN_MAX
        self.draw = 0.0 if self.low < 0 < self.high else self.total / 2
        self._seen = (inf, -inf)
        self._scale = evaluation.scale
        self._estimate = estimate_of(evaluation)
        self._squares = 0.0
        self._count = 0

    def span(self) -> float:
        """Return the span of utilities: the game's bounds, or the range seen if they are wide."""
        if not self.is_wide:
            return self.high - self.low
        low, high = self._seen
        return high - low if high > low else 1.0

    def note(self, values: Values) -> None:
        """Widen the range seen."""
        low, high = self._seen
        self._seen = (min(low, *values), max(high, *values))

    def of_first(self, worth: float) -> Values:
        """Return all seats' utilities in a duel, given the first seat's."""
        other = self.total - worth
        return tuple(worth if is_first else other for is_first in self.is_first)

    def estimated(self, state: State) -> Values:
        """Estimate an unfinished position by the evaluation, or as a draw without one."""
        if self._estimate is None:
            return (self.draw,) * len(self.leads)
        if self.is_duel:
            return self.of_first(self._utility(self._estimate(state, 0)))
        return tuple(self._utility(self._estimate(state, lead)) for lead in self.leads)

    def _utility(self, estimate: float) -> float:
        """Convert an estimate to a utility.

        Estimates stay far from the bounds, so most look alike next to a win: the hyperbolic tangent
        spreads them, in units of twice their root mean square so far. If bounds are wide, estimates
        are already in utility units.
        """
        if self.is_wide:
            return estimate / self._scale
        self._count += 1
        self._squares += estimate * estimate
        unit = 2 * sqrt(self._squares / self._count)
        half = (self.high - self.low) / 2
        return self.total / 2 + (half * tanh(estimate / unit) if unit else 0.0)


class Playouts:
    """Makes the positions for one move: in playouts, and one by one for the tree."""

    def __init__(
        self, rollout: Rollout, worth: LeafValue, source: random.Random, budget: SearchBudget
    ) -> None:
        self.nodes = 1
        self._look: float = 0
        self._worth = worth
        self._random = source.random
        self._budget = budget
        self.run = self._run_greedy if rollout.kind == GREEDY else self._run_random

    def child(self, state: State, move: Move) -> State:
        """Make and count a position; raise `Exhausted` if the limits leave no room for it."""
        if self.nodes >= self._look:
            self._look = self._budget.next_look(self.nodes)
        self.nodes += 1
        return state.play(move)

    def luck(self, state: State) -> Move:
        """Draw a chance move by its probability."""
        ticket, luck = self._random(), state.chance()
        for move, probability in luck:
            ticket -= probability
            if ticket < 0:
                return move
        return luck[-1][0]

    def _run_random(self, state: State, plies: int) -> Values:
        """Play random moves and return the utilities at the end, or an estimate after `plies`."""
        nodes, look, draw = self.nodes, self._look, self._random
        has_luck = state.game.has_chance
        for _ in range(plies):
            if nodes >= look:
                self.nodes = nodes
                look = self._look = self._budget.next_look(nodes)
            if has_luck and state.to_move == CHANCE:
                move = self.luck(state)
            else:
                moves = state.legal_moves()
                move = moves[int(draw() * len(moves))]
            state = state.play(move)
            nodes += 1
            outcome = state.outcome()
            if outcome is not None:
                self.nodes = nodes
                return outcome
        self.nodes = nodes
        return self._worth.estimated(state)

    def _run_greedy(self, state: State, plies: int) -> Values:
        """Play as `_run_random` does, but take a winning move at once."""
        for _ in range(plies):
            if state.to_move == CHANCE:
                state = self.child(state, self.luck(state))
                outcome = state.outcome()
            else:
                state, outcome = self._winning_or_random(state)
            if outcome is not None:
                return outcome
        return self._worth.estimated(state)

    def _winning_or_random(self, state: State) -> tuple[State, Values | None]:
        """Return the position after a move better than a draw, or after any; and its outcome."""
        seat, draw = state.to_move, self._worth.draw
        children = []
        for move in state.legal_moves():
            child = self.child(state, move)
            outcome = child.outcome()
            if outcome is not None and outcome[seat] > draw:
                return child, outcome
            children.append((child, outcome))
        return children[int(self._random() * len(children))]
