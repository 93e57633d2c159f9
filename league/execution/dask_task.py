"""Code that runs inside a Dask worker and passes packages to a process of ours.

Each thread of the Dask worker has one such process, so that a bot that kills its parent does not
kill the Dask worker, and threads do not share the surroundings of bots.
"""

import os
import pickle
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
from multiprocessing import Pipe

from league.execution.dask_subprocess import LIVE
from league.execution.fitness import version_here, why_unfit
from league.execution.pool import JobsLost
from league.seats.process.launch import python_path

TOPIC = "botleague"
"""The topic of live matches, shared by all runs: schedulers keep part of each topic forever."""


def run_package(version: str, run: str, package: bytes) -> bytes:
    """Play a pickled package in this thread's process; return the pickled results.

    Returns a pickled `JobsLost` if that process died, and `PoolGone` if this worker can't play for
    a runner of that version.
    """
    if version != version_here():
        return pickle.dumps(
            why_unfit(version, f"the worker on {socket.gethostname()}", version_here())
        )
    try:
        return _child(run).play(package)
    except (EOFError, ConnectionError):
        became = "was killed"
    except OSError as error:
        became = f"can't be started: {error}"
    return pickle.dumps(JobsLost(f"its process on {socket.gethostname()} {became}"))


def end_subprocess(run: str) -> None:
    """End the processes of a run on this Dask worker."""
    for child in list(_CHILDREN.values()):
        if child.run == run:
            child.end()


def _child(run: str) -> "_Child":
    """Return this thread's process, or start one if it has none for this run."""
    thread = threading.get_ident()
    child = _CHILDREN.get(thread)
    if child is None or child.run != run or not child.is_running:
        if child is not None:
            child.end()
        child = _CHILDREN[thread] = _Child(run)
    return child


class _Child:
    """A worker process, seen from the Dask task that feeds it."""

    def __init__(self, run: str) -> None:
        self.run = run
        # Inside the Dask worker's folder, which Dask cleans up if the worker is killed.
        self._scratch = tempfile.mkdtemp(prefix="botleague-", dir=_folder())
        self._pipe, theirs = Pipe()
        with theirs:
            self._popen = subprocess.Popen(  # noqa: S603 (this project's own process)
                [
                    *(sys.executable, "-P", "-m", "league.execution.dask_subprocess"),
                    *(str(theirs.fileno()), str(os.getpid()), self._scratch),
                ],
                stdin=subprocess.DEVNULL,
                pass_fds=(theirs.fileno(),),
                env={**os.environ, "PYTHONPATH": os.pathsep.join(python_path())},
            )

    @property
    def is_running(self) -> bool:
        return self._popen.poll() is None

    def play(self, package: bytes) -> bytes:
        """Send a package and return its results, passing on live matches.

        Raises `EOFError` or `OSError` if the process is gone.
        """
        self._pipe.send_bytes(package)
        while (message := self._pipe.recv_bytes())[:1] == LIVE:
            _pass_on(self.run, message[1:])
        return message[1:]

    def end(self) -> None:
        """End the process with its bots, and remove their files."""
        self._popen.kill()
        self._popen.wait()
        shutil.rmtree(self._scratch, ignore_errors=True)


def _folder() -> str | None:
    from distributed import get_worker  # noqa: PLC0415 (an extra, and there where this runs)

    return str(get_worker().local_directory)


def _pass_on(run: str, moves: bytes) -> None:
    from distributed import get_worker  # noqa: PLC0415 (an extra, and there where this runs)

    get_worker().log_event(TOPIC, {"run": run, "live": moves})


_CHILDREN: dict[int, _Child] = {}
"""By thread ID of the Dask worker."""
