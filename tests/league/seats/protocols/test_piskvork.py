"""Gomocup's protocol: what is said to brains, what is taken from them, and how they fail."""

import os
import re
import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from games.support.game import State
from games.support.specs import find_game
from league.match.play import MatchSetup, play_match
from league.model.records import (
    BotVersion,
    Isolation,
    Limits,
    MatchRecord,
    ReportRecord,
    Termination,
)
from league.seats.bot_specs import make_seat, refusal_of
from league.seats.protocols.piskvork import PiskvorkSeat
from league.seats.seat import MoveBudget, SeatFault
from tests.league.seats.firstmove import FirstMove
from tests.league.seats.scripted import engine
from tests.waiting import ENDLESS_S

GOMOKU = find_game("mnk?columns=20&rows=20")
LIMITS = Limits(move_s=0.2, grace_s=ENDLESS_S, start_s=ENDLESS_S)
SHORT = replace(LIMITS, grace_s=0.1)
"""For programs that never answer."""

BRAIN = "BOTLEAGUE_GOMOCUP_BRAIN"
"""The variable that names a real brain."""

BUDGET = MoveBudget(move_s=250.0)
START = [
    ("^ABOUT", 'name="scripted", version="1"'),
    ("^START|^RECTSTART|^RESTART", "MESSAGE ready\nOK"),
]


@contextmanager
def seat_of(version: BotVersion, limits: Limits = LIMITS) -> Iterator[PiskvorkSeat]:
    """Yield the seat of a version, and end it."""
    seat = make_seat(version, limits)
    assert isinstance(seat, PiskvorkSeat)
    try:
        yield seat
    finally:
        seat.stop()
        assert seat.pid is None


def brain(*script: tuple[str, str], options: dict[str, str] | None = None) -> BotVersion:
    """Return a brain that answers by a script, and starts."""
    return engine("piskvork", [*script, *START], options)


def told(seat: PiskvorkSeat) -> list[str]:
    """Return the last lines that were sent, those of one message as one."""
    return re.findall(r"^> (.*)", seat.log, re.MULTILINE)


def answered(answer: str, limits: Limits = LIMITS) -> MatchRecord:
    """Play a match of a brain that answers so to `BEGIN`."""
    with seat_of(brain(("^BEGIN", answer)), limits) as seat:
        return play_match(
            MatchSetup(game=GOMOKU, versions=(1, 2), opening=(), limits=limits, seed=1),
            [seat, FirstMove()],
        )


def test_a_match_is_told_move_by_move() -> None:
    script = (("^TURN 0,0", "DEBUG 7\nMESSAGE  I will win \n1,19"), ("^TURN 19,0", "2,19"))
    with seat_of(brain(*script)) as seat:
        seat.start()
        assert told(seat) == ["ABOUT"]
        seat.new_match(GOMOKU, 1, 1, ())
        assert told(seat) == [
            "START 20",
            "INFO timeout_turn 200",
            "INFO timeout_match 0",
            "INFO max_memory 805306368",
            "INFO game_type 1",
            "INFO rule 0",
            "INFO time_left 2147483647",
        ]
        state = GOMOKU.initial().play(0)
        found = seat.ask(state, (0,), BUDGET)
        assert (found.wire, found.report) == (381, ReportRecord(text="I will win"))
        state = state.play(381).play(19)
        found = seat.ask(state, (0, 381, 19), BUDGET)
        assert (found.wire, found.report) == (382, None)
        assert told(seat)[7:] == ["TURN 0,0", "ABOUT", "TURN 19,0"]


def test_an_opening_is_told_as_a_board() -> None:
    for seat_number, opening, stones in (
        (0, (0, 21), ["0,0,1", "1,1,2"]),
        (1, (0, 21, 42), ["0,0,2", "1,1,1", "2,2,2"]),
    ):
        with seat_of(brain(("^DONE", "5,5"), ("^TURN", "6,6"))) as seat:
            seat.start()
            seat.new_match(GOMOKU, seat_number, 1, opening)
            state = GOMOKU.initial()
            for move in opening:
                state = state.play(move)
            assert seat.ask(state, opening, BUDGET).wire == 105
            assert told(seat)[7:] == ["BOARD", *stones, "DONE"]
            state = state.play(105).play(399)
            assert seat.ask(state, (*opening, 105, 399), BUDGET).wire == 126
            assert told(seat)[-1] == "TURN 19,19"


def test_a_first_position_is_told_as_a_board() -> None:
    game = find_game("mnk?columns=6&rows=7&fen=1x4/2x3/6/ox4/o5/6/6 o 3")
    with seat_of(brain(("^DONE", "5,5"))) as seat:
        seat.start()
        seat.new_match(game, 1, 1, ())
        assert told(seat)[0] == "RECTSTART 6,7"
        assert seat.ask(game.initial(), (), BUDGET).wire == 35
        board = ["1,0,2", "0,3,1", "2,1,2", "0,4,1", "1,3,2"]
        assert told(seat)[-7:] == ["BOARD", *board, "DONE"]


