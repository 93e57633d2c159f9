"""The protocol of xboard: what is said to chess engines, what is taken, and how they fail."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest

pytest.importorskip("chess", reason="needs the extra 'chess'")

from games.support.specs import find_game
from league.match.clocks import Clocks
from league.match.play import MatchSetup, play_match
from league.model.errors import CheckError
from league.model.records import BotVersion, Limits, MatchRecord, ReportRecord, Termination
from league.registration.check import check
from league.registration.source_snapshot import take_snapshot
from league.seats.bot_specs import make_seat, refusal_of, usual_game
from league.seats.engine.uci_info import MATE
from league.seats.engine.xboard_thinking import report_of
from league.seats.protocols.xboard import XboardSeat
from league.seats.seat import MoveBudget, Seat, SeatFault
from tests.examples import slow
from tests.league.seats.clock import clock
from tests.league.seats.distribution import program
from tests.league.seats.firstmove import FirstMove
from tests.league.seats.scripted import engine
from tests.promises import on_linux
from tests.waiting import ENDLESS_S, PATIENCE_S

CHESS = find_game("chess")
LIMITS = Limits(move_s=0.2, grace_s=ENDLESS_S, start_s=ENDLESS_S, max_plies=40)
SHORT = replace(LIMITS, grace_s=0.1)
"""For engines that never answer."""

START = [
    ("^protover", "feature done=0\nfeature ping=1 usermove=1 setboard=1 bogus=7\nfeature done=1"),
    (r"^ping (\d+)", r"pong \1"),
]


@contextmanager
def seat_of(version: BotVersion, limits: Limits = LIMITS) -> Iterator[XboardSeat]:
    """Yield the seat of a version, and end it."""
    seat = make_seat(version, limits)
    assert isinstance(seat, XboardSeat)
    try:
        yield seat
    finally:
        seat.stop()
        assert seat.pid is None


def told(seat: XboardSeat) -> list[str]:
    """Return the last lines that were said to the engine."""
    return [line[2:] for line in seat.log.splitlines() if line.startswith("> ")]


def answered(answer: str, first_to_move: bool = True, limits: Limits = LIMITS) -> MatchRecord:
    """Play a match of an engine that answers so to its first `go`."""
    version = engine("xboard", [*START, ("^go$", answer)])
    with seat_of(version, limits) as seat:
        seats: list[Seat] = [seat, FirstMove()] if first_to_move else [FirstMove(), seat]
        return play_match(
            MatchSetup(game=CHESS, versions=(1, 2), opening=(), limits=limits, seed=1), seats
        )


def test_what_is_offered_is_accepted_or_rejected() -> None:
    with seat_of(engine("xboard", START)) as seat:
        seat.start()
        said = told(seat)
    assert said[:2] == ["xboard", "protover 2"]
    answers = {"done", "ping", "usermove", "setboard"}
    assert {f"accepted {name}" for name in answers} <= set(said)
    assert "rejected bogus" in said


def test_a_match_is_told_move_by_move() -> None:
    with seat_of(engine("xboard", [*START, ("^go$", "move e7e5")])) as seat:
        seat.start()
        seat.new_match(CHESS, 1, 1, ())
        assert told(seat) == ["new", "easy", "post", "force", "level 1 0:01 0", "ping 1"]
        opening = [CHESS.position("").parse("e4")]
        answer = seat.ask(CHESS.position("e4"), opening, MoveBudget(move_s=0.25, grace_s=ENDLESS_S))
        assert answer.wire == CHESS.position("e4").parse("e5")
        state = CHESS.position("e4 e5 Nf3")
        history = [*opening, answer.wire, CHESS.position("e4 e5").parse("Nf3")]
        clocks = MoveBudget(
            left_s=(61.5, 59.0), increments_s=(0.2, 0.5), seat=1, clock=clock("40/59+0.5")
        )
        with pytest.raises(SeatFault, match="answered an illegal move 'e7e5'"):
            seat.ask(state, history, clocks)
        assert told(seat)[6:] == [
            *("force", "usermove e2e4", "time 25", "otim 25", "ping 2", "go"),
            *("force", "usermove g1f3", "level 40 0:59 0.5", "time 5900", "otim 6150"),
            *("ping 3", "go"),
        ]


def test_each_period_has_its_level() -> None:
    limits = replace(LIMITS, move_s=None, time="1/100:2/50+1:7")
    clocks, levels = Clocks([limits] * 2), []
    with seat_of(engine("xboard", START), limits) as seat:
        seat.start()
        seat.new_match(CHESS, 0, 1, ())
        for _ in range(5):
            lines = seat.question(CHESS.initial(), (), clocks.budget(0)).splitlines()
            levels.append([line for line in lines if line.startswith(("level", "time"))])
            clocks.spend(0, 10_000_000_000)
    assert levels == [
        ["level 1 1:40 0", "time 10000"],
        # What is left of the first period, too.
        ["level 2 2:20 1", "time 14000"],
        ["time 13100"],
        ["level 0 2:09 0", "time 12900"],
        ["time 11900"],
    ]


def test_a_clock_beside_a_time_for_moves_makes_each_move_a_session() -> None:
    limits = replace(LIMITS, move_s=65.0, time="100", depth_rounds=2)
    with seat_of(engine("xboard", [*START, ("^go$", "move e2e4")]), limits) as seat:
        seat.start()
        seat.new_match(CHESS, 0, 1, ())
        assert told(seat)[4:] == ["level 1 1:05 0", "sd 4", "ping 1"]
        clocks = MoveBudget(move_s=65.0, left_s=(50.0, 8.0), increments_s=(0.0, 0.0))
        seat.ask(CHESS.initial(), (), clocks)
        assert told(seat)[7:] == ["force", "time 200", "otim 200", "ping 2", "go"]


def test_an_old_engine_is_spoken_to_plainly() -> None:
    # It says no features, wants no `usermove`, and writes its moves in the old way.
    limits = Limits(move_s=2.0, depth=3, start_s=0.4)
    with seat_of(engine("xboard", [("^go$", "1. ... d7d5")]), limits) as seat:
        seat.start()
        seat.new_match(CHESS, 1, 1, ())
        history = [CHESS.position("").parse("e4")]
        answer = seat.ask(CHESS.position("e4"), history, MoveBudget(move_s=2.0, grace_s=ENDLESS_S))
        assert answer.wire == CHESS.position("e4").parse("d5")
        lines = ["new", "easy", "post", "force", "st 2", "sd 3", "force", "e2e4"]
        assert told(seat) == [*lines, "time 200", "otim 200", "go"]


def test_algebraic_moves_are_sent_to_who_wants_them() -> None:
    script = [("^protover", 'feature san=1 myname="Old 1.2" done=1'), ("^go$", "move Nf6")]
    with seat_of(engine("xboard", script)) as seat:
        seat.start()
        assert seat.version.title == "Old 1.2"
        seat.new_match(CHESS, 1, 1, ())
        history = [CHESS.position("").parse("Nf3")]
        answer = seat.ask(CHESS.position("Nf3"), history, MoveBudget(move_s=ENDLESS_S))
        assert answer.wire == CHESS.position("Nf3").parse("Nf6")
        assert "Nf3" in told(seat)


def test_another_first_position_needs_setboard() -> None:
    fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
    game = CHESS.with_options({"fen": fen})
    with seat_of(engine("xboard", START)) as seat:
        seat.start()
        seat.new_match(game, 0, 1, ())
        assert f"setboard {fen}" in told(seat)
    with seat_of(engine("xboard", [("^protover", "feature done=1")])) as seat:
        seat.start()
        with pytest.raises(SeatFault, match="knows no 'setboard'"):
            seat.new_match(game, 0, 1, ())


@pytest.mark.slow
def test_an_engine_of_one_match_is_started_again() -> None:
    script = [("^protover", "feature ping=1 reuse=0 done=1"), START[1]]
    for reuse, times in ((script, 2), (START, 1)):
        with seat_of(engine("xboard", reuse)) as seat:
            pids = set()
            for _ in range(2):
                seat.start()
                seat.new_match(CHESS, 0, 1, ())
                pids.add(seat.pid)
        assert len(pids) == times


OPTIONS = (
    'feature option="Resign -check 0" option="Level -spin 5 1 10" option="Style -combo *a /// b"'
    " memory=1\nfeature ping=1 done=1"
)


@pytest.mark.parametrize(
    ("name", "given", "is_set", "expected"),
    [
        ("resign", "true", True, "option Resign=1"),
        ("Level", "10", True, "option Level=10"),
        ("style", "A", True, "option Style=a"),
        ("memory", "64", True, "memory 64"),
        ("Level", "11", False, "option Level=11: expected a whole number from 1 to 10"),
        ("Levle", "3", False, "offers no option 'Levle' (did you mean 'Level'?)"),
        ("cores", "2", False, "offers no option 'cores'"),
    ],
)
def test_options_are_set_or_refused(name: str, given: str, is_set: bool, expected: str) -> None:
    script = [("^protover", OPTIONS), START[1]]
    with seat_of(engine("xboard", script, {name: given})) as seat:
        if is_set:
            seat.start()
            assert expected in told(seat)
        else:
            with pytest.raises(SeatFault, match=re.escape(expected)):
                seat.start()


FAULTS = {
    "an illegal move": ("move e2e5", Termination.ILLEGAL_MOVE, "illegal move 'e2e5'"),
    "nonsense": ("move xyzzy", Termination.ILLEGAL_MOVE, "illegal move 'xyzzy'"),
    "refusal": (
        "Illegal move (why): e2e4",
        Termination.ILLEGAL_MOVE,
        "refused a legal move: 'Illegal move (why): e2e4'",
    ),
    "a false claim": (
        "1-0 {White mates}",
        Termination.ILLEGAL_MOVE,
        "claimed '1-0 {White mates}', and the match is not over",
    ),
    "a false draw": ("1/2-1/2 {Draw}", Termination.ILLEGAL_MOVE, "claimed '1/2-1/2 {Draw}'"),
    "resigning": ("resign", Termination.RESIGNATION, "resigned"),
    "resigning as a computer": (" computer resigns", Termination.RESIGNATION, "resigned"),
    "resigning to a server": ("tellics resign", Termination.RESIGNATION, "resigned"),
    "resigning as RESULT": ("RESULT 0-1 {hm}", Termination.RESIGNATION, "RESULT 0-1"),
    "resigning as a result": ("0-1 {White resigns}", Termination.RESIGNATION, "White resigns"),
    "silence": ("# hm", Termination.TIME_FORFEIT, "did not move when told to ?"),
    "lateness": ("SLEEP 0.4\nmove e2e4", Termination.TIME_FORFEIT, "after it was told to ?"),
    "an exit": ("EXIT 3", Termination.CRASH, "exited with status 3"),
}


@pytest.mark.slow
@pytest.mark.parametrize("what", FAULTS)
def test_what_an_engine_does_wrong_is_named(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    answer, termination, detail = FAULTS[what]
    is_late = termination is Termination.TIME_FORFEIT
    if what == "lateness":
        monkeypatch.setattr("league.seats.engine.engine_seat.HURRY_S", PATIENCE_S)
    record = answered(answer, limits=SHORT if is_late else LIMITS)
    assert (record.termination, record.fault_seat) == (termination, 0), record
    assert detail in record.detail
    assert "> go" in record.log


def test_who_resigns_is_told_by_the_colour() -> None:
    assert answered("1-0 {Black resigns}", False).termination is Termination.RESIGNATION
    assert answered("0-1 {Black mates}", False).termination is Termination.ILLEGAL_MOVE


def test_what_comes_before_pong_answers_nothing() -> None:
    script = [START[0], (r"^ping (\d+)", r"move h2h4\npong \1"), ("^go$", "move e2e4\nmove d2d4")]
    with seat_of(engine("xboard", script)) as seat:
        seat.start()
        seat.new_match(CHESS, 0, 1, ())
        for _ in range(2):
            seat.new_match(CHESS, 0, 1, ())
            assert seat.ask(CHESS.initial(), (), MoveBudget(move_s=ENDLESS_S)).wire == (
                CHESS.initial().parse("e4")
            )


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ([" 9 34 120 4567 e2e4 e7e5 g1f3"], (9, 4567, 0.34, None, "e4 e5 Nf3")),
        (["9. -34 120 4567 1. e4 e5 2. Nf3"], (9, 4567, -0.34, None, "e4 e5 Nf3")),
        ([" 12  100003  5 99  e2-e4 e7-e5"], (12, 99, MATE, 3, "e4 e5")),
        ([" 12  -100002  5 99"], (12, 99, -MATE, -2, "")),
        (["1 1 1 1 d4", "2 2 2 2 e4 e4 d5", "tellics hm"], (2, 2, 0.02, None, "e4")),
        (["3 +7 1 8 (e4 e5) d4!"], (3, 8, 0.07, None, "d4")),
        (["no thought", "1 x 2 3"], None),
    ],
)
def test_thoughts_become_reports(
    lines: list[str], expected: tuple[int, int, float, int | None, str] | None
) -> None:
    report = report_of(CHESS.initial(), lines)
    if expected is None:
        assert report is None
        return
    depth, nodes, score, mate, texts = expected
    state, wires = CHESS.initial(), []
    for text in texts.split():
        wires.append(state.parse(text))
        state = state.play(wires[-1])
    assert report == ReportRecord(depth=depth, nodes=nodes, score=score, pv=tuple(wires), mate=mate)


def test_what_can_not_be_played_is_refused_before() -> None:
    def refused(spec: str, limits: Limits = LIMITS) -> str:
        return refusal_of("xboard:fairymax", find_game(spec), limits)

    assert usual_game("xboard:fairymax") == "chess"
    assert refused("chess") == ""
    assert refused("connectfour") == "xboard engines play chess alone, not connectfour"
    assert "Chess960" in refused("chess?chess960=True")
    assert "Chess960" in refused("chess?start=5")
    assert "a limit of time or depth" in refused("chess", Limits(nodes=5))
    assert refused("chess", Limits(time="1")) == refused("chess", Limits(depth_rounds=1)) == ""
    with pytest.raises(CheckError, match="play chess alone"):
        check(engine("xboard", START), [find_game("connectfour")])


@pytest.mark.parametrize("name", ["fairymax", *slow("phalanx", "hoichess")])
def test_engines_of_the_distribution_play(name: str) -> None:
    limits = replace(LIMITS, move_s=1.0, depth=2, grace_s=3.0, memory_mb=None, max_plies=12)
    version = take_snapshot(name, f"xboard:{program(name)}", {})
    with seat_of(version, limits) as seat:
        record = play_match(
            MatchSetup(game=CHESS, versions=(1, 2), opening=(), limits=limits, seed=1),
            [seat, FirstMove()],
        )
    assert not record.termination.is_fault, (record.detail, record.log)
    assert len(record.moves) >= 4
    assert any(move.report for move in record.moves[::2])


@pytest.mark.slow
@pytest.mark.parametrize(
    "features",
    [
        pytest.param(
            "done=1", marks=on_linux("late lines of an engine without ping never count later")
        ),
        "ping=1 done=1",
    ],
)
def test_a_result_told_late_is_that_of_the_last_match(features: str) -> None:
    late = "move e2e4\nSLEEP 0.05\n1-0 {White mates}"
    script = [("^protover", f"feature {features}"), START[1], ("^go$", late)]
    with seat_of(engine("xboard", script)) as seat:
        seat.start()
        for _ in range(4):
            seat.new_match(CHESS, 0, 1, ())
            answer = seat.ask(CHESS.initial(), (), MoveBudget(move_s=ENDLESS_S))
            assert answer.wire == CHESS.initial().parse("e4")
