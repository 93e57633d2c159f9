"""A month in an hour: hostile bots, kills, stops, locks, full disks and load, until it is over.

The short form runs by default, the whole one with `SOAK=whole`; `SOAK_SEED=2` draws otherwise.
"""

import math
import os
import random
import signal
import statistics
import subprocess
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from league.analysis.standings import Anchor, standings
from league.analysis.verify import verify
from league.model.errors import UnavailableError, UnknownRowError
from league.model.records import MatchRecord, Termination
from league.registration.register import register
from league.store.rows import MatchRow
from league.store.settings import SALT
from league.store.store import Store, open_store
from tests.league.command import below, start
from tests.league.disturbances import (
    BOT,
    PARENT,
    RUNNER,
    WORKER,
    Disturbance,
    Site,
    busy_machine,
    fill,
    full_disk,
    kills,
    locked_file,
    locked_tables,
    restarted_server,
    small_disk,
    stops,
)
from tests.league.in_process import run_here
from tests.league.postgres import emptied
from tests.league.seats.hostile_bots import CASES
from tests.league.tournament.test_kills import wait_for_bots
from tests.league.vitals import Vitals
from tests.paths import BAD_BOTS
from tests.processes import adopting, named
from tests.waiting import PATIENCE_S, wait_until

IS_WHOLE = os.environ.get("SOAK") == "whole"
SEED = int(os.environ.get("SOAK_SEED", "1"))

SEARCHES = [
    f"{name}:depth={depth},ties={ties}{more}"
    for name, more in (("alphabeta", ",fast=no"), ("minimax", ""), ("iterative", ""), ("pvs", ""))
    for depth in (1, 2, 3)
    for ties in ("first", "random")
]
HONEST = ["random", "greedy", "greedy:ties=random"]
HONEST += [
    f"mcts:simulations={count},rollout={rollout}"
    for count in (2, 5, 10, 20, 40, 80)
    for rollout in ("random", "greedy")
]
HONEST += [spec for spec in SEARCHES if spec != "minimax:depth=3,ties=random"]
HONEST += ["nodelist:depth=2", "quiescence:depth=1"]
"""Forty bots of different strength that need neither much time nor, for their moves, any clock."""

