"""When a Python bot is told of a match, and what its preparation costs it."""

import random
from pathlib import Path

import pytest

from games.support.moves import replay
from games.support.specs import find_game
from league.match.conduct import MatchNotes
from league.match.play import MatchSetup, play_match
from league.model.records import Limits, Termination
from league.registration.source_snapshot import take_snapshot
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


def test_every_match_is_prepared(tmp_path: Path) -> None:
    seat = seat_of(tmp_path, "pass", "pass")
    try:
        assert answers(seat, 4, MoveBudget(cap_s=ENDLESS_S)) == [1, 2, 3, 4]
    finally:
        seat.stop()


PEEKS = """
import select

class Peek:
    def new_match(self, game, seat, seed):
        import league.seats.python.host, sys
        frame = sys._getframe()
        while "messages" not in frame.f_locals:
            frame = frame.f_back
        pipe = frame.f_locals["messages"].gi_frame.f_locals["self"]._in
        self.seen = len(pipe.peek()) if select.select([pipe], (), (), 0.3)[0] else 0

    def choose(self, state, clock):
        return self.seen
"""


@pytest.mark.slow
def test_a_bot_that_prepares_has_not_been_sent_its_first_question(tmp_path: Path) -> None:
    """With it, a bot that moves second would know its opponent's move without a clock."""
    path = tmp_path / "peeks.py"
    path.write_text(PEEKS)
    seat = PythonSeat(take_snapshot("peeks", f"{path}:Peek", {}), Limits(start_s=ENDLESS_S))
    try:
        assert answers(seat, 3, MoveBudget(cap_s=ENDLESS_S)) == [0, 0, 0]
    finally:
        seat.stop()


PREPARES = """
import time

class Prepares:
    matches = 0

    def new_match(self, game, seat, seed):
        self.matches += 1
        if self.matches == 3:
            time.sleep(0.5)

    def choose(self, state, clock):
        return state.legal_moves()[0]
"""


@pytest.mark.slow
def test_a_bot_that_is_slow_to_prepare_for_once_has_prepared_and_not_moved(tmp_path: Path) -> None:
    path = tmp_path / "prepares.py"
    path.write_text(PREPARES)
    seat = PythonSeat(take_snapshot("prepares", f"{path}:Prepares", {}), Limits())
    random = PythonSeat(take_snapshot("random", "random", {}), Limits())
    limits = Limits(move_s=ENDLESS_S, start_s=ENDLESS_S)
    preparations = []
    try:
        for seed in range(3):
            setup = MatchSetup(game=GAME, versions=(1, 2), opening=(), limits=limits, seed=seed)
            notes = MatchNotes()
            record = play_match(setup, (seat, random), notes=notes)
            preparations.append(notes.visits[0].preparation_ns)
        assert preparations[2] >= 5e8
        assert record.termination is Termination.RULES
        assert record.moves[0].wall_ns < 5e8
    finally:
        seat.stop()
        random.stop()


@pytest.mark.slow
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
        with pytest.raises(SeatFault) as fault:
            answers(seat, 1, MoveBudget(move_s=0.1, grace_s=0.1))
        assert fault.value.termination is termination
    finally:
        seat.stop()


COUNTS = "def choose(state, clock):\n    return len(state.legal_moves())\n"

KEEPS_SEED = """
from bots.random import Random

class Bot(Random):
    seed = 0
    {method}

    def choose(self, state, clock):
        return self.seed if self.seed else self._source.randrange(1000)
"""

OWN = "def new_match(self, game, seat, seed): self.seed = seed"


def test_a_bot_with_nothing_to_prepare_begins_each_match_at_its_opening(tmp_path: Path) -> None:
    path = tmp_path / "bot.py"
    path.write_text(COUNTS)
    seat = PythonSeat(take_snapshot("bot", str(path), {}), Limits(start_s=ENDLESS_S))
    budget = MoveBudget(cap_s=ENDLESS_S)
    seat.start()
    try:
        for opening in ((), (4,), (4, 0), (), (4, 0, 8, 2, 6), (4, 1)):
            # The match before ended before this bot was asked.
            seat.new_match(GAME, 1, 1, (3,))
            seat.new_match(GAME, 0, 2, opening)
            state = replay(START, opening)
            assert seat.ask(state, opening, budget).wire == 9 - len(opening)
            answer = seat.ask(state, (*opening, 3, 5), budget)
            assert answer.wire == 7 - len(opening)
    finally:
        seat.stop()


@pytest.mark.parametrize(("method", "prepares"), [("", False), (OWN, True)])
def test_the_seed_reaches_a_bot_whoever_prepares(
    method: str, prepares: bool, tmp_path: Path
) -> None:
    path = tmp_path / "bot.py"
    path.write_text(KEEPS_SEED.format(method=method))
    seat = PythonSeat(take_snapshot("bot", str(path), {}), Limits(start_s=ENDLESS_S))
    budget = MoveBudget(cap_s=ENDLESS_S)
    seat.start()
    try:
        found = []
        for seed in (5, 6, 6):
            seat.new_match(GAME, 0, seed, ())
            found.append(seat.ask(START, (), budget).wire)
    finally:
        seat.stop()
    drawn = [random.Random(seed).randrange(1000) for seed in (5, 6, 6)]
    assert found == ([5, 6, 6] if prepares else drawn)