def test_clocks_and_options_are_told() -> None:
    limits = replace(LIMITS, move_s=None, time="90+1", memory_mb=None)
    version = brain(("^BEGIN", "5,5"), options={"folder": "/srv/brains"})
    with seat_of(version, limits) as seat:
        seat.start()
        seat.new_match(find_game("mnk?overline=no"), 0, 1, ())
        assert told(seat) == [
            "START 15",
            "INFO timeout_turn 90000",
            "INFO timeout_match 90000",
            "INFO max_memory 0",
            "INFO game_type 1",
            "INFO rule 1",
            "INFO folder /srv/brains",
        ]
        budget = MoveBudget(left_s=(61.5, 8.0), increments_s=(1, 1))
        seat.ask(find_game("mnk").initial(), (), budget)
        assert told(seat)[-2:] == ["INFO time_left 61500", "BEGIN"]


def test_what_a_brain_suggests_is_accepted() -> None:
    script = (("^BEGIN", "SUGGEST 3,2"), (r"^PLAY (\d+,\d+)", r"\1"))
    with seat_of(brain(*script)) as seat:
        seat.start()
        seat.new_match(GOMOKU, 0, 1, ())
        assert seat.ask(GOMOKU.initial(), (), BUDGET).wire == 43
        assert told(seat)[-1] == "PLAY 3,2"


@pytest.mark.parametrize("knows_restart", [True, False])
def test_a_second_match_begins_on_an_empty_board(knows_restart: bool) -> None:
    script = (("^BEGIN", "5,5"), *(() if knows_restart else (("^RESTART", "UNKNOWN command"),)))
    with seat_of(brain(*script)) as seat:
        seat.start()
        pid = seat.pid
        for _ in range(2):
            seat.new_match(GOMOKU, 0, 1, ())
            assert seat.ask(GOMOKU.initial(), (), BUDGET).wire == 105
        assert (seat.pid == pid) is knows_restart
        assert "RESTART" in told(seat)
        assert ("START 20" in told(seat)) is not knows_restart
        seat.new_match(find_game("mnk"), 0, 1, ())
        assert "START 15" in told(seat)
        assert seat.pid != pid


DROPS = """\
import os, time

while data := os.read(0, 65536):
    for line in data.decode().split("\\n"):
        word = line.partition(" ")[0]
        if word in ("ABOUT", "START"):
            os.write(1, b"OK\\n")
        elif word in ("BEGIN", "TURN"):
            x, _, y = (line.partition(" ")[2] or "0,0").partition(",")
            os.write(1, f"{x},{int(y) + 1}\\n".encode())
            time.sleep(0.05)
            os.set_blocking(0, False)
            try:
                os.read(0, 65536)
            except BlockingIOError:
                pass
            os.set_blocking(0, True)
"""
"""A brain that still thinks when it has answered, and then drops what it is sent."""


def test_a_brain_is_asked_when_it_reads_again(tmp_path: Path) -> None:
    path = tmp_path / "drops.py"
    path.write_text(DROPS)
    command = shlex.join([sys.executable, "-I", "-S", str(path)])
    with seat_of(BotVersion("drops", f"piskvork:{command}", folder="/")) as seat:
        seat.start()
        seat.new_match(GOMOKU, 0, 1, ())
        state: State = GOMOKU.initial()
        history: list[int] = []
        for theirs in (100, 200, 300):
            found = seat.ask(state, history, BUDGET).wire
            assert isinstance(found, int)
            assert found == (history[-1] if history else 0) + 20
            history += [found, theirs]
            state = state.play(found).play(theirs)
        assert seat.strays == 0


DEAF = """
import sys, time
for line in sys.stdin:
    if line.startswith("ABOUT"):
        print('name="deaf"', flush=True)
    elif line.startswith("START"):
        print("OK", flush=True)
    elif line.startswith("BEGIN"):
        print("SUGGEST 1,1\\n" * int(sys.argv[1]) + "0,0", flush=True)
        time.sleep(3000)
"""
"""A brain that reads no more once it has answered, after some suggestions."""


@contextmanager
def deaf(folder: Path, suggestions: int) -> Iterator[PiskvorkSeat]:
    """Yield the seat of such a brain, ready for a match."""
    path = folder / "deaf.py"
    path.write_text(DEAF)
    command = shlex.join([sys.executable, "-I", "-S", str(path), str(suggestions)])
    with seat_of(BotVersion("deaf", f"piskvork:{command}", folder="/")) as seat:
        seat.start()
        seat.new_match(GOMOKU, 0, 1, ())
        yield seat