HOSTILE = [
    *(
        "loops",
        "kills_itself",
        "steals_time",
        "floods_log",
        "holds_lock",
        "ignores_signals",
        "forks",
    ),
    *("detaches", "floods_output", "answers_early", "answers_twice", "half_a_line", "bad_bytes"),
    *("deep_json", "writes_pipe", "closes_pipes", "segfaults", "mutates", "eats_memory", "ponders"),
]
LOSERS = {case.name for case in CASES if case.ends is not Termination.RULES} - {"answers_early"}
"""Whoever can only lose to an honest bot; early answers fill a column, and four in it may win."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Soak:
    """How much of everything: bots, rounds, and disturbances."""

    honest: Sequence[str]
    hostile: Sequence[str]
    rounds: int
    disturbances: int

    @property
    def bots(self) -> dict[str, str]:
        """The specs of all bots by name, the honest ones first."""
        honest = {spec.partition(":")[0] + f"-{at}": spec for at, spec in enumerate(self.honest)}
        return honest | {name: str(BAD_BOTS / f"{name}.py") for name in self.hostile}

    @property
    def matches(self) -> int:
        """The number of matches: every two bots, in both seats."""
        return self.rounds * math.perm(len(self.bots), 2)


WHOLE = Soak(honest=HONEST, hostile=HOSTILE, rounds=1, disturbances=300)
SHORT = Soak(honest=HONEST[::5], hostile=HOSTILE[:4], rounds=1, disturbances=15)
"""Every kind of disturbance three times, each for up to as long as in the whole form."""

EVERYWHERE: dict[str, tuple[Disturbance, float]] = {
    "kill": (kills(RUNNER, PARENT, WORKER, WORKER, BOT, BOT, BOT), 0.0),
    "stop": (stops(RUNNER, WORKER, WORKER), 4.0),
    "load": (busy_machine, 5.0),
}
"""What befalls every league, and for how many seconds at most."""

FILE = EVERYWHERE | {"lock": (locked_file, 14.0)}
SERVER = EVERYWHERE | {"lock": (locked_tables, 14.0), "restart": (restarted_server, 3.0)}

MEMORY_KB = 400 << 10
DESCRIPTORS = 400
MATCH_BYTES = 4 << 10
LEAGUE_BYTES = 12 << 20
"""An empty database on a server has eight megabytes."""

DISK_MB = 96

ONCE_IN = 1000
"""How often the ratings of two runs may differ by chance alone."""

EXCUSES = ("is locked by another process", "no room on the disk", "the server", "was void")
"""Why a run may end with exit code 1 here: each can be resumed."""


@dataclass(slots=True)
class Troubles:
    """Disturbances to come, each from so many stored matches on, and those that last."""

    site: Site
    kinds: Mapping[str, tuple[Disturbance, float]]
    due: list[tuple[int, str]]
    lasting: dict[str, tuple[float, ExitStack]] = field(default_factory=dict)
    seen: Counter[str] = field(default_factory=Counter)

    @classmethod
    def drawn(
        cls, site: Site, kinds: Mapping[str, tuple[Disturbance, float]], soak: Soak
    ) -> "Troubles":
        """Draw them all over the tournament but its end, every kind as often."""
        names = [list(kinds)[at % len(kinds)] for at in range(soak.disturbances)]
        site.source.shuffle(names)
        last = int(0.9 * soak.matches)
        return cls(site, kinds, [(at * last // len(names), name) for at, name in enumerate(names)])

    def meddle(self, played: int) -> None:
        """End what has lasted, and begin what is due; the same thing never twice at once."""
        now = time.monotonic()
        for name, (end_s, stack) in list(self.lasting.items()):
            if now > end_s:
                del self.lasting[name]
                stack.close()
        if self.due and self.due[0][0] <= played and self.due[0][1] not in self.lasting:
            _, name = self.due[0]
            disturbance, longest_s = self.kinds[name]
            stack = ExitStack()
            self.lasting[name] = (now + self.site.source.uniform(0, longest_s), stack)
            if stack.enter_context(disturbance(self.site)):
                del self.due[0]
                self.seen[name] += 1
            else:
                # A process that was to be hit was gone: tried again in a moment.
                self.lasting.pop(name)[1].close()

    def end(self) -> None:
        """End all that lasts."""
        while self.lasting:
            self.lasting.popitem()[1][1].close()


def played(target: str, before: int) -> int:
    """Return how many matches are stored, or `before` while nobody can tell."""
    try:
        with open_store(target, read_only=True) as store:
            return store.tournaments.get(1).played
    except (UnavailableError, UnknownRowError):
        return before


def play(site: Site, soak: Soak, troubles: Troubles, vitals: Vitals) -> None:
    """Play the tournament to its end, resuming it whenever it was ended."""
    process = start(
        site.folder,
        *("run", "--game", "connectfour", "--bots", ",".join(soak.bots), "-q"),
        *("--rounds", str(soak.rounds), "--seed", str(SEED), "--workers", "2"),
        # Nodes that nobody needs: without any limit, moves would have a time.
        *("--nodes", "1000000", "--cap", "300ms", "--memory", "256M"),
    )
    target, done, grown_s = site.target, 0, time.monotonic()
    try:
        # Bots are no sign of a tournament: the sandbox is tried out before it is made.
        wait_until(lambda: played(target, -1) >= 0)
        wait_for_bots(process.pid)
        while True:
            site.runner = process.pid
            if process.poll() is not None:
                if not is_to_resume(process):
                    break
                process = start(site.folder, "resume", "1", "--workers", "2", "-q")
                continue
            before, done = done, played(target, done)
            grown_s = time.monotonic() if done > before else grown_s
            assert time.monotonic() < grown_s + PATIENCE_S, f"stuck after {done} matches"
            vitals.look(process.pid)
            troubles.meddle(done)
            time.sleep(site.source.uniform(0.02, 0.2))
    finally:
        troubles.end()
        process.kill()
        process.communicate()
    assert not troubles.due, "the tournament ended before all disturbances"


def is_to_resume(process: "subprocess.Popen[str]") -> bool:
    """Whether a run ended before its tournament did, for a reason that it may have here."""
    _, err = process.communicate()
    if process.returncode == 0:
        return False
    is_excused = process.returncode == 1 and any(excuse in err for excuse in EXCUSES)
    assert process.returncode == -signal.SIGKILL or is_excused, err
    assert "Traceback" not in err
    return True


def play_quietly(folder: Path, soak: Soak, like: Store) -> Store:
    """Play the same tournament without the hostile bots, and without processes."""
    config = like.tournaments.get(1).config
    absent = range(len(soak.honest), len(soak.bots))
    store = open_store(str(folder / "quiet.db"), create=True)
    store.settings.set(SALT, like.settings.get(SALT, ""))
    register_all(store, soak)
    # So that every bot keeps its place, and every match its seed.
    config = replace(config, withdrawn=tuple((each, 0) for each in absent))
    store.tournaments.add(config, soak.rounds * math.perm(len(soak.honest), 2))
    run_here(store, 1)
    return store


def register_all(store: Store, soak: Soak) -> None:
    """Register the bots."""
    for name, spec in soak.bots.items():
        register(store, name, spec, options={}, is_checked=False)


def records(store: Store) -> Iterator[tuple[MatchRow, MatchRecord, list[str]]]:
    """Yield all matches with the names of their bots."""
    for match in store.matches.numbers():
        row, record = store.matches.get(match)
        yield row, record, [each.bot for each in row.versions]


def check_matches(store: Store, quiet: Store, soak: Soak) -> None:
    """Check that honest bots lost nothing by all this, and hostile ones won nothing."""
    assert verify(store) == (soak.matches, [])
    hostile = set(soak.hostile)
    expected = {(*names, record.opening): record for _, record, names in records(quiet)}
    for row, record, names in records(store):
        told = f"match {row.id} of {names}: {record.termination}: {record.detail}"
        if record.fault_seat is not None:
            assert names[record.fault_seat] in hostile, told
        if hostile.isdisjoint(names):
            same = expected.pop((*names, record.opening))
            assert [each.move for each in record.moves] == [each.move for each in same.moves], told
            assert record.scores == same.scores
        elif not hostile.issuperset(names):
            for name, score in zip(names, record.scores, strict=True):
                assert score == 0 or name not in LOSERS, told
    assert not expected


def check_ratings(store: Store, quiet: Store, soak: Soak) -> None:
    """Check that no honest bot's rating differs by more than chance makes it once in a thousand.

    A two-sided z-test for each bot but the anchor, with Bonferroni's bound on their number. The two
    runs share the matches between honest bots, so that they differ by less than it allows.
    """
    anchor = Anchor(next(iter(soak.bots)), 0.0)
    rated = [
        {row.bot: row for row in standings(each, "connectfour", 1, anchor=anchor).rows}
        for each in (store, quiet)
    ]
    others = list(soak.bots)[1 : len(soak.honest)]
    normal = statistics.NormalDist()
    factor = normal.inv_cdf(1 - 1 / (2 * ONCE_IN * len(others))) / normal.inv_cdf(0.975)
    for name in others:
        one, other = (each[name] for each in rated)
        assert one.error is not None
        assert other.error is not None
        allowed = factor * math.hypot(one.error, other.error)
        assert abs(one.rating - other.rating) < allowed, (name, one, other)


@contextmanager
def nothing_left() -> Iterator[None]:
    """Check that no process is left of those that begin meanwhile, the server's own aside."""

    def strays() -> list[str]:
        found = [pid for pid, _ in below(os.getpid()) if pid not in before]
        return [name for name in map(named, found) if name and "postgres" not in name]

    with adopting():
        before = {pid for pid, _ in below(os.getpid())}
        yield
        wait_until(lambda: not strays())


