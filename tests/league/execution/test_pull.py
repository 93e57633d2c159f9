"""Pull workers play what a local run plays, whatever the network or a machine does."""

import re
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, replace
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest

from games.support.specs import find_game
from league.execution import pull_client, pull_machines, pull_worker
from league.execution.fitness import version_here
from league.execution.game_files import lay_out_game, read_game_files
from league.execution.listener import listening
from league.execution.pool import JobsLost, PoolGone
from league.execution.pull_client import NoRunner, PullAddress
from league.execution.pull_machines import PullRefused, PullTerms
from league.execution.pull_messages import (
    ASK_BYTES,
    Alive,
    Ask,
    Batch,
    Hand,
    Machine,
    Offer,
    decode,
    encode,
    unpack_jobs,
)
from league.execution.pull_pool import PullPool
from league.execution.pull_server import PullAccess, serving
from league.execution.pull_worker import PullWorker, WorkOptions
from league.execution.worker import JobResult, MatchJob
from league.model.errors import SetupError
from league.model.records import BotVersion, Limits, MatchKey, MatchRecord, OwnLimits
from league.model.tournament_spec import TournamentSpec
from league.registration.register import register
from league.store.settings import SALT
from league.store.store import Store, open_store
from league.tournament.create import create_tournament
from league.tournament.executors import TOKEN_VARIABLE, elsewhere
from league.tournament.planner import Planner
from league.tournament.run_options import PullOptions, RunOptions
from league.tournament.runner import run_tournament
from tests.league.bad_network import FAULTS, bad_network
from tests.league.command import LEAGUE, below, league
from tests.league.in_process import InProcessPool, run_here, worker_of
from tests.league.tournament.test_kills import moves_of, wait_until_gone
from tests.waiting import PATIENCE_S, wait_until

TOKEN = "sixteen-letters-or-more"  # noqa: S105 (of a test)
ACCESS = PullAccess(token=TOKEN)
GAME = find_game("connectfour")
NODES_PER_S = 1e5


