"""Agents as people write them for Kaggle play unchanged."""

import random
from pathlib import Path

import pytest

from games import catalogue
from games.contract import State
from league.records import Limits, MatchRecord, Termination
from league.referee.match import play_match
from league.seats.contract import SeatFault
from league.seats.kaggle import Named, is_agent
from league.seats.python import PythonSeat
from league.snapshot import take_snapshot
from tests.strategies import walk

LIMITS = Limits(move_s=1.0, start_s=20.0)

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
    folder: Path, text: str, spec: str, name: str = "", limits: Limits = LIMITS
) -> list[MatchRecord]:
    """Play an agent against a random bot, once in each seat, and return the records."""
    path = folder / "submission.py"
    path.write_text(text)
    game = catalogue.find(spec)
    reference = f"{path}:{name}" if name else str(path)
    seats = [
        PythonSeat(take_snapshot("agent", reference, {}), limits),
        PythonSeat(take_snapshot("random", "random", {}), limits),
    ]
    try:
        return [
            play_match(game, seats, (1, 2), (), limits, seed=1),
            play_match(game, seats[::-1], (2, 1), (), limits, seed=2),
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
    for record in play(tmp_path, text, "tictactoe", limits=Limits(time="50", start_s=20.0)):
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


def test_an_agent_that_wants_numpy_has_its_arrays(tmp_path: Path) -> None:
    pytest.importorskip("numpy")
    for record in play(tmp_path, WITH_NUMPY, "connectfour"):
        assert record.termination == Termination.RULES, record.detail


def test_an_agent_that_looks_ahead_beats_chance(tmp_path: Path) -> None:
    first, second = play(tmp_path, BY_ITEMS, "connectfour")
    assert (first.scores[0], second.scores[1]) == (1.0, 1.0)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("spec", ["connectfour", "connectfour?columns=4&rows=5", "tictactoe"])
def test_the_board_is_told_row_by_row_from_the_top(spec: str, seed: int, tmp_path: Path) -> None:
    states = walk(spec, seed, random.Random(seed).randrange(9))
    state = states[-1] if states[-1].outcome() is None else states[-2]
    assert squares_told(state) == squares_drawn(state)


def squares_told(state: State) -> list[int]:
    """Return the board that an agent is told."""
    from bots import Clock  # noqa: PLC0415 (beside its only use)
    from league.seats.kaggle import AgentBot  # noqa: PLC0415

    told: list[Named] = []

    def agent(obs: Named) -> int:
        told.append(obs)
        return 0

    bot = AgentBot(agent, lambda: agent)
    bot.new_match(state.game, state.to_move, 1)
    bot.choose(state, Clock())
    assert told[0].mark == told[0]["mark"] == state.to_move + 1
    assert told[0].step == sum(each > 0 for each in told[0].board)
    return list(told[0].board)


def squares_drawn(state: State) -> list[int]:
    """Return the board as the game draws it: X is the first seat, O the second."""
    signs = [each for each in state.render() if each in ".XO"]
    count = len(signs) - len([each for each in state.render().splitlines()[-1] if each in ".XO"])
    return [".XO".index(each) for each in signs[:count]]


def test_other_games_are_refused(tmp_path: Path) -> None:
    record = play(tmp_path, ONE_PARAMETER, "othello")[0]
    assert (record.termination, record.fault_seat) == (Termination.CRASH, 0)
    assert "plays connectfour and tictactoe, not othello" in record.detail


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
    other = PythonSeat(take_snapshot("random", "random", {}), LIMITS)
    try:
        play_match(catalogue.find("tictactoe"), [seat, other], (1, 2), (), LIMITS, seed=1)
        assert seat.log.startswith("[0, 0, 0, 0, 0, 0, 0, 0, 0] 1 0 None True\n")
    finally:
        seat.stop()
        other.stop()


def test_a_bot_of_the_league_is_no_agent() -> None:
    def agent(state: object, clock: object) -> None:
        """Take what the league gives."""

    def plan(observation: object) -> None:
        """Take what Kaggle gives."""

    assert not is_agent(agent)
    assert is_agent(plan)
    assert not is_agent(len)
    assert not is_agent(Named)
