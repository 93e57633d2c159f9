"""A process that has imported the league, and forks for each command that the tests give.

Imports take longer than most commands do, and the suite gives hundreds of them. So do the starts of
bots: here the workers play the built-in ones themselves.
"""

import atexit
import gc
import importlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import traceback
from contextlib import suppress
from functools import cache, partial
from pathlib import Path
from pkgutil import walk_packages
from typing import NoReturn
from unittest import mock

from bots.support.specs import BOTS, is_built_in
from games.support.specs import GAMES
from league.cli.main import main
from league.execution import worker_process
from league.execution.worker import Worker
from league.model.records import BotVersion, Limits
from league.seats.bot_specs import make_seat
from league.seats.process.environment import BotEnvironment
from league.seats.seat import Seat
from tests.league.in_process import InProcessSeat
from tests.league.new_league import copied
from tests.paths import ROOT

ROOMS = (
    "league.hosting",
    "league.analysis",
    "league.api",
    "league.formats",
    "league.interchange",
    "league.match",
    "league.ratings",
    "league.registration",
    "league.render.search",
    "league.render.text",
    "league.seats",
    "league.store",
    "league.tournament",
)
"""Every module of these is imported: commands import some of them when they run."""

OTHERS = (
    "alembic.command",
    "backports.zstd",
    "jinja2.loaders",
    "multiprocessing_logging",
    "rich.live",
    "rich.table",
    "sqlalchemy.dialects.sqlite.pysqlite",
    "tests.league.command_tree",
    "tomli_w",
)


PATIENCE_S = 600
"""A command that takes longer is ended: it would go on beside the other tests."""


_ENVIRONMENT = dict(os.environ)
"""As it is before any test changes it for itself."""


class ForkServer:
    """The forking process, seen from the tests; `variables` are added to its environment."""

    code = "from tests.league.warm_cli import serve; serve()"

    def __init__(self, **variables: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", self.code],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=_ENVIRONMENT | variables,
        )

    def __enter__(self) -> "ForkServer":
        """Return itself."""
        return self

    def __exit__(self, *raised: object) -> None:
        """End the process."""
        self._process.communicate()

    def run(self, folder: Path, arguments: tuple[str, ...], scratch: Path) -> int:
        """Run `league` in `folder` to its end, and return its exit code.

        The command's output goes to the files `out` and `err` in `scratch`.
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
def fork_server() -> ForkServer:
    """Return this process's fork_server; it ends when this process does."""
    return ForkServer()


def serve() -> None:
    """Fork for each request, and answer with the exit code."""
    mock.patch.object(worker_process, "Worker", partial(Worker, make=_make_seat)).start()
    _import_all()
    BOTS.names()
    GAMES.names()
    with copied():
        # A garbage collection in a fork would write to all of this, and copy it.
        gc.collect()
        gc.freeze()
        _answer()


def _answer() -> None:
    answers = os.fdopen(os.dup(1), "w")
    for line in sys.stdin:
        folder, arguments, environment, scratch = json.loads(line)
        child = os.fork()
        if not child:
            _become(folder, environment, scratch)
            sys.argv = ["league", *arguments]
            _run()
        answers.write(f"{os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])}\n")
        answers.flush()


def _import_all() -> None:
    for room in ROOMS:
        parts = walk_packages(importlib.import_module(room).__path__, f"{room}.")
        # A part may need an extra that is not installed here.
        for name in (each.name for each in parts):
            with suppress(ImportError):
                importlib.import_module(name)
    for name in OTHERS:
        with suppress(ImportError):
            importlib.import_module(name)


def _make_seat(version: BotVersion, limits: Limits, environment: BotEnvironment) -> Seat:
    if is_built_in(version.spec):
        return InProcessSeat(version, has_clocks=True)
    return make_seat(version, limits, environment)


def _run() -> NoReturn:
    """Run the command, and end as the interpreter does, but leave the memory as it is.

    A fork shares its memory, and copies each page that it writes to. To clear all of it at the end
    takes longer than most commands do.
    """
    code: object = None
    try:
        main()
    except SystemExit as end:
        code = end.code
    except BaseException:
        traceback.print_exc()
        code = 1
    for each in threading.enumerate():
        if not each.daemon and each is not threading.current_thread():
            each.join()
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code if isinstance(code, int) else int(code is not None))


def _become(folder: str, environment: dict[str, str], scratch: str) -> None:
    """Turn a fork into what a fresh process of the command would be."""
    os.setsid()
    signal.alarm(PATIENCE_S)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    # It knows the folder of the fork server's own environment.
    tempfile.tempdir = None
    for descriptor, path, flags in (
        (0, os.devnull, os.O_RDONLY),
        (1, f"{scratch}/out", os.O_WRONLY | os.O_CREAT),
        (2, f"{scratch}/err", os.O_WRONLY | os.O_CREAT),
    ):
        opened = os.open(path, flags)
        os.dup2(opened, descriptor)
        os.close(opened)
