"""Texas hold'em heads-up: a match is one hand, and both seats begin with the same stack.

The order of play and the least raise are those of the Tournament Directors Association; in limit
hold'em a street has at most four bets, as in the Annual Computer Poker Competition.
"""

from dataclasses import dataclass, field
from random import Random

from games.holdem.betting import SHOWDOWN, Betting, Stakes
from games.holdem.cards import (
    DECK,
    NEEDS,
    is_installed,
    kind_of,
    rank_of,
    read_cards,
    write_cards,
)
from games.support.errors import GameError, OptionError, brief
from games.support.game import CHANCE, Game, Move
from games.support.options import option
from games.support.view import Events, HiddenState, View

MBB_PER_CHIP = 500
"""Thousandths of a big blind."""

_HOLE = 4
_STREETS = {7: "flop", 8: "turn", 9: "river"}
"""The street that begins once so many cards are dealt."""

_DEALT = (_HOLE, *_STREETS, 9)
"""The cards that must be dealt before the bets of a street, and before a showdown."""


class HoldemState(HiddenState):
    """A hand: two `cards` of seat 0, two of seat 1 and the board, and the bets.

    `told` are the events that everybody has seen.
    """

    __slots__ = ("betting", "cards", "game", "to_move", "told")

    game: "Holdem"
    cards: tuple[int, ...]
    betting: Betting
    told: Events

    def __init__(
        self, game: "Holdem", cards: tuple[int, ...], betting: Betting, told: Events
    ) -> None:
        self.game, self.cards, self.betting, self.told = game, cards, betting, told
        is_dealt = len(cards) == _DEALT[betting.street]
        self.to_move = betting.to_move if is_dealt else CHANCE

    @property
    def pot(self) -> int:
        """The chips that both seats have put in."""
        return sum(self.betting.paid)

    @property
    def to_call(self) -> int:
        """The chips that the seat to move must add to stay in the hand."""
        return self.betting.to_call

    @property
    def board(self) -> tuple[int, ...]:
        """The cards on the board; the three of the flop come together."""
        return self.cards[_HOLE:] if len(self.cards) in _STREETS else ()

    def hole(self, seat: int) -> tuple[int, ...]:
        """Return a seat's own two cards, () before they are dealt."""
        begin, end = 2 * seat, 2 * seat + 2
        return self.cards[begin:end] if len(self.cards) >= end else ()

    @property
    def is_shown(self) -> bool:
        """Whether nobody has folded, and the seats have shown their cards."""
        return self.betting.street == SHOWDOWN and len(self.cards) == _DEALT[SHOWDOWN]

    def rank(self, seat: int) -> int:
        """Return the rank of a seat's hand once the flop is dealt; the lower one wins."""
        return rank_of(self.hole(seat) + self.board)

    def legal_moves(self) -> tuple[Move, ...]:
        """List the moves of the seat, or the cards that luck may deal."""
        if self.to_move == CHANCE:
            return tuple(card for card in range(len(DECK)) if card not in self.cards)
        return self.betting.moves()

    def chance(self) -> tuple[tuple[int, float], ...]:
        """Deal each card that is left equally often."""
        if self.to_move != CHANCE:
            return ()
        cards = self.legal_moves()
        share = 1 / len(cards)
        return tuple((card, share) for card in cards)

    def play(self, move: Move) -> "HoldemState":
        """Deal a card, or play a seat's move."""
        if self.to_move != CHANCE:
            told = (*self.told, f"{self.game.seat_names[self.to_move]}: {move}")
            return HoldemState(self.game, self.cards, self.betting.play(move), told)
        cards, told = (*self.cards, move), self.told
        if street := _STREETS.get(len(cards)):
            new = cards[_HOLE:] if street == "flop" else (move,)
            told = (*told, f"{street}: {write_cards(new)}")
        return HoldemState(self.game, cards, self.betting, told)

    def outcome(self) -> tuple[float, ...] | None:
        """Return what each seat has won, in thousandths of a big blind."""
        folded, paid = self.betting.folded, self.betting.paid
        if folded is not None:
            # The winner takes back its own bets beyond that.
            first = paid[1] if folded == 1 else -paid[0]
        elif self.is_shown:
            ranks = self.rank(0), self.rank(1)
            first = paid[0] * ((ranks[0] < ranks[1]) - (ranks[0] > ranks[1]))
        else:
            return None
        won = float(MBB_PER_CHIP * first)
        return won, 0.0 - won

    def key(self) -> tuple[tuple[int, ...], Events]:
        """Return the cards and the moves."""
        return self.cards, self.told

    def text(self, move: Move) -> str:
        """Write a seat's move as it is, and a card as `As`."""
        return DECK[move] if self.to_move == CHANCE else str(move)

    def parse(self, text: str) -> Move:
        """Read a move, also one with '_' for spaces, as in the line of a match."""
        return super().parse(text.replace("_", " "))

    def stand_in(self, seat: int) -> str:
        """Check if it costs nothing, else fold."""
        return "fold" if self.to_call else "check"

    def events(self, seat: int | None) -> Events:
        """Tell a seat its own cards; everybody the bets, the board and what is shown."""
        own = () if seat is None else self.hole(seat)
        cards = [f"cards: {write_cards(own)}"] if own else []
        return (*cards, *self.told, *self._shown())

    def _shown(self) -> list[str]:
        if not self.is_shown:
            return []
        names = enumerate(self.game.seat_names)
        return [f"{name} shows: {write_cards(self.hole(seat))}" for seat, name in names]

    def render(self) -> str:
        """Draw all cards, the chips and the board."""
        return self._drawn((0, 1))

    def drawn(self, seat: int | None) -> str:
        """Draw the seat's own cards, and those that are shown."""
        return self._drawn((0, 1) if self.is_shown else (seat,))

    def _drawn(self, open_seats: tuple[int | None, ...]) -> str:
        lines = []
        for seat, name in enumerate(self.game.seat_names):
            paid = self.betting.paid[seat]
            hole = write_cards(self.hole(seat)) if seat in open_seats else "?? ??"
            kind = f", {kind_of(self.rank(seat))}" if self.is_shown else ""
            chips = f"{paid} in, {self.game.stakes.stack - paid} left"
            lines.append(f"{name:9}  {hole:5}  {chips}{kind}")
        return "\n".join([*lines, f"{'Board':9}  {write_cards(self.board)}".rstrip()])


