"""Matches in play are seen while they are played, and no longer."""

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.execution import live_feed
from league.execution.heartbeat import Heartbeat
from league.execution.live_feed import LiveFeed, LiveMatch
from league.execution.worker import MatchJob
from league.match.conduct import Ply
from league.model.live_ply import LivePly
from league.model.records import BotVersion, Limits, MatchKey, ReportRecord
from league.model.tournament_spec import TournamentSpec
from league.registration.register import register
from league.store.rows import LiveMatchRow
from league.store.store import Store, open_store
from league.tournament.create import create_tournament
from league.tournament.live_board import (
    SHOWN_MAX,
    WATCHED_EVERY_S,
    LiveBoard,
    MatchInPlay,
    matches_in_play,
)
from league.tournament.run_options import RunOptions
from league.tournament.runner import run_tournament
from league.tournament.watch_mark import WatchMark
from tests.league.command import league, start
from tests.league.matches import add_bots, add_tournament, wires
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


@pytest.mark.slow
@given(st.integers(0, 2**53), st.integers(0, 9), st.lists(wires, max_size=9).map(tuple))
def test_a_live_match_travels(encounter: int, rotation: int, moves: tuple[int | str, ...]) -> None:
    report = ReportRecord(depth=3, nodes=9, score=-0.5, mate=2, pv=moves, text="\ud800 <b>")
    plies = (*map(LivePly, moves), *(LivePly(each, 7, report) for each in moves), LivePly(1, 0))
    live = LiveMatch("host 17", MatchKey(encounter, rotation), 99, 4, plies)
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
            assert time.time() - later[0].moved_at_ms / 1000 < PATIENCE_S
            runner.send_signal(signal.SIGKILL)
            runner.communicate()
            assert store.live.shown(1) != ()
            assert matches_in_play(store, 1) == []
        league(tmp_path, "tournament", "cancel", "1")
    finally:
        runner.kill()
        runner.wait()


@pytest.mark.slow
def test_a_watched_match_comes_with_its_times(tmp_path: Path) -> None:
    make(tmp_path, 0.15)
    runner = start(tmp_path, *RUN, "--rounds", "20")
    try:
        with opened(tmp_path) as store:
            wait_for(store, lambda found: len(found) == 2)
            assert {ply.wall_ns for row in store.live.shown(1) for ply in row.plies} == {None}
            mark = WatchMark(store.path, 1)

            def has_times() -> bool:
                mark.write([row.key for row in store.live.shown(1)])
                # Of the opening nobody knows them.
                return any(
                    ply.wall_ns for row in store.live.shown(1) for ply in row.plies[4:]
                ) and all(
                    ply.wall_ns is None for row in store.live.shown(1) for ply in row.plies[:4]
                )

            wait_until(has_times, pause_s=0.1)
            runner.send_signal(signal.SIGINT)
            runner.communicate()
            assert not list(tmp_path.glob("*watched*"))
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
            assert store.live.shown(1) == ()
    finally:
        runner.kill()
        runner.wait()


@pytest.mark.slow
def test_what_lasts_less_is_never_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    # So much more than a match lasts that a busy machine stops none for as long.
    monkeypatch.setattr(live_feed, "LIVE_INTERVAL_S", 2.0)
    sent: list[bytes] = []
    feed, before = LiveFeed(sent.append), signal.getsignal(signal.SIGALRM)
    feed.start()
    try:
        for number in range(150):
            feed.begin(MatchKey(number, 0), [1], [])
            time.sleep(0.02)
        feed.end()
        time.sleep(2.2)
        assert sent == []
        moves: list[Ply] = [("e5", 7, 5, 0, ReportRecord(depth=4), None)]
        feed.begin(MatchKey(7, 1), [1], moves)
        wait_until(lambda: sent)
        time.sleep(2.2)
        assert len(sent) == 1
        moves.append((3, 8, None, 0, None, None))
        wait_until(lambda: len(sent) > 1)
        found = [LiveMatch.unpacked(each) for each in sent]
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert [each.key for each in found] == [MatchKey(7, 1)] * 2
    # Only what is new, and nothing of its cost: nobody watches.
    assert [each.begin for each in found] == [0, 2]
    assert [each.plies for each in found] == [(LivePly(1), LivePly("e5")), (LivePly(3),)]


