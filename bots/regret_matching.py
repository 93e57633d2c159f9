"""Regret matching: plays each move as often as it regrets not having played it so far.

Source: S. Hart and A. Mas-Colell, A Simple Adaptive Procedure Leading to Correlated Equilibrium
(2000), in the form that regrets a move against all rounds, not only those of one other move.
"""

import random
from collections import Counter
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
        """Find the payoffs off the clock; raise `GameError` for other games."""
        self._source = random.Random(seed)
        matrix_of(game)

    def policy(self, state: State) -> Sequence[float]:
        """Return the share of each move in all regret after the rounds that a view tells of."""
        assert isinstance(state, View)  # noqa: S101 (other games are refused)
        assert state.seat is not None  # noqa: S101 (the public does not move)
        matrix, seat = matrix_of(state.game), state.seat
        regrets = [0.0] * len(state.legal_moves())
        for pair, count in Counter(matrix.rounds(state)).items():
            for at, move in enumerate(state.legal_moves()):
                other = (move, pair[1]) if seat == 0 else (pair[0], move)
                gain = matrix.payoffs[other][seat] - matrix.payoffs[pair][seat]
                regrets[at] += count * gain
        return matched(regrets)

    def choose(self, state: State, clock: Clock) -> Move:
        """Draw a move by its regret."""
        shares = self.policy(state)
        move = self._source.choices(state.legal_moves(), shares)[0]
        self.report = Report(pv=(move,), text=told_shares(state, shares))
        return move


BOT = RegretMatching
