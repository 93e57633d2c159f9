"""The runner's side of pull workers: batches, machines, the token, and what is refused."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from http.client import HTTPConnection
from pathlib import Path

import pytest
from msgspec import structs

from games.support.specs import find_game
from league.execution import pull_machines
from league.execution.fitness import version_here
from league.execution.game_files import lay_out_game, read_game_files
from league.execution.listener import listening
from league.execution.pool import JobsLost, PoolGone
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
from league.execution.worker import JobResult, MatchJob
from league.model.errors import SetupError
from league.model.records import BotVersion, Limits, MatchKey, OwnLimits
from league.registration.register import register
from league.store.store import open_store
from league.tournament.executors import TOKEN_VARIABLE, elsewhere
from league.tournament.planner import Planner
from league.tournament.run_options import PullOptions, RunOptions
from tests.league.command import league
from tests.league.in_process import worker_of
from tests.league.pull_working import NODES_PER_S, TOKEN, new_league
from tests.waiting import PATIENCE_S

ACCESS = PullAccess(token=TOKEN)
GAME = find_game("connectfour")


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


class Clock:
    """A clock that a test sets, in seconds."""

    now_s = 0.0


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """Return the clock of the machines."""
    clock = Clock()
    monkeypatch.setattr(pull_machines, "monotonic", lambda: clock.now_s)
    return clock


def test_the_batch_of_a_lost_machine_is_lent_to_another_one(clock: Clock) -> None:
    told: list[str] = []
    pool = PullPool(PullTerms(game=GAME, is_timed=False, tell=told.append))
    future = pool.submit([a_job(1), a_job(2)])
    (first,) = ask(pool, a_machine(), 1).batches
    assert pool.done(0) == []
    clock.now_s = 31.0
    assert pool.done(0) == []
    assert told[1:] == ["machine lab is lost (no answer for 30 s): 2 matches will be played again"]
    assert pool.size == 0
    (second,) = ask(pool, a_machine("other"), 1).batches
    late = Hand(a_machine(), [first.lease], lease=first.lease, results=played(first))
    assert pool.take(late).dropped == [first.lease]
    assert pool.done(0) == []
    pool.take(Hand(a_machine("other"), lease=second.lease, results=played(second)))
    assert pool.done(0) == [future]
    assert {each.match and each.match.machine for each in pool.results(future)} == {"other"}


def test_a_second_machine_of_a_name_gets_a_number() -> None:
    told: list[str] = []
    pool = PullPool(PullTerms(game=GAME, is_timed=False, tell=told.append))
    first, second, third = (structs.replace(a_machine(), id=each) for each in ("1", "2", "3"))
    future = pool.submit([a_job(1)])
    ask(pool, first, 1)
    pool.keep(Alive(first, leaving="it was stopped"))
    (batch,) = ask(pool, second, 1).batches
    ask(pool, third, 1)
    pool.take(Hand(second, [batch.lease], lease=batch.lease, results=played(batch)))
    again = pool.submit([a_job(2)])
    (batch,) = ask(pool, third, 2).batches
    pool.take(Hand(third, [batch.lease], lease=batch.lease, results=played(batch)))
    for each, name in ((future, "lab"), (again, "lab-2")):
        (result,) = pool.results(each)
        assert result.match is not None
        assert result.match.machine == name
    assert [line for line in told if "lab-2" in line] == [
        "machine lab-2 plays 2 matches at a time",
        "lab-2 has a number because there is another lab: 'league work --name NAME' gives each "
        "machine a name of its own",
    ]


def test_a_batch_with_which_two_machines_were_lost_is_lost(pool: PullPool, clock: Clock) -> None:
    future = pool.submit([a_job(1)])
    for name, found in (("lab", []), ("other", [future])):
        assert len(ask(pool, a_machine(name), 1).batches) == 1
        clock.now_s += 31
        assert pool.done(0) == found
    with pytest.raises(JobsLost, match="machine other is lost"):
        pool.results(future)


def test_a_sign_of_life_keeps_a_batch(pool: PullPool, clock: Clock) -> None:
    pool.submit([a_job(1)])
    (batch,) = ask(pool, a_machine(), 1).batches
    for _ in range(3):
        clock.now_s += 20
        pool.done(0)
        assert pool.keep(Alive(a_machine(), [batch.lease])).dropped == []
    clock.now_s += 31
    pool.done(0)
    assert pool.keep(Alive(a_machine(), [batch.lease])).dropped == [batch.lease]


def test_a_machine_keeps_nothing_in_stock_that_another_one_lacks(pool: PullPool) -> None:
    ask(pool, a_machine("other"), 1)
    for number in range(3):
        pool.submit([a_job(number)])
    held = [batch.lease for batch in ask(pool, a_machine(), 1, room=4).batches]
    assert len(held) == 2
    assert ask(pool, a_machine(), 2, *held, room=2).batches == []
    pool.submit([a_job(3)])
    pool.submit([a_job(4)])
    # Two of these three keep the other machine busy.
    assert len(ask(pool, a_machine(), 3, *held, room=2).batches) == 1
    assert len(ask(pool, a_machine("other"), 2, room=4).batches) == 2


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


HERE = "pull://127.0.0.1:0"
RUN = ("run", "--game", "connectfour", "--bots", "random,greedy")


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


REFUSALS = {
    "engine": "bot 'engine' ('exec:true') can't play on pull workers, which get only the files",
    "model": "language models play on this machine alone: leave out --executor",
    "token": f"the token in {TOKEN_VARIABLE} is shorter than 16 letters",
    "port": "can't listen at",
}


@pytest.mark.parametrize("refused", REFUSALS)
def test_a_run_that_is_refused_stores_no_tournament(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, refused: str
) -> None:
    with new_league(tmp_path) as store:
        register(store, "engine", "exec:true", options={}, is_checked=False)
        options = {"url": "http://localhost:1/v1"}
        register(store, "model", "llm:model", options=options, is_checked=False)
    monkeypatch.setenv(TOKEN_VARIABLE, "short" if refused == "token" else TOKEN)
    bots = f"a,{refused if refused in ('engine', 'model') else 'b'}"
    with listening("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1] if refused == "port" else 0
        executor = f"pull://127.0.0.1:{port}"
        place = ("--executor", executor, "--move-time", "2m")
        told = league(tmp_path, "run", "--game", "connectfour", "--bots", bots, *place, code=1)
    assert told.startswith(f"league: {REFUSALS[refused]}")
    with open_store(str(tmp_path / "league.db")) as store:
        # The first one is that of `new_league`.
        assert len(store.tournaments.all()) == 1


@pytest.mark.parametrize(
    ("arguments", "code", "text"),
    [
        (("work", "http://127.0.0.1:1"), 2, "give the token by --token-env NAME or --token-file"),
        (("work", "http://127.0.0.1:1", "--token-env", "NO_SUCH_NAME"), 1, "has no token"),
        (("work", "here", "--token-file", "token"), 1, "expected an address such as https://host"),
        ((*RUN, "--executor", "pull://here"), 1, "expected pull://HOST:PORT, where this"),
        ((*RUN, "--scale-time"), 2, "need --executor pull://HOST:PORT"),
    ],
)
def test_options_that_do_not_fit(
    tmp_path: Path, arguments: tuple[str, ...], code: int, text: str
) -> None:
    (tmp_path / "token").write_text(TOKEN)
    assert text in league(tmp_path, *arguments, code=code)
