"""A process that has imported the league, and forks for each command that the tests give.

Imports take longer than most commands do, and the suite gives hundreds of them.
"""

import importlib
import json
import os
import signal
import subprocess
import sys
from functools import cache
from pathlib import Path

from bots import catalogue as bots
from games import catalogue as games
from league.cli.main import COMMANDS, main

WARM = (
    "alembic.command",
    "league.conformance",
    "league.explain",
    "league.exporting",
    "league.registry",
    "league.replays",
    "league.runner",
    "league.standings",
    "league.store",
    "league.tournaments",
    "league.verify",
    "rich.table",
    "rich.live",
    "sqlalchemy.dialects.sqlite.pysqlite",
)


PATIENCE_S = 120
"""A command that takes longer is ended: it would go on beside the other tests."""


_ENVIRONMENT = dict(os.environ)
"""As it is before any test changes it for itself."""


class Nursery:
    """The forking process, seen from the tests."""

    def __init__(self) -> None:
        code = "from tests.league.nursery import serve; serve()"
        self._process = subprocess.Popen(
            [sys.executable, "-c", code],
            cwd=Path(__file__).parents[2],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=_ENVIRONMENT,
        )

    def run(self, folder: Path, arguments: tuple[str, ...], scratch: Path) -> int:
        """Run `league` in `folder` to its end, and return its exit code.

        What it writes is in the files `out` and `err` of `scratch`.
        """
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        environment = {**os.environ, "COLUMNS": "80"}
        request = [str(folder), list(arguments), environment, str(scratch)]
        stdin.write(json.dumps(request) + "\n")
        stdin.flush()
        return int(stdout.readline())


@cache
def nursery() -> Nursery:
    """Return this process's nursery; it ends when this process does."""
    return Nursery()


def serve() -> None:
    """Fork for each request, and answer with the exit code."""
    for name in (*(f"league.cli.{command}" for command in COMMANDS), *WARM):
        importlib.import_module(name)
    bots.names()
    games.names()
    answers = os.fdopen(os.dup(1), "w")
    for line in sys.stdin:
        folder, arguments, environment, scratch = json.loads(line)
        child = os.fork()
        if not child:
            _become(folder, environment, scratch)
            sys.argv = ["league", *arguments]
            main()
            return
        answers.write(f"{os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])}\n")
        answers.flush()


def _become(folder: str, environment: dict[str, str], scratch: str) -> None:
    """Turn a fork into what a fresh process of the command would be."""
    os.setsid()
    signal.alarm(PATIENCE_S)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    for descriptor, path, flags in (
        (0, os.devnull, os.O_RDONLY),
        (1, f"{scratch}/out", os.O_WRONLY | os.O_CREAT),
        (2, f"{scratch}/err", os.O_WRONLY | os.O_CREAT),
    ):
        opened = os.open(path, flags)
        os.dup2(opened, descriptor)
        os.close(opened)
