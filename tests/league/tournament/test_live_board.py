"""Matches in play are seen while they are played, and no longer."""

import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.support.moves import WireMove
from league.execution import live_feed
from league.execution.live_feed import LiveFeed, LiveMatch
from league.model.records import Limits, MatchKey
from league.model.tournament_spec import TournamentSpec
from league.registration.register import register
from league.store.rows import LiveMatchRow
from league.store.store import Store, open_store
from league.tournament.create import create_tournament
from league.tournament.live_board import MatchInPlay, matches_in_play
from league.tournament.run_options import RunOptions
from league.tournament.runner import run_tournament
from tests.league.command import league, start
from tests.league.matches import wires
from tests.waiting import PATIENCE_S, wait_until

SLOW = """
import time

def choose(state, clock):
    time.sleep({seconds})
    return state.legal_moves()[0]
"""
RUN = ("run", "--game", "connectfour", "--bots", "ann,bob", "--depth", "1", "--workers", "2", "-q")


def make(folder: Path, seconds: float) -> None:
    """Register two bots that take their time."""
    (folder / "slow.py").write_text(SLOW.format(seconds=seconds))
    for name in ("ann", "bob"):
        league(folder, "register", name, "slow.py", "--no-check")


@contextmanager
def opened(folder: Path) -> Iterator[Store]:
    """Open the league in a folder, to look at it."""
    with open_store(str(folder / "league.db"), read_only=True) as store:
        yield store


def wait_for(store: Store, is_enough: Callable[[list[MatchInPlay]], object]) -> list[MatchInPlay]:
    """Return the matches in play when they are as asked for."""
    found: list[MatchInPlay] = []

    def looks_right() -> object:
        # The store may have no tournament yet.
        found[:] = matches_in_play(store, 1)
        return is_enough(found)

    wait_until(looks_right, pause_s=0.1)
    return found


@given(st.integers(0, 2**53), st.integers(0, 9), st.lists(wires, max_size=9).map(tuple))
def test_a_live_match_travels(encounter: int, rotation: int, moves: tuple[int | str, ...]) -> None:
    live = LiveMatch("host 17", MatchKey(encounter, rotation), moves)
    assert LiveMatch.unpacked(live.packed()) == live


@pytest.mark.slow
def test_boards_move_and_a_kill_leaves_no_ghosts(tmp_path: Path) -> None:
    make(tmp_path, 0.15)
    runner = start(tmp_path, *RUN, "--rounds", "20")
    try:
        with opened(tmp_path) as store:
            seen = wait_for(store, lambda found: len(found) == 2)
            assert {each.key.rotation for each in seen} <= {0, 1}
            assert all(sorted(each.names) == ["ann", "bob"] for each in seen)
            # By its plies; whichever match is seen twice, for one may end in between.
            boards: dict[MatchKey, dict[int, str]] = {}

            def has_moved(found: list[MatchInPlay]) -> bool:
                for each in found:
                    boards.setdefault(each.key, {})[each.plies] = str(each.state.render())
                return any(len(drawn) > 1 for drawn in boards.values())

            later = wait_for(store, has_moved)
            assert all(len(set(drawn.values())) == len(drawn) for drawn in boards.values())
            assert later[0].still_s < PATIENCE_S
            runner.send_signal(signal.SIGKILL)
            runner.communicate()
            assert store.shown(1) != ()
            assert matches_in_play(store, 1) == []
        league(tmp_path, "tournament", "cancel", "1")
    finally:
        runner.kill()
        runner.wait()


@pytest.mark.slow
def test_a_bot_that_thinks_is_seen_thinking(tmp_path: Path) -> None:
    make(tmp_path, 3.0)
    runner = start(tmp_path, *RUN, "--rounds", "1")
    try:
        with opened(tmp_path) as store:
            plies = {each.plies for each in wait_for(store, len)}
            # Not a move has been made but those of the opening.
            assert plies == {4}
            runner.send_signal(signal.SIGINT)
            runner.communicate()
            assert store.shown(1) == ()
    finally:
        runner.kill()
        runner.wait()


@pytest.mark.slow
def test_what_lasts_less_is_never_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_feed, "LIVE_INTERVAL_S", 0.2)
    sent: list[bytes] = []
    feed, before = LiveFeed(sent.append), signal.getsignal(signal.SIGALRM)
    feed.start()
    try:
        for number in range(50):
            feed.begin(MatchKey(number, 0), [1])
            time.sleep(0.01)
        feed.end()
        time.sleep(0.3)
        assert sent == []
        moves: list[WireMove] = [1, "e5"]
        feed.begin(MatchKey(7, 1), moves)
        time.sleep(0.9)
        assert len(sent) == 1
        moves.append(3)
        time.sleep(0.5)
        found = [LiveMatch.unpacked(each) for each in sent]
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert [each.key for each in found] == [MatchKey(7, 1)] * 2
    assert [each.moves for each in found] == [(1, "e5"), (1, "e5", 3)]


def test_a_new_run_forgets_what_an_older_one_left(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "league.db"), create=True) as store:
        for name in ("a", "b"):
            register(store, name, "random", options={}, is_checked=False)
        row = create_tournament(
            store,
            TournamentSpec(
                game="tictactoe", bots=["a", "b"], rounds=1, limits=Limits(cap_s=5), seed=1
            ),
        )
        left = LiveMatchRow(
            key=MatchKey(0, 0),
            game="tictactoe",
            versions=row.config.entrants,
            moves=(4, 0),
            moved_at=17,
        )
        store.show(row.id, [left, left])
        assert store.shown(row.id) == (left, left)
        seen = []
        run_tournament(
            store,
            row.id,
            RunOptions(workers=1),
            on_progress=lambda progress: seen.append(store.shown(row.id)),
        )
        assert seen
        assert (left, left) not in seen
        assert store.shown(row.id) == ()
