"""Texas hold'em: the bets, what is shown, luck, and whole hands by the rules of other programs."""

import random
import runpy
import subprocess
import sys
from collections import Counter
from itertools import pairwise
from statistics import mean

import pytest
from hypothesis import given

from bots.support.bot import Clock
from bots.support.specs import make_bot
from games.holdem import HoldemState
from games.holdem.cards import DECK, kind_of, rank_of, write_cards
from games.support.errors import MoveError, OptionError
from games.support.game import CHANCE
from games.support.moves import draw_move
from games.support.specs import find_game
from games.support.trial import try_out
from games.support.view import View
from league.match.play import MatchSetup, play_match
from league.model.records import BotVersion, Limits, MatchRecord
from tests.examples import examples
from tests.games.holdem_hands import SPECS, hands
from tests.league.in_process import InProcessSeat, Script
from tests.paths import EXAMPLES

pytest.importorskip("phevaluator", reason="needs phevaluator: pip install 'botleague[poker]'")

DEAL = "As Kd Qs Qh"


def after(moves: str, spec: str = "holdem?sizes=any", deal: str = DEAL) -> HoldemState:
    """Return the hand after a deal, and then moves and cards with '_' for spaces."""
    state = find_game(spec).position(f"{deal} {moves}")
    assert isinstance(state, HoldemState)
    return state


def test_the_button_posts_the_small_blind_and_acts_first_before_the_flop_alone() -> None:
    state = after("")
    assert (state.to_move, state.betting.paid, state.to_call, state.pot) == (0, (1, 2), 1, 3)
    assert after("raise_to_6").to_move == 1
    line = "raise_to_6 call 2c 7d Ks"
    for card in ("3h", "4h", ""):
        assert after(line).to_move == 1
        assert after(f"{line} check").to_move == 0
        line += f" check check {card}"
    assert after(line).outcome() is not None


def test_the_big_blind_may_raise_after_a_call_and_a_check_ends_the_street() -> None:
    assert after("call").legal_moves()[:2] == ("check", "raise to 4")
    assert after("call check").to_move == CHANCE
    assert after("call raise_to_4").legal_moves()[:3] == ("fold", "call", "raise to 6")


def test_a_street_ends_after_a_check_and_a_check_or_a_bet_and_a_call() -> None:
    flop = "call check 2c 7d Ks"
    assert after(f"{flop} check").legal_moves()[:2] == ("check", "bet 2")
    assert after(f"{flop} check check").to_move == CHANCE
    assert after(f"{flop} check bet_2 call").to_move == CHANCE
    assert after(f"{flop} bet_2 call").to_move == CHANCE


@pytest.mark.parametrize(
    ("moves", "least"),
    [
        ("", "raise to 4"),
        ("raise_to_6", "raise to 10"),
        ("raise_to_6 raise_to_20", "raise to 34"),
        ("raise_to_6 call 2c 7d Ks", "bet 2"),
        ("raise_to_6 call 2c 7d Ks bet_5", "raise to 10"),
        ("raise_to_6 call 2c 7d Ks bet_5 raise_to_11", "raise to 17"),
        ("raise_to_100", "raise to 198"),
        ("raise_to_101", "all-in"),
    ],
)
def test_a_raise_adds_at_least_as_much_as_the_last_one(moves: str, least: str) -> None:
    assert next(move for move in after(moves).legal_moves() if move[0] in "rba") == least


def test_any_size_is_each_whole_number_of_chips_up_to_all_in() -> None:
    assert after("").legal_moves() == (
        "fold",
        "call",
        *(f"raise to {chips}" for chips in range(4, 200)),
        "all-in",
    )


def test_sizes_are_parts_of_the_pot_after_a_call() -> None:
    def bets(moves: str, spec: str = "holdem") -> tuple[str, ...]:
        return after(moves, spec).legal_moves()[-3:]

    assert bets("") == ("raise to 4", "raise to 6", "all-in")
    assert bets("raise_to_6") == ("raise to 12", "raise to 18", "all-in")
    assert bets("raise_to_6 call 2c 7d Ks") == ("bet 6", "bet 12", "all-in")
    assert bets("raise_to_6 call 2c 7d Ks bet_6") == ("raise to 18", "raise to 30", "all-in")
    # A part below the least raise is that one, and one above the stack is all-in.
    assert bets("", "holdem?sizes=10,20") == ("call", "raise to 4", "all-in")
    assert bets("", "holdem?sizes=1000&stack=10") == ("fold", "call", "all-in")


@pytest.mark.parametrize("sizes", ["", "0", "50,", "half", "50, 100", "1001", "-5", "²"])
def test_sizes_that_are_none_are_refused(sizes: str) -> None:
    with pytest.raises(OptionError, match=r"option sizes=.*: expected any, or percentages"):
        find_game("holdem").with_options({"sizes": sizes})


def test_after_all_in_nobody_may_raise() -> None:
    assert after("all-in").legal_moves() == ("fold", "call")
    assert after("raise_to_6 all-in").legal_moves() == ("fold", "call")


