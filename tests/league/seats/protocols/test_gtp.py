"""GTP: what is said to programs that play Go, what is taken from them, and how they fail."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest

pytest.importorskip("pyspiel", reason="needs the extra 'openspiel'")

from games.support.game import State
from games.support.specs import find_game
from league.match.clocks import Clocks
from league.match.play import MatchSetup, play_match
from league.model.records import BotVersion, Limits, MatchRecord, Termination
from league.registration.source_snapshot import take_snapshot
from league.seats.bot_specs import make_seat, refusal_of, usual_game
from league.seats.protocols.gtp import GtpSeat, move_of, vertex
from league.seats.seat import MoveBudget, SeatFault
from tests.league.seats.clock import clock
from tests.league.seats.distribution import program
from tests.league.seats.firstmove import FirstMove
from tests.league.seats.scripted import engine
from tests.waiting import ENDLESS_S

pytestmark = pytest.mark.extra

GO = find_game("openspiel:go?board_size=5&komi=0.5")
LIMITS = Limits(move_s=0.2, grace_s=ENDLESS_S, start_s=ENDLESS_S)
SHORT = replace(LIMITS, grace_s=0.1)
"""For programs that never answer."""

KNOWN = r"=\1 level\ntime_settings\ntime_left\nplay\ngenmove\n"
START = [
    (r"^(\d+) protocol_version", "=\\1 2\n"),
    (r"^(\d+) list_commands", KNOWN),
    (r"^(\d+) (?:boardsize|komi|clear_board|time_|play|level)", "=\\1\n"),
]


@contextmanager
def seat_of(version: BotVersion, limits: Limits = LIMITS) -> Iterator[GtpSeat]:
    """Yield the seat of a version, and end it."""
    seat = make_seat(version, limits)
    assert isinstance(seat, GtpSeat)
    try:
        yield seat
    finally:
        seat.stop()
        assert seat.pid is None


def told(seat: GtpSeat) -> list[str]:
    """Return the last commands that were given, without their numbers."""
    return re.findall(r"^> \d+ (.*)", seat.log, re.MULTILINE)


def answered(answer: str, limits: Limits) -> MatchRecord:
    """Play a match of a program that answers so to `genmove`."""
    version = engine("gtp", [(r"^(\d+) genmove", f"{answer}\n"), *START])
    with seat_of(version, limits) as seat:
        return play_match(
            MatchSetup(game=GO, versions=(1, 2), opening=(), limits=limits, seed=1),
            [seat, FirstMove()],
        )


def test_points_are_openspiels_own() -> None:
    for spec in ("openspiel:go?board_size=9", "openspiel:go"):
        game = find_game(spec)
        state: State = game.initial()
        size = 9 if "9" in spec else 19
        for move in state.legal_moves():
            point = vertex(move, size)
            assert f"b {point.lower()}" == state.text(move).lower()
            assert move_of(point.lower(), size) == move
    for text in ("i3", "a0", "a10", "k1", "", "aa", "a", "resigned", "a99999999"):
        assert move_of(text, 9) is None


def test_a_match_is_told_move_by_move() -> None:
    script = [(r"^(\d+) genmove w", "=\\1 b2\n"), *START]
    with seat_of(engine("gtp", script, {"level": "3"})) as seat:
        seat.start()
        assert told(seat) == ["protocol_version", "list_commands", "level 3"]
        seat.new_match(GO, 1, 1, ())
        assert told(seat) == ["boardsize 5", "komi 0.5", "clear_board", "time_settings 0 1 1"]
        state = GO.initial().play(12)
        assert seat.ask(state, (12,), MoveBudget(move_s=250.0)).wire == 6
        state = state.play(6).play(25)
        with pytest.raises(SeatFault, match="answered an illegal move 'b2'"):
            seat.ask(state, (12, 6, 25), MoveBudget(left_s=(900.0, 790.9), clock=clock("3/790.9")))
        assert told(seat)[4:] == [
            *("play b C3", "time_left w 250 1", "genmove w"),
            *("play b pass", "time_settings 0 790 3", "time_left w 790 3", "genmove w"),
        ]


@pytest.mark.parametrize(
    ("limits", "settings", "budget", "left"),
    [
        (
            Limits(time="90+1"),
            "90 0 0",
            MoveBudget(left_s=(90.0, 8.0), increments_s=(1, 1), clock=clock("90+1", 1)),
            "91 0",
        ),
        (
            Limits(time="40/60"),
            "0 60 40",
            MoveBudget(left_s=(60.0, 8.0), increments_s=(0, 0), clock=clock("40/60", 33)),
            "60 7",
        ),
        (
            Limits(move_s=5.0, time="100"),
            "0 5 1",
            MoveBudget(move_s=5.0, left_s=(50.0, 8.0), increments_s=(0, 0)),
            "2 1",
        ),
    ],
)
def test_clocks_are_told(limits: Limits, settings: str, budget: MoveBudget, left: str) -> None:
    with seat_of(engine("gtp", [(r"^(\d+) genmove b", "=\\1 b2\n"), *START]), limits) as seat:
        seat.start()
        seat.new_match(GO, 0, 1, ())
        seat.ask(GO.initial(), (), budget)
        assert told(seat)[-3:] == [f"time_settings {settings}", f"time_left b {left}", "genmove b"]


def test_each_period_has_its_settings() -> None:
    limits = replace(LIMITS, move_s=None, time="1/100:2/50+1:7")
    clocks, told_of = Clocks([limits] * 2), []
    with seat_of(engine("gtp", START), limits) as seat:
        seat.start()
        for _ in range(2):
            seat.new_match(GO, 0, 1, ())
            assert told(seat)[-1] == "time_settings 0 100 1"
        for _ in range(5):
            lines = seat.question(GO.initial(), (), clocks.budget(0)).splitlines()
            told_of.append([line.partition(" ")[2] for line in lines if " time_" in line])
            clocks.spend(0, 10_000_000_000)
    assert told_of == [
        ["time_left b 100 1"],
        ["time_settings 0 50 2", "time_left b 140 2"],
        ["time_left b 131 1"],
        ["time_settings 7 0 0", "time_left b 129 0"],
        ["time_left b 119 0"],
    ]


FAULTS = {
    "an occupied point": (r"=\1 c3", Termination.ILLEGAL_MOVE, "answered an illegal move 'c3'"),
    "no point": (r"=\1 z9", Termination.ILLEGAL_MOVE, "'z9', which is no point of a board of 5"),
    "nothing": (r"=\1", Termination.ILLEGAL_MOVE, "'', which is no point"),
    "an error": (r"?\1 tired", Termination.ILLEGAL_MOVE, "answered 'tired' instead of a move"),
    "resigning": (r"=\1 resign", Termination.RESIGNATION, "resigned"),
    "another's number": ("=1 a1", Termination.TIME_FORFEIT, "had not moved"),
    "silence": ("", Termination.TIME_FORFEIT, "had not moved"),
    "an exit": ("EXIT 3", Termination.CRASH, "exited with status 3"),
}


@pytest.mark.parametrize("what", FAULTS)
def test_what_a_program_does_wrong_is_named(what: str) -> None:
    answer, termination, detail = FAULTS[what]
    is_late = termination is Termination.TIME_FORFEIT
    record = answered(answer, SHORT if is_late else LIMITS)
    assert (record.termination, record.fault_seat) == (termination, 0), record
    assert detail in record.detail
    assert "genmove b" in record.log


def test_a_refused_move_is_told() -> None:
    script = [(r"^(\d+) play", "?\\1 illegal move\n"), *START]
    with seat_of(engine("gtp", script)) as seat:
        record = play_match(
            MatchSetup(game=GO, versions=(1, 2), opening=(), limits=LIMITS, seed=1),
            [FirstMove(), seat],
        )
    assert (record.termination, record.fault_seat) == (Termination.ILLEGAL_MOVE, 1)
    assert "refused 'play b A1', which is legal here: 'illegal move'" in record.detail


@pytest.mark.parametrize(
    ("script", "options", "detail"),
    [
        ([(r"^(\d+) prot", "=\\1 1\n")], {}, "speaks version '1' of GTP: expected 2"),
        ([(r"^(\d+) prot", "?\\1 what\n")], {}, "refused 'protocol_version': 'what'"),
        (START, {"leve": "3"}, "knows no command 'leve' (did you mean 'level'?)"),
        ([(r"^(\d+) level", "?\\1 no\n"), *START], {"level": "99"}, "refused 'level 99': 'no'"),
        ([], {}, "did not answer 'protocol_version' within 0.3 s"),
    ],
)
def test_what_does_not_begin_well_is_said(
    script: list[tuple[str, str]], options: dict[str, str], detail: str
) -> None:
    limits = LIMITS if script else replace(LIMITS, start_s=0.3)
    with (
        seat_of(engine("gtp", script, options), limits) as seat,
        pytest.raises(SeatFault, match=re.escape(detail)),
    ):
        seat.start()


def test_a_board_that_a_program_does_not_know_is_refused_by_it() -> None:
    script = [(r"^(\d+) boardsize", "?\\1 unacceptable size\n"), *START]
    with seat_of(engine("gtp", script)) as seat:
        seat.start()
        with pytest.raises(SeatFault, match="refused 'boardsize 5': 'unacceptable size'"):
            seat.new_match(GO, 0, 1, ())


def test_what_can_not_be_played_is_refused_before() -> None:
    def refused(spec: str, limits: Limits = LIMITS) -> str:
        return refusal_of("gtp:gnugo --mode gtp", find_game(spec), limits)

    assert usual_game("gtp:gnugo") == "openspiel:go"
    assert refused("openspiel:go?board_size=9") == ""
    assert refused("chess") == "GTP plays Go alone (openspiel:go), not chess"
    assert "handicap" in refused("openspiel:go?handicap=2")
    assert refused("openspiel:go", Limits(depth=3)) == "GTP knows no limit but time"
    assert refused("openspiel:go", Limits(time="1")) == ""


def test_gnu_go_plays_and_wins() -> None:
    limits = replace(LIMITS, move_s=5.0, memory_mb=None)
    command = f"gtp:{program('gnugo')} --mode gtp --chinese-rules --capture-all-dead"
    version = take_snapshot("gnugo", command, {"level": "1"})
    game = find_game("openspiel:go?board_size=5&komi=0.5")
    with seat_of(version, limits) as seat:
        record = play_match(
            MatchSetup(game=game, versions=(1, 2), opening=(), limits=limits, seed=1),
            [seat, FirstMove()],
        )
    assert not record.termination.is_fault, (record.detail, record.log)
    assert record.scores == (1.0, 0.0)
