"""When a Python bot is told of a match, and what its preparation costs it."""

from pathlib import Path

import pytest

from games.support.specs import find_game
from league.model.records import Limits, Termination
from league.registration.source_snapshot import take_snapshot
from league.seats.python import python_seat
from league.seats.python.python_seat import PythonSeat
from league.seats.seat import MoveBudget, SeatFault
from tests.waiting import ENDLESS_S

GAME = find_game("tictactoe")
START = GAME.initial()

BOT = """
import time

class Bot:
    matches = 0

    def new_match(self, game, seat, seed):
        self.matches += 1
        if self.matches == 3:
            {prepares}

    def choose(self, state, clock):
        assert clock.left_s() > 0
        if self.matches == 3:
            {chooses}
        return self.matches
"""


def seat_of(folder: Path, prepares: str, chooses: str, start_s: float = ENDLESS_S) -> PythonSeat:
    """Return the seat of a bot that does so in its third match."""
    path = folder / "bot.py"
    path.write_text(BOT.format(prepares=prepares, chooses=chooses))
    return PythonSeat(take_snapshot("bot", str(path), {}), Limits(start_s=start_s))


def answers(seat: PythonSeat, matches: int, budget: MoveBudget) -> list[object]:
    """Return the first answer in each of so many matches."""
    found = []
    seat.start()
    for seed in range(matches):
        seat.new_match(GAME, 0, seed, ())
        answer = seat.ask(START, (), budget)
        assert answer.over_ns == 0
        found.append(answer.wire)
    return found


@pytest.fixture
def _all_are_quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(python_seat, "QUICK_NS", 10**12)


@pytest.mark.usefixtures("_all_are_quick")
def test_a_match_that_is_told_with_its_first_question_is_prepared(tmp_path: Path) -> None:
    seat = seat_of(tmp_path, "pass", "pass")
    try:
        assert answers(seat, 4, MoveBudget(cap_s=ENDLESS_S)) == [1, 2, 3, 4]
    finally:
        seat.stop()


@pytest.mark.slow
@pytest.mark.usefixtures("_all_are_quick")
def test_a_bot_that_is_slow_to_prepare_for_once_is_not_charged(tmp_path: Path) -> None:
    seat = seat_of(tmp_path, "time.sleep(0.5)", "pass")
    try:
        assert answers(seat, 4, MoveBudget(move_s=0.2, grace_s=0.1)) == [1, 2, 3, 4]
    finally:
        seat.stop()


@pytest.mark.slow
@pytest.mark.usefixtures("_all_are_quick")
@pytest.mark.parametrize(
    ("prepares", "chooses", "termination"),
    [
        ("raise ValueError", "pass", Termination.CRASH),
        ("pass", "raise ValueError", Termination.CRASH),
        ("time.sleep(1000)", "pass", Termination.TIME_FORFEIT),
        ("pass", "time.sleep(1000)", Termination.TIME_FORFEIT),
        ("pass", "time.sleep(0.3)", Termination.TIME_FORFEIT),
    ],
)
def test_a_bot_that_fails_before_its_first_answer_loses(
    prepares: str, chooses: str, termination: Termination, tmp_path: Path
) -> None:
    seat = seat_of(tmp_path, prepares, chooses)
    try:
        assert answers(seat, 2, MoveBudget(move_s=0.1, grace_s=0.1)) == [1, 2]
        seat._limits = Limits(start_s=0.5)
        seat.new_match(GAME, 0, 3, ())
        with pytest.raises(SeatFault) as fault:
            seat.ask(START, (), MoveBudget(move_s=0.1, grace_s=0.1))
        assert fault.value.termination is termination
    finally:
        seat.stop()
