"""The betting of a hand between two seats with equal stacks.

A chip is half a big blind. Seat 0 has the button: it posts the small blind of one chip and acts
first before the flop, and last on the other streets.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

BIG_BLIND = 2
SHOWDOWN = 4
"""The street after the river; the others are 0, before the flop, to 3."""

_LIMIT_BETS = (BIG_BLIND, BIG_BLIND, 2 * BIG_BLIND, 2 * BIG_BLIND)
"""The size of a bet of limit hold'em, by street."""

_BETS_MAX = 4
"""The most bets and raises on a street of limit hold'em; the big blind counts as a bet."""


@dataclass(frozen=True, slots=True)
class Stakes:
    """The stack of a seat in chips, and the sizes of its bets.

    `percents` are the parts of the pot that a seat may bet or raise by, None for any number of
    chips.
    """

    stack: int
    is_limit: bool = False
    percents: tuple[int, ...] | None = None

    @property
    def loss_max(self) -> int:
        """The most chips that a seat can lose."""
        return min(self.stack, _BETS_MAX * sum(_LIMIT_BETS)) if self.is_limit else self.stack


class Betting(NamedTuple):
    """The bets of a hand so far.

    `paid` has the chips that each seat has put in since the deal, and `before` the part of each
    that comes from earlier streets. `step` is the least raise. `bets` counts the bets and raises on
    this street, and `turns` all its moves.
    """

    stakes: Stakes
    paid: tuple[int, int] = (1, BIG_BLIND)
    to_move: int = 0
    street: int = 0
    before: int = 0
    step: int = BIG_BLIND
    bets: int = 1
    turns: int = 0
    folded: int | None = None

    @property
    def to_call(self) -> int:
        """The chips that the seat to move must add to stay in the hand."""
        return max(self.paid) - self.paid[self.to_move]

    def moves(self) -> tuple[str, ...]:
        """List the moves of the seat to move, bets and raises last and from the lowest."""
        verb = "raise to" if max(self.paid) > self.before else "bet"
        raises = (
            "all-in" if total == self.stakes.stack else f"{verb} {total - self.before}"
            for total in self._totals()
        )
        return (*(("fold", "call") if self.to_call else ("check",)), *raises)

    def _totals(self) -> Iterable[int]:
        """List what the seat may have put in since the deal after a bet or a raise."""
        stakes, stack, most = self.stakes, self.stakes.stack, max(self.paid)
        if most == stack or (stakes.is_limit and self.bets == _BETS_MAX):
            return ()
        if stakes.is_limit:
            return (min(stack, most + _LIMIT_BETS[self.street]),)
        least = min(stack, most + self.step)
        if stakes.percents is None:
            return range(least, stack + 1)
        pot = 2 * most  # after a call
        wanted = (max(least, most + pot * percent // 100) for percent in stakes.percents)
        return sorted({stack, *(min(stack, total) for total in wanted)})

    def play(self, move: str) -> "Betting":
        """Return the bets after one of `moves()`."""
        if move == "fold":
            return self._replace(folded=self.to_move)
        if move in ("check", "call"):
            return self._match()
        stack = self.stakes.stack
        total = stack if move == "all-in" else self.before + int(move.rpartition(" ")[2])
        return self._replace(
            paid=(total, self.paid[1]) if self.to_move == 0 else (self.paid[0], total),
            to_move=1 - self.to_move,
            step=max(self.step, total - max(self.paid)),
            bets=self.bets + 1,
            turns=self.turns + 1,
        )

    def _match(self) -> "Betting":
        """Put in as much as the other seat; the street ends once both have had a turn."""
        paid = max(self.paid)
        is_all_in = paid == self.stakes.stack
        if self.turns == 0 and not is_all_in:
            return self._replace(paid=(paid, paid), to_move=1 - self.to_move, turns=1)
        street = SHOWDOWN if is_all_in else self.street + 1
        return Betting(self.stakes, (paid, paid), 1, street, before=paid, bets=0)
