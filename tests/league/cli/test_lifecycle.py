"""The life of a tournament from other terminals: joined, extended, paused, watched, cancelled."""

import re
from pathlib import Path

import pytest

from league.store.store import open_store
from tests.league.cli.terminal import on_terminal
from tests.league.command import both, league, start
from tests.waiting import PATIENCE_S, wait_until

WAITS = """
import time

def choose(state, clock):
    time.sleep(0.02)
    return state.legal_moves()[0]
"""
"""A bot that keeps a tournament in play, and computes next to nothing."""

RUN = [
    *("run", "--game", "connectfour", "--bots", "ab,rnd", "--depth", "3", "--quiet"),
    *("--workers", "1"),
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Make a league of three bots."""
    (tmp_path / "waits.py").write_text(WAITS)
    for name in ("ab", "rnd", "gr"):
        league(tmp_path, "register", name, "waits.py", "--no-check")
    return tmp_path


def wait_until_played(folder: Path) -> None:
    """Wait until a match of the first tournament is stored."""
    with open_store(str(folder / "league.db"), read_only=True) as store:
        wait_until(lambda: any(row.played for row in store.tournaments.all()))


@pytest.mark.slow
def test_a_tournament_in_play_is_joined_extended_paused_and_resumed(folder: Path) -> None:
    with start(folder, *RUN, "--rounds", "500") as runner:
        wait_until_played(folder)
        assert re.search(r" [1-9][0-9]*/1000 ", league(folder, "tournaments"))
        with on_terminal(folder, "tournament", "watch") as leaving:
            leaving.see("matches  [0-9.]+/s  .* left")
            assert leaving.end("q") == 0
            assert "tournament 1 is in play, and continues" in leaving.screen()
            assert "resume" not in leaving.screen()
        with on_terminal(folder, "tournament", "watch") as watcher:
            watcher.see("match ", "tournament 1: connectfour, roundrobin")
            assert "its runner takes that in" in said(folder, "tournament", "join", "1", "gr")
            assert "its runner takes that in" in said(
                folder, "tournament", "extend", "1", "--rounds", "5"
            )
            assert "stops after the matches in play" in said(folder, "tournament", "pause", "1")
            out, err = runner.communicate(timeout=PATIENCE_S)
            assert re.search(r"paused after [0-9]+/3030 matches; continue with:\n  league res", err)
            assert "rnd" in out
            assert runner.returncode == 0
            assert watcher.end() == 0
            assert "is not in play (paused)" in watcher.screen()
    assert "stopped" in league(folder, "tournaments")
    assert "cancelled after" in said(folder, "tournament", "cancel", "1")
    assert "is cancelled" in said(folder, "tournament", "watch")
    assert "'league run --again 1'" in league(folder, "resume", "1", code=1)
    assert "0 findings" in league(folder, "db", "verify")


@pytest.mark.slow
def test_a_tournament_in_play_is_cancelled(folder: Path) -> None:
    with start(folder, *RUN, "--rounds", "5000") as runner:
        wait_until_played(folder)
        assert "is cancelled after" in said(folder, "tournament", "cancel", "1")
        _, err = runner.communicate(timeout=PATIENCE_S)
    assert "cancelled after" in err
    assert runner.returncode == 0
    assert "nothing to pause" in league(folder, "tournament", "pause", "1", code=1)
    longer = league(folder, "tournament", "extend", "1", code=2)
    assert "give --rounds, --until-error or --until-best" in longer


@pytest.mark.slow
def test_two_tournaments_run_in_one_database_at_a_time(folder: Path) -> None:
    both = [
        start(folder, *RUN, "--rounds", "3", "--seed", "1"),
        start(folder, *RUN, "--rounds", "2", "--format", "knockout:replays=0", "--seed", "2"),
    ]
    for runner in both:
        _, err = runner.communicate(timeout=PATIENCE_S)
        assert runner.returncode == 0, err
    assert "0 findings" in league(folder, "db", "verify")
    listed = league(folder, "tournaments")
    assert listed.count("finished") == 2
    assert "6/6" in listed
    shown = [league(folder, "tournaments", number) for number in ("1", "2")]
    assert "finished, 6/6 matches" in "".join(shown)
    assert "is the champion" in "".join(shown)
    assert 'bots = [\n    "ab",\n    "rnd",\n]\n' in shown[0]


def said(folder: Path, *arguments: str) -> str:
    """Run a command to its end and return all that it wrote."""
    return "".join(both(folder, *arguments))