def test_a_brain_that_does_not_read_yet_is_on_its_clock(tmp_path: Path) -> None:
    with deaf(tmp_path, 0) as seat:
        state = GOMOKU.initial()
        assert seat.ask(state, (), BUDGET).wire == 0
        with pytest.raises(SeatFault) as fault:
            seat.ask(state.play(0).play(100), (0, 100), MoveBudget(move_s=0.1, grace_s=0.1))
        assert fault.value.termination is Termination.TIME_FORFEIT
        assert told(seat)[-1] == "ABOUT"


def test_a_brain_that_suggests_and_does_not_read_holds_nobody_up(tmp_path: Path) -> None:
    """The answers to it would fill its input, and wait for as long as it may take to start."""
    with deaf(tmp_path, 20_000) as seat:
        with pytest.raises(SeatFault) as fault:
            seat.ask(GOMOKU.initial(), (), BUDGET)
        assert fault.value.termination is Termination.TIME_FORFEIT


def test_lines_that_are_no_answers_are_ignored() -> None:
    noise = "UNKNOWN INFO timeout_turn\n\nOK\nthinking\n 5 , 6 \r\n7,7"
    with seat_of(brain(("^BEGIN", noise), ("^TURN", "8,8"))) as seat:
        seat.start()
        seat.new_match(GOMOKU, 0, 1, ())
        state = GOMOKU.initial()
        assert seat.ask(state, (), BUDGET).wire == 125
        assert seat.strays == 1


FAULTS = {
    "a mere suggestion": ("SUGGEST 1,1", Termination.TIME_FORFEIT, "had not moved"),
    "no point": ("20,0", Termination.ILLEGAL_MOVE, "'20,0', which is no point of 20 x 20"),
    "an error": ("ERROR tired", Termination.ILLEGAL_MOVE, "'ERROR tired' instead of a move"),
    "silence": ("", Termination.TIME_FORFEIT, "had not moved"),
    "an exit": ("EXIT 3", Termination.CRASH, "exited with status 3"),
    "not knowing": ("UNKNOWN\n" * 7, Termination.ILLEGAL_MOVE, "answered 'UNKNOWN'"),
}


@pytest.mark.parametrize("what", FAULTS)
def test_what_a_brain_does_wrong_is_named(what: str) -> None:
    answer, termination, detail = FAULTS[what]
    is_late = termination is Termination.TIME_FORFEIT
    record = answered(answer, SHORT if is_late else LIMITS)
    assert (record.termination, record.fault_seat) == (termination, 0), record
    assert detail in record.detail
    assert "BEGIN" in record.log


def test_a_taken_point_is_named() -> None:
    with seat_of(brain(("^TURN 0,0", "0,0"))) as seat:
        seat.start()
        seat.new_match(GOMOKU, 1, 1, ())
        with pytest.raises(SeatFault, match="answered '0,0', which is a20: the point is taken"):
            seat.ask(GOMOKU.initial().play(0), (0,), BUDGET)


@pytest.mark.parametrize(
    ("script", "detail"),
    [
        ([("^ABOUT", "")], "did not answer 'ABOUT' within"),
        ([("^START", "ERROR size")], "answered 'ERROR size' to 'START 20'"),
    ],
)
def test_a_brain_that_does_not_start_is_told_why(
    script: list[tuple[str, str]], detail: str
) -> None:
    def begin(seat: PiskvorkSeat) -> None:
        seat.start()
        seat.new_match(GOMOKU, 0, 1, ())

    limits = replace(LIMITS, start_s=0.5)
    with seat_of(brain(*script), limits) as seat, pytest.raises(SeatFault, match=detail):
        begin(seat)


@pytest.mark.slow
def test_a_real_brain_plays_to_the_end() -> None:
    command = os.environ.get(BRAIN)
    if not command:
        pytest.skip(f"needs the command of a brain of Gomocup in {BRAIN}")
    limits = replace(LIMITS, isolation=Isolation.LIMITS, memory_mb=None)
    version = BotVersion("brain", f"piskvork:{command}", folder="/")
    with seat_of(version, limits) as first, seat_of(version, limits) as second:
        for opening in ((), (210, 190, 189)):
            setup = MatchSetup(game=GOMOKU, versions=(1, 2), opening=opening, limits=limits, seed=1)
            record = play_match(setup, [first, second])
            assert record.fault_seat is None, (record.detail, record.log)


def test_what_the_protocol_cannot_say_is_refused() -> None:
    timed = Limits(move_s=1.0)
    for game, limits, told_why in (
        ("mnk", timed, ""),
        ("mnk?columns=20&rows=18&overline=no", Limits(time="60"), ""),
        ("othello", timed, "plays gomoku alone (mnk), not othello"),
        ("mnk?connect=4", timed, "knows only rows of 5, not mnk?connect=4"),
        ("mnk?swap=yes", timed, "knows no swap of the first stone"),
        ("mnk", Limits(nodes=5), "knows no limit but time"),
    ):
        refusal = refusal_of("piskvork:brain", find_game(game), limits)
        assert refusal.endswith(told_why), refusal
        assert bool(refusal) == bool(told_why)
