"""Pull workers play what a local run plays, whatever the network or a machine does."""

import signal
import subprocess
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from games.support.specs import find_game
from league.execution import pull_worker
from league.execution.listener import listening
from league.execution.pull_client import NoRunner
from league.execution.pull_machines import PullTerms
from league.execution.pull_messages import Batch
from league.execution.pull_pool import PullPool
from league.execution.pull_server import PullAccess, serving
from league.execution.worker import MatchJob
from league.model.records import MatchKey, MatchRecord
from league.store.settings import SALT
from league.store.store import Store, open_store
from league.tournament.run_options import RunOptions
from league.tournament.runner import run_tournament
from tests.league.bad_network import FAULTS, bad_network
from tests.league.command import LEAGUE, below, league
from tests.league.execution.test_pull import a_job, a_machine, ask
from tests.league.in_process import InProcessPool, run_here
from tests.league.pull_working import TOKEN, new_league, work_in_threads, working
from tests.league.tournament.test_kills import moves_of, wait_until_gone
from tests.league.web.test_behind_proxy import free_port
from tests.waiting import PATIENCE_S, wait_until

ACCESS = PullAccess(token=TOKEN)
GAME = find_game("connectfour")


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    work_in_threads(monkeypatch)


def records_of(store: Store) -> dict[MatchKey, MatchRecord]:
    """Return the records of the matches, without the times in them; each is there once."""
    found: dict[MatchKey, MatchRecord] = {}
    for number in store.matches.numbers(1):
        row, record = store.matches.get(number)
        assert row.key not in found
        moves = tuple(replace(move, wall_ns=0, cpu_ns=None) for move in record.moves)
        found[row.key] = replace(record, moves=moves, wall_ns=0)
    return found


@pytest.fixture(scope="module")
def straight(tmp_path_factory: pytest.TempPathFactory) -> dict[MatchKey, MatchRecord]:
    """Return the records of a run that needs no network."""
    with new_league(tmp_path_factory.mktemp("straight")) as store:
        run_here(store, 1)
        return records_of(store)


def play_over_a_bad_network(folder: Path, seed: int, share: float) -> dict[MatchKey, MatchRecord]:
    """Play the tournament with two machines whose network fails; return its records."""
    terms = PullTerms(game=GAME, is_timed=False)
    with (
        new_league(folder) as store,
        listening("127.0.0.1", 0) as listener,
        bad_network(listener.getsockname()[1], seed, share) as network,
        working(network.url, "lab1") as first,
        working(network.url, "lab2") as second,
    ):
        progress = run_tournament(
            store,
            1,
            RunOptions(workers=4),
            open_pool=lambda size: serving(PullPool(terms), ACCESS, listener),
        )
        # As at the end of the runner's process.
        listener.close()
        assert progress.played == 24
        assert (first.fault, second.fault) == (None, None)
        assert sum(network.faults.values()) > 0
        assert set(network.faults) <= set(FAULTS)
        rows = [row for row, _ in map(store.matches.get, store.matches.numbers(1))]
        assert {row.machine for row in rows} == {"lab1", "lab2"}
        return records_of(store)


def test_over_a_bad_network_each_match_counts_once(
    tmp_path: Path, quick: None, straight: dict[MatchKey, MatchRecord]
) -> None:
    assert play_over_a_bad_network(tmp_path, 1, 0.4) == straight


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 10))
def test_over_many_bad_networks_each_match_counts_once(
    tmp_path: Path, quick: None, straight: dict[MatchKey, MatchRecord], seed: int
) -> None:
    assert play_over_a_bad_network(tmp_path, seed, 0.7) == straight


@pytest.fixture
def pool() -> Iterator[tuple[PullPool, int]]:
    """Return a pool, and the port at which it is served until its end."""
    pool = PullPool(PullTerms(game=GAME, is_timed=False))
    with listening("127.0.0.1", 0) as listener:
        serving(pool, ACCESS, listener)
        yield pool, listener.getsockname()[1]
        pool.end()


def test_a_wrong_token_ends_a_worker_in_one_line(pool: tuple[PullPool, int], quick: None) -> None:
    url = f"http://127.0.0.1:{pool[1]}"
    with working(url, "lab", "another") as worker:
        wait_until(lambda: worker.fault)
    assert isinstance(worker.fault, NoRunner)
    assert str(worker.fault) == f"{url} refuses the token"


