"""The referee's clocks: who runs out of time, who does not, and who is told what."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from games.support.specs import find_game
from league.match.play import MatchSetup, play_match
from league.model.records import Limits, MatchRecord, Termination
from league.registration.source_snapshot import take_snapshot
from league.seats.bot_specs import make_seat
from league.seats.seat import Seat
from tests.league.seats.firstmove import FirstMove
from tests.league.seats.scripted import engine

GAME = find_game("connectfour")

SLEEPER = """\
import time

from bots import Report

class Sleeper:
    def choose(self, state, clock):
        began = time.monotonic_ns()
        paced = None if clock.deadline_ns is None else (clock.deadline_ns - began) / 1e9
        self.report = Report(text=f"{clock.remaining_s} {clock.increments_s} "
                                  f"{clock.moves_to_go} {paced:.2f}")
        time.sleep(0.05)
        return state.legal_moves()[0]
"""


@contextmanager
def sleeper(folder: Path, limits: Limits) -> Iterator[Seat]:
    """Yield the seat of a bot that sleeps 50 ms for each move and reports its clock."""
    (folder / "sleeper.py").write_text(SLEEPER)
    seat = make_seat(take_snapshot("sleeper", str(folder / "sleeper.py"), {}), limits)
    try:
        yield seat
    finally:
        seat.stop()


def against_first(
    folder: Path, time: str, seat: int = 0, handicaps: tuple[float, ...] = (), **others: float
) -> MatchRecord:
    """Play the sleeper in that seat against a bot that takes no time."""
    limits = Limits(time=time, start_s=20.0, **others)  # type: ignore[arg-type]  # numbers all
    with sleeper(folder, limits) as bot:
        seats: list[Seat] = [FirstMove(), FirstMove()]
        seats[seat] = bot
        return play_match(
            MatchSetup(
                game=GAME, versions=(1, 2), opening=(), limits=limits, seed=1, handicaps=handicaps
            ),
            seats,
        )


def own_walls_s(record: MatchRecord, seat: int = 0) -> list[float]:
    """Return the seconds of a seat's moves."""
    return [move.wall_ns / 1e9 for move in record.moves[seat::2]]


@pytest.mark.parametrize("seat", [0, 1])
def test_who_spends_its_clock_loses_on_time(tmp_path: Path, seat: int) -> None:
    record = against_first(tmp_path, "0.2", seat, grace_s=0.01)
    assert (record.termination, record.fault_seat) == (Termination.TIME_FORFEIT, seat)
    walls = own_walls_s(record, seat)
    left = re.search(r"allowed: the (\d\.\d+) s that its clock had and 0.01 s grace", record.detail)
    assert left is not None, record.detail
    assert float(left[1]) == pytest.approx(max(0, 0.2 - sum(walls)), abs=0.001)
    assert record.fault_wall_ns is not None
    assert record.fault_wall_ns / 1e9 >= float(left[1]) + 0.01


@pytest.mark.slow
def test_increments_keep_a_bot_alive(tmp_path: Path) -> None:
    record = against_first(tmp_path, "0.4+0.4")
    assert record.termination is Termination.RULES
    assert sum(own_walls_s(record)) > 0.4


@pytest.mark.slow
def test_sessions_keep_a_bot_alive(tmp_path: Path) -> None:
    record = against_first(tmp_path, "1/0.4")
    assert record.termination is Termination.RULES
    assert sum(own_walls_s(record)) > 0.4


def test_the_time_for_a_move_holds_beside_the_clock(tmp_path: Path) -> None:
    record = against_first(tmp_path, "1h", move_s=0.02, grace_s=0.01)
    assert record.termination is Termination.TIME_FORFEIT
    assert record.moves == ()
    assert "allowed: 0.02 s and 0.01 s grace" in record.detail


@pytest.mark.slow
def test_a_handicap_is_of_one_seat_alone(tmp_path: Path) -> None:
    record = against_first(tmp_path, "100", handicaps=(0.001, 1.0), grace_s=0.01)
    assert (record.termination, record.fault_seat) == (Termination.TIME_FORFEIT, 0)
    assert "its clock had" in record.detail
    record = against_first(tmp_path, "100", handicaps=(1.0, 0.001), grace_s=0.01)
    assert record.termination is Termination.RULES


