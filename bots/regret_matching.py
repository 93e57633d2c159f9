"""Regret matching: plays each move as often as it regrets not having played it so far.

Source: S. Hart and A. Mas-Colell, A Simple Adaptive Procedure Leading to Correlated Equilibrium
(2000), in the form that regrets a move against all rounds, not only those of one other move.
"""

import random
from collections.abc import Sequence

from bots.support.bot import Bot, Clock, Report, told_shares
from bots.support.extensive_form import matched
from bots.support.matrix_game import matrix_of
from games.support.errors import GameError
from games.support.game import Game, Move, State
from games.support.view import View


class RegretMatching(Bot):
    """Learns from each round of a match what its other moves would have won."""

    def __init__(self) -> None:
        self._source = random.Random(0)

    @classmethod
    def refusal(cls, game: Game) -> str:
        """Refuse all but repeated matrix games."""
        try:
            matrix_of(game)
        except GameError as error:
            return f"regret_matching plays repeated matrix games, and {error}"
        return ""

    def new_match(self, game: Game, seat: int, seed: int) -> None:
        """Find the payoffs and forget all rounds; raise `GameError` for other games."""
        self._source = random.Random(seed)
        self._begin(game, seat)

    def policy(self, state: State) -> Sequence[float]:
        """Return how much of all regret each move has after the rounds that a view tells of."""
        assert isinstance(state, View)  # noqa: S101 (other games are refused)
        assert state.seat is not None  # noqa: S101 (the public does not move)
        seen = self._state.events(self._seat)
        is_later = state.events[: len(seen)] == seen
        if (state.game, state.seat) != (self._state.game, self._seat) or not is_later:
            self._begin(state.game, state.seat)
        while self._state.events(self._seat) != state.events:
            self._learn(state)
        return matched(self._regrets)

    def choose(self, state: State, clock: Clock) -> Move:
        """Draw a move by its regret."""
        moves, shares = state.legal_moves(), self.policy(state)
        move = self._source.choices(moves, shares)[0]
        self.report = Report(pv=(move,), text=told_shares(state, shares))
        return move

    def _begin(self, game: Game, seat: int) -> None:
        self._matrix, self._seat = matrix_of(game), seat
        self._state = self._matrix.start
        self._regrets = [0.0] * len(self._matrix.moves[seat])

    def _learn(self, view: View) -> None:
        """Add what each move would have won more in the next round that a view tells of."""
        matrix, seat = self._matrix, self._seat
        nexts = ((pair, matrix.after(self._state, pair)) for pair in matrix.payoffs)
        pair, self._state = next(
            (pair, after)
            for pair, after in nexts
            if (seen := after.events(seat)) == view.events[: len(seen)]
        )
        for at, move in enumerate(matrix.moves[seat]):
            other = (move, pair[1]) if seat == 0 else (pair[0], move)
            self._regrets[at] += matrix.payoffs[other][seat] - matrix.payoffs[pair][seat]


BOT = RegretMatching