def test_https_to_a_runner_of_plain_http_ends_a_worker_at_once(
    pool: tuple[PullPool, int], quick: None, caplog: pytest.LogCaptureFixture
) -> None:
    with working(f"https://127.0.0.1:{pool[1]}", "lab") as worker:
        wait_until(lambda: worker.fault)
    assert isinstance(worker.fault, NoRunner)
    plain = f"the runner speaks plain HTTP: use http://127.0.0.1:{pool[1]}"
    assert str(worker.fault) == plain
    assert not caplog.records
    assert not worker.lines
    assert worker.lines == []


def run_at(port: int, folder: Path) -> None:
    """Run a tournament of a new league for the workers at a port."""
    folder.mkdir()
    terms = PullTerms(game=GAME, is_timed=False)
    with new_league(folder) as store, listening("127.0.0.1", port) as listener:
        run_tournament(
            store,
            1,
            RunOptions(),
            open_pool=lambda size: serving(PullPool(terms), ACCESS, listener),
        )


def test_a_worker_says_that_a_run_has_ended_and_waits_for_the_next(
    tmp_path: Path, quick: None
) -> None:
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    ended = f"the run at {url} has ended; waiting for the next one"
    with working(url, "stays") as worker:
        for name in ("first", "second"):
            run_at(port, tmp_path / name)
            wait_until(lambda: worker.lines[-1] == ended)
        assert (worker.worker.played, worker.is_gone) == (48, False)
    assert f"{url} answers again" in worker.lines
    assert worker.fault is None


def test_a_worker_leaves_after_one_run(tmp_path: Path, quick: None) -> None:
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    with working(url, "goes", is_once=True) as worker:
        run_at(port, tmp_path / "league")
        wait_until(lambda: worker.is_gone)
    assert worker.lines[-1] == f"the run at {url} has ended"
    assert (worker.worker.played, worker.fault) == (24, None)


class EndlessPool(InProcessPool):
    """A pool of one worker whose match never ends."""

    def done(self, timeout_s: float) -> "list[Future[Any]]":
        """Wait in vain."""
        time.sleep(timeout_s)
        return []

    def withdraw(self, future: "Future[Any]") -> bool:
        """Withdraw a batch, but not the first one, which is in play."""
        return future is not self._waiting[0][0] and super().withdraw(future)


def test_a_first_stop_gives_back_what_is_not_begun_and_a_second_one_all(
    pool: tuple[PullPool, int], quick: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pull_worker, "LocalPool", lambda workers, **_: EndlessPool(workers))
    here, port = pool
    for number in range(3):
        here.submit([a_job(number)])
    asked = count(1)

    def other_gets() -> int:
        held = [batch.lease for batch in found]
        found.extend(ask(here, a_machine("other"), next(asked), *held, room=4).batches)
        return len(found)

    found: list[Batch] = []
    with working(f"http://127.0.0.1:{port}", "lab") as worker:
        wait_until(lambda: worker.worker.is_busy)
        worker.worker.stop()
        wait_until(lambda: other_gets() == 2)
        assert (worker.is_gone, worker.worker.is_busy) == (False, True)
        worker.worker.stop()
        wait_until(lambda: worker.is_gone)
        assert not worker.worker.is_busy
    assert worker.fault is None
    assert other_gets() == 3


class SizedPool(InProcessPool):
    """A pool that remembers how many matches each batch had."""

    def __init__(self, size: int) -> None:
        super().__init__(size)
        self.sizes: list[int] = []

    def submit(self, jobs: Sequence[MatchJob]) -> "Future[Any]":
        """Keep a batch, and its size."""
        self.sizes.append(len(jobs))
        return super().submit(jobs)


def test_the_first_batches_are_one_match_each(tmp_path: Path) -> None:
    pool = SizedPool(1)
    options = RunOptions(executor="pull://127.0.0.1:0")
    with new_league(tmp_path) as store:
        run_tournament(store, 1, options, open_pool=lambda size: pool)
    assert pool.sizes[:2] == [1, 1]
    assert max(pool.sizes) > 1
    assert sum(pool.sizes) == 24


SLEEPER = """
import time

def choose(state, clock):
    time.sleep(0.05)
    return state.legal_moves()[{place}]
"""
ARGUMENTS = (
    *("run", "--game", "connectfour", "--bots", "left,right,random", "--rounds", "12"),
    *("--depth", "2", "--seed", "11", "--isolation", "limits", "-q"),
)
MATCHES = 72


