"""What every built-in bot must keep to, in every game."""

import time

import pytest

import bots
from bots import catalogue
from bots.contract import Bot, Clock, FunctionBot
from games import catalogue as games
from games.contract import CHANCE, State
from games.errors import InputError
from games.options import options_of
from tests.strategies import playable, walk

every_bot = pytest.mark.parametrize("name", catalogue.names())
every_game = pytest.mark.parametrize("spec", playable())


def open_states(spec: str, seed: int) -> list[State]:
    """Return positions of a random match where a seat moves; few where there are many moves."""
    states = walk(spec, seed, 60)
    step = 5 if len(states[0].legal_moves()) < 50 else 25
    return [each for each in states[::step] if each.outcome() is None and each.to_move != CHANCE]


def play_some(bot: Bot, spec: str, seed: int, clock: Clock) -> list[object]:
    """Let a bot answer in the positions of a random match."""
    states = open_states(spec, seed)
    bot.new_match(states[0].game, 0, seed)
    answers = []
    for state in states:
        before = state.key()
        move = bot.choose(state, clock)
        assert move in state.legal_moves()
        assert state.key() == before
        if bot.report is not None:
            assert bot.report.pv[0] == move
        answers.append(move)
    return answers


@every_bot
@every_game
@pytest.mark.parametrize(
    "clock", [Clock(depth=2, nodes=1000), Clock(nodes=200), Clock(depth=3, nodes=50)]
)
def test_the_same_seed_gives_the_same_legal_moves(name: str, spec: str, clock: Clock) -> None:
    bot = catalogue.make(name, {})
    first = play_some(bot, spec, 7, clock)
    assert play_some(bot, spec, 7, clock) == first
    assert play_some(catalogue.make(name, {}), spec, 7, clock) == first


@every_bot
@every_game
def test_a_deadline_is_kept(name: str, spec: str) -> None:
    bot = catalogue.make(name, {})
    states = open_states(spec, 3)
    bot.new_match(states[0].game, 0, 1)
    for state in states:
        begin = time.monotonic()
        assert bot.choose(state, Clock.of(0.02)) in state.legal_moves()
        assert time.monotonic() - begin < 0.5


@every_bot
def test_every_option_has_its_help(name: str) -> None:
    bot = catalogue.find(name)
    assert bot.__doc__
    for each in options_of(bot):
        assert each.help
        assert each.range()


@every_bot
def test_an_unknown_option_is_refused(name: str) -> None:
    with pytest.raises(InputError, match=f"unknown option 'colour' of bot {name}"):
        catalogue.make(name, {"colour": "red"})


def test_an_unknown_bot_gets_a_suggestion() -> None:
    with pytest.raises(InputError, match=r"unknown bot 'minmax' \(did you mean 'minimax'\?\)"):
        catalogue.find("minmax")


def test_a_function_is_a_bot() -> None:
    state = games.find("tictactoe").initial()
    assert FunctionBot(lambda state, clock: state.legal_moves()[-1]).choose(state, Clock()) == 8


def test_a_bot_without_choose_says_so() -> None:
    with pytest.raises(NotImplementedError, match="Bot does not override choose"):
        Bot().choose(games.find("tictactoe").initial(), Clock())


def test_a_clock_runs_out() -> None:
    assert Clock().left_s() == float("inf")
    assert 0.9 < Clock.of(1.0).left_s() <= 1.0
    assert Clock.of(0.0).left_s() == 0.0


def test_what_the_package_hands_on() -> None:
    assert set(bots.__all__) == {"Bot", "Clock", "FunctionBot", "Report"}