def check_rest(site: Site, temporary: Path, store: Store, vitals: Vitals) -> None:
    """Check that nothing has grown without bound, and nothing lies about."""
    assert max(vitals.memory_kb.values()) < MEMORY_KB
    assert max(vitals.descriptors.values()) < DESCRIPTORS
    assert not list(temporary.rglob("*"))
    assert {path.name for path in site.folder.iterdir()} <= {"league.db", "league.log"}
    assert site.size() < LEAGUE_BYTES + store.tournaments.get(1).played * MATCH_BYTES


def soak_it(site: Site, soak: Soak, kinds: Mapping[str, tuple[Disturbance, float]]) -> None:
    """Play a tournament under all disturbances, then hold it against a quiet one."""
    quiet_folder = site.folder.parent
    temporary = quiet_folder / "temporary"
    troubles, vitals = Troubles.drawn(site, kinds, soak), Vitals()
    with open_store(site.target, create=True) as store:
        register_all(store, soak)
    begin_s = time.monotonic()
    with nothing_left():
        play(site, soak, troubles, vitals)
    took_s = time.monotonic() - begin_s
    with open_store(site.target) as store, play_quietly(quiet_folder, soak, store) as quiet:
        print(  # noqa: T201 (what is bounded, in numbers)
            f"seed {SEED}: {soak.matches} matches in {took_s:.0f} s, {dict(troubles.seen)}, "
            f"kB {dict(vitals.memory_kb)}, descriptors {dict(vitals.descriptors)}, "
            f"{site.size() / soak.matches:.0f} bytes a match"
        )
        check_matches(store, quiet, soak)
        check_ratings(store, quiet, soak)
        check_rest(site, temporary, store, vitals)


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Site:
    """Return an empty league's folder, with all temporary files and the user's state beside it."""
    for name, variable in (("temporary", "TMPDIR"), ("state", "XDG_STATE_HOME"), ("league", "")):
        (tmp_path / name).mkdir()
        if variable:
            monkeypatch.setenv(variable, str(tmp_path / name))
    return Site(tmp_path / "league", random.Random(SEED))


@pytest.mark.slow
@pytest.mark.soak
def test_a_month_in_an_hour(site: Site) -> None:
    soak = WHOLE if IS_WHOLE else SHORT
    with small_disk(site.folder, DISK_MB) as reason:
        # Without such a disk the next test is skipped, and says why.
        soak_it(site, soak, FILE if reason else FILE | {"full disk": (full_disk, 6.0)})


@pytest.mark.slow
def test_a_disk_can_be_filled_here(tmp_path: Path) -> None:
    with small_disk(tmp_path, 1) as reason:
        if reason:
            pytest.skip(f"the soak leaves out a full disk: {reason}")
        fill(tmp_path / "filler")
        with pytest.raises(OSError, match="No space left"):
            (tmp_path / "more").write_bytes(b"more")


@pytest.mark.slow
@pytest.mark.soak
def test_a_month_in_an_hour_on_a_server(
    site: Site, postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LEAGUE_DB", emptied(postgres))
    site.url = postgres
    soak_it(site, WHOLE if IS_WHOLE else SHORT, SERVER)
