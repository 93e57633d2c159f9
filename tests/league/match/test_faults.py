"""Every way to fail ends as what it is, on time, and harms nobody else."""

import os
import re
import signal
import subprocess
from collections.abc import Iterator
from dataclasses import replace

import pytest

from games.support.specs import find_game
from league.match.conduct import LEEWAY, Leeway
from league.match.play import BotKilled, MatchSetup, play_match
from league.model.records import BotVersion, Isolation, Limits, Termination
from league.platform import WEAKER
from league.seats.process.bot_process import ProcessEnded
from league.seats.process.isolation import why_no_sandbox
from league.seats.process.namespace import why_no_namespace
from league.seats.process_seat import fault_of
from league.seats.seat import SeatFault, SeatKilled
from tests.league.seats.firstmove import FirstMove
from tests.league.seats.seating import seated
from tests.processes import is_running
from tests.waiting import ENDLESS_S, wait_until

GAME = find_game("connectfour")
PACMAN = find_game("pacman")
LIMITS = Limits(move_s=ENDLESS_S, grace_s=0.1, start_s=ENDLESS_S, memory_mb=256)

FAULTS = {
    "loops": (Termination.TIME_FORFEIT, "had not moved after .* s of it computing"),
    "sleeps": (Termination.TIME_FORFEIT, r"had not moved after .*, 0\.\d+ s of it computing"),
    "holds_lock": (Termination.TIME_FORFEIT, "had not moved"),
    "forks": (Termination.TIME_FORFEIT, "had not moved"),
    "floods_log": (Termination.CRASH, "flooded its output: more than 64 MiB for a move"),
    "raises": (Termination.CRASH, "ZeroDivisionError.*raises.py line 9"),
    "exits": (Termination.CRASH, "exited with status 3"),
    "system_exit": (Termination.CRASH, "SystemExit: enough"),
    "segfaults": (Termination.CRASH, "SIGSEGV"),
    "illegal": (Termination.ILLEGAL_MOVE, "illegal move 77"),
    "nothing": (Termination.ILLEGAL_MOVE, "answered None instead of a move"),
    "huge": (Termination.ILLEGAL_MOVE, "answered 0x.* instead of a move"),
    "eats_memory": (Termination.MEMORY_LIMIT, "memory"),
    "writes_pipe": (Termination.ILLEGAL_MOVE, "an invalid message"),
}


ONE_OF_EACH = {"sleeps", "raises", "illegal"}
"""Faults that are tried at either seat by default."""

LONG = {"floods_log", "holds_lock", "forks"}
"""Faults that are not tried by default."""


def _cases() -> Iterator[object]:
    for name in FAULTS:
        for seat in range(2):
            is_quick = name in ONE_OF_EACH or (seat == 0 and name not in LONG)
            marks = [] if is_quick else [pytest.mark.slow]
            yield pytest.param(name, seat, id=f"{seat}-{name}", marks=marks)


@pytest.mark.parametrize(("name", "bad_seat"), list(_cases()))
def test_a_fault_is_named_and_the_opponent_wins(name: str, bad_seat: int) -> None:
    termination, detail = FAULTS[name]
    is_late = termination is Termination.TIME_FORFEIT
    limits = replace(LIMITS, move_s=0.15 if is_late else ENDLESS_S)
    names, factors = ["first", "first"], [1.0, 1.0]
    names[bad_seat] = name
    if is_late:
        factors[1 - bad_seat] = 1000.0
    with seated(limits, *names) as seats:
        record = play_match(
            MatchSetup(
                game=GAME, versions=(1, 2), opening=(), limits=limits, seed=1, handicaps=factors
            ),
            seats,
        )
    assert record.termination == termination, record
    assert record.fault_seat == bad_seat
    assert re.search(detail, record.detail), record.detail
    assert record.scores == ((0.0, 1.0), (1.0, 0.0))[bad_seat]
    assert record.utilities is None


@pytest.mark.slow
def test_the_traceback_is_kept() -> None:
    with seated(LIMITS, "raises", "first") as seats:
        record = play_match(
            MatchSetup(game=GAME, versions=(1, 2), opening=(), limits=LIMITS, seed=1), seats
        )
    assert "Traceback" in record.log
    # Its authors need not know where the league keeps its files.
    assert 'File "raises.py"' in record.log


