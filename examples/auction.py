"""An auction: both bid at once for a thing whose worth each knows for itself alone."""

from dataclasses import dataclass

from games import CHANCE, Game, TogetherState, option


class Auction(TogetherState):
    """The worth of the thing to each seat, as far as luck has told it, and the bids."""

    __slots__ = ("bids", "game", "worths")

    def __init__(self, game, worths=(), bids=()):
        self.game, self.worths, self.bids, self.sealed = game, worths, bids, ()

    @property
    def choosers(self):
        return (CHANCE,) if len(self.worths) < 2 else (0, 1)

    def choices(self, seat):
        return range(1, self.game.most + 1) if seat == CHANCE else range(self.worths[seat] + 1)

    def chance(self):
        if self.to_move != CHANCE:
            return ()
        return tuple((worth, 1 / self.game.most) for worth in self.legal_moves())

    def together(self, moves):
        if self.to_move == CHANCE:
            return Auction(self.game, (*self.worths, *moves))
        return Auction(self.game, self.worths, moves)

    def outcome(self):
        if not self.bids:
            return None
        most = max(self.bids)
        if self.bids == (most, most):
            return (0.0, 0.0)
        pairs = zip(self.worths, self.bids, strict=True)
        return tuple(float(worth - bid) if bid == most else 0.0 for worth, bid in pairs)

    def events(self, seat):
        own = () if seat is None else self.worths[seat : seat + 1]
        bids = ("bids {} {}".format(*self.bids),) if self.bids else ()
        return (*(f"worth {worth}" for worth in own), *bids)

    def key(self):
        return (self.worths, self.sealed, self.bids)

    def render(self):
        return f"worth {self.worths}, bids {self.bids or 'to come'}"


@dataclass(frozen=True)
class SealedBids(Game):
    """The rules with their options."""

    name = "auction"
    title = "Auction"
    payoff_unit = "coins"
    has_secrets = True
    has_chance = True

    most: int = option(6, help="the most that the thing may be worth", low=1, high=100)

    @property
    def utility_bounds(self):
        return (0.0, float(self.most))

    def initial(self):
        return Auction(self)
