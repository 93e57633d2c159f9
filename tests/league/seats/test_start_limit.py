"""The time that a bot has to start and, on its own, to prepare for a match."""

import pytest

from league.match.conduct import STARTS_A_MATCH, Leeway
from league.model.records import Conduct, Limits, Termination
from league.seats.bot_specs import make_seat, start_limit_s
from league.seats.seat import SeatFault
from tests.league.seats.scripted import engine

SLOW_S = 11.0
"""A start that a big net or tablebases may take."""


def prepares(sleep_s: float) -> list[tuple[str, str]]:
    """Return a script that is ready at once, but takes long for `ucinewgame`."""
    return [
        ("^uci$", "uciok"),
        ("^ucinewgame", f"SLEEP {sleep_s}"),
        ("^isready", "readyok"),
        ("^go", "bestmove e2e4"),
    ]


@pytest.mark.parametrize("protocol", ["uci", "ugi", "xboard", "gtp", "piskvork"])
def test_an_engine_may_load_a_big_net_and_a_bot_that_hangs_is_told_soon(protocol: str) -> None:
    assert start_limit_s(f"{protocol}:./engine", Limits()) > SLOW_S
    assert start_limit_s("bot.py", Limits()) < SLOW_S
    assert start_limit_s("exec:./bot", Limits()) < SLOW_S
    for spec in (f"{protocol}:./engine", "bot.py", "exec:./bot"):
        assert start_limit_s(spec, Limits(start_s=3.0)) == 3.0


def test_slow_preparations_for_many_matches_are_within_the_budget_of_a_tournament() -> None:
    start_s = start_limit_s("uci:./engine", Limits())
    conduct = Conduct(matches=500, preparation_ms=int(500 * SLOW_S * 1e3))
    left_s = Leeway.of(conduct, start_s, 0, 0).preparation_s
    assert left_s is not None
    assert left_s > SLOW_S
    assert STARTS_A_MATCH * start_s > SLOW_S


@pytest.mark.slow
def test_a_preparation_that_takes_too_long_is_told_with_the_option() -> None:
    chess = pytest.importorskip("games.chess").GAME
    seat = make_seat(engine("uci", prepares(3600)), Limits(move_s=1.0, start_s=2.0))
    try:
        seat.start()
        with pytest.raises(SeatFault, match=r"more than 2 s to prepare for .*--start-time") as late:
            seat.new_match(chess, 0, 1, ())
        assert late.value.termination is Termination.TIME_FORFEIT
    finally:
        seat.stop()


@pytest.mark.soak
def test_an_engine_that_takes_11_s_for_a_new_game_plays() -> None:
    chess = pytest.importorskip("games.chess").GAME
    seat = make_seat(engine("uci", prepares(SLOW_S)), Limits(move_s=1.0))
    try:
        seat.start()
        seat.new_match(chess, 0, 1, ())
    finally:
        seat.stop()
