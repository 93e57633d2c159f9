"""Whole hands of Texas hold'em, and ranks of hands, by pokerkit and by OpenSpiel."""

import random
from itertools import pairwise
from typing import Any

import pytest

pytest.importorskip("phevaluator", reason="needs phevaluator: pip install 'botleague[poker]'")

from games.holdem import HoldemState
from games.holdem.cards import DECK, kind_of, rank_of, write_cards
from games.support.game import CHANCE
from tests.examples import slow
from tests.games.holdem_hands import SPECS, walk

HANDS = 100
"""Hands in a part; the first one is shorter."""

parts = pytest.mark.parametrize(
    "seeds", [range(35), *slow(*(range(first, first + HANDS) for first in range(35, 2035, HANDS)))]
)


@parts
def test_pokerkit_plays_the_same_hands(seeds: range) -> None:
    pokerkit = pytest.importorskip("pokerkit", reason="needs pokerkit: pip install pokerkit")
    for seed in seeds:
        _compare_with_pokerkit(pokerkit, walk(SPECS[seed % len(SPECS)], seed))


def _compare_with_pokerkit(pokerkit: Any, states: list[HoldemState]) -> None:
    """Compare the stacks, the seat to move, and its moves; pokerkit's seat 0 has the big blind."""
    game = states[0].game
    stack = game.stakes.stack
    theirs = _pokerkit_hand(pokerkit, stack, is_limit=game.stakes.is_limit)
    for state, later in pairwise(states):
        assert list(theirs.stacks) == [stack - paid for paid in reversed(state.betting.paid)]
        if state.to_move == CHANCE:
            _deal(theirs, later)
            continue
        assert theirs.actor_index == 1 - state.to_move
        moves = state.legal_moves()
        assert theirs.can_fold() == ("fold" in moves)
        bets = [_chips(state, move) for move in moves if move not in ("fold", "check", "call")]
        # Before the flop of limit hold'em pokerkit allows four raises, the ACPC and we three.
        is_fourth = game.stakes.is_limit and state.betting.street == 0 and state.betting.bets == 4
        assert theirs.can_complete_bet_or_raise_to() == (bool(bets) or is_fourth)
        if bets:
            least = theirs.min_completion_betting_or_raising_to_amount
            if game.sizes == "any" or game.betting == "limit":
                assert least == bets[0]
            assert least <= bets[0]
            assert theirs.max_completion_betting_or_raising_to_amount == bets[-1]
        _act(theirs, state, later)
    assert not theirs.status
    won = [500.0 * (left - stack) for left in reversed(theirs.stacks)]
    assert tuple(won) == states[-1].outcome()


def _pokerkit_hand(pokerkit: Any, stack: int, *, is_limit: bool) -> Any:
    """Begin a hand with the blinds posted, in which cards and moves are ours."""
    ours = {"HOLE_DEALING", "CARD_BURNING", "BOARD_DEALING", "RUNOUT_COUNT_SELECTION"}
    automations = tuple(each for each in pokerkit.Automation if each.name not in ours)
    kind = pokerkit.FixedLimitTexasHoldem if is_limit else pokerkit.NoLimitTexasHoldem
    bets = (2, 4) if is_limit else (2,)
    return kind.create_state(automations, True, 0, (1, 2), *bets, (stack, stack), 2)


def _deal(theirs: Any, later: HoldemState) -> None:
    """Deal what `later` has more, as soon as the two cards of a seat or the flop are there."""
    if len(later.cards) in (2, 4):
        seat = len(later.cards) // 2 - 1
        theirs.deal_hole(write_cards(later.hole(seat)).replace(" ", ""), 1 - seat)
    elif later.board:
        new = later.board if len(later.board) == 3 else later.board[-1:]
        theirs.burn_card("??")
        theirs.deal_board(write_cards(new).replace(" ", ""))


def _act(theirs: Any, state: HoldemState, later: HoldemState) -> None:
    """Play the move that leads to `later`."""
    move = _played(later)
    if move == "fold":
        theirs.fold()
    elif move in ("check", "call"):
        theirs.check_or_call()
    else:
        theirs.complete_bet_or_raise_to(_chips(state, move))


def _played(later: HoldemState) -> str:
    """Return the last move of a seat."""
    return later.told[-1].partition(": ")[2]


def _chips(state: HoldemState, move: str) -> int:
    """Return what a bet or raise puts in on its street."""
    if move == "all-in":
        return state.game.stakes.stack - state.betting.before
    return int(move.split()[-1])


HOLE_0, HOLE_1, BOARD = slice(0, 2), slice(2, 4), slice(4, None)

ACPC = (
    "numPlayers=2,numRounds=4,blind=2 1,firstPlayer=2 1 1 1,numSuits=4,numRanks=13,"
    "numHoleCards=2,numBoardCards=0 3 1 1,stack={0} {0}"
)
BETTING = {
    "nolimit": "betting=nolimit,bettingAbstraction=fullgame",
    "limit": "betting=limit,raiseSize=2 2 4 4,maxRaises=3 4 4 4",
}


@pytest.mark.extra
@pytest.mark.parametrize("spec", ["holdem?sizes=any&stack=20", "holdem?betting=limit"])
def test_openspiel_plays_the_same_hands(spec: str) -> None:
    pyspiel = pytest.importorskip("pyspiel", reason="needs open_spiel")
    for seed in range(200):
        states = walk(spec, seed)
        game = states[0].game
        options = f"{BETTING[game.betting]},{ACPC.format(game.stakes.stack)}"
        theirs = pyspiel.load_game(f"universal_poker({options})").new_initial_state()
        first, second, board = (states[-1].cards[part] for part in (HOLE_0, HOLE_1, BOARD))
        luck = iter((*second, *first, *board))
        for state, later in pairwise(states):
            if state.to_move == CHANCE:
                theirs.apply_action(next(luck))
                continue
            assert theirs.current_player() == 1 - state.to_move
            assert theirs.legal_actions() == [_action(state, each) for each in state.legal_moves()]
            theirs.apply_action(_action(state, _played(later)))
        assert theirs.is_terminal()
        won = tuple(500 * chips for chips in reversed(theirs.returns()))
        assert won == states[-1].outcome()


def _action(state: HoldemState, move: str) -> int:
    """Return OpenSpiel's number: 0 to fold, 1 to check or call, and what the seat has paid then."""
    if move in ("fold", "check", "call"):
        return int(move != "fold")
    if state.game.betting == "limit":
        return 2
    return state.betting.before + _chips(state, move)


KINDS = {"ONE_PAIR": "pair", "TWO_PAIR": "two pairs"}


def test_pokerkit_ranks_hands_in_the_same_order() -> None:
    pokerkit = pytest.importorskip("pokerkit", reason="needs pokerkit: pip install pokerkit")
    source = random.Random(4)
    for _ in range(300):
        cards = source.sample(range(len(DECK)), 9)
        board = cards[4:]
        ours = [rank_of([*hole, *board]) for hole in (cards[:2], cards[2:4])]
        theirs = [
            pokerkit.StandardHighHand.from_game(
                write_cards(hole).replace(" ", ""), write_cards(board).replace(" ", "")
            )
            for hole in (cards[:2], cards[2:4])
        ]
        assert (ours[0] < ours[1]) == (theirs[0] > theirs[1])
        assert (ours[0] == ours[1]) == (theirs[0] == theirs[1])
        for rank, hand in zip(ours, theirs, strict=True):
            label = hand.entry.label.name
            assert kind_of(rank) == KINDS.get(label, label.lower().replace("_", " "))