class WaitingPool(InProcessPool):
    """A pool of this process that waits where there is nothing to play."""

    def done(self, timeout_s: float) -> "list[Future[Any]]":
        """Play one of the waiting batches, or wait."""
        found = super().done(timeout_s)
        if not found:
            time.sleep(timeout_s)
        return found


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let workers play in threads of this process, and be as fast as the runner."""
    monkeypatch.setattr(pull_worker, "LocalPool", lambda workers, **_: WaitingPool(workers))
    monkeypatch.setattr(pull_worker, "nodes_per_s", lambda: NODES_PER_S)
    monkeypatch.setattr(pull_machines, "nodes_per_s", lambda: NODES_PER_S)
    monkeypatch.setattr(pull_worker, "ALIVE_S", 0.2)
    monkeypatch.setattr(pull_worker, "LOOK_S", 0.01)
    monkeypatch.setattr(pull_client, "RETRY_S", 0.01)


@dataclass
class Worker:
    """A worker in a thread of this process, and the lines that it told."""

    worker: PullWorker
    lines: list[str] = field(default_factory=list)
    fault: Exception | None = None

    def run(self) -> None:
        """Play until it is stopped; keep what it raises."""
        try:
            self.worker.run()
        except Exception as error:
            self.fault = error


@contextmanager
def working(url: str, name: str, token: str = TOKEN) -> Iterator[Worker]:
    """Let a machine work, and stop it at the end."""
    address = PullAddress(url=url, token=token, patience_s=PATIENCE_S)
    lines: list[str] = []
    worker = Worker(PullWorker(address, WorkOptions(name=name, workers=2), lines.append), lines)
    thread = threading.Thread(target=worker.run, daemon=True)
    thread.start()
    try:
        yield worker
    finally:
        for _ in range(3):
            worker.worker.stop()
        thread.join(PATIENCE_S)


def new_league(folder: Path) -> Store:
    """Return a new league with three bots, and a tournament of 24 matches."""
    store = open_store(str(folder / "league.db"), create=True)
    # Leagues with the same secret draw the same seeds.
    store.settings.set(SALT, "")
    for name, spec in (("a", "alphabeta:depth=2,fast=no"), ("b", "random"), ("c", "greedy")):
        register(store, name, spec, options={}, is_checked=False)
    create_tournament(
        store,
        TournamentSpec(
            game="connectfour",
            bots=["a", "b", "c"],
            rounds=4,
            opening_plies=2,
            limits=Limits(depth=2),
            seed=5,
        ),
    )
    return store


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


def a_machine(name: str = "lab", speed: float = 1.0) -> Machine:
    return Machine(f"id-of-{name}", name, version_here(), 2, NODES_PER_S * speed)


def a_job(number: int, limits: Limits = Limits(depth=1)) -> MatchJob:  # noqa: B008 (frozen)
    version = BotVersion("r", "random", id=1)
    return MatchJob(
        key=MatchKey(number, 0),
        tournament=1,
        game="connectfour",
        versions=(version, version),
        opening=(),
        limits=limits,
        seed=number,
    )


def played(batch: Batch) -> list[JobResult]:
    """Play a batch here."""
    versions = {version.id: version for version in batch.versions}
    return worker_of({}).play(unpack_jobs(batch, versions, batch.game))


def ask(pool: PullPool, machine: Machine, number: int, *held: str, room: int = 1) -> Offer:
    """Ask for batches as a worker does, through the encoding."""
    request = encode(Ask(machine, list(held), number=number, room=room))
    return decode(encode(pool.offer(decode(request, Ask))), Offer)


@pytest.fixture
def pool(monkeypatch: pytest.MonkeyPatch) -> PullPool:
    monkeypatch.setattr(pull_machines, "nodes_per_s", lambda: NODES_PER_S)
    return PullPool(PullTerms(game=GAME, is_timed=False))


def test_a_batch_has_one_result_however_often_it_comes(pool: PullPool) -> None:
    future = pool.submit([a_job(1), a_job(2)])
    (batch,) = ask(pool, a_machine(), 1).batches
    hand = Hand(a_machine(), [batch.lease], lease=batch.lease, results=played(batch))
    pool.take(hand)
    pool.take(hand)
    assert pool.done(0) == [future]
    assert pool.done(0) == []
    keys = [(result.key, result.match and result.match.machine) for result in pool.results(future)]
    assert keys == [(MatchKey(1, 0), "lab"), (MatchKey(2, 0), "lab")]


def test_results_after_the_end_of_a_lease_are_dropped(
    pool: PullPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pull_machines, "LEASE_S", -1.0)
    future = pool.submit([a_job(1)])
    (batch,) = ask(pool, a_machine(), 1).batches
    assert pool.done(0) == [future]
    hand = Hand(a_machine(), [batch.lease], lease=batch.lease, results=played(batch))
    assert pool.take(hand).dropped == [batch.lease]
    with pytest.raises(JobsLost, match="lab has not answered for"):
        pool.results(future)
    assert pool.done(0) == []


def test_a_sign_of_life_renews_a_lease(pool: PullPool, monkeypatch: pytest.MonkeyPatch) -> None:
    pool.submit([a_job(1)])
    monkeypatch.setattr(pull_machines, "LEASE_S", -1.0)
    (batch,) = ask(pool, a_machine(), 1).batches
    monkeypatch.setattr(pull_machines, "LEASE_S", PATIENCE_S)
    assert pool.keep(Alive(a_machine(), [batch.lease])).dropped == []
    assert pool.done(0) == []


def test_the_same_request_gets_the_same_batches(pool: PullPool) -> None:
    for number in range(3):
        pool.submit([a_job(number)])
    first = ask(pool, a_machine(), 1)
    assert ask(pool, a_machine(), 1) == first
    second = ask(pool, a_machine(), 2, first.batches[0].lease)
    assert second.batches[0].lease != first.batches[0].lease
    assert ask(pool, a_machine(), 1).batches == []


def test_a_batch_that_never_arrived_is_offered_again(pool: PullPool) -> None:
    pool.submit([a_job(1)])
    (lost,) = ask(pool, a_machine(), 1).batches
    (again,) = ask(pool, a_machine(), 2).batches
    assert again.jobs == lost.jobs
    hand = Hand(a_machine(), lease=lost.lease, results=played(lost))
    pool.take(hand)
    assert pool.done(0) == []


def test_a_machine_that_leaves_gives_all_back(pool: PullPool) -> None:
    pool.submit([a_job(1)])
    pool.submit([a_job(2)])
    assert len(ask(pool, a_machine(), 1, room=2).batches) == 2
    assert pool.size == 2
    pool.keep(Alive(a_machine(), leaving="it was stopped"))
    assert pool.size == 0
    assert ask(pool, a_machine(), 2).batches == []
    assert len(ask(pool, a_machine("other"), 1, room=2).batches) == 2


def test_nobody_hands_in_for_another_machine(pool: PullPool) -> None:
    pool.submit([a_job(1)])
    (batch,) = ask(pool, a_machine(), 1).batches
    hand = Hand(a_machine("other"), lease=batch.lease, results=played(batch))
    pool.take(hand)
    pool.keep(Alive(a_machine("other"), returned=[batch.lease]))
    assert pool.done(0) == []
    assert ask(pool, a_machine("other"), 1).batches == []


def _other_seed(results: list[JobResult]) -> list[JobResult]:
    match = results[0].match
    assert match is not None
    record = replace(match.record(), seed=99)
    return [results[0]._replace(match=match.of(record))]


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (lambda results: [], "of other matches"),
        (_other_seed, "of another match"),
        (lambda results: [results[0]._replace(told=(1, 2, 3))], "of other seats"),
        (
            lambda results: [results[0]._replace(match=results[0].match._replace(data=b"\1x"))],
            "a damaged match record",
        ),
    ],
)
def test_results_that_do_not_fit_are_refused(
    pool: PullPool, change: Callable[[list[JobResult]], list[JobResult]], text: str
) -> None:
    pool.submit([a_job(1)])
    (batch,) = ask(pool, a_machine(), 1).batches
    with pytest.raises(PullRefused, match=text):
        pool.take(Hand(a_machine(), lease=batch.lease, results=change(played(batch))))
    assert pool.done(0) == []


def test_columns_come_of_the_record(pool: PullPool) -> None:
    future = pool.submit([a_job(1)])
    (batch,) = ask(pool, a_machine(), 1).batches
    (result,) = played(batch)
    assert result.match is not None
    told = result._replace(match=result.match._replace(scores=(0.5, 0.5), plies=3))
    pool.take(Hand(a_machine(), lease=batch.lease, results=[told]))
    (taken,) = pool.results(future)
    assert taken.match is not None
    assert taken.match.scores == result.match.scores
    assert taken.match.plies == result.match.plies


def timed_pool(monkeypatch: pytest.MonkeyPatch, told: list[str], *, scales: bool) -> PullPool:
    monkeypatch.setattr(pull_machines, "nodes_per_s", lambda: NODES_PER_S)
    terms = PullTerms(game=GAME, is_timed=True, scales_time=scales, tell=told.append)
    return PullPool(terms)


def test_a_slow_machine_gets_no_timed_matches(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    pool = timed_pool(monkeypatch, told, scales=False)
    pool.submit([a_job(1, Limits(move_s=0.1))])
    slow = a_machine("slow", 0.5)
    refused = ask(pool, slow, 1)
    reason = "it has 50% of the runner's speed, and matches with time limits need 60%"
    assert (refused.batches, refused.says) == ([], reason)
    assert told == [f"machine slow plays 2 matches at a time, but gets no matches: {reason}"]
    assert pool.size == 0
    assert len(ask(pool, a_machine("quick", 0.7), 1).batches) == 1


def test_times_are_scaled_to_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    pool = timed_pool(monkeypatch, [], scales=True)
    own = OwnLimits(move_s=0.2)
    job = a_job(1, Limits(time="10+0.1", nodes=500))._replace(handicaps=(1.0, own))
    future = pool.submit([job])
    (batch,) = ask(pool, a_machine("slow", 0.5), 1).batches
    (sent,) = batch.jobs
    assert (sent.limits.time, sent.limits.nodes) == ("20+0.2", 500)
    assert sent.handicaps == (1.0, OwnLimits(move_s=0.4))
    pool.take(Hand(a_machine("slow", 0.5), lease=batch.lease, results=played(batch)))
    (result,) = pool.results(future)
    assert result.match is not None
    assert result.match.time_factor == 2.0
    assert ask(pool, a_machine("slower", 0.2), 1).says.endswith("scaled up to 4 times")


def test_other_versions_are_refused(pool: PullPool) -> None:
    other = Machine("id", "lab", "0.0.1 (sources 0)", 2, NODES_PER_S)
    with pytest.raises(PullRefused, match=r"this machine has 0\.0\.1 .*install the same on all"):
        pool.offer(Ask(other, number=1, room=1))


@pytest.mark.parametrize("spec", ["uci:stockfish", "http://localhost:8000", "exec:./bot"])
def test_bots_without_files_are_refused(pool: PullPool, spec: str) -> None:
    version = BotVersion("x", spec, id=1)
    with pytest.raises(PoolGone, match=r"^bot 'x' \('.*'\) can't play on pull workers"):
        pool.submit([a_job(1)._replace(versions=(version, version))])


@pytest.fixture
def port(pool: PullPool) -> Iterator[int]:
    """Return the port at which the pool is served."""
    with listening("127.0.0.1", 0) as listener:
        serving(pool, ACCESS, listener)
        yield listener.getsockname()[1]
        pool.end()


def post(port: int, path: str, body: bytes, token: str) -> tuple[int, str]:
    """Return the status and the text of the answer to a request."""
    connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
    try:
        connection.request("POST", path, body, {"Authorization": f"Bearer {token}"})
        answer = connection.getresponse()
        return answer.status, answer.read().decode("utf-8", "replace")
    finally:
        connection.close()


@pytest.mark.parametrize(
    ("path", "body", "token", "status", "text"),
    [
        ("/batch", b"", "", 401, "wrong token"),
        ("/results", b"", TOKEN[:-1], 401, "wrong token"),
        ("/alive", b"\xc1", TOKEN, 400, "not Alive"),
        ("/alive", b"\x91" * 100_000, TOKEN, 400, "not Alive"),
        ("/files", b"x" * (ASK_BYTES + 1), TOKEN, 413, "more than 1,048,576 bytes"),
        ("/other", b"", TOKEN, 404, "Not Found"),
    ],
)
def test_requests_that_are_refused(
    port: int, path: str, body: bytes, token: str, status: int, text: str
) -> None:
    found, told = post(port, path, body, token)
    assert found == status
    assert told.startswith(text)


def test_a_wrong_token_ends_a_worker_in_one_line(port: int, quick: None) -> None:
    with working(f"http://127.0.0.1:{port}", "lab", "another") as worker:
        wait_until(lambda: worker.fault)
    assert isinstance(worker.fault, NoRunner)
    assert str(worker.fault) == f"http://127.0.0.1:{port} refuses the token"
    assert worker.lines == []


def test_a_game_of_a_users_own_goes_along(tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    here.mkdir()
    (here / "size.py").write_text("HEAPS = 3\n")
    text = "import size\nfrom games.kuhn import GAME as KUHN\nGAME = KUHN\nassert size.HEAPS == 3\n"
    (here / "mine.py").write_text(text)
    spec = f"{here / 'mine.py'}:GAME"
    files = read_game_files(spec)
    assert set(files) == {"mine.py", "size.py"}
    assert lay_out_game(spec, files, there) == f"{there / 'mine.py'}:GAME"
    assert (there / "mine.py").read_text() == text
    assert find_game(f"{there / 'mine.py'}:GAME").name == "kuhn"
    assert read_game_files("connectfour?rows=7") == {}


def test_a_game_that_names_a_file_elsewhere_stays_here(tmp_path: Path) -> None:
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "mine.py").write_text("")
    (tmp_path / "data").write_text("")
    spec = f"{tmp_path / 'games' / 'mine.py'}:GAME?map={tmp_path / 'data'}"
    with pytest.raises(SetupError, match="which is not in its folder"):
        read_game_files(spec)


SLEEPER = """
import time

