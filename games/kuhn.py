"""Kuhn poker: three cards, one chip in the pot from each seat, one more to bet.

H. W. Kuhn, A simplified two-person poker, 1950. With best play the first seat loses 1/18 a deal.
"""

from dataclasses import dataclass
from random import Random

from games.support.game import CHANCE, Game
from games.support.view import Events, HiddenState, View

CARDS = "JQK"
PASS, BET = 0, 1
_WORDS = ("pass", "bet")
_ENDS = ("pass pass", "pass bet pass", "pass bet bet", "bet pass", "bet bet")
_ENDINGS = tuple(tuple(map(_WORDS.index, line.split())) for line in _ENDS)


class KuhnState(HiddenState):
    """A deal: `cards` by seat as far as they are dealt, and the `bets` so far."""

    __slots__ = ("bets", "cards", "game", "to_move")

    game: "Kuhn"
    cards: tuple[int, ...]
    bets: tuple[int, ...]

    def __init__(self, game: "Kuhn", cards: tuple[int, ...], bets: tuple[int, ...] = ()) -> None:
        self.game, self.cards, self.bets = game, cards, bets
        self.to_move = CHANCE if len(cards) < 2 else len(bets) % 2

    def legal_moves(self) -> tuple[int, ...]:
        """List pass and bet, or the cards that luck may deal."""
        if self.to_move == CHANCE:
            return tuple(card for card in range(len(CARDS)) if card not in self.cards)
        return PASS, BET

    def play(self, move: int) -> "KuhnState":
        """Pass, bet, or deal a card."""
        if self.to_move == CHANCE:
            return KuhnState(self.game, (*self.cards, move))
        return KuhnState(self.game, self.cards, (*self.bets, move))

    def chance(self) -> tuple[tuple[int, float], ...]:
        """Deal each card that is left equally often."""
        if self.to_move != CHANCE:
            return ()
        moves = self.legal_moves()
        return tuple((card, 1 / len(moves)) for card in moves)

    def outcome(self) -> tuple[float, ...] | None:
        """Return the chips that each seat has won once nobody may bet any more."""
        if self.bets not in _ENDINGS:
            return None
        # Whoever passes after a bet gives up.
        gives_up = len(self.bets) % 2
        winner = int(self.cards[1] > self.cards[0]) if self._is_shown else gives_up
        chips = 2.0 if self.bets[-2:] == (BET, BET) else 1.0
        return (chips, -chips) if winner == 0 else (-chips, chips)

    def key(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return the cards and the bets."""
        return self.cards, self.bets

    def text(self, move: int) -> str:
        """Write `pass` or `bet`, or the card."""
        return CARDS[move] if self.to_move == CHANCE else _WORDS[move]

    def events(self, seat: int | None) -> Events:
        """Tell a seat its own card; everybody the bets, and the cards that are shown at the end."""
        own = [] if seat is None else [f"you have {CARDS[card]}" for card in self.cards[seat:][:1]]
        pairs = zip(self.game.seat_names, self.cards, strict=False)
        shown = [f"{name} has {CARDS[card]}" for name, card in pairs] if self._is_shown else []
        return (*own, *self._told_bets, *shown)

    @property
    def _told_bets(self) -> list[str]:
        names = self.game.seat_names
        return [f"{names[place % 2]}: {_WORDS[bet]}" for place, bet in enumerate(self.bets)]

    def render(self) -> str:
        """Write the cards and the bets."""
        names = self.game.seat_names
        pairs = zip(names, self.cards, strict=False)
        cards = [f"{name} has {CARDS[card]}" for name, card in pairs]
        return "\n".join([*cards, *self._told_bets]) or "no card is dealt yet"

    @property
    def _is_shown(self) -> bool:
        return self.bets in _ENDINGS and self.bets[-2:] in ((PASS, PASS), (BET, BET))


@dataclass(frozen=True)
class Kuhn(Game):
    """The rules of Kuhn poker."""

    name = "kuhn"
    title = "Kuhn poker"
    summary = (
        "Each seat puts a chip into the pot and gets one of three cards. Pass or bet one more "
        "chip; whoever passes after a bet gives up, otherwise the higher card wins."
    )
    opening_plies = 0
    has_secrets = True
    has_chance = True
    payoff_unit = "chips"

    @property
    def seat_names(self) -> tuple[str, ...]:
        """In the order in which they bet."""
        return ("First", "Second")

    @property
    def utility_bounds(self) -> tuple[float, float]:
        """The chips that a seat can lose and win."""
        return (-2.0, 2.0)

    @property
    def position_help(self) -> str:
        """The events."""
        return (
            "state.events[0] is your card, 'you have K', the others the bets: 'First: bet'; "
            "moves are 0 to pass and 1 to bet"
        )

    def initial(self) -> KuhnState:
        """Return the position before the deal."""
        return KuhnState(self, ())

    def sample(self, view: View, random: Random) -> KuhnState:
        """Deal the other seat one of the two cards that are left."""
        own = CARDS.index(view.events[0][-1])
        other = random.choice([card for card in range(len(CARDS)) if card != own])
        cards = (own, other) if view.seat == 0 else (other, own)
        words = [event.rpartition(" ")[2] for event in view.events[1:]]
        return KuhnState(self, cards, tuple(_WORDS.index(word) for word in words))


GAME = Kuhn()
