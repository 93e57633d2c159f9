"""The life of a tournament from other terminals: joined, extended, paused, watched, cancelled."""

import re
import time
from pathlib import Path

from tests.league.cli.terminal import on_terminal
from tests.league.command import league, start

BOTS = {"ab": "alphabeta:depth=3", "rnd": "random", "gr": "greedy"}
RUN = ["run", "--game", "connectfour", "--bots", "ab,rnd", "--depth", "3", "--quiet"]


def wait_for(folder: Path, text: str) -> None:
    """Wait until the list of tournaments shows `text`."""
    end = time.monotonic() + 30
    while not re.search(text, league(folder, "tournaments")):
        assert time.monotonic() < end
        time.sleep(0.1)


def test_a_tournament_in_play_is_joined_extended_paused_and_resumed(tmp_path: Path) -> None:
    for name, spec in BOTS.items():
        league(tmp_path, "register", name, spec, "--no-check")
    with start(tmp_path, *RUN, "--rounds", "500") as runner:
        wait_for(tmp_path, r" [1-9][0-9]*/1000 ")
        with on_terminal(tmp_path, "watch") as watcher:
            assert "tournament 1: connectfour, roundrobin" in watcher.see("match ")
            assert "its runner takes that in" in said(tmp_path, "join", "1", "gr")
            assert "its runner takes that in" in said(tmp_path, "extend", "1", "--rounds", "5")
            assert "stops after the matches in play" in said(tmp_path, "pause", "1")
            out, err = runner.communicate(timeout=30)
            assert re.search(r"paused after [0-9]+/3030 matches; go on with:\n  league resu", err)
            assert "rnd" in out
            assert runner.returncode == 0
            assert watcher.end() == 0
            assert "is not in play (paused)" in watcher.screen()
    assert "stopped" in league(tmp_path, "tournaments")
    assert "cancelled after" in said(tmp_path, "cancel", "1")
    assert "is cancelled" in said(tmp_path, "watch")
    assert "'league run --again 1'" in league(tmp_path, "resume", "1", code=1)
    assert "0 findings" in league(tmp_path, "verify")


def test_a_tournament_in_play_is_cancelled(tmp_path: Path) -> None:
    for name in ("ab", "rnd"):
        league(tmp_path, "register", name, BOTS[name], "--no-check")
    with start(tmp_path, *RUN, "--rounds", "5000") as runner:
        wait_for(tmp_path, r" [1-9][0-9]*/10000 ")
        assert "is cancelled after" in said(tmp_path, "cancel", "1")
        _, err = runner.communicate(timeout=30)
    assert "cancelled after" in err
    assert runner.returncode == 0
    assert "nothing to pause" in league(tmp_path, "pause", "1", code=1)
    assert "give --rounds, or --until-error" in league(tmp_path, "extend", "1", code=2)


def test_two_tournaments_run_in_one_database_at_a_time(tmp_path: Path) -> None:
    for name, spec in BOTS.items():
        league(tmp_path, "register", name, spec, "--no-check")
    both = [
        start(tmp_path, *RUN, "--rounds", "30", "--seed", "1"),
        start(tmp_path, *RUN, "--rounds", "4", "--format", "knockout:replays=0", "--seed", "2"),
    ]
    for runner in both:
        _, err = runner.communicate(timeout=60)
        assert runner.returncode == 0, err
    assert "0 findings" in league(tmp_path, "verify")
    listed = league(tmp_path, "tournaments")
    assert listed.count("finished") == 2
    assert "60/60" in listed
    shown = [league(tmp_path, "tournaments", number) for number in ("1", "2")]
    assert "finished, 60/60 matches" in "".join(shown)
    assert "is the champion" in "".join(shown)
    assert 'bots = [\n    "ab",\n    "rnd",\n]\n' in shown[0]


def said(folder: Path, *arguments: str) -> str:
    """Run a command to its end and return all that it wrote."""
    with start(folder, *arguments) as process:
        out, err = process.communicate(timeout=30)
    assert process.returncode == 0, err
    return out + err
