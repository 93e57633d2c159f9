"""A Dask cluster of the tests' own, on this machine."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.league.command import below
from tests.processes import named
from tests.waiting import wait_until


@dataclass(frozen=True)
class Cluster:
    """A scheduler with its workers, each below a nanny of its own."""

    executor: str
    folder: Path
    scheduler: "subprocess.Popen[bytes]"
    nannies: "list[subprocess.Popen[bytes]]"

    def add_worker(self) -> None:
        """Start one more worker of one thread."""
        folder = str(self.folder / "scratch")
        options = ("--nworkers", "1", "--nthreads", "1", "--local-directory", folder)
        address = self.executor.replace("dask", "tcp")
        self.nannies.append(_dask("worker", address, *options))

    def is_busy(self) -> bool:
        """Whether every worker has a process that plays our matches."""
        return all(outposts(nanny.pid) for nanny in self.nannies)


def _dask(part: str, *arguments: str) -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-m", f"distributed.cli.dask_{part}", "--no-dashboard", *arguments]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


@contextmanager
def a_cluster(folder: Path, workers: int) -> Iterator[Cluster]:
    """Start a cluster on this machine, and end all of it."""
    pytest.importorskip("distributed", reason="needs the extra 'cluster'")
    file = folder / "scheduler.json"
    options = ("--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(file))
    scheduler = _dask("scheduler", *options)
    made: Cluster | None = None
    try:
        wait_until(file.exists)
        address = json.loads(file.read_text())["address"]
        made = Cluster(address.replace("tcp", "dask"), folder, scheduler, [])
        for _ in range(workers):
            made.add_worker()
        yield made
    finally:
        for process in (*(made.nannies if made else ()), scheduler):
            for pid, _ in below(process.pid):
                kill(pid)
            process.kill()
            process.wait()


def kill(pid: int) -> None:
    """Kill a process that may be gone."""
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


def outposts(nanny: int) -> list[int]:
    """List our processes below a Dask worker."""
    return [pid for pid, _ in below(nanny) if "league.execution.dask_subprocess" in named(pid)]
