"""Every hostile bot at every level: its own loss and nobody else's, and nothing left behind."""

import os
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

import pytest

from league.execution.local_pool import LocalPool
from league.execution.worker import JobResult, MatchJob
from league.model.records import BotVersion, Limits, MatchKey, MatchRecord, Termination
from league.platform import HAS_SANDBOX, children
from league.platform.linux import BOUNDS_PIDS
from league.registration.source_snapshot import take_snapshot
from league.seats.process.environment import BotEnvironment, files_of_game
from league.seats.process.isolation import why_no_sandbox
from league.seats.process.namespace import why_no_namespace
from tests.league.command import below
from tests.league.seats.hostile_bots import (
    CASES,
    LIMITS,
    NAMESPACE,
    NONE,
    SANDBOX,
    Case,
    Level,
    table,
)
from tests.paths import BAD_BOTS, DOCS
from tests.processes import computed_s, is_computing, marked, named, state_of
from tests.waiting import ENDLESS_S, PATIENCE_S

OWN_NAMESPACE = Path("/proc/self/ns/pid")

HANG_S = 0.15
"""The time for a move of a bot that never answers, and so runs out of it on any machine."""

GAME = "connectfour"

COMPUTING_S = 3.0
"""How much the referee may compute in two matches, whatever a bot writes to it."""

MISSING = {NAMESPACE: why_no_namespace(), SANDBOX: why_no_sandbox()}
"""Why a level can't be tried here, '' if it can."""

STRONGEST = next((level for level in (SANDBOX, NAMESPACE) if not MISSING[level]), LIMITS)

DANGEROUS = {
    *(() if BOUNDS_PIDS else (("fork_bomb", NAMESPACE),)),
    *(
        (name, level)
        for name in ("fork_bomb", "kills_parent", "stops_parent", "traces_parent")
        for level in (NONE, LIMITS)
    ),
}
"""What the machine or the worker that the cases share may not live through; see test_isolation."""


def _cases() -> Iterator[object]:
    for level in Level:
        for case in CASES:
            if (case.name, level) not in DANGEROUS:
                marks = [pytest.mark.alone] if case.name == "fork_bomb" else []
                yield pytest.param(case, level, level, id=f"{level}-{case.name}", marks=marks)


