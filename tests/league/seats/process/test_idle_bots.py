"""Bots that are not to move stand still, and that is on nobody's clock."""

import pytest

from games.support.specs import find_game
from league.model.records import Isolation, Limits
from league.platform import family
from league.seats.process.environment import BotEnvironment
from league.seats.process.idle_bots import IdleBots
from league.seats.process.isolation import why_no_sandbox
from league.seats.python.python_seat import PythonSeat
from league.seats.seat import MoveBudget
from league.seats.stopwatch import COMPUTES_NS, Stopwatch
from tests.league.seats.seating import seated
from tests.processes import state_of
from tests.promises import on_linux
from tests.waiting import ENDLESS_S

pytestmark = on_linux("a bot is suspended with all its descendants")

GAME = find_game("connectfour")
BUDGET = MoveBudget(cap_s=ENDLESS_S)
STOPPED = "stopped"


def ask(seat: PythonSeat) -> None:
    """Ask for a first move."""
    seat.ask(GAME.initial(), (), BUDGET)


def standing(seat: PythonSeat) -> tuple[int, int]:
    """Return how many of a bot's processes stand still, and how many it has."""
    pids = family(seat.leader or 0)
    return sum(state_of(pid) == STOPPED for pid in pids), len(pids)


LEVELS = [
    Isolation.LIMITS,
    pytest.param(
        Isolation.SANDBOX, marks=pytest.mark.skipif(bool(why_no_sandbox()), reason="no sandbox")
    ),
]


@pytest.mark.slow
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("computes", [True, False], ids=["computing", "instant"])
def test_a_crowd_stands_still_before_the_clock_of_another_starts(
    level: Isolation, computes: bool
) -> None:
    idle_bots = IdleBots()
    environment = BotEnvironment(idle_bots=idle_bots)
    with seated(Limits(isolation=level), "crowds", "first", environment=environment) as seats:
        crowd, other = seats
        for place, seat in enumerate(seats):
            seat.start()
            seat.new_match(GAME, place, 1, ())
        ask(crowd)
        ask(other)
        for _ in range(2):
            ask(crowd)
            assert standing(crowd)[0] == 0
            process = other._running()
            process.has_computed = computes
            Stopwatch(process, BUDGET, idle_bots)
            stand, count = standing(crowd)
            assert count > 200
            assert stand >= count - 2  # the namespace's own first processes may not be stoppable


@pytest.mark.slow
def test_an_instant_bot_of_one_process_is_left_alone() -> None:
    """To suspend it takes longer than the moves of such bots."""
    idle_bots = IdleBots()
    environment = BotEnvironment(idle_bots=idle_bots)
    with seated(Limits(), "first", "first", environment=environment) as seats:
        for place, seat in enumerate(seats):
            seat.start()
            seat.new_match(GAME, place, 1, ())
        for seat in seats:
            seat._running().has_computed = False
            Stopwatch(seat._running(), BUDGET, idle_bots)
        assert not any(seat._running().is_frozen for seat in seats)


def test_a_bot_that_has_given_no_answer_may_compute() -> None:
    with seated(Limits(), "first") as (seat,):
        seat.start()
        assert seat._running().has_computed
        watch = Stopwatch(seat._running(), BUDGET)
        watch._cpu = (watch._cpu or 0) - 2 * COMPUTES_NS
        watch.stop()
        assert seat._running().has_computed
