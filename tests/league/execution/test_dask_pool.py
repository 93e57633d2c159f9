"""A Dask cluster plays what a local run plays, whoever dies of it."""

import signal
import socket
import subprocess
from collections.abc import Container, Iterator, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest

from games.support.game import Game
from league.execution import dask_pool
from league.execution.dask_subprocess import SubprocessServer, TaskPackage
from league.execution.fitness import version_here
from league.execution.live_feed import LiveFeed, LiveMatch
from league.execution.pool import JobsLost, Pool, PoolGone
from league.execution.worker import JobResult, MatchJob
from league.model.errors import SetupError, StoppedError
from league.model.records import BotVersion, Limits, MatchKey, MatchRecord
from league.model.tournament_spec import TournamentSpec
from league.registration.register import register
from league.store.settings import SALT
from league.store.store import Store, open_store
from league.tournament import executors, runner
from league.tournament.create import create_tournament
from league.tournament.live_board import MatchInPlay, matches_in_play
from league.tournament.progress import Progress
from league.tournament.run_options import RunOptions
from league.tournament.runner import run_tournament
from tests.league.cluster import Cluster, a_cluster, kill, outposts
from tests.league.command import LEAGUE, below, league, start
from tests.league.in_process import InProcessPool, run_here
from tests.league.tournament.test_kills import moves_of, wait_until_gone
from tests.paths import BAD_BOTS
from tests.waiting import PATIENCE_S, wait_until

pytestmark = pytest.mark.extra

SLEEPER = """
import time

def choose(state, clock):
    time.sleep(0.02)
    return state.legal_moves()[{place}]
"""
BOTS = {"left": "left.py", "right": "right.py", "random": "random"}
ARGUMENTS = (
    *("run", "--game", "connectfour", "--bots", ",".join(BOTS), "--rounds", "12"),
    *("--depth", "4", "--seed", "11", "--isolation", "limits", "-q"),
)
MATCHES = 12 * len(BOTS) * (len(BOTS) - 1)


def played(folder: Path) -> int:
    """Return how many matches of the newest tournament are stored."""
    with open_store(str(folder / "league.db"), read_only=True) as store:
        rows = store.tournaments.all()
    return max(rows, key=lambda row: row.id).played if rows else 0


def in_play(folder: Path) -> list[MatchInPlay]:
    """Return what is seen of the first tournament's matches."""
    with open_store(str(folder / "league.db"), read_only=True) as store:
        return matches_in_play(store, 1)


def register_all(folder: Path) -> None:
    """Register the bots of these tests: they take their time, and little of the machine's."""
    folder.mkdir()
    for name, place in (("left", 0), ("right", -1)):
        (folder / f"{name}.py").write_text(SLEEPER.format(place=place))
    for name, spec in BOTS.items():
        league(folder, "register", name, spec, "--no-check")
    with open_store(str(folder / "league.db")) as store:
        # Leagues with the same secret draw the same seeds.
        store.settings.set(SALT, "")


@pytest.fixture(scope="module")
def straight(tmp_path_factory: pytest.TempPathFactory) -> dict[MatchKey, MatchRecord]:
    """Return the matches of a local run that nothing disturbs."""
    folder = tmp_path_factory.mktemp("straight") / "league"
    register_all(folder)
    league(folder, *ARGUMENTS, "--workers", "4")
    return moves_of(folder)


def check_same(straight: dict[MatchKey, MatchRecord], folder: Path) -> None:
    """Hold the matches in `folder` against those of a straight run."""
    found = moves_of(folder)
    assert found.keys() == straight.keys()
    assert len(found) == MATCHES
    for key, record in straight.items():
        assert found[key].opening == record.opening
        assert [move.move for move in found[key].moves] == [move.move for move in record.moves]
        assert found[key].scores == record.scores
    assert "0 findings" in league(folder, "db", "verify")


@pytest.mark.slow
def test_a_killed_worker_and_an_interrupt_change_no_match(
    tmp_path: Path, straight: dict[MatchKey, MatchRecord]
) -> None:
    folder = tmp_path / "cluster"
    register_all(folder)
    with a_cluster(tmp_path, 2) as made:
        first, second = made.nannies
        process = start(folder, *ARGUMENTS, "--executor", made.executor)
        wait_until(lambda: played(folder) >= 10 and outposts(first.pid) and outposts(second.pid))
        gone = [pid for pid, _ in below(first.pid)]
        # Else the nanny would start the next worker.
        for pid in (first.pid, *gone):
            kill(pid)
        first.wait()
        wait_until_gone(gone)
        made.add_worker()
        before = played(folder)
        wait_until(lambda: played(folder) >= before + 10)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=PATIENCE_S)
        assert process.returncode == 130
        assert "league resume 1" in err
        assert "Traceback" not in err
        wait_until_gone(outposts(second.pid))
        assert played(folder) < MATCHES
        league(folder, "resume", "--executor", made.executor, "-q")
        check_a_bot_that_kills_its_parent(folder, made)
        check_boards(tmp_path / "boards", made)
    check_same(straight, folder)


