"""Goofspiel: bid cards for prizes, both at the same time."""

from dataclasses import dataclass
from random import Random

from games.support.game import CHANCE, Game
from games.support.options import option
from games.support.view import Events, TogetherState, View


class GoofspielState(TogetherState):
    """The prizes that have come so far, and the bids for all but perhaps the last one."""

    __slots__ = ("bids", "game", "prizes")

    game: "Goofspiel"
    prizes: tuple[int, ...]
    bids: tuple[tuple[int, int], ...]

    def __init__(
        self, game: "Goofspiel", prizes: tuple[int, ...], bids: tuple[tuple[int, int], ...]
    ) -> None:
        self.game, self.prizes, self.bids, self.sealed = game, prizes, bids, ()

    @property
    def choosers(self) -> tuple[int, ...]:
        """Both seats while a prize waits for their bids, else luck."""
        return (0, 1) if len(self.prizes) > len(self.bids) else (CHANCE,)

    def choices(self, seat: int) -> tuple[int, ...]:
        """List the cards that a seat has left, or the prizes that are left."""
        gone = self.prizes if seat == CHANCE else [each[seat] for each in self.bids]
        return tuple(card for card in range(1, self.game.cards + 1) if card not in gone)

    def together(self, moves: tuple[int, ...]) -> "GoofspielState":
        """Turn up a prize, or bid for it."""
        if self.to_move == CHANCE:
            return GoofspielState(self.game, (*self.prizes, *moves), self.bids)
        first, second = moves
        return GoofspielState(self.game, self.prizes, (*self.bids, (first, second)))

    def chance(self) -> tuple[tuple[int, float], ...]:
        """Turn up each prize that is left equally often."""
        if self.to_move != CHANCE:
            return ()
        left = self.choices(CHANCE)
        return tuple((prize, 1 / len(left)) for prize in left)

    def points(self, seat: int) -> int:
        """Return the sum of the prizes that a seat has won; equal bids win nothing."""
        bids = zip(self.prizes, self.bids, strict=False)
        return sum(prize for prize, each in bids if each[seat] > each[1 - seat])

    def outcome(self) -> tuple[float, ...] | None:
        """Return the utilities once all cards are played."""
        if len(self.bids) < self.game.cards:
            return None
        first, second = self.points(0), self.points(1)
        won = float((first > second) - (first < second))
        return won, 0.0 - won

    def key(self) -> tuple[object, ...]:
        """Return the prizes, the bids and what is sealed."""
        return self.prizes, self.bids, self.sealed

    def events(self, seat: int | None) -> Events:
        """Tell everybody each prize and the bids for it: `prize 5`, `bids 3 2`."""
        told = []
        for place, prize in enumerate(self.prizes):
            told.append(f"prize {prize}")
            told += [f"bids {first} {second}" for first, second in self.bids[place : place + 1]]
        return tuple(told)

    def render(self) -> str:
        """Write the points and the events."""
        return "\n".join([f"points {self.points(0)} {self.points(1)}", *self.events(None)])

    def drawn(self, seat: int | None) -> str:
        """Write what everybody sees: all but what is sealed."""
        return self.render()


@dataclass(frozen=True)
class Goofspiel(Game):
    """The rules of Goofspiel for two."""

    name = "goofspiel"
    title = "Goofspiel"
    summary = (
        "Prizes from 1 to {cards} are turned up one by one, and for each both seats bid one of "
        "their cards, 1 to {cards}, at the same time. The higher card wins the prize, and most "
        "points win the match."
    )
    opening_plies = 0
    has_secrets = True
    has_chance = True

    cards: int = option(5, help="the number of prizes, and of the cards of a seat", low=2, high=13)

    @property
    def position_help(self) -> str:
        """The events."""
        return (
            "state.events are the prizes, 'prize 5', each with the bids for it, 'bids 3 2', the "
            "first seat's first; a move is the card to bid"
        )

    def initial(self) -> GoofspielState:
        """Return the position before the first prize."""
        return GoofspielState(self, (), ())

    def sample(self, view: View, random: Random) -> GoofspielState:
        """Return the position that everybody sees."""
        words = [event.split() for event in view.events]
        prizes = tuple(int(each[1]) for each in words if each[0] == "prize")
        bids = tuple((int(each[1]), int(each[2])) for each in words if each[0] == "bids")
        return GoofspielState(self, prizes, bids)


GAME = Goofspiel()
