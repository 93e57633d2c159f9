"""Agents as people write them for Kaggle play unchanged."""

import random
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest

from bots import Clock
from games.support.game import State
from games.support.specs import find_game
from league.match.play import MatchSetup, play_match
from league.model.records import Limits, MatchRecord, Termination
from league.model.time_control import TimeControl
from league.registration.check import check, examine
from league.registration.source_snapshot import take_snapshot
from league.seats.python.kaggle import AttributeDict, KaggleBot, agent_of, is_agent, note_on
from league.seats.python.python_seat import PythonSeat
from league.seats.seat import Seat, SeatFault
from tests.league.seats.firstmove import FirstMove
from tests.strategies import walk
from tests.waiting import ENDLESS_S

LIMITS = Limits(move_s=1.0, grace_s=ENDLESS_S, start_s=ENDLESS_S)

ONE_PARAMETER = """\
def agent(obs):
    import random
    return random.choice([cell for cell in range(9) if obs.board[cell] == 0])
"""

BY_ITEMS = """\
def drop(grid, column, mark, config):
    rows = [row for row in range(config["rows"]) if grid[row][column] == 0]
    grid = [list(row) for row in grid]
    grid[rows[-1]][column] = mark
    return grid, rows[-1]

def wins(grid, row, column, mark, config):
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        count = 1
        for sign in (1, -1):
            y, x = row + sign * down, column + sign * right
            while 0 <= y < config["rows"] and 0 <= x < config["columns"] and grid[y][x] == mark:
                count, y, x = count + 1, y + sign * down, x + sign * right
        if count >= config["inarow"]:
            return True
    return False

def my_agent(observation, configuration):
    width = configuration["columns"]
    flat = observation["board"]
    grid = [flat[at:at + width] for at in range(0, len(flat), width)]
    valid = [column for column in range(width) if flat[column] == 0]
    for mark in (observation["mark"], 3 - observation["mark"]):
        for column in valid:
            if wins(*drop(grid, column, mark, configuration), column, mark, configuration):
                return column
    return valid[len(valid) // 2]
"""

WITH_NUMPY = """\
import numpy as np

def valid_columns(grid):
    return [column for column in range(grid.shape[1]) if grid[0, column] == 0]

def agent(obs, config):
    grid = np.asarray(obs.board).reshape(config.rows, config.columns)
    counts = [np.count_nonzero(grid[:, column]) for column in valid_columns(grid)]
    return valid_columns(grid)[int(np.argmin(counts))]
"""

REMEMBERS = """\
steps = []

def agent(obs, config):
    steps.append(obs.step)
    assert len(steps) == obs.step // 2 + 1, steps
    return next(column for column in range(config.columns) if obs.board[column] == 0)
"""

TELLS = """\
def agent(obs, config):
    print(obs.board, obs.mark, obs.step, config.get("columns"), config.actTimeout <= 1.0)
    return next(place for place in range(9) if obs.board[place] == 0)
"""


def play(
    folder: Path,
    text: str,
    spec: str,
    name: str = "",
    limits: Limits = LIMITS,
    other: Seat | None = None,
) -> list[MatchRecord]:
    """Play an agent against another bot, once in each seat, and return the records."""
    path = folder / "submission.py"
    path.write_text(text)
    game = find_game(spec)
    reference = f"{path}:{name}" if name else str(path)
    agent = PythonSeat(take_snapshot("agent", reference, {}), limits)
    seats: list[Seat] = [agent, other or FirstMove()]
    try:
        return [
            play_match(
                MatchSetup(game=game, versions=(1, 2), opening=(), limits=limits, seed=1), seats
            ),
            play_match(
                MatchSetup(game=game, versions=(2, 1), opening=(), limits=limits, seed=2),
                seats[::-1],
            ),
        ]
    finally:
        for seat in seats:
            seat.stop()


def test_what_is_left_of_a_clock_is_time_over(tmp_path: Path) -> None:
    text = (
        "def agent(obs, config):\n"
        "    assert 1.5 < config.actTimeout <= 2, config.actTimeout\n"
        "    assert 40 < obs.remainingOverageTime + config.actTimeout < 51\n"
        "    return next(place for place in range(9) if obs.board[place] == 0)\n"
    )
    for record in play(tmp_path, text, "tictactoe", limits=replace(LIMITS, move_s=None, time="50")):
        assert record.termination == Termination.RULES, record.detail


