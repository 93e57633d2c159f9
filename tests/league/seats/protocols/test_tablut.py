"""The Tablut challenge: what its players are sent, what is taken from them, and how they fail."""

import json
import os
import re
import shlex
import socket
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from pathlib import Path

import pytest

from games.support.game import State
from games.support.specs import find_game
from games.tablut.rules import Tablut
from league.match.play import MatchSetup, play_match
from league.model.records import BotVersion, Isolation, Limits, Termination
from league.platform import children
from league.seats.bot_specs import make_seat, refusal_of
from league.seats.engine.tablut_relay import HOST
from league.seats.process.isolation import why_no_sandbox
from league.seats.process.namespace import why_no_namespace
from league.seats.protocols.tablut import PORTS, TablutSeat, server_state
from league.seats.seat import MoveBudget, SeatFault
from tests.league.seats.firstmove import FirstMove
from tests.processes import adopting, is_running
from tests.waiting import ENDLESS_S, wait_until

TABLUT = find_game("tablut")
LIMITS = Limits(move_s=7.5, grace_s=ENDLESS_S, start_s=ENDLESS_S, isolation=Isolation.NONE)
SHORT = replace(LIMITS, move_s=0.2, grace_s=0.0)
BUDGET = MoveBudget(move_s=250.0)
PLAYER = Path(__file__).parents[1] / "tablut_player.py"
REAL = "BOTLEAGUE_TABLUT_PLAYER"
"""The variable that names a real player."""


def player(manner: str = "plays", words: str = "{ROLE} {seconds} {host} {port}") -> BotVersion:
    """Return a player that behaves so; it gets a free port unless `words` say otherwise."""
    command = shlex.join([sys.executable, "-I", "-S", "-B", str(PLAYER)])
    return BotVersion("player", f"tablut:{command} {words} {manner}", folder="/")


@contextmanager
def seat_of(version: BotVersion, limits: Limits = LIMITS) -> Iterator[TablutSeat]:
    """Yield the seat of a version, and end it."""
    seat = make_seat(version, limits)
    assert isinstance(seat, TablutSeat)
    try:
        yield seat
    finally:
        seat.stop()
        assert seat.pid is None


def turns(seat: TablutSeat) -> list[str]:
    """Return whose turn it was in the positions that were sent."""
    return re.findall(r'^> {"state": .*"turn": "(\w+)"}}$', seat.log, re.MULTILINE)


def test_a_position_is_written_as_the_server_does() -> None:
    assert isinstance(TABLUT, Tablut)
    state = TABLUT.initial().play(TABLUT.initial().parse("e4-f4"))
    told = server_state(state)
    assert told["turn"] == "BLACK"
    board = told["board"]
    assert isinstance(board, list)
    assert board[0] == ["EMPTY"] * 3 + ["BLACK"] * 3 + ["EMPTY"] * 3
    assert board[3] == ["BLACK", *["EMPTY"] * 4, "WHITE", *["EMPTY"] * 2, "BLACK"]
    assert board[4][3:6] == ["WHITE", "KING", "WHITE"]
    moved = TABLUT.read("9/9/9/4K4/9/9/9/9/4B4 w")
    assert json.dumps(server_state(moved)).count("THRONE") == 1
    assert TABLUT.read("9/9/9/9/4K4/9/9/9/4B4 w").cells()[4][4] == "K"


def test_a_match_is_told_position_by_position() -> None:
    with seat_of(player()) as seat:
        seat.start()
        seat.new_match(TABLUT, 0, 1, ())
        assert "hello WHITE 7 127.0.0.1" in seat.output
        state: State = TABLUT.initial()
        history: list[int] = []
        for _ in range(3):
            found = seat.ask(state, history, BUDGET).wire
            assert isinstance(found, int)
            assert state.is_legal(found)
            state = state.play(found)
            history += [found, state.legal_moves()[0]]
            state = state.play(history[-1])
        assert turns(seat) == ["WHITE", *["BLACK", "WHITE"] * 2]


@pytest.mark.parametrize(("plies", "sent"), [(1, ["WHITE", "BLACK"]), (3, ["WHITE", "BLACK"])])
def test_black_first_sees_white_to_move(plies: int, sent: list[str]) -> None:
    state: State = TABLUT.initial()
    history = []
    for _ in range(plies):
        history.append(state.legal_moves()[0])
        state = state.play(history[-1])
    with seat_of(player()) as seat:
        seat.start()
        seat.new_match(TABLUT, 1, 1, history[:-1])
        assert state.is_legal(seat.ask(state, history, BUDGET).wire)
        assert turns(seat) == sent


def test_white_first_sees_itself_to_move_after_an_opening() -> None:
    state: State = TABLUT.initial()
    history = []
    for _ in range(2):
        history.append(state.legal_moves()[0])
        state = state.play(history[-1])
    with seat_of(player(words="{role} {seconds} {host} {port}")) as seat:
        seat.start()
        seat.new_match(TABLUT, 0, 1, history)
        assert "hello white" in seat.output
        seat.ask(state, history, BUDGET)
        assert turns(seat) == ["WHITE"]