@pytest.mark.slow
def test_a_python_bot_sees_all_clocks_and_is_paced(tmp_path: Path) -> None:
    record = against_first(tmp_path, "40/50+1", handicaps=(1.0, 0.5))
    told = [move.report.text for move in record.moves[::2] if move.report]
    first = re.fullmatch(r"\(50\.0, 25\.0\) \(1\.0, 0\.5\) 40 (.+)", told[0])
    assert first is not None, told[0]
    # A twenty-fifth of its time and most of the increment, less what the question was on its way.
    assert 2.8 - record.moves[0].wall_ns / 1e9 - 0.01 <= float(first[1]) <= 2.8
    second = re.fullmatch(r"\((.+), 25\.\d+\) \(1\.0, 0\.5\) 39 .*", told[1])
    assert second is not None, told[1]
    assert float(second[1]) == pytest.approx(51 - record.moves[0].wall_ns / 1e9)


def of_engine(
    answers: list[tuple[str, str]], limits: Limits, handicaps: tuple[float, ...] = ()
) -> MatchRecord:
    """Play a UCI engine that answers `go` so, until it errs, against one that takes no time."""
    pytest.importorskip("chess", reason="needs the extra 'chess'")
    script = [("^uci$", "uciok"), ("^isready$", "readyok"), *answers]
    seat = make_seat(engine("uci", script), limits)
    setup = MatchSetup(
        game=find_game("chess"),
        versions=(1, 2),
        opening=(),
        limits=limits,
        seed=1,
        handicaps=handicaps,
    )
    try:
        return play_match(setup, [seat, FirstMove()])
    finally:
        seat.stop()


def searches(record: MatchRecord) -> list[str]:
    """Return the `go` lines that the engine was sent."""
    return [line[2:] for line in record.log.splitlines() if line.startswith("> go")]


def test_a_uci_engine_sees_its_clock_over_the_periods() -> None:
    # Knights to and fro: the numbers of the clock tell the engine which move it is.
    answers = [
        ("^go.* winc 500 .*movestogo 2$", "SLEEP 0.01\nbestmove g1f3"),
        ("^go.* winc 500 .*movestogo 1$", "SLEEP 0.01\nbestmove f3g1"),
        ("^go.*movestogo 3$", "SLEEP 0.01\nbestmove b1c3"),
        ("^go.*movestogo 2$", "SLEEP 0.01\nbestmove c3b1"),
        ("^go.*movestogo 1$", "SLEEP 0.01\nbestmove g1f3"),
        ("^go.* winc 5000 binc 5000$", "bestmove a1a8"),
    ]
    record = of_engine(answers, Limits(time="2/60+0.5:3/30:900+5"))
    assert record.termination is Termination.ILLEGAL_MOVE
    assert "a1a8" in record.detail
    searched = [re.findall(r" ([a-z]+) (\d+)", line) for line in searches(record)]
    # After each move: its increment, and the time of a new period.
    gains = (0.5, 0.5 + 30, 0, 0, 900)
    for seat, name in enumerate(("wtime", "btime")):
        left_s = [60.0]
        for wall_s, gain_s in zip(own_walls_s(record, seat), gains, strict=True):
            left_s.append(left_s[-1] - wall_s + gain_s)
        told_s = [int(dict(words)[name]) / 1000 for words in searched]
        assert told_s == pytest.approx(left_s, abs=0.002)
    assert [dict(words).get("movestogo") for words in searched] == ["2", "1", "3", "2", "1", None]
    assert [dict(words).get("winc") for words in searched] == [
        "500",
        "500",
        None,
        None,
        None,
        "5000",
    ]


def test_a_uci_engine_sees_the_numbers_of_the_clocks() -> None:
    limits = Limits(time="40/60+0.5", depth=9)
    record = of_engine([("^go", "bestmove e2e4")], limits, handicaps=(0.5, 1.0))
    asked = searches(record)
    left_ms = int((30.25 - record.moves[0].wall_ns / 1e9) * 1000)
    assert asked == [
        "go wtime 30000 btime 60000 winc 250 binc 500 movestogo 40 depth 9",
        f"go wtime {left_ms} btime 60499 winc 250 binc 500 movestogo 39 depth 9",
    ]