def choose(state, clock):
    time.sleep(0.02)
    return state.legal_moves()[{place}]
"""
ARGUMENTS = (
    *("run", "--game", "connectfour", "--bots", "left,right,random", "--rounds", "8"),
    *("--depth", "2", "--seed", "11", "--isolation", "limits", "-q"),
)
MATCHES = 48


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
def test_a_killed_machine_and_an_interrupt_change_no_match(tmp_path: Path) -> None:
    straight, folder = tmp_path / "straight", tmp_path / "pull"
    for each in (straight, folder):
        register_all(each)
    league(straight, *ARGUMENTS, "--workers", "4")
    executor = ("--executor", "pull://127.0.0.1:0")
    with started("pull_machines.LEASE_S = 2.0", folder, *ARGUMENTS, *executor) as runner:
        assert runner.stderr is not None
        invitation = next(line for line in runner.stderr if line.startswith("other machines"))
        url = invitation.split()[invitation.split().index("work") + 1]
        with a_worker(folder, url, "lab1") as killed, a_worker(folder, url, "lab2") as other:
            wait_until(lambda: played_by(folder, "lab1") and played_by(folder, "lab2"))
            processes = [pid for pid, _ in below(killed.pid)]
            killed.kill()
            wait_until_gone(processes)
            _, told = runner.communicate(timeout=PATIENCE_S)
            assert runner.returncode == 0, told
            other.send_signal(signal.SIGTERM)
            _, told = other.communicate(timeout=PATIENCE_S)
            assert "Traceback" not in told
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


HERE = "pull://127.0.0.1:0"


def test_the_runner_keeps_a_token_and_tells_the_command(tmp_path: Path) -> None:
    told: list[str] = []
    pull = PullOptions(shows_token=True)
    options = RunOptions(executor=HERE, tell=told.append, pull=pull)
    with new_league(tmp_path) as store:
        for _ in range(2):
            with elsewhere(options, Planner(store, 1), store):
                pass
    file = tmp_path / "league.db.worker-token"
    assert file.stat().st_mode & 0o777 == 0o600
    token = file.read_text().strip()
    for line in told:
        command = rf"LEAGUE_PULL_TOKEN={token} league work http://127\.0\.0\.1:\d+ --token-env"
        assert re.search(command, line)


def test_a_token_of_ones_own_is_told_to_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(TOKEN_VARIABLE, TOKEN)
    told: list[str] = []
    options = RunOptions(executor=HERE, tell=told.append, pull=PullOptions(shows_token=True))
    with new_league(tmp_path) as store, elsewhere(options, Planner(store, 1), store):
        assert TOKEN not in told[0]
        assert not (tmp_path / "league.db.worker-token").exists()
    monkeypatch.setenv(TOKEN_VARIABLE, "short")
    with (
        open_store(str(tmp_path / "league.db")) as store,
        pytest.raises(SetupError, match="is shorter than 16 letters"),
        elsewhere(options, Planner(store, 1), store),
    ):
        pass


def test_bots_without_files_are_refused_before_anything_is_played(tmp_path: Path) -> None:
    with new_league(tmp_path) as store:
        register(store, "engine", "exec:true", options={}, is_checked=False)
        bots = ["engine", "a"]
        create_tournament(store, TournamentSpec(game="connectfour", bots=bots, rounds=1))
        options = RunOptions(executor=HERE)
        with (
            pytest.raises(SetupError, match=r"^bot 'engine' \('exec:true'\) can't play on pull"),
            elsewhere(options, Planner(store, 2), store),
        ):
            pass


@pytest.mark.parametrize(
    ("arguments", "code", "text"),
    [
        (("work", "http://127.0.0.1:1"), 2, "give the token by --token-env NAME or --token-file"),
        (("work", "http://127.0.0.1:1", "--token-env", "NO_SUCH_NAME"), 1, "has no token"),
        (("work", "here", "--token-file", "token"), 1, "expected an address such as https://host"),
        ((*ARGUMENTS, "--executor", "pull://here"), 1, "expected pull://HOST:PORT, where this"),
        ((*ARGUMENTS, "--scale-time"), 2, "need --executor pull://HOST:PORT"),
    ],
)
def test_options_that_do_not_fit(
    tmp_path: Path, arguments: tuple[str, ...], code: int, text: str
) -> None:
    (tmp_path / "token").write_text(TOKEN)
    assert text in league(tmp_path, *arguments, code=code)