@dataclass(frozen=True)
class Holdem(Game):
    """The rules of Texas hold'em for two."""

    name = "holdem"
    title = "Texas hold'em"
    summary = (
        "Two seats with {stack} big blinds each get two cards of their own and share five, and bet "
        "four times: before the flop, after it, and after each other card. A seat wins the pot if "
        "the other one folds, or with the better five of its seven cards."
    )
    opening_plies = 0
    has_secrets = True
    has_chance = True
    payoff_unit = "mbb"
    needs = "" if is_installed else NEEDS

    betting: str = option(
        "nolimit", help="bets of many sizes, or of one size", choices=("nolimit", "limit")
    )
    stack: int = option(100, help="each seat's chips, in big blinds", low=1, high=500)
    sizes: str = option(
        "50,100", help="bets of no-limit in percent of the pot; all-in comes beside them; or any"
    )
    stakes: Stakes = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        stakes = Stakes(2 * self.stack, self.betting == "limit", _percents_of(self.sizes))
        object.__setattr__(self, "stakes", stakes)

    @property
    def seat_names(self) -> tuple[str, ...]:
        """The button posts the small blind."""
        return ("Button", "Big blind")

    @property
    def utility_bounds(self) -> tuple[float, float]:
        """The stack, or all bets of limit hold'em."""
        most = float(MBB_PER_CHIP * self.stakes.loss_max)
        return (-most, most)

    @property
    def position_help(self) -> str:
        """The events."""
        return (
            "state.events are 'cards: As Kd', then moves, 'Button: raise to 6', and the board, "
            "'flop: 2c 7d Ks'; moves are texts, and chips are half big blinds"
        )

    def initial(self) -> HoldemState:
        """Return the hand before the deal, with the blinds posted; `GameError` if it `needs`."""
        if self.needs:
            raise GameError(f"game {self.name!r} needs {self.needs}", self.spec)
        return HoldemState(self, (), Betting(self.stakes), ())

    def sample(self, view: View, random: Random) -> HoldemState:
        """Deal the cards that the view's seat has not seen, each of them equally often."""
        holes: dict[int | None, tuple[int, ...]] = {}
        seen: set[int] = set()
        later: list[Move] = []
        for event in view.events:
            label, _, what = event.partition(": ")
            if label in self.seat_names:
                later.append(what)
                continue
            cards = read_cards(what)
            seen.update(cards)
            if label in _STREETS.values():
                later += cards
            else:
                shown = label.removesuffix(" shows")
                holes[view.seat if label == "cards" else self.seat_names.index(shown)] = cards
        unseen = random.sample([card for card in range(len(DECK)) if card not in seen], _HOLE)
        state = self.initial()
        for move in (*holes.get(0, unseen[:2]), *holes.get(1, unseen[2:]), *later):
            state = state.play(move)
        return state


def _percents_of(sizes: str) -> tuple[int, ...] | None:
    """Read the option `sizes`; raise `OptionError`."""
    if sizes == "any":
        return None
    words = sizes.split(",")
    if not all(word.isdecimal() and 0 < int(word) <= 1000 for word in words):
        raise OptionError(
            f"option sizes={brief(sizes)}: expected any, or percentages up to 1000 such as 50,100",
            "sizes",
        )
    return tuple(map(int, words))


GAME = Holdem()