@pytest.mark.parametrize(
    ("text", "spec", "name"),
    [
        (ONE_PARAMETER, "tictactoe", ""),
        (BY_ITEMS, "connectfour", ""),
        (BY_ITEMS, "connectfour", "my_agent"),
        (BY_ITEMS, "connectfour?columns=5&rows=4&connect=3", ""),
        (REMEMBERS, "connectfour", ""),
    ],
)
def test_typical_agents_play_to_the_end(text: str, spec: str, name: str, tmp_path: Path) -> None:
    for record in play(tmp_path, text, spec, name):
        assert record.termination == Termination.RULES, record.detail


@pytest.mark.parametrize(
    ("text", "named", "told"),
    [
        ("def agent(obs): ...\ndef mine(obs, config): ...\n", "mine", ""),
        ("def agent(obs): ...\ndef helper(x): ...\n", "agent", "Kaggle would run 'helper'"),
        ("def mine(obs): ...\ndef agent(x): ...\n", "agent", ""),
        ("def mine(obs): ...\nclass Board: ...\n", "mine", "'mine' last"),
        ("def mine(obs): ...\nfrom random import choice\n", "mine", "Kaggle would run 'choice'"),
        ("mine = lambda obs: 0\n", "<lambda>", ""),
        ("def plan(x): ...\n", None, ""),
    ],
)
def test_the_agent_is_kaggles_where_that_can_play(text: str, named: str | None, told: str) -> None:
    module = ModuleType("submission")
    exec(text, vars(module))  # noqa: S102 (as Kaggle runs a submission)
    agent = agent_of(module)
    assert getattr(agent, "__name__", None) == named
    if agent is not None:
        note = note_on(module, agent)
        assert told in note
        assert bool(told) == bool(note)


def test_whom_kaggle_would_run_is_told_when_a_bot_is_tried(tmp_path: Path) -> None:
    path = tmp_path / "submission.py"
    path.write_text(ONE_PARAMETER + "def helper(x):\n    return x\n")
    game = find_game("tictactoe")
    version = take_snapshot("agent", str(path), {})
    (trial,) = check(version, [game])
    assert "Kaggle would run 'helper'" in " ".join(trial.warnings)
    start = next(examine(version, game))
    assert "define 'agent' last" in start.hint


@pytest.mark.parametrize(("left_s", "move_s", "more_s"), [(62.0, 2.0, 60.0), (2.0, 2.0, 0.0)])
def test_kaggles_own_clock_is_told_in_its_terms(
    left_s: float, move_s: float, more_s: float
) -> None:
    assert str(TimeControl.read("kaggle")) == "60d2"
    clock = Clock(remaining_s=(left_s, 70.0), increments_s=(2.0, 2.0))
    assert told_of(find_game("tictactoe").initial(), clock) == (move_s, more_s)


def test_an_agent_that_wants_numpy_has_its_arrays(tmp_path: Path) -> None:
    pytest.importorskip("numpy")
    for record in play(tmp_path, WITH_NUMPY, "connectfour"):
        assert record.termination == Termination.RULES, record.detail


def test_an_agent_that_looks_ahead_beats_chance(tmp_path: Path) -> None:
    chance = PythonSeat(take_snapshot("random", "random", {}), LIMITS)
    first, second = play(tmp_path, BY_ITEMS, "connectfour", other=chance)
    assert (first.scores[0], second.scores[1]) == (1.0, 1.0)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("spec", ["connectfour", "connectfour?columns=4&rows=5", "tictactoe"])
def test_the_board_is_told_row_by_row_from_the_top(spec: str, seed: int, tmp_path: Path) -> None:
    states = walk(spec, seed, random.Random(seed).randrange(9))
    state = states[-1] if states[-1].outcome() is None else states[-2]
    assert squares_told(state) == squares_drawn(state)


@pytest.mark.parametrize(("plies", "left_s"), [(0, 40.0), (1, 10.0)])
def test_the_time_over_is_that_of_one_s_own_clock(plies: int, left_s: float) -> None:
    """What a clock shows beyond the minute that a move without a deadline is told of."""
    state = walk("tictactoe", 1, plies)[-1]
    told = observation_of(state, Clock(remaining_s=(100.0, 70.0)))
    assert told.remainingOverageTime == left_s