def test_a_watched_match_is_shown_with_its_reports(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[bytes] = []
    heartbeat = Heartbeat(Heartbeat.descriptor())
    feed, before = LiveFeed(sent.append, heartbeat), signal.getsignal(signal.SIGALRM)
    monkeypatch.setattr(live_feed, "LIVE_INTERVAL_S", 0.05)
    key, report = MatchKey(3, 1), ReportRecord(depth=4, pv=(1, 2), text="<b>")
    moves: list[Ply] = [(number, 5, None, 0, report, None) for number in range(40)]
    feed.start()
    try:
        heartbeat.begin(key)
        feed.begin(key, ["e4"], moves)
        wait_until(lambda: len(sent) >= 3)
        assert {each.report for data in sent for each in LiveMatch.unpacked(data).plies} == {None}
        bare = len(sent)
        heartbeat.watch({MatchKey(3, 0)})
        assert not heartbeat.is_watched
        heartbeat.watch({key})
        # All of it again, in messages that a socket takes.
        wait_until(lambda: len(sent) >= bare + 3)
        heartbeat.begin(MatchKey(3, 2))
        heartbeat.watch({key})
        assert not heartbeat.is_watched
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    found = [LiveMatch.unpacked(each) for each in sent[bare:]]
    assert [(each.begin, each.count) for each in found] == [(0, 41), (16, 41), (32, 41)]
    plies = [ply for each in found for ply in each.plies]
    assert plies == [LivePly("e4"), *(LivePly(number, 5, report) for number in range(40))]


def test_messages_become_the_match_again(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "league.db"), create=True) as store:
        check_messages(store)


def test_a_watched_match_is_shown_however_many_are_in_play(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "league.db"), create=True) as store:
        one, two = add_bots(store, "one", "two")
        number = add_tournament(store, one, two)
        board, mark = LiveBoard(store, number), WatchMark(store.path, number)
        keys = (MatchKey(each, 0) for each in range(SHOWN_MAX + 3))
        jobs = {key: tictactoe(one, two, key, number) for key in keys}
        last = MatchKey(SHOWN_MAX + 2, 0)
        board.take([LiveMatch(f"w{key.encounter}", key, 1, 0, (LivePly(4),)) for key in jobs], jobs)
        board.show(jobs)
        shown = [row.key for row in store.live.shown(number)]
        assert len(shown) == SHOWN_MAX
        assert last not in shown
        mark.write([last])
        assert board.watched() == {last}
        with pytest.MonkeyPatch.context() as patch:
            later_s = time.monotonic() + 2
            patch.setattr(time, "monotonic", lambda: later_s)
            board.show(jobs)
        shown = [row.key for row in store.live.shown(number)]
        assert len(shown) == SHOWN_MAX
        assert last in shown