def test_each_match_starts_the_player_and_not_the_relay() -> None:
    with seat_of(player()) as seat:
        seat.start()
        pid = seat.pid
        for role in ("WHITE", "BLACK", "WHITE"):
            seat.new_match(TABLUT, list(PORTS).index(role), 1, ())
            assert f"hello {role}" in seat.output
            assert seat.output.count("hello") == 1
        assert seat.pid == pid


FAULTS = {
    "leaves": (Termination.CRASH, "exited with status 0"),
    "floods": (Termination.CRASH, "announced a message of 1073741824 bytes"),
    "mumbles": (Termination.ILLEGAL_MOVE, "answered 'e4 to f4' instead of a move"),
    "cheats": (Termination.ILLEGAL_MOVE, "answered an illegal move 'a1-a2'"),
}


@pytest.mark.parametrize("manner", FAULTS)
def test_what_a_player_does_wrong_is_named(manner: str) -> None:
    termination, detail = FAULTS[manner]
    with seat_of(player(manner)) as seat:
        record = play_match(
            MatchSetup(game=TABLUT, versions=(1, 2), opening=(), limits=LIMITS, seed=1),
            [seat, FirstMove()],
        )
    assert (record.termination, record.fault_seat) == (termination, 0), record
    assert detail in record.detail


@pytest.mark.parametrize(
    ("version", "detail"),
    [
        (player("exits"), "exited with status 3"),
        (player("sleeps"), "did not connect to 127.0.0.1:5800 and send its name within 1 s"),
        (replace(player(), options={"depth": "3"}), "takes no option 'depth'"),
        (BotVersion("cat", "tablut:cat", folder="/"), "exited with status 1"),
    ],
)
def test_a_player_that_does_not_begin_is_told_why(version: BotVersion, detail: str) -> None:
    def begin(seat: TablutSeat) -> None:
        seat.start()
        seat.new_match(TABLUT, 0, 1, ())

    limits = replace(LIMITS, start_s=1.0) if "connect" in detail else LIMITS
    before = children(os.getpid())
    with adopting():
        with seat_of(version, limits) as seat, pytest.raises(SeatFault, match=detail):
            begin(seat)
        if sys.platform == "linux":
            wait_until(lambda: not any(map(is_running, children(os.getpid()) - before)))


def levels() -> list[Isolation]:
    """Return the levels in which a bot has a network of its own here."""
    found = [] if why_no_sandbox() else [Isolation.SANDBOX]
    return found if why_no_namespace() else [*found, Isolation.LIMITS, Isolation.NONE]


@pytest.mark.slow
def test_each_player_has_the_usual_ports_to_itself() -> None:
    """Also while another program of this machine listens there."""
    if not levels():
        pytest.skip("needs user namespaces or a sandbox")
    version = player(words="{ROLE} {seconds} {host} 0")
    with ExitStack() as open_:
        other = open_.enter_context(socket.socket())
        with suppress(OSError):
            # If it can't, somebody else of this machine has it.
            other.bind((HOST, PORTS["WHITE"]))
        for level in levels() * 2:
            seat = open_.enter_context(seat_of(version, replace(LIMITS, isolation=level)))
            seat.start()
            seat.new_match(TABLUT, 0, 1, ())
            assert isinstance(seat.ask(TABLUT.initial(), (), BUDGET).wire, int)


@pytest.mark.slow
def test_a_real_player_plays_a_match() -> None:
    command = os.environ.get(REAL)
    if not command:
        pytest.skip(f"needs the command of a player of the Tablut challenge in {REAL}")
    limits = replace(LIMITS, move_s=12.0, max_plies=8)
    with seat_of(BotVersion("real", f"tablut:{command}", folder="/"), limits) as seat:
        for at in (0, 1):
            seats = [FirstMove(), FirstMove()]
            seats[at : at + 1] = [seat]  # type: ignore[list-item]  # seats of both kinds
            setup = MatchSetup(game=TABLUT, versions=(1, 2), opening=(), limits=limits, seed=1)
            record = play_match(setup, seats)
            assert record.fault_seat != at, (record.detail, record.log)


def test_what_the_challenge_does_not_know_is_refused() -> None:
    timed = Limits(move_s=1.0)
    for game, limits, told_why in (
        ("tablut", timed, ""),
        ("tablut?repetitions=none", timed, ""),
        ("othello", timed, "plays tablut, not othello"),
        ("tablut?first=black", timed, "don't know the option 'first'"),
        ("tablut?armed=no", timed, "don't know the option 'armed'"),
        ("tablut", Limits(time="60"), "knows no limit but a time for each move"),
    ):
        refusal = refusal_of("tablut:player", find_game(game), limits)
        assert refusal.endswith(told_why), refusal
        assert bool(refusal) == bool(told_why)
