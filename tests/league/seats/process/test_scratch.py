"""Scratch folders: those of the living stay, those of the dead go."""

import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from league.seats.process.scratch import PREFIX, ScratchFolder, remove_abandoned
from tests.league.command import league
from tests.waiting import wait_until

OWNER = """
import os, signal
from league.seats.process.scratch import ScratchFolder
folder = ScratchFolder()
(folder.path / "file").write_text("of a bot")
worker = os.fork()
if worker:
    print(folder.path, worker, flush=True)
signal.pause()
"""


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a temporary folder of the system's for this test and its processes."""
    folder = tmp_path / "tmp"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def test_a_folder_stays_until_its_owner_and_all_forked_from_it_are_dead(temporary: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", OWNER], stdout=subprocess.PIPE, text=True
    ) as owner:
        assert owner.stdout is not None
        told, worker = owner.stdout.readline().split()
        path = Path(told)
        try:
            remove_abandoned()
            assert (path / "file").exists()
            owner.kill()
            owner.wait()
            remove_abandoned()
            assert (path / "file").exists()
        finally:
            owner.kill()
            os.kill(int(worker), signal.SIGKILL)

    def is_gone() -> bool:
        remove_abandoned()
        return not path.exists()

    # The kernel releases the lock just after the process has ended.
    wait_until(is_gone)


def test_only_unlocked_folders_of_ours_are_removed(temporary: Path) -> None:
    others = [temporary / "botleague-demo-1", temporary / f"{PREFIX}file", temporary / "else"]
    others[0].mkdir()
    others[1].write_text("no folder")
    others[2].mkdir()
    (temporary / f"{PREFIX}link").symlink_to(others[2])
    mine = ScratchFolder()
    dead = temporary / f"{PREFIX}dead"
    (dead / "botleague-bot" / "home").mkdir(parents=True)
    before = set(temporary.iterdir())
    remove_abandoned()
    assert before - set(temporary.iterdir()) == {dead}
    mine.remove()
    assert not mine.path.exists()


def test_folders_that_a_bot_has_locked_are_removed(temporary: Path) -> None:
    """As root all folders are open, so that the first try succeeds."""
    folder = ScratchFolder()
    outside = temporary / "outside"
    outside.mkdir(mode=0o755)
    inner = folder.path / "a" / "b"
    inner.mkdir(parents=True)
    (inner / "link").symlink_to(outside)
    inner.chmod(0)
    inner.parent.chmod(0)
    folder.remove()
    assert not folder.path.exists()
    assert outside.stat().st_mode & 0o777 == 0o755


@pytest.mark.slow
def test_a_run_removes_what_a_killed_run_left(temporary: Path, tmp_path: Path) -> None:
    dead = temporary / f"{PREFIX}dead"
    (dead / "home").mkdir(parents=True)
    league(tmp_path, "register", "a", "random", "--no-check")
    league(tmp_path, "register", "b", "random", "--no-check")
    league(tmp_path, "run", "--game", "tictactoe", "--bots", "a,b", "--workers", "1", "-q")
    assert list(temporary.iterdir()) == []