class Zoo:
    """A worker with a mark by which all the processes below it are known."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.database = folder / "league.db"
        self.database.write_bytes(b"the league")
        self.game = folder / "hosted" / "four.py"
        self.game.parent.mkdir()
        self.game.write_text("from games.connectfour import GAME\n")
        for name in ("league-1.backup", "token", "mine.py"):
            (self.game.parent / name).write_text("not for bots")
        self.scratch = folder / "scratch"
        self.scratch.mkdir()
        self._pool: LocalPool | None = None

    def play(self, case: Case, level: Level, *, bad_seat: int = 0) -> list[MatchRecord]:
        """Play the case against a harmless bot, then the harmless bot against itself."""
        limits = Limits(
            move_s=HANG_S if case.ending(level) is Termination.TIME_FORFEIT else ENDLESS_S,
            grace_s=0.1,
            start_s=ENDLESS_S,
            memory_mb=256,
            isolation=level.isolation,
            may_ponder=case.is_frozen and level is NONE,
        )
        bad = _version(case.name, 1, **({"target": self.target(case)} if case.target else {}))
        good = _version("slow" if case.is_frozen else "first", 2)
        lineup = (bad, good) if bad_seat == 0 else (good, bad)
        game = str(self.game) if case.target == "game" else GAME
        jobs = [
            _job(0, lineup, limits)._replace(game=game),
            _job(1, (_version("first", 2),) * 2, replace(limits, move_s=ENDLESS_S)),
        ]
        results = self.results_of(jobs)
        assert [result.void for result in results] == ["", ""]
        return [result.match.record() for result in results if result.match]

    def target(self, case: Case) -> str:
        """Return what the case is after."""
        found = {"file": self.database, "port": self.port, "game": self.game}
        return str({**found, "namespace": _namespace()}[case.target])

    @property
    def pool(self) -> LocalPool:
        """The worker, started when it is first needed."""
        if self._pool is None:
            environment = BotEnvironment(
                hidden=(self.database,),
                readable=files_of_game(str(self.game)),
                scratch=self.scratch,
                allows_namespaces=self.allows_namespaces,
            )
            self._pool = LocalPool(1, cores_each=0, starts=None, environment=environment, log=None)
        return self._pool

    def results_of(self, jobs: list[MatchJob]) -> list[JobResult]:
        """Play matches in the worker; a bot must not make it late."""
        most = 10 if jobs[0].versions[0].name in REPEATED else 1
        future = self.pool.submit(jobs)
        (worker,) = self.pool.pids
        begin, before_s = time.monotonic(), computed_s(worker)
        while not future.done():
            assert time.monotonic() - begin < most * PATIENCE_S
            self.pool.done(1.0)
        assert computed_s(worker) - before_s < most * COMPUTING_S
        return self.pool.results(future)

    def strays(self) -> list[str]:
        """List the processes that bots have started and left to the worker."""
        (worker,) = self.pool.pids
        bots = [pid for pid in children(worker) if state_of(pid)]
        # The first process of each bot leads a session.
        return [f"{pid} {named(pid)}" for pid in bots if os.getsid(pid) != pid]

    def computing(self) -> list[str]:
        """List the bots' processes that compute."""
        (worker,) = self.pool.pids
        return [f"{pid} {named(pid)}" for pid, _ in below(worker) if is_computing(pid)]

    port = 0
    allows_namespaces = True

    def end(self) -> None:
        """End the worker as a tournament does at its end."""
        if self._pool is not None:
            self._pool.end()
            self._pool = None


def _version(name: str, number: int, **options: str) -> BotVersion:
    return replace(take_snapshot(name, str(BAD_BOTS / f"{name}.py"), options), id=number)


def _job(number: int, lineup: tuple[BotVersion, ...], limits: Limits) -> MatchJob:
    return MatchJob(
        key=MatchKey(number, 0),
        tournament=1,
        game=GAME,
        versions=lineup,
        opening=(),
        limits=limits,
        seed=1,
    )


def _namespace() -> str:
    return str(OWN_NAMESPACE.readlink()) if HAS_SANDBOX else ""


@contextmanager
def _listening() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


@pytest.fixture(scope="module")
def zoo(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Zoo]:
    """Yield the worker that the cases of a level share, in a cache that marks its processes.

    At the level of limits it has no namespaces, as on a machine without them.
    """
    folder = tmp_path_factory.mktemp("zoo")
    with pytest.MonkeyPatch.context() as patch, _listening() as port:
        patch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
        (folder / "mark").mkdir()
        patch.syspath_prepend(str(folder / "mark"))
        made = Zoo(folder)
        made.allows_namespaces = request.param is not LIMITS
        made.port = port
        yield made
        made.end()
        assert _running(folder) == []


def _running(folder: Path) -> list[str]:
    """List the commands of processes that were started with `folder` to look for modules in."""
    deadline = time.monotonic() + PATIENCE_S
    while (found := marked(str(folder))) and time.monotonic() < deadline:
        time.sleep(0.02)
    return [f"{pid} {named(pid)}" for pid in found]