def register_all(folder: Path) -> None:
    """Register two bots that take their time, and little of the machine's, and a random one."""
    folder.mkdir()
    for name, place in (("left", 0), ("right", -1)):
        (folder / f"{name}.py").write_text(SLEEPER.format(place=place))
        league(folder, "register", name, f"{name}.py", "--no-check")
    league(folder, "register", "random", "random", "--no-check")
    with open_store(str(folder / "league.db")) as store:
        store.settings.set(SALT, "")


@contextmanager
def started(change: str, folder: Path, *arguments: str) -> "Iterator[subprocess.Popen[str]]":
    """Run `league` with something changed in what it knows of pull workers, and end it."""
    code = f"from league.execution import pull_machines, pull_worker; {change}; {LEAGUE[-1]}"
    process = subprocess.Popen(
        [*LEAGUE[:-1], code, *arguments],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def a_worker(folder: Path, url: str, name: str) -> "AbstractContextManager[subprocess.Popen[str]]":
    """Run a machine of two workers, which sees no file of the runner's but the token."""
    arguments = (url, "--name", name, "--token-file", str(folder / "league.db.worker-token"))
    change = "pull_worker.ALIVE_S = 0.2"
    return started(change, folder.parent, "work", *arguments, "--workers", "2")


def played_by(folder: Path, name: str) -> int:
    """Count the stored matches of a machine."""
    with open_store(str(folder / "league.db"), read_only=True) as store:
        return len(store.matches.page(machine=name))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_kills_over_a_bad_network_change_no_match(tmp_path: Path, seed: int) -> None:
    straight, folder = tmp_path / "straight", tmp_path / "pull"
    for each in (straight, folder):
        register_all(each)
    league(straight, *ARGUMENTS, "--workers", "4")
    port = free_port()
    executor = ("--executor", f"pull://127.0.0.1:{port}")
    shorter = "pull_machines.LEASE_S = 2.0"
    with bad_network(port, seed, 0.3) as network, ExitStack() as stack:
        runner = stack.enter_context(started(shorter, folder, *ARGUMENTS, *executor))
        wait_until((folder / "league.db.worker-token").exists)
        killed = stack.enter_context(a_worker(folder, network.url, "lab1"))
        other = stack.enter_context(a_worker(folder, network.url, "lab2"))
        wait_until(lambda: played_by(folder, "lab1") and played_by(folder, "lab2"))
        processes, before = [pid for pid, _ in below(killed.pid)], played_by(folder, "lab2")
        killed.kill()
        wait_until_gone(processes)
        wait_until(lambda: played_by(folder, "lab2") > before)
        runner.kill()
        _, told = runner.communicate(timeout=PATIENCE_S)
        assert runner.returncode == -signal.SIGKILL, told
        runner = stack.enter_context(started(shorter, folder, "resume", "1", "-q", *executor))
        _, told = runner.communicate(timeout=PATIENCE_S)
        assert runner.returncode == 0, told
        assert sum(network.faults.values()) > 0
        other.send_signal(signal.SIGTERM)
        _, told = other.communicate(timeout=PATIENCE_S)
        assert "Traceback" not in told
        assert "leaving" in told.splitlines()
        assert told.splitlines()[-1].startswith("played ")
    expected, found = moves_of(straight), moves_of(folder)
    assert len(found) == MATCHES
    assert found.keys() == expected.keys()
    for key, record in expected.items():
        assert [move.move for move in found[key].moves] == [move.move for move in record.moves]
        assert found[key].scores == record.scores
    assert "0 findings" in league(folder, "db", "verify")
    check_a_machine_is_void(folder, "lab1")


def check_a_machine_is_void(folder: Path, name: str) -> None:
    """Void all matches of a machine; it is shown where its matches are."""
    count = played_by(folder, name)
    assert name in league(folder, "matches", "--machine", name)
    with open_store(str(folder / "league.db"), read_only=True) as store:
        number = store.matches.page(machine=name)[0].id
    assert f"(on {name})" in league(folder, "replay", str(number), "--plain")
    told = league(folder, "void", "--machine", name, "--reason", "a broken clock", "--yes")
    assert "a broken clock" in told
    assert played_by(folder, name) == 0
    with open_store(str(folder / "league.db"), read_only=True) as store:
        assert MATCHES - store.tournaments.get(1).played >= count
