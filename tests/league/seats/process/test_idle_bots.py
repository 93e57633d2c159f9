"""Bots that are not to move stand still, and that is on nobody's clock."""

import pytest

from games.support.specs import find_game
from league.model.records import Isolation, Limits
from league.platform import family
from league.seats.process.environment import BotEnvironment
from league.seats.process.idle_bots import LOOKS, IdleBots
from league.seats.process.isolation import why_no_sandbox
from league.seats.python.python_seat import PythonSeat
from league.seats.seat import MoveBudget
from league.seats.stopwatch import COMPUTES_NS, Stopwatch
from tests.league.seats.seating import seated
from tests.processes import state_of
from tests.promises import on_linux
from tests.waiting import ENDLESS_S, wait_until

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
            ask(seat)
        for computes in (False, True):
            for seat in seats:
                seat._running().has_computed = computes
                Stopwatch(seat._running(), BUDGET, idle_bots)
            assert not any(seat._running().is_frozen for seat in seats)
        mover, other = (seat._running() for seat in seats)
        while not idle_bots.freeze_restless(mover):
            assert not other.is_frozen
        assert (other.is_frozen, other.is_restless, other.looks) == (True, False, LOOKS + 1)
        assert not idle_bots.freeze_restless(mover)


@pytest.mark.slow
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("thief", ["ponders", "steals_time"])
def test_a_bot_that_computes_while_another_moves_is_stopped_and_pays(
    level: Isolation, thief: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("league.seats.process.idle_bots.LOOKS", 10**9)
    idle_bots = IdleBots()
    environment = BotEnvironment(idle_bots=idle_bots)
    with seated(Limits(isolation=level), thief, "first", environment=environment) as seats:
        for place, seat in enumerate(seats):
            seat.start()
            seat.new_match(GAME, place, 1, ())
        stealing, other = seats
        ask(other)
        ask(stealing)
        process, mover = stealing._running(), other._running()
        wait_until(lambda: idle_bots.freeze_restless(mover))
        wait_until(lambda: len(set(standing(stealing))) == 1)
        assert process.thaw() > 0
        # From now on before another's clock starts.
        process.freeze()
        ask(stealing)
        mover.has_computed = False
        Stopwatch(mover, BUDGET, idle_bots)
        assert process.is_frozen


def test_a_bot_that_has_given_no_answer_may_compute() -> None:
    with seated(Limits(), "first") as (seat,):
        seat.start()
        assert seat._running().has_computed
        watch = Stopwatch(seat._running(), BUDGET)
        watch._cpu = (watch._cpu or 0) - 2 * COMPUTES_NS
        watch.stop()
        assert seat._running().has_computed
