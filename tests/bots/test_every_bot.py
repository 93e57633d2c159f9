"""What every built-in bot must keep to, in every game."""

from collections.abc import Callable
from functools import cache
from itertools import cycle, product

import pytest

import bots
from bots.support.bot import Bot, Clock, FunctionBot
from bots.support.search import DEPTH_MAX
from bots.support.specs import BOTS, make_bot
from games.support.errors import InputError
from games.support.game import CHANCE, State
from games.support.options import options_of
from games.support.specs import FAMILIES, find_game
from tests.bots.counted_time import CountedTime, counted_time
from tests.examples import soak
from tests.strategies import playable, walk

__all__ = ["counted_time"]

Question = tuple[State, Clock]

FOR_SECRETS = ("cfr", "ismcts", "regret_matching")
"""The bots that refuse most games in which everybody sees everything."""

every_bot = pytest.mark.parametrize("name", BOTS.names())


@cache
def open_states(spec: str, seed: int, most: int) -> list[State]:
    """Return positions of a random match where a seat moves; few where there are many moves."""
    states = [
        each for each in walk(spec, seed, 60) if each.outcome() is None and each.to_move != CHANCE
    ]
    count = most if len(states[0].legal_moves()) < 50 else min(most, 3)
    return states[:: -(-len(states) // count)]


def may_play(name: str, spec: str) -> bool:
    """Whether a bot can play a game."""
    return not BOTS.find(name).refusal(find_game(spec))


def playable_by(name: str) -> list[str]:
    """List the games that a bot can play."""
    return [spec for spec in playable() if may_play(name, spec)]


def brief_questions(spec: str) -> list[Question]:
    """Return a few positions, each with one of three small limits."""
    clocks = (Clock(depth=2, nodes=100), Clock(nodes=50), Clock(depth=3, nodes=15))
    return list(zip(open_states(spec, 7, 4), cycle(clocks), strict=False))


def long_questions(spec: str) -> list[Question]:
    """Return many positions, each with every one of three limits."""
    clocks = (Clock(depth=2, nodes=1000), Clock(nodes=200), Clock(depth=3, nodes=50))
    return list(product(open_states(spec, 7, 13), clocks))


def play_some(bot: Bot, questions: list[Question], seed: int) -> list[object]:
    """Let a bot answer in some positions of a match."""
    bot.new_match(questions[0][0].game, 0, seed)
    answers = []
    for state, clock in questions:
        before = state.key()
        move = bot.choose(state.view(state.to_move), clock)
        assert move in state.legal_moves()
        assert state.key() == before
        if bot.report is not None:
            assert bot.report.pv[0] == move
        answers.append(move)
    return answers


# Each test asks a bot in all games: one for each bot and game would be a thousand tests.


@every_bot
@pytest.mark.parametrize("asked", [brief_questions, *soak(long_questions)])
def test_the_same_seed_gives_the_same_legal_moves(
    name: str, asked: Callable[[str], list[Question]]
) -> None:
    for spec in playable_by(name):
        bot, questions = make_bot(name, {}), asked(spec)
        first = play_some(bot, questions, 7)
        assert play_some(bot, questions, 7) == first, spec
        assert play_some(make_bot(name, {}), questions, 7) == first, spec


@every_bot
def test_a_deadline_is_kept(name: str, counted_time: CountedTime) -> None:
    bot = make_bot(name, {})
    for spec in playable_by(name):
        states = open_states(spec, 3, 3)
        bot.new_match(states[0].game, 0, 1)
        counted_time.slow_down(states[0])
        for state in states:
            deadline_ns = counted_time.now_ns + 20_000_000
            assert (
                bot.choose(state.view(state.to_move), Clock(deadline_ns)) in state.legal_moves()
            ), spec
            assert counted_time.now_ns <= deadline_ns, spec


@every_bot
def test_a_search_without_a_depth_ends_at_its_nodes(name: str) -> None:
    """It goes down one line first, to the end or `DEPTH_MAX` plies, through luck too."""
    has_depth = any(each.name == "depth" for each in options_of(BOTS.find(name)))
    bot = make_bot(name, {"depth": "none"} if has_depth else {})
    names = FAMILIES.find("openspiel").names()
    others = [spec for spec in names if not find_game(spec).has_secrets]
    for spec in (*playable_by(name), *(others if name not in FOR_SECRETS else ())):
        state = find_game(spec).initial()
        while state.to_move == CHANCE:
            state = state.play(state.chance()[0][0])
        bot.new_match(state.game, 0, 1)
        assert (
            bot.choose(state.view(state.to_move), Clock(nodes=DEPTH_MAX + 100))
            in state.legal_moves()
        ), spec


@every_bot
def test_every_option_has_its_help(name: str) -> None:
    bot = BOTS.find(name)
    assert bot.__doc__
    for each in options_of(bot):
        assert each.help
        assert each.range()


@every_bot
def test_an_unknown_option_is_refused(name: str) -> None:
    with pytest.raises(InputError, match=f"unknown option 'colour' of bot {name}"):
        make_bot(name, {"colour": "red"})


def test_an_unknown_bot_gets_a_suggestion() -> None:
    with pytest.raises(InputError, match=r"unknown bot 'minmax' \(did you mean 'minimax'\?\)"):
        BOTS.find("minmax")


def test_a_function_is_a_bot() -> None:
    state = find_game("tictactoe").initial()
    assert FunctionBot(lambda state, clock: state.legal_moves()[-1]).choose(state, Clock()) == 8


def test_a_bot_without_choose_says_so() -> None:
    with pytest.raises(NotImplementedError, match="Bot does not override choose"):
        Bot().choose(find_game("tictactoe").initial(), Clock())


def test_a_clock_runs_out() -> None:
    assert Clock().left_s() == float("inf")
    assert 0.9 < Clock.of(1.0).left_s() <= 1.0
    assert Clock.of(0.0).left_s() == 0.0


def test_what_the_package_hands_on() -> None:
    assert set(bots.__all__) == {"Bot", "Clock", "FunctionBot", "Report"}