def check_boards(folder: Path, made: Cluster) -> None:
    """See two matches in play on two workers."""
    register_all(folder)
    text = SLEEPER.format(place=0).replace("0.02", "0.3")
    (folder / "slow.py").write_text(text)
    league(folder, "register", "slow", "slow.py", "--no-check")
    options = ("--bots", "slow,left", "--executor", made.executor)
    process = start(folder, *ARGUMENTS, *options)
    wait_until(lambda: len(in_play(folder)) == 2)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=PATIENCE_S)


def check_a_bot_that_kills_its_parent(folder: Path, made: Cluster) -> None:
    """Let it try: its matches are void, and the Dask worker lives."""
    nanny = made.nannies[-1].pid
    league(folder, "register", "bad", str(BAD_BOTS / "kills_parent.py"), "--no-check")
    workers = below(nanny)
    told = league(
        folder,
        *("run", "--game", "connectfour", "--bots", "bad,random", "--rounds", "1", "--depth", "1"),
        *("--isolation", "none", "-q", "--executor", made.executor),
        code=1,
    )
    assert "was void 3 times: its process on" in told
    assert "was killed (and 1 more)" in told
    assert played(folder) == 0
    assert below(nanny) == workers
    assert list((made.folder / "scratch").rglob("botleague-*")) == []


@pytest.mark.slow
def test_without_its_scheduler_a_run_stops_and_goes_on_here(
    tmp_path: Path, straight: dict[MatchKey, MatchRecord]
) -> None:
    folder = tmp_path / "cluster"
    register_all(folder)
    with a_cluster(tmp_path, 0) as made:
        told = stopped("EMPTY_S = 0.5", folder, *ARGUMENTS, "--executor", made.executor)
        assert "has had no worker for 0.5 s (start one with 'dask worker tcp://" in told
        made.add_worker()
        arguments = ("resume", "-q", "--executor", made.executor)
        told = stopped("version_here = lambda: '0.0.9'", folder, *arguments)
        assert "botleague 0.0.9 runs this, and the worker " in told
        assert f" has {version_here()}: install the same on all machines; continue with:" in told
        process = start(folder, *arguments)
        wait_until(lambda: played(folder) >= 10)
        made.scheduler.kill()
        _, err = process.communicate(timeout=PATIENCE_S)
        address = made.executor.replace("dask", "tcp")
        assert process.returncode == 1
        assert f"the scheduler at {address} is gone; continue with:\n  league resume 1" in err
        assert "Traceback" not in err
        assert 10 <= played(folder) < MATCHES
        told = league(folder, *arguments, code=1)
        assert told.startswith(f"league: no scheduler answers at {address} (")
    league(folder, "resume", "--workers", "4", "-q")
    check_same(straight, folder)


def stopped(change: str, folder: Path, *arguments: str) -> str:
    """Run `league` with something changed in what it knows of clusters; return what it says."""
    code = f"from league.execution import dask_pool; dask_pool.{change}; {LEAGUE[-1]}"
    command = [*LEAGUE[:-1], code, *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    return done.stderr


@pytest.mark.parametrize(
    "executor", ["dask", "dask://here", "dask://a b:1", "tcp://a:8786", "cloud"]
)
def test_executors_that_there_are_not(tmp_path: Path, executor: str) -> None:
    told = league(tmp_path, *ARGUMENTS, "--executor", executor, code=1)
    known = "'local', dask://HOST:PORT or pull://HOST:PORT"
    assert told == f"league: unknown executor {executor!r}: expected {known}\n"


def test_without_a_scheduler_nothing_is_stored(tmp_path: Path) -> None:
    pytest.importorskip("distributed", reason="needs the extra 'cluster'")
    register_all(tmp_path / "league")
    told = league(tmp_path / "league", *ARGUMENTS, "--executor", "dask://127.0.0.1:1", code=1)
    assert told.startswith("league: no scheduler answers at tcp://127.0.0.1:1 (")
    assert told.endswith("): start one with 'dask scheduler'\n")
    with open_store(str(tmp_path / "league" / "league.db"), read_only=True) as store:
        assert store.tournaments.all() == ()


def test_without_the_extra_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask_pool, "find_spec", lambda name: None)
    with pytest.raises(SetupError, match=r"needs the extra 'cluster': pip install 'botleague"):
        dask_pool.require_scheduler("dask://127.0.0.1:1")