def squares_told(state: State) -> list[int]:
    """Return the board that an agent is told."""
    told = observation_of(state, Clock())
    assert told.mark == told["mark"] == state.to_move + 1
    assert told.step == sum(each > 0 for each in told.board)
    return list(told.board)


def observation_of(state: State, clock: Clock) -> AttributeDict:
    """Return what an agent is told that is to move."""
    told: list[AttributeDict] = []

    def agent(obs: AttributeDict) -> int:
        told.append(obs)
        return 0

    bot = KaggleBot(agent, lambda: agent)
    bot.new_match(state.game, state.to_move, 1)
    bot.choose(state, clock)
    return told[0]


def told_of(state: State, clock: Clock) -> tuple[float, float]:
    """Return the time of the move and the time over that an agent is told."""
    told: list[tuple[float, float]] = []

    def agent(obs: AttributeDict, config: AttributeDict) -> int:
        told.append((config.actTimeout, obs.remainingOverageTime))
        return 0

    bot = KaggleBot(agent, lambda: agent)
    bot.new_match(state.game, state.to_move, 1)
    bot.choose(state, clock)
    return told[0]


def squares_drawn(state: State) -> list[int]:
    """Return the board as the game draws it: X is the first seat, O the second."""
    signs = [each for each in state.render() if each in ".XO"]
    count = len(signs) - len([each for each in state.render().splitlines()[-1] if each in ".XO"])
    return [".XO".index(each) for each in signs[:count]]


@pytest.mark.slow
def test_other_games_are_refused(tmp_path: Path) -> None:
    record = play(tmp_path, ONE_PARAMETER, "othello")[0]
    assert (record.termination, record.fault_seat) == (Termination.CRASH, 0)
    assert "plays connectfour, tictactoe and rps, not othello" in record.detail


def test_an_agent_takes_no_options(tmp_path: Path) -> None:
    path = tmp_path / "submission.py"
    path.write_text(ONE_PARAMETER)
    seat = PythonSeat(take_snapshot("agent", str(path), {"depth": "3"}), LIMITS)
    with pytest.raises(SeatFault, match="did not load: a function takes no options, and got depth"):
        seat.start()
    seat.stop()


def test_what_an_agent_is_told_fits_its_game(tmp_path: Path) -> None:
    path = tmp_path / "submission.py"
    path.write_text(TELLS)
    seat = PythonSeat(take_snapshot("agent", str(path), {}), LIMITS)
    try:
        play_match(
            MatchSetup(
                game=find_game("tictactoe"), versions=(1, 2), opening=(), limits=LIMITS, seed=1
            ),
            [seat, FirstMove()],
        )
        assert seat.log.startswith("[0, 0, 0, 0, 0, 0, 0, 0, 0] 1 0 None True\n")
    finally:
        seat.stop()


BEATS_THE_LAST = """
def agent(observation, configuration):
    print(observation.step, observation.lastOpponentAction, configuration.signs)
    if observation.step == 0:
        return 2
    return (observation["lastOpponentAction"] + 1) % configuration["signs"]
"""


def test_an_agent_plays_rock_paper_scissors(tmp_path: Path) -> None:
    path = tmp_path / "submission.py"
    path.write_text(BEATS_THE_LAST)
    game = find_game("rps?rounds=3")
    for seat in range(2):
        bot = PythonSeat(take_snapshot("agent", str(path), {}), LIMITS)
        seats: list[Seat] = [FirstMove(), FirstMove()]
        seats[seat] = bot
        setup = MatchSetup(game=game, versions=(1, 2), opening=(), limits=LIMITS, seed=1)
        try:
            record = play_match(setup, seats)
        finally:
            bot.stop()
        words = record.notation.split()
        assert words[seat::2] == ["scissors", "paper", "paper"]
        assert bot.log.startswith("0 None 3\n1 0 3\n2 0 3\n")
        assert record.scores[seat] == 1.0


def test_a_bot_of_the_league_is_no_agent() -> None:
    def agent(state: object, clock: object) -> None:
        """Take what the league gives."""

    def plan(observation: object) -> None:
        """Take what Kaggle gives."""

    assert not is_agent(agent)
    assert is_agent(plan)
    assert not is_agent(len)
    assert not is_agent(AttributeDict)