@pytest.mark.slow
def test_children_of_a_bot_end_with_it() -> None:
    # In a namespace the child would have another number.
    limits = replace(LIMITS, move_s=1.0, isolation=Isolation.NONE)
    with seated(limits, "forks", "first") as seats:
        record = play_match(
            MatchSetup(game=GAME, versions=(1, 2), opening=(), limits=limits, seed=1), seats
        )
    child = re.search(r"child (\d+)", record.log)
    assert child is not None
    wait_until(lambda: not is_running(int(child[1])))


@pytest.mark.slow
def test_a_bot_that_failed_plays_its_next_match() -> None:
    with seated(LIMITS, "raises", "first") as seats:
        for seed in range(2):
            record = play_match(
                MatchSetup(game=GAME, versions=(1, 2), opening=(), limits=LIMITS, seed=seed), seats
            )
            assert record.termination == Termination.CRASH
        record = play_match(
            MatchSetup(game=GAME, versions=(2, 1), opening=(), limits=LIMITS, seed=3),
            [seats[1], seats[0]],
        )
    assert (record.termination, record.fault_seat) == (Termination.CRASH, 1)


def test_what_a_bot_prints_is_its_log_and_no_answer() -> None:
    with seated(LIMITS, "prints", "first") as seats:
        record = play_match(
            MatchSetup(game=GAME, versions=(1, 2), opening=(), limits=LIMITS, seed=1), seats
        )
        assert "thinking" in seats[0].log
    assert record.termination == Termination.RULES


@pytest.mark.slow
def test_a_bot_that_hangs_at_import_loses_after_the_start_limit() -> None:
    limits = replace(LIMITS, start_s=0.5)
    with seated(limits, "hangs_at_import", "first") as seats:
        record = play_match(
            MatchSetup(game=GAME, versions=(1, 2), opening=(), limits=limits, seed=1), seats
        )
    assert (record.termination, record.fault_seat) == (Termination.TIME_FORFEIT, 0)
    assert "to start" in record.detail
    assert record.moves == ()


@pytest.mark.slow
def test_two_bots_that_do_not_start_have_no_points() -> None:
    limits = replace(LIMITS, start_s=0.3)
    with seated(limits, "hangs_at_import", "hangs_at_import") as seats:
        record = play_match(
            MatchSetup(game=GAME, versions=(1, 2), opening=(), limits=limits, seed=1), seats
        )
    assert record.scores == (0.0, 0.0)
    assert record.termination is Termination.TIME_FORFEIT
    # A busy machine may not find out at which line each one was.
    assert re.fullmatch(r"took .* to start.*; seat 1 took .* to start.*", record.detail)


class Broken(FirstMove):
    """A seat that can't be started."""

    def start(self) -> int:
        """Crash."""
        raise SeatFault(Termination.CRASH, "exited with status 1")


def test_a_side_of_two_ghosts_that_do_not_start_loses_to_pacman() -> None:
    """Where one side fails to start, the others win, however many seats it has."""
    seats = [FirstMove(), Broken(), Broken()]
    record = play_match(
        MatchSetup(game=PACMAN, versions=(1, 2, 3), opening=(), limits=LIMITS, seed=1), seats
    )
    assert (record.termination, record.fault_seat) == (Termination.CRASH, 1)
    assert record.scores == (1.0, 0.0, 0.0)
    assert record.moves == ()


def test_pacman_and_a_ghost_that_do_not_start_have_no_points() -> None:
    seats = [Broken(), FirstMove(), Broken()]
    record = play_match(
        MatchSetup(game=PACMAN, versions=(1, 2, 3), opening=(), limits=LIMITS, seed=1), seats
    )
    assert record.scores == (0.0, 0.0, 0.0)
    assert [seat.stopped for seat in seats] == [1, 0, 1]