class Elsewhere:
    """A pool that is no cluster, but fails as one does when a test says so."""

    def __init__(self) -> None:
        self.fails: list[Exception] = []
        self.sizes = [2]
        self._pool: InProcessPool

    def open(self, executor: str, game: Game) -> Pool:
        """Stand in for the class of pools on clusters."""
        self._pool = InProcessPool(2)
        return self

    @property
    def size(self) -> int:
        """Return the next of the sizes, the last one for ever."""
        return self.sizes.pop(0) if len(self.sizes) > 1 else self.sizes[0]

    def submit(self, jobs: Sequence[MatchJob]) -> "Future[Any]":
        """Play here."""
        return self._pool.submit(jobs)

    def done(self, timeout_s: float) -> "list[Future[Any]]":
        """Return what is done here."""
        return self._pool.done(timeout_s)

    def results(self, future: "Future[Any]") -> list[JobResult]:
        """Fail as often as the test says."""
        if self.fails:
            raise self.fails.pop(0)
        return self._pool.results(future)

    def withdraw(self, future: "Future[Any]") -> bool:
        """Leave it, as a cluster does."""
        return False

    def live_matches(self) -> list[LiveMatch]:
        """Return what was seen here."""
        return self._pool.live_matches()

    def watch(self, keys: Container[MatchKey]) -> None:
        """Show what is done here ply by ply."""
        self._pool.watch(keys)

    def end(self) -> None:
        """End all that is in play."""
        self._pool.end()


@pytest.fixture
def elsewhere(monkeypatch: pytest.MonkeyPatch) -> Elsewhere:
    """Return what a run with an executor that is not local plays in."""
    made = Elsewhere()
    monkeypatch.setattr(executors, "DaskPool", made.open)
    monkeypatch.setattr(runner, "ASK_EVERY_S", 0.05)
    return made


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """Open a league with a tournament of 40 matches."""
    with open_store(str(tmp_path / "league.db"), create=True) as opened:
        for name in ("a", "b"):
            register(opened, name, "random", options={}, is_checked=False)
        create_tournament(
            opened,
            TournamentSpec(
                game="connectfour", bots=["a", "b"], rounds=20, limits=Limits(depth=1), seed=5
            ),
        )
        yield opened


def test_lost_matches_are_played_again(store: Store, elsewhere: Elsewhere) -> None:
    elsewhere.fails = [JobsLost("its worker is gone"), JobsLost("its worker is gone")]
    progress = run_tournament(store, 1, RunOptions(workers=2, executor="dask://elsewhere:1"))
    assert progress.voids >= 2
    assert progress.played == len(store.matches.scores(1)) == 40
    assert store.tournaments.get(1).is_finished


def test_matches_that_are_lost_again_and_again_are_given_up(
    store: Store, elsewhere: Elsewhere
) -> None:
    elsewhere.fails = [JobsLost("its worker is gone")] * 200
    with pytest.raises(StoppedError, match="was void 3 times: its worker is gone"):
        run_tournament(store, 1, RunOptions(workers=2, executor="dask://elsewhere:1"))


@pytest.mark.slow
def test_a_pool_that_is_gone_leaves_what_is_played(store: Store, elsewhere: Elsewhere) -> None:
    def fail(progress: Progress) -> None:
        if progress.played:
            elsewhere.fails = [PoolGone("the scheduler is gone")]

    with pytest.raises(StoppedError, match=r"^the scheduler is gone: 'league resume 1' continues$"):
        run_tournament(
            store, 1, RunOptions(workers=2, executor="dask://elsewhere:1"), on_progress=fail
        )
    assert 0 < store.tournaments.get(1).played < 40
    assert store.tournaments.get(1).stop_reason == "the scheduler is gone"
    run_here(store, 1)
    assert len(store.matches.scores(1)) == 40


def test_workers_may_come_later(store: Store, elsewhere: Elsewhere) -> None:
    elsewhere.sizes = [0, 0, 0, 2, 0, 3]
    waits: list[tuple[bool, int]] = []
    progress = run_tournament(
        store,
        1,
        RunOptions(workers=2, executor="dask://elsewhere:1"),
        on_progress=lambda seen: waits.append((seen.waits, len(seen.in_play))),
    )
    assert waits[0] == (True, 0)
    # The last match may end while the cluster says again that it has no worker.
    assert not all(is_waiting for is_waiting, _ in waits)
    assert progress.played == 40


def package(version: BotVersion, digest: str = "") -> TaskPackage:
    """Return one match of a bot against itself."""
    job = MatchJob(
        key=MatchKey(0, 0),
        tournament=1,
        game="tictactoe",
        versions=(version, version),
        opening=(),
        limits=Limits(depth=1),
        seed=1,
    )
    return TaskPackage("tictactoe", digest, (job,))


@pytest.mark.parametrize(
    ("sent", "text"),
    [
        (package(BotVersion("x", "random"), "0123"), "the file of the game 'tictactoe' is another"),
        (package(BotVersion("x", "exec:no-such-program", folder="/")), "no program 'no-such"),
        (package(BotVersion("x", "exec:sh", digest="0", folder="/")), "has changed since"),
        (package(BotVersion("x", "no_such.module:Bot")), "no_such.module"),
        (package(BotVersion("x", "bots.random:BOT", digest="0")), "the module of bot 'x' differs"),
    ],
)
def test_a_machine_that_lacks_something_plays_nothing(
    tmp_path: Path, sent: TaskPackage, text: str
) -> None:
    told = SubprocessServer(tmp_path, LiveFeed()).play(sent)
    assert isinstance(told, PoolGone)
    assert text in str(told)
    assert f"on {socket.gethostname()} of the cluster" in str(told)