@pytest.mark.slow
@pytest.mark.parametrize(("case", "level", "zoo"), list(_cases()), indirect=["zoo"])
def test_a_hostile_bot_harms_itself_alone(case: Case, level: Level, zoo: Zoo) -> None:
    if reason := MISSING.get(level):
        pytest.skip(reason)
    zoo.database.write_bytes(b"the league")
    record, after = zoo.play(case, level)
    assert record.termination == case.ending(level), record
    if record.termination.is_fault:
        assert record.fault_seat == 0
        assert case.ends_at.get(level) or case.detail in record.detail, record.detail
    got_in = [move for move in record.moves if move.report and move.report.text == "got in"]
    is_stopped = level.holds(case.stopped_at)
    if case.stopped_at is not NONE and case.ends is Termination.RULES and case.name not in UNSEEN:
        assert bool(got_in) != is_stopped, [move.report for move in record.moves]
    if case.is_frozen:
        assert bool(got_in) == (level is NONE)
    if is_stopped:
        assert zoo.database.read_bytes() == b"the league"
    told = sum(len(move.report.text) + len(move.report.pv) for move in record.moves if move.report)
    assert told + len(record.log) < 64 << 10
    # The opponent is unharmed, and nothing that the bot left behind computes beside the next match.
    assert after.termination is Termination.RULES
    assert zoo.strays() == []
    if case.is_frozen and level is NONE:
        # It may ponder, and would do so beside the cases that follow.
        zoo.end()


@pytest.mark.slow
@pytest.mark.parametrize("zoo", [STRONGEST], indirect=True)
def test_the_bot_that_moved_last_stands_still_until_its_worker_has_a_match(zoo: Zoo) -> None:
    thief = _version("steals_time", 1)
    limits = Limits(move_s=ENDLESS_S, start_s=ENDLESS_S, isolation=STRONGEST.isolation)
    (result,) = zoo.results_of([_job(0, (thief, thief), limits)])
    assert result.match
    assert zoo.computing() == []


@pytest.mark.slow
def test_no_descriptor_is_left_open(tmp_path: Path) -> None:
    fresh = Zoo(tmp_path)
    counts = []
    names = ("exits", "floods_output", "writes_pipe")
    try:
        for name in names * 2:
            (case,) = [each for each in CASES if each.name == name]
            fresh.play(case, STRONGEST)
            (worker,) = fresh.pool.pids
            with suppress(PermissionError):
                # Only root may look into a process that forbids tracing.
                counts.append(len(list(Path(f"/proc/{worker}/fd").iterdir())))
    finally:
        fresh.end()
    # A bot that is kept between matches has a few files of /proc open, sometimes more of them.
    assert max(counts[len(names) :], default=0) <= max(counts[: len(names)], default=0), counts


def test_the_documentation_shows_this_zoo() -> None:
    text = (DOCS / "explanation" / "isolation.md").read_text()
    assert text.endswith("\n".join(table()) + "\n")


def test_the_documentation_says_what_holds_at_which_level() -> None:
    rows = [
        line.split("|")[2:-1]
        for line in (DOCS / "explanation" / "isolation.md").read_text().splitlines()
    ]
    (head,) = (row for row in rows if len(row) == 5 and row[-1].strip() == "tried by")
    begin = rows.index(head) + 2
    cases = {case.name: case for case in CASES}
    tried = set()
    for *cells, names in rows[begin : begin + rows[begin:].index([])]:
        for name in names.replace("`", "").split(","):
            case = cases[name.strip()]
            expected = ["yes" if level.holds(case.stopped_at) else "no" for level in Level]
            assert [cell.strip() for cell in cells] == expected, name
            tried.add(case.name)
    assert tried >= {case.name for case in CASES if case.stopped_at is not NONE}


def test_every_case_is_a_file_and_every_file_a_case() -> None:
    files = {path.stem for path in BAD_BOTS.glob("*.py")} - {"__init__", *NO_CASES}
    assert {case.name for case in CASES} == files


NO_CASES = {"first", "slow", "remembers", "pipe", "breaking_in", "hangs_at_import", "never_ends"}
"""Harmless bots, what the others share, one that never comes to a match, and a program."""


REPEATED = {"kills_itself", "kills_group"}
"""Cases that look like a kill from outside, and are played ten times."""

UNSEEN = {"detaches", "leaves_files"}
"""Cases that do succeed at their time, and are seen by what is left when it is over."""