@pytest.mark.slow
def test_a_kill_whose_sender_is_unknown_is_nobodys_fault_at_first() -> None:
    limits = replace(LIMITS, isolation=Isolation.NONE)
    setup = MatchSetup(game=GAME, versions=(1, 2), opening=(), limits=limits, seed=1)
    with seated(limits, "kills_itself", "first") as seats:
        with pytest.raises(BotKilled):
            play_match(setup, seats)
        record = play_match(replace(setup, leeway=(Leeway(kills=0), LEEWAY)), seats)
    assert (record.termination, record.fault_seat) == (Termination.CRASH, 0)


@pytest.mark.parametrize(("spec", "is_from_outside"), [("random", True), ("mine.py", False)])
def test_only_a_users_bot_may_have_killed_itself(spec: str, is_from_outside: bool) -> None:
    killed = fault_of(ProcessEnded(-signal.SIGKILL), BotVersion("bot", spec), 1024)
    assert isinstance(killed, SeatKilled)
    assert killed.is_from_outside is is_from_outside


@pytest.mark.slow
@pytest.mark.parametrize("level", [Isolation.LIMITS, Isolation.SANDBOX])
def test_a_bot_that_nothing_else_reaches_killed_itself(level: Isolation) -> None:
    why = why_no_sandbox() if level is Isolation.SANDBOX else why_no_namespace()
    if why:
        pytest.skip(why)
    limits = replace(LIMITS, isolation=level)
    setup = MatchSetup(game=GAME, versions=(1, 2), opening=(), limits=limits, seed=1)
    with seated(limits, "kills_itself", "first") as seats:
        record = play_match(setup, seats)
    assert (record.termination, record.fault_seat) == (Termination.CRASH, 0)
    assert "SIGKILL" in record.detail


@pytest.mark.slow
def test_every_answer_has_a_cap_under_depth_limits_too() -> None:
    limits = Limits(depth=3, cap_s=0.3)
    with seated(limits, "sleeps", "first") as seats:
        record = play_match(
            MatchSetup(game=GAME, versions=(1, 2), opening=(), limits=limits, seed=1), seats
        )
    assert record.termination == Termination.TIME_FORFEIT
    assert "cap of 0.3 s" in record.detail


@pytest.mark.slow
def test_a_match_can_be_too_long() -> None:
    limits = replace(LIMITS, max_plies=5)
    with seated(limits, "first", "first") as seats:
        record = play_match(
            MatchSetup(game=GAME, versions=(1, 2), opening=(3,), limits=limits, seed=1), seats
        )
    assert record.termination == Termination.MOVE_LIMIT
    assert len(record.moves) == 4
    assert record.scores == (0.5, 0.5)


def test_a_match_tells_what_it_cost() -> None:
    with seated(LIMITS, "first", "first") as seats:
        pids = [seat.pid for seat in seats]
        record = play_match(
            MatchSetup(game=GAME, versions=(7, 8), opening=(3, 3), limits=LIMITS, seed=5), seats
        )
        again = play_match(
            MatchSetup(game=GAME, versions=(7, 8), opening=(3, 3), limits=LIMITS, seed=5), seats
        )
        assert pids == [None, None]
        assert all(seat.pid for seat in seats)
    assert record.termination == Termination.RULES
    assert (record.opening, record.versions, record.seed) == ((3, 3), (7, 8), 5)
    assert [move.move for move in record.moves] == [move.move for move in again.moves]
    for move in record.moves:
        assert 0 < move.wall_ns < ENDLESS_S * 1e9
        assert move.cpu_ns is None or move.cpu_ns > 0 or WEAKER
        assert move.over_ns == 0
    assert os.getpid() not in pids


@pytest.mark.slow
def test_nobody_loses_while_the_referee_is_stopped() -> None:
    limits = replace(LIMITS, move_s=2.3)
    me = os.getpid()
    with seated(limits, "first", "slow") as seats:
        for seat in seats:
            seat.start()
        stop = f"sleep 1; kill -STOP {me}; sleep 3; kill -CONT {me}"
        with subprocess.Popen(["/bin/sh", "-c", stop]):
            record = play_match(
                MatchSetup(game=GAME, versions=(1, 2), opening=(), limits=limits, seed=1), seats
            )
    assert record.termination is Termination.RULES
    assert all(move.wall_ns < 2.5e9 for move in record.moves)
