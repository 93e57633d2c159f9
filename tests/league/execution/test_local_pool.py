"""The pool of worker processes on this machine."""

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from league.execution import local_pool, worker_parent
from league.execution.local_pool import LocalPool
from league.execution.pool import JobsLost, PoolBroken
from league.execution.worker import JobResult, MatchJob
from league.model.records import BotVersion, Limits, MatchKey
from league.platform import FORKS, core_numbers
from league.registration.source_snapshot import take_snapshot
from league.seats.process.environment import NO_ENVIRONMENT
from tests.league.command import league
from tests.paths import BAD_BOTS
from tests.processes import parent_of
from tests.promises import on_linux
from tests.waiting import ENDLESS_S, wait_until

CORES = core_numbers()
RANDOM = BotVersion("random", "random", id=1)


@contextmanager
def a_pool(workers: int, *, cores_each: int = 0, starts: int | None = None) -> Iterator[LocalPool]:
    """Open a pool, and end it."""
    pool = LocalPool(
        workers, cores_each=cores_each, starts=starts, environment=NO_ENVIRONMENT, log=None
    )
    try:
        yield pool
    finally:
        pool.end()


def a_job(number: int, bot: BotVersion = RANDOM) -> MatchJob:
    """Return a match of a bot against itself."""
    return MatchJob(
        key=MatchKey(number, 0),
        tournament=1,
        game="tictactoe",
        versions=(bot, bot),
        opening=(),
        limits=Limits(),
        seed=number,
    )


def drain(pool: LocalPool, count: int) -> list[JobResult | JobsLost]:
    """Wait for so many batches, and return what became of them."""
    found: list[JobResult | JobsLost] = []
    while count:
        for future in pool.done(1.0):
            count -= 1
            try:
                found += pool.results(future)
            except JobsLost as lost:
                found.append(lost)
    return found


def play_on(pool: LocalPool) -> None:
    """Play matches for ever: a worker may end some before it sees that its parent is gone."""
    while True:
        pool.submit([a_job(1)])
        drain(pool, 1)


@pytest.mark.skipif(not FORKS, reason="workers are not forked here")
def test_a_pool_ends_beside_a_later_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_parent, "END_S", ENDLESS_S)
    first = LocalPool(1, cores_each=0, starts=None, environment=NO_ENVIRONMENT, log=None)
    with a_pool(1):
        ending = threading.Thread(target=first.end)
        ending.start()
        wait_until(lambda: not ending.is_alive())


@pytest.mark.slow
def test_more_batches_than_workers_are_all_played() -> None:
    with a_pool(2) as pool:
        for number in range(7):
            pool.submit([a_job(2 * number), a_job(2 * number + 1)])
        found = drain(pool, 7)
        assert len(pool.pids) == 2
    keys = [each.key.encounter for each in found if isinstance(each, JobResult)]
    assert sorted(keys) == list(range(14))


@pytest.mark.slow
def test_a_killed_worker_loses_what_it_played_and_nothing_else(tmp_path: Path) -> None:
    stuck = BotVersion("stuck", f"exec:{sys.executable} hang.py", id=2, folder=str(tmp_path))
    begun = tmp_path / "begun"
    (tmp_path / "hang.py").write_text(
        f"import pathlib, time\npathlib.Path({str(begun)!r}).touch()\ntime.sleep(600)\n"
    )
    with a_pool(1) as pool:
        pool.submit([a_job(0, stuck)])
        pool.submit([a_job(1)])
        while not begun.exists():
            assert pool.done(0.05) == []
        (worker,) = pool.pids
        os.kill(worker, signal.SIGKILL)
        lost, played = drain(pool, 2)
    assert isinstance(lost, JobsLost)
    assert isinstance(played, JobResult)
    assert played.key == MatchKey(1, 0)


@pytest.mark.slow
def test_a_worker_that_stopped_answering_is_replaced_and_the_bot_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(local_pool, "HUNG_S", 2.0)
    begun = tmp_path / "begun"
    (tmp_path / "hang.py").write_text(
        "import pathlib, sys, time\n"
        'print(sys.stdin.readline() and \'{"id":1,"protocol":1}\', flush=True)\n'
        "print(sys.stdin.readline() and '{\"id\":2}', flush=True)\n"
        "sys.stdin.readline()\n"
        f"pathlib.Path({str(begun)!r}).touch()\ntime.sleep(600)\n"
    )
    stuck = BotVersion("stuck", f"exec:{sys.executable} hang.py", id=2, folder=str(tmp_path))
    first = a_job(0).versions[0]
    with a_pool(1) as pool:
        pool.submit([a_job(3), a_job(5)._replace(versions=(first, stuck))])
        pool.submit([a_job(1)])
        while not begun.exists():
            assert pool.done(0.05) == []
        (worker,) = pool.pids
        os.kill(worker, signal.SIGSTOP)
        lost, played = drain(pool, 2)
        assert pool.pids != [worker]
    assert isinstance(lost, JobsLost)
    assert lost.hung_at is not None
    assert (lost.hung_at.key, lost.hung_at.seat) == (MatchKey(5, 0), 1)
    assert "stopped answering" in str(lost)
    assert isinstance(played, JobResult)


@pytest.mark.slow
def test_a_batch_that_no_worker_has_is_taken_back(tmp_path: Path) -> None:
    with a_pool(1) as pool:
        futures = [pool.submit([a_job(number)]) for number in range(5)]
        assert pool.withdraw(futures[4])
        assert not pool.withdraw(futures[0])
        assert len(drain(pool, 4)) == 4
        assert pool.done(0.0) == []


