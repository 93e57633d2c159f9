"""Engines of the distribution's packages, where they are installed."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

pytest.importorskip("chess", reason="needs the extra 'chess'")

from games.support.specs import find_game
from league.match.play import MatchSetup, play_match
from league.model.records import BotVersion, Limits
from league.seats.bot_specs import make_seat
from league.seats.seat import Seat, SeatFault
from tests.examples import slow
from tests.waiting import ENDLESS_S

PATH = f"{os.environ.get('PATH', '')}:/usr/games"
PLIES = 40
LIMITS = Limits(depth=3, cap_s=ENDLESS_S, start_s=ENDLESS_S, max_plies=PLIES)
COMMANDS = (
    "stockfish",
    *slow("ethereal-chess", "toga2", "glaurung", "fairy-stockfish", "gnuchess --uci", "sjaakii"),
)


@contextmanager
def seated(monkeypatch: pytest.MonkeyPatch, *commands: str, **options: str) -> Iterator[list[Seat]]:
    """Yield a seat for each engine, and end them all; skip where one is not installed."""
    monkeypatch.setenv("PATH", PATH)
    for command in commands:
        if shutil.which(command.split()[0]) is None:
            pytest.skip(f"needs {command.split()[0]}, of the distribution's package")
    seats: list[Seat] = [
        make_seat(BotVersion(command, f"uci:{command}", options=options, folder="/"), LIMITS)
        for command in commands
    ]
    try:
        yield seats
    finally:
        for seat in seats:
            seat.stop()


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_an_engine_plays_and_reports(monkeypatch: pytest.MonkeyPatch, command: str) -> None:
    with seated(monkeypatch, command, command) as seats:
        record = play_match(
            MatchSetup(game=find_game("chess"), versions=(1, 2), opening=(), limits=LIMITS, seed=1),
            seats,
        )
    assert record.fault_seat is None, (record.detail, record.log)
    assert len(record.moves) > PLIES // 2
    told = [move.report for move in record.moves if move.report and move.report.pv]
    # Some play from a book at first, and say nothing then.
    assert len(told) > PLIES // 4
    assert all(report.score is not None and report.nodes for report in told)
    first = next(move for move in record.moves if move.report and move.report.pv)
    assert first.report is not None
    assert first.report.pv[0] == first.move


@pytest.mark.slow
@pytest.mark.parametrize("command", ["stockfish", *slow("ethereal-chess", "fairy-stockfish")])
@pytest.mark.parametrize("start", [0, 959])
def test_an_engine_plays_chess960(
    monkeypatch: pytest.MonkeyPatch, command: str, start: int
) -> None:
    with seated(monkeypatch, command, command) as seats:
        game = find_game(f"chess?start={start}")
        record = play_match(
            MatchSetup(game=game, versions=(1, 2), opening=(), limits=LIMITS, seed=1), seats
        )
    assert record.fault_seat is None, (record.detail, record.log)
    # Shorter where they repeat the position.
    assert len(record.moves) > PLIES // 2


@pytest.mark.slow
def test_an_engine_without_chess960_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with seated(monkeypatch, "toga2") as seats:
        seats[0].start()
        with pytest.raises(SeatFault, match="UCI_Chess960"):
            seats[0].new_match(find_game("chess?chess960=true"), 0, 1, ())


@pytest.mark.slow
def test_the_skill_of_stockfish_is_an_option(monkeypatch: pytest.MonkeyPatch) -> None:
    with seated(monkeypatch, "stockfish", **{"Skill Level": "3"}) as seats:
        seats[0].start()
        assert "> setoption name Skill Level value 3" in seats[0].log.splitlines()
    refused = pytest.raises(SeatFault, match="expected a whole number from 0 to 20")
    with seated(monkeypatch, "stockfish", **{"Skill Level": "30"}) as seats, refused:
        seats[0].start()
