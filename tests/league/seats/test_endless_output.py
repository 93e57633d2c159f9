"""Programs that write without end: each protocol stops reading at the same bound."""

import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from games.support.specs import find_game
from league.model.records import BotVersion, Limits, Termination
from league.seats.bot_specs import make_seat
from league.seats.engine.engine_seat import EngineSeat
from league.seats.engine.xboard_features import XboardFeatures
from league.seats.process.output_bounds import MOVE, PREPARATION, START
from league.seats.seat import MoveBudget, SeatFault
from tests.league.seats.scripted import engine
from tests.paths import BAD_BOTS
from tests.waiting import ENDLESS_S

LIMITS = Limits(move_s=ENDLESS_S, start_s=ENDLESS_S)
GAMES = {
    "uci": ("chess", "chess"),
    "xboard": ("chess", "chess"),
    "gtp": ("openspiel:go?board_size=5", "pyspiel"),
    "ugi": ("tictactoe", ""),
    "piskvork": ("mnk?columns=15&rows=15&connect=5", ""),
    "exec": ("tictactoe", ""),
}
"""The game of each protocol, and the package that it needs."""


def _cases() -> Iterator[object]:
    for protocol, (_, package) in GAMES.items():
        marks = [pytest.mark.slow, *([pytest.mark.extra] if package else [])]
        for phase, told in (
            ("start", "10,000 lines to start"),
            ("prepare", "10,000 lines to prepare for a match"),
            ("move", "250,000 lines for a move"),
        ):
            yield pytest.param(protocol, phase, told, marks=marks, id=f"{protocol}-{phase}")


@contextmanager
def seat_of(version: BotVersion) -> Iterator[EngineSeat]:
    """Yield the seat of a program, and end it."""
    seat = make_seat(version, LIMITS)
    assert isinstance(seat, EngineSeat)
    try:
        yield seat
    finally:
        seat.stop()


@pytest.mark.parametrize(("protocol", "phase", "told"), list(_cases()))
def test_no_phase_of_any_protocol_is_endless(protocol: str, phase: str, told: str) -> None:
    spec, package = GAMES[protocol]
    if package:
        pytest.importorskip(package)
    words = [sys.executable, "-I", "-S", "-B", str(BAD_BOTS / "never_ends.py"), protocol, phase]
    version = BotVersion("endless", f"{protocol}:{shlex.join(words)}", options={}, folder="/")
    with seat_of(version) as seat:
        with pytest.raises(SeatFault) as fault:
            play(seat, spec)
        assert fault.value.termination is Termination.CRASH
        assert fault.value.detail == f"flooded its output: more than {told}"


def play(seat: EngineSeat, spec: str) -> None:
    """Start the program, prepare it for a match, and ask it for a move."""
    game = find_game(spec)
    seat.start()
    seat.new_match(game, 0, 1, ())
    seat.ask(game.initial(), (), MoveBudget.of(LIMITS, game.seats))


def test_long_lines_are_bounded_like_many() -> None:
    """Its greeting is ten lines of more than 100,000 characters that are no answer."""
    flood = "\n".join(["no: " + r"\1" * 4000] * 10)
    told = "flooded its output: more than 1 MiB to start"
    with (
        seat_of(engine("exec", [("(.*hello.*)", flood)])) as seat,
        pytest.raises(SeatFault, match=told),
    ):
        seat.start()


def test_each_phase_has_its_own_bound() -> None:
    """A program that tells much, but never too much at once, plays as long as it likes."""
    much = "\n".join(["thinking"] * (START.lines - 1000))
    script = [(r'"id":(\d+)', rf'{much}\n{{"id":\1,"protocol":1,"move":1}}')]
    with seat_of(engine("exec", script)) as seat:
        for _ in range(3):
            play(seat, "tictactoe")


def test_a_bound_says_what_is_too_much() -> None:
    assert not MOVE.fault(MOVE.lines, MOVE.size)
    assert MOVE.fault(MOVE.lines + 1, 0) == "more than 250,000 lines for a move"
    assert PREPARATION.fault(0, PREPARATION.size + 1) == "more than 1 MiB to prepare for a match"


@pytest.mark.parametrize("text", ["a" * 1_000_000, 'option="a' + " " * 1_000_000 + 'b"'])
def test_a_feature_of_a_megabyte_is_read_at_once(text: str) -> None:
    """A pattern that looks at each part of it from each place would take hours."""
    assert list(XboardFeatures().add(f"feature {text}")) in ([], ["accepted option\n"])