@pytest.mark.slow
def test_a_pool_whose_parent_is_killed_is_broken() -> None:
    with a_pool(1) as pool:
        pool.submit([a_job(0)])
        drain(pool, 1)
        os.kill(parent_of(pool.pids[0]), signal.SIGKILL)
        with pytest.raises(PoolBroken):
            play_on(pool)


@pytest.mark.slow
def test_other_children_of_the_process_are_left_alone() -> None:
    """A script or a notebook has children of its own."""
    other = multiprocessing.get_context("spawn").Process(target=time.sleep, args=(600,))
    other.start()
    command = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    try:
        with a_pool(1) as pool:
            pool.submit([a_job(0)])
            drain(pool, 1)
        assert other.is_alive()
        assert command.poll() is None
    finally:
        other.kill()
        other.join()
        command.kill()
        command.wait()


@pytest.mark.slow
def test_a_pool_is_opened_beside_the_callers_threads() -> None:
    """Then the process that forks the workers is started afresh: it has no threads."""
    is_over = threading.Event()
    thread = threading.Thread(target=is_over.wait)
    thread.start()
    try:
        with a_pool(1) as pool:
            pool.submit([a_job(0)])
            assert len(drain(pool, 1)) == 1
            (worker,) = pool.pids
            assert not FORKS or len(list(Path(f"/proc/{worker}/task").iterdir())) == 1
    finally:
        is_over.set()
        thread.join()


@pytest.mark.slow
@on_linux("workers and bots are tied to cores")
@pytest.mark.skipif(len(CORES) < 2, reason="with one core all workers are on it")
@pytest.mark.parametrize("cores_each", [1, 2, 0])
def test_workers_have_cores_of_their_own_or_all(cores_each: int) -> None:
    with a_pool(2, cores_each=cores_each) as pool:
        for number in range(2):
            pool.submit([a_job(number)])
        drain(pool, 2)
        found = [os.sched_getaffinity(worker) for worker in pool.pids]
    if cores_each:
        assert [len(cores) for cores in found] == [min(cores_each, len(CORES))] * 2
        assert found[0] != found[1] or cores_each == len(CORES)
    else:
        assert found == [CORES, CORES]


@pytest.mark.slow
@on_linux("workers and bots are tied to cores")
def test_bots_that_may_ponder_have_a_core_each(tmp_path: Path) -> None:
    (tmp_path / "tell.py").write_text(
        "import os\nfrom bots import Bot, Report\n"
        "class Tell(Bot):\n"
        "    def choose(self, state, clock):\n"
        "        self.report = Report(text=str(sorted(os.sched_getaffinity(0))))\n"
        "        return state.legal_moves()[0]\n"
    )
    tell = replace(take_snapshot("tell", f"{tmp_path}/tell.py:Tell", {}), id=2)
    with a_pool(1, cores_each=2) as pool:
        pool.submit([a_job(0, tell)._replace(limits=Limits(may_ponder=True))])
        (played,) = drain(pool, 1)
    assert isinstance(played, JobResult)
    assert played.match
    told = [move.report.text for move in played.match.record().moves if move.report]
    assert len(set(told)) == min(2, len(CORES))
    assert all(text.count(",") == 0 for text in told)


SLOW_TO_START = """
import json, os, sys, time
log = os.open("log", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
os.write(log, b"+")
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "hello":
        time.sleep(0.2)
        os.write(log, b"-")
    answer = {"id": asked["id"], "protocol": 1, "resign": asked["type"] == "move"}
    print(json.dumps(answer), flush=True)
"""


@pytest.mark.slow
def test_bots_of_all_workers_start_one_after_another(tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text(SLOW_TO_START)
    slow = BotVersion("slow", f"exec:{sys.executable} -I -S slow.py", id=3, folder=str(tmp_path))
    with a_pool(2, starts=1) as pool:
        for number in range(2):
            pool.submit([a_job(number, slow)])
        assert all(isinstance(each, JobResult) for each in drain(pool, 2))
    assert (tmp_path / "log").read_text() == 4 * "+-"


WATCHED = """
import os, subprocess, sys, threading
really_fork, really_start = os.fork, subprocess.Popen.__init__

def fork():
    if threading.active_count() > 1:
        os.write(2, b"a fork beside a thread")
    return really_fork()

def start(self, *arguments, **options):
    if options.get("preexec_fn") and threading.active_count() > 1:
        os.write(2, b"a bot forked beside a thread")
    return really_start(self, *arguments, **options)

os.fork, subprocess.Popen.__init__ = fork, start
from league.cli.main import main
main()
"""


@pytest.mark.slow
def test_nothing_forks_beside_a_thread(tmp_path: Path) -> None:
    """Not the runner, whose log has one; nor the workers, which log a crash before they restart."""
    league(tmp_path, "register", "random", "random", "--no-check")
    league(tmp_path, "register", "bad", str(BAD_BOTS / "raises.py"), "--no-check")
    arguments = ["--game", "tictactoe", "--bots", "all", "--rounds", "1", "--depth", "1"]
    done = subprocess.run(
        [sys.executable, "-c", WATCHED, "run", *arguments, "--quiet", "--workers", "2"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "beside a thread" not in done.stderr
    log = (tmp_path / "league.log").read_text()
    assert log.count("bot 'bad': crash") == 2
    assert "worker-1[" in log
