"""Cards as the numbers of phevaluator, 0 for 2c to 51 for As, and the ranks of hands.

phevaluator (Apache-2.0) is an extra: `pip install 'botleague[poker]'`.
"""

from bisect import bisect_left
from collections.abc import Iterable

NEEDS = "phevaluator: pip install 'botleague[poker]' (Apache-2.0)"
try:
    from phevaluator import evaluate_cards
except ModuleNotFoundError:
    is_installed = False
else:
    is_installed = True

DECK = tuple(rank + suit for rank in "23456789TJQKA" for suit in "cdhs")
"""The texts of the cards, by number."""

_CARD_OF = {text: card for card, text in enumerate(DECK)}

_KINDS = (
    (10, "straight flush"),
    (166, "four of a kind"),
    (322, "full house"),
    (1599, "flush"),
    (1609, "straight"),
    (2467, "three of a kind"),
    (3325, "two pairs"),
    (6185, "pair"),
    (7462, "high card"),
)
"""The kinds of hands by their last rank among the 7,462 ranks of five cards."""


def rank_of(cards: Iterable[int]) -> int:
    """Return the rank of the best five of five to seven cards, 1 for a royal flush to 7462."""
    rank: int = evaluate_cards(*cards)
    return rank


def kind_of(rank: int) -> str:
    """Name the kind of hand of a rank."""
    return _KINDS[bisect_left(_KINDS, rank, key=lambda kind: kind[0])][1]


def write_cards(cards: Iterable[int]) -> str:
    """Write cards, separated by spaces."""
    return " ".join(DECK[card] for card in cards)


def read_cards(text: str) -> tuple[int, ...]:
    """Read what `write_cards` has written."""
    return tuple(_CARD_OF[word] for word in text.split())