def test_an_all_in_below_the_least_raise_is_allowed() -> None:
    assert after("raise_to_15", "holdem?sizes=any&stack=10").legal_moves()[2:] == ("all-in",)
    short = after("raise_to_15 all-in", "holdem?sizes=any&stack=10")
    assert (short.to_call, short.legal_moves()) == (5, ("fold", "call"))


def test_what_nobody_calls_comes_back() -> None:
    assert after("all-in fold").outcome() == (1000, -1000)
    assert after("raise_to_6 all-in fold").outcome() == (-3000, 3000)
    assert after("fold").outcome() == (-500, 500)


def test_the_board_is_dealt_to_the_end_once_both_are_all_in() -> None:
    state = after("all-in call")
    for card in ("2c", "7d", "Ks", "3h", "4h"):
        assert state.to_move == CHANCE
        assert state.outcome() is None
        state = state.play(state.parse(card))
    assert state.outcome() == (100_000, -100_000)
    assert state.events(0)[3:6] == ("flop: 2c 7d Ks", "turn: 3h", "river: 4h")


def test_a_blind_of_the_whole_stack_is_all_in() -> None:
    state = after("", "holdem?stack=1")
    assert state.legal_moves() == ("fold", "call")
    assert state.play("call").to_move == CHANCE
    assert after("call 2c 7d Ks 3h 4h", "holdem?stack=1").outcome() == (1000, -1000)


def test_equal_hands_split_the_pot() -> None:
    line = "raise_to_5 call Ts Jc Qd check check Kc check check Ah check check"
    state = after(line, deal="2c 3c 2d 3d")
    assert (state.pot, state.outcome(), state.status()) == (10, (0, 0), "draw")


def test_limit_bets_have_one_size_that_doubles_on_the_turn() -> None:
    state, seen = after("", "holdem?betting=limit"), []
    for card in ("2c", "7d", "Ks", "3h", "4h", "end"):
        if state.to_move != CHANCE:
            bets = []
            while state.legal_moves()[-1] != "call":
                bets.append(state.legal_moves()[-1])
                state = state.play(bets[-1])
            seen.append(bets)
            state = state.play("call")
        if card != "end":
            state = state.play(state.parse(card))
    small = ["bet 2", "raise to 4", "raise to 6", "raise to 8"]
    large = ["bet 4", "raise to 8", "raise to 12", "raise to 16"]
    assert seen == [small[1:], small, large, large]
    assert state.outcome() == (24_000, -24_000)
    assert state.game.utility_bounds == (-24_000, 24_000)
    assert find_game("holdem?betting=limit&stack=7").utility_bounds == (-7000, 7000)
    assert find_game("holdem").utility_bounds == (-100_000, 100_000)


@given(hands)
@examples(200, quick=20)
def test_chips_are_conserved(states: list[HoldemState]) -> None:
    stack = states[0].game.stakes.stack
    for before, later in pairwise(states):
        for seat in (0, 1):
            assert 0 < before.betting.paid[seat] <= later.betting.paid[seat] <= stack
    won = states[-1].outcome()
    assert won is not None
    assert sum(won) == 0
    assert max(won) / 500 <= min(states[-1].betting.paid)
    assert max(won) % 500 == 0


@given(hands)
@examples(200, quick=20)
def test_cards_are_shown_only_to_their_seat_until_a_showdown(states: list[HoldemState]) -> None:
    end = states[-1]
    holes = [write_cards(end.hole(seat)) for seat in (0, 1)]
    for seat in (0, 1, None):
        told = "\n".join([*end.events(seat), end.drawn(seat)])
        for other in (0, 1):
            assert (holes[other] in told) == (other == seat or end.betting.folded is None)


def test_a_seat_is_told_its_cards_the_moves_and_the_board() -> None:
    state = after("raise_to_6 call 2c 7d Ks check bet_6 call 3h check check 4h check check")
    assert state.events(1) == (
        "cards: Qs Qh",
        "Button: raise to 6",
        "Big blind: call",
        "flop: 2c 7d Ks",
        "Big blind: check",
        "Button: bet 6",
        "Big blind: call",
        "turn: 3h",
        "Big blind: check",
        "Button: check",
        "river: 4h",
        "Big blind: check",
        "Button: check",
        "Button shows: As Kd",
        "Big blind shows: Qs Qh",
    )
    assert state.drawn(None).splitlines() == [
        "Button     As Kd  12 in, 188 left, pair",
        "Big blind  Qs Qh  12 in, 188 left, pair",
        "Board      2c 7d Ks 3h 4h",
    ]
    assert after("call").drawn(0).splitlines() == [
        "Button     As Kd  2 in, 198 left",
        "Big blind  ?? ??  2 in, 198 left",
        "Board",
    ]


def test_a_bot_that_fails_checks_or_else_folds() -> None:
    assert after("").stand_in(0) == "fold"
    assert after("call").stand_in(1) == "check"


def test_the_line_of_a_match_is_read_with_underscores() -> None:
    assert after("").parse("RAISE_TO_6") == "raise to 6"
    with pytest.raises(MoveError, match="illegal move"):
        after("").parse("raise_to_3")


