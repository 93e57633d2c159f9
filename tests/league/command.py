"""The real command in a process of its own, and the processes below it."""

import os
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

import psutil

from tests.league.warm_cli import ForkServer, fork_server

LEAGUE = [sys.executable, "-c", "from league.cli.main import main; main()"]


def start(folder: Path, *arguments: str) -> "subprocess.Popen[str]":
    """Start `league` in a folder, in a session of its own."""
    return subprocess.Popen(
        [*LEAGUE, *arguments],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env={**os.environ, "COLUMNS": "80"},
    )


def league(folder: Path, *arguments: str, code: int = 0) -> str:
    """Run `league` to its end and return its output; the exit code must be `code`.

    For a command that fails this is what it wrote to standard error.
    """
    return ask(fork_server(), folder, *arguments, code=code)


def ask(forks: ForkServer, folder: Path, *arguments: str, code: int = 0) -> str:
    """Run `league` in a fork of that process, as `league` does."""
    out, err = _run(forks, folder, *arguments, code=code)
    return out if code == 0 else err


def both(folder: Path, *arguments: str, code: int = 0) -> tuple[str, str]:
    """Run `league` to its end; return its output, and what it wrote to standard error."""
    return _run(fork_server(), folder, *arguments, code=code)


def _run(forks: ForkServer, folder: Path, *arguments: str, code: int) -> tuple[str, str]:
    with tempfile.TemporaryDirectory() as scratch:
        found = forks.run(folder, arguments, Path(scratch))
        out, err = ((Path(scratch) / name).read_text() for name in ("out", "err"))
    assert found == code, (arguments, found, out, err)
    return out, err


def below(pid: int) -> list[tuple[int, int]]:
    """List (process, generation) of all that descend from `pid`: 1 for children, and so on."""
    parents: dict[int, list[int]] = {}
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            if process.status() != psutil.STATUS_ZOMBIE:
                parents.setdefault(process.ppid(), []).append(process.pid)
    found = []
    edge = [(pid, 0)]
    while edge:
        parent, generation = edge.pop()
        children = [(child, generation + 1) for child in parents.get(parent, [])]
        found += children
        edge += children
    return found