@pytest.fixture
def now_s(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Return the time that a board sees, for a test to change."""
    now_s = [100.0]
    monkeypatch.setattr("league.tournament.live_board.time.monotonic", lambda: now_s[0])
    return now_s


def test_a_move_after_a_pause_is_stored_at_once(tmp_path: Path, now_s: list[float]) -> None:
    with open_store(str(tmp_path / "league.db"), create=True) as store:
        one, two = add_bots(store, "one", "two")
        board = LiveBoard(store, add_tournament(store, one, two))
        key = MatchKey(0, 0)
        job = tictactoe(one, two, key)

        def looks(at_s: float, count: int) -> int:
            """Take and show the match at a time; return how many plies are stored then."""
            now_s[0] = at_s
            board.take(
                [LiveMatch("w", key, count, 0, (LivePly(4), LivePly(0))[:count])], {key: job}
            )
            board.show({key})
            return len(store.live.shown(1)[0].plies)

        assert looks(100.0, 1) == 1
        # Looks that find nothing new, up to just before the next move.
        assert [looks(101.0 + each / 10, 1) for each in range(9)] == [1] * 9
        assert looks(101.95, 2) == 2
        board.take([LiveMatch("w", key, 3, 2, (LivePly(8),))], {key: job})
        board.show({key})
        assert len(store.live.shown(1)[0].plies) == 2, "the next one waits its turn"


def test_a_spectator_who_comes_sees_the_next_move_at_once(
    tmp_path: Path, now_s: list[float]
) -> None:
    with open_store(str(tmp_path / "league.db"), create=True) as store:
        one, two = add_bots(store, "one", "two")
        number = add_tournament(store, one, two)
        board, key = LiveBoard(store, number), MatchKey(0, 0)
        jobs = {key: tictactoe(one, two, key)}
        board.take([LiveMatch("w", key, 1, 0, (LivePly(4),))], jobs)
        board.show(jobs)
        WatchMark(store.path, number).write([key])
        now_s[0] += WATCHED_EVERY_S
        assert board.watched() == {key}
        board.take([LiveMatch("w", key, 2, 1, (LivePly(0),))], jobs)
        board.show(jobs)
        assert len(store.live.shown(number)[0].plies) == 2


def tictactoe(one: int, two: int, key: MatchKey, tournament: int = 1) -> MatchJob:
    """Return a match of two bots to be played."""
    return MatchJob(
        key=key,
        tournament=tournament,
        game="tictactoe",
        versions=(BotVersion("one", "random", id=one), BotVersion("two", "random", id=two)),
        opening=(),
        limits=Limits(),
        seed=1,
    )


def check_messages(store: Store) -> None:
    """Let a board take messages of one match, in turn."""
    one, two = add_bots(store, "one", "two")
    board = LiveBoard(store, add_tournament(store, one, two))
    key = MatchKey(0, 0)
    job = tictactoe(one, two, key)
    plies = tuple(LivePly(number, 5) for number in range(8))

    def shown(*messages: tuple[int, int, tuple[LivePly, ...]]) -> tuple[LivePly, ...]:
        seen = [LiveMatch("w", key, *each) for each in messages]
        board.take(seen, {key: job})
        monotonic.append(monotonic[-1] + 2)
        board.show({key})
        rows = store.live.shown(1)
        return rows[0].plies if rows else ()

    monotonic = [0.0]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(time, "monotonic", lambda: monotonic[-1])
        # What follows a message that was lost fits nothing.
        assert shown((4, 2, plies[2:4])) == ()
        bare = tuple(LivePly(each.wire) for each in plies)
        assert shown((3, 0, bare[:3]), (5, 3, bare[3:5])) == bare[:5]
        assert shown((7, 6, bare[6:7])) == bare[:5]
        # Somebody watches: all of it again, with what it cost.
        assert shown((6, 0, plies[:4])) == (*plies[:4], bare[4])
        assert shown((6, 4, plies[4:6])) == plies[:6]
        # A match that is played again has fewer.
        assert shown((2, 0, plies[:2])) == plies[:2]


def test_a_mark_says_what_is_watched(tmp_path: Path) -> None:
    keys = {MatchKey(2**40, 1), MatchKey(3, 0)}
    mark, runner = (WatchMark(tmp_path / "league.db", 7) for _ in range(2))
    assert runner.read() == frozenset()
    mark.write(keys)
    assert runner.read() == keys
    assert WatchMark(tmp_path / "league.db", 8).read() == frozenset()
    # Another dashboard overwrites it, and the first one's matches stay marked for a while.
    mark.write({MatchKey(5, 0)})
    os.utime(tmp_path / "league.db-watched-7", ns=(time.time_ns() + 5, time.time_ns() + 5))
    assert runner.read() == {*keys, MatchKey(5, 0)}
    (tmp_path / "league.db-watched-7").write_text("<b>\n")
    assert WatchMark(tmp_path / "league.db", 7).read() == frozenset()
    mark.write(())
    assert list(tmp_path.iterdir()) == []
    # An old one, and one of a league on a server, marks nothing.
    mark.write(keys)
    os.utime(tmp_path / "league.db-watched-7", (1, 1))
    assert WatchMark(tmp_path / "league.db", 7).read() == frozenset()
    # Nobody watches any more, so the runner removes the mark.
    assert list(tmp_path.iterdir()) == []
    nowhere = WatchMark(None, 7)
    nowhere.write(keys)
    assert nowhere.read() == frozenset()


@pytest.mark.slow
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
            plies=(LivePly(4), LivePly(0)),
            moved_at_ms=17_000,
        )
        store.live.show(row.id, [left, left])
        assert store.live.shown(row.id) == (left, left)
        seen = []
        run_tournament(
            store,
            row.id,
            RunOptions(workers=1),
            on_progress=lambda progress: seen.append(store.live.shown(row.id)),
        )
        assert seen
        assert (left, left) not in seen
        assert store.live.shown(row.id) == ()