@given(hands)
@examples(100, quick=10)
def test_a_sample_agrees_with_each_view(states: list[HoldemState]) -> None:
    source = random.Random(1)
    for state in states[4:]:
        for seat in (0, 1):
            view = state.view(seat)
            drawn = view.sample(source)
            assert isinstance(drawn, HoldemState)
            if len(state.board) or state.to_move != CHANCE:
                assert drawn.view(seat) == view
            assert drawn.hole(seat) == state.hole(seat)


def test_a_sample_has_each_unseen_card_equally_often() -> None:
    state = after("call check 2c 7d Ks check check 3h check check 4h")
    view = state.view(1)
    assert isinstance(view, View)
    source, count = random.Random(2), 9000
    drawn = [view.sample(source) for _ in range(count)]
    found = Counter(card for each in drawn for card in each.hole(0))  # type: ignore[attr-defined]
    assert len(found) == 45
    assert not set(found) & {*state.hole(1), *state.board}
    # Each of 45 cards is one of the two in 400 samples of 9,000; the deviation is 19.6.
    assert all(abs(times - 400) < 85 for times in found.values())


def scripted(name: str) -> InProcessSeat:
    """Return a seat that calls, or bets or folds by the cards on the board."""
    rules = {
        "calls": lambda state: state.legal_moves()["call" in state.legal_moves()],
        "bets": lambda state: state.legal_moves()[-2],
        "all-in": lambda state: state.legal_moves()[-1],
    }
    script = Script(move=rules[name])
    return InProcessSeat(BotVersion(name, name), script)


def played(first: str, second: str, seed: int) -> MatchRecord:
    """Let the referee play a hand."""
    setup = MatchSetup(
        game=find_game("holdem"), versions=[1, 2], opening=(), limits=Limits(), seed=seed
    )
    return play_match(setup, [scripted(first), scripted(second)])


@pytest.mark.parametrize("seed", range(5))
def test_a_seed_deals_the_same_cards_whatever_the_seats_do(seed: int) -> None:
    pairs = [("calls", "calls"), ("all-in", "calls"), ("calls", "bets"), ("bets", "calls")]
    lines = [played(*pair, seed).notation.split() for pair in pairs]
    dealt = [[word for word in line if word in DECK] for line in lines]
    assert len({tuple(line) for line in lines}) == len(pairs)
    assert all(len(cards) == 9 for cards in dealt)
    assert len({tuple(cards) for cards in dealt}) == 1
    # A bet stands between the deal and the flop in one line, and behind the flop in another.
    assert len({line.index(dealt[0][8]) for line in lines}) > 1


@pytest.mark.parametrize(
    ("cards", "kind"),
    [
        ("As Ks Qs Js Ts 2c 3d", "straight flush"),
        ("2c 2d 2h 2s 3c 3d 3h", "four of a kind"),
        ("2c 2d 2h 3s 3c 9d Kh", "full house"),
        ("2c 4c 6c 8c Tc 3d Kh", "flush"),
        ("Ac 2d 3h 4s 5c 9d Kh", "straight"),
        ("2c 2d 2h 4s 6c 9d Kh", "three of a kind"),
        ("2c 2d 3h 3s 4c 4d Kh", "two pairs"),
        ("2c 2d 3h 5s 7c 9d Kh", "pair"),
        ("2c 4d 6h 8s Tc Qd Ah", "high card"),
    ],
)
def test_kinds_of_hands(cards: str, kind: str) -> None:
    assert kind_of(rank_of(map(DECK.index, cards.split()))) == kind


@pytest.mark.parametrize("spec", SPECS)
def test_the_contract_is_kept(spec: str) -> None:
    assert try_out(find_game(spec), 0.3) > 0


@pytest.mark.parametrize("spec", ["holdem", "holdem?betting=limit"])
def test_the_example_wins_chips_from_a_bot_that_moves_at_random(spec: str) -> None:
    game = find_game(spec)
    won = []
    for seed in range(80):
        seat = seed % 2
        bots = [make_bot("random", {}), make_bot("random", {})]
        bots[seat] = runpy.run_path(str(EXAMPLES / "poker_bot.py"))["Odds"]()
        for number, bot in enumerate(bots):
            bot.new_match(game, number, 2 * seed + number)
        source, state = random.Random(seed // 2), game.initial()
        while (utilities := state.outcome()) is None:
            if state.to_move == CHANCE:
                state = state.play(draw_move(state, source))
            else:
                view = state.view(state.to_move)
                state = state.play(bots[state.to_move].choose(view, Clock()))
        won.append(utilities[seat])
    assert mean(won) > 0


def test_a_missing_package_is_named() -> None:
    code = (
        "import sys\n"
        "sys.modules['phevaluator'] = None\n"
        "from games.support.specs import find_game\n"
        "from games.holdem import GAME\n"
        "from games.support.errors import GameError\n"
        "for ask in (lambda: find_game('holdem'), GAME.initial):\n"
        "    try: ask()\n"
        "    except GameError as error: sys.stdout.write(f'{error}\\n')\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr == ""
    needed = "game 'holdem' needs phevaluator: pip install 'botleague[poker]' (Apache-2.0)"
    assert done.stdout.splitlines() == [needed, needed]
