"""The intake's processes: checkers that die are replaced, and nothing confirmed is lost."""

import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from league.hosting.model.season import ChallengeState, Submission, SubmissionState
from league.hosting.season import intake
from league.hosting.season.intake import CRASHED, TOO_LONG, receive, serve
from league.hosting.season.practice import ask
from league.hosting.store.host_store import HostStore, open_host_store
from league.model.errors import SetupError
from league.model.records import Isolation
from league.registration.register import register
from league.seats.process.isolation import why_no_sandbox
from tests.league.command import below
from tests.league.hosting.season.hosting import GOOD, SETTINGS, add_author, season_of
from tests.paths import ROOT
from tests.waiting import PATIENCE_S, wait_until

LEVEL = Isolation.LIMITS if why_no_sandbox() else Isolation.SANDBOX

THINKS = """\
import time

def choose(state, clock):
    time.sleep(1.0)
    return state.legal_moves()[0]
"""

WAITS = """\
import time

def choose(state, clock):
    time.sleep(3600)
"""


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[HostStore]:
    """Make a league whose checkers know a season, and whose bots have a cache of their own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(ROOT)
    with open_host_store(str(tmp_path / "league.db"), create=True) as made:
        made.seasons.create(SETTINGS)
        yield made


def submit(store: HostStore, name: str, text: str = GOOD.format(0)) -> Submission:
    """Let a new team submit a file."""
    author = add_author(store, name)
    return receive(store, season_of(), author, "mine.py", text.encode(), {}, 0)


@contextmanager
def running(store: HostStore, beat: Callable[[dict[str, object]], None]) -> Iterator[None]:
    """Run an intake in a thread."""
    ending = threading.Event()
    thread = threading.Thread(
        target=serve,
        args=(store,),
        kwargs={"isolation": LEVEL, "beat": beat, "ending": ending},
    )
    thread.start()
    try:
        yield
    finally:
        ending.set()
        thread.join()


def checkers() -> list[int]:
    """List the processes of checkers below this one."""
    found = []
    for pid, generation in below(os.getpid()):
        try:
            words = psutil.Process(pid).cmdline()
        except psutil.Error:
            continue
        if generation == 1 and intake.PROGRAM in words:
            found.append(pid)
    return found


def is_checking(store: HostStore, number: int) -> bool:
    """Whether a checker has a submission."""
    return store.submissions.get(number).state is SubmissionState.CHECKING


@pytest.mark.slow
def test_a_checker_that_is_killed_twice_at_a_bot_refuses_it(store: HostStore) -> None:
    beats: list[dict[str, object]] = []
    bad = submit(store, "bad", WAITS)
    with running(store, beats.append):
        good = submit(store, "good")
        for attempt in (1, 2):
            wait_until(lambda: is_checking(store, bad.id))
            assert store.submissions.get(bad.id).attempts == attempt
            wait_until(lambda: {"received": 1, "checking": 1} in beats)
            (checker,) = checkers()
            os.kill(checker, signal.SIGKILL)
            wait_until(lambda: not is_checking(store, bad.id))
        wait_until(lambda: store.submissions.get(good.id).state is SubmissionState.PLAYING)
    found = store.submissions.get(bad.id)
    assert (found.state, found.message) == (SubmissionState.REFUSED, CRASHED)
    assert checkers() == []


@pytest.mark.slow
def test_an_intake_that_ends_costs_no_attempt(store: HostStore) -> None:
    made = submit(store, "ann", WAITS)
    with running(store, lambda state: None):
        wait_until(lambda: is_checking(store, made.id))
    found = store.submissions.get(made.id)
    assert (found.state, found.attempts) == (SubmissionState.RECEIVED, 0)


@pytest.mark.slow
def test_what_an_earlier_intake_had_is_checked_at_once(store: HostStore) -> None:
    made = submit(store, "ann", WAITS)
    tomorrow_ms = (int(time.time()) + 24 * 3600) * 1000
    assert store.submissions.claim_next("intake-7", tomorrow_ms) == store.submissions.get(made.id)
    with running(store, lambda state: None):
        wait_until(lambda: store.submissions.get(made.id).attempts == 2)


@pytest.mark.slow
def test_a_check_without_end_is_stopped(store: HostStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(intake, "CHECK_S", 0.0)
    monkeypatch.setattr(intake, "RENEW_S", 0.1)
    made = submit(store, "ann", WAITS)
    with running(store, lambda state: None):
        wait_until(lambda: store.submissions.get(made.id).state is SubmissionState.REFUSED)
    found = store.submissions.get(made.id)
    assert (found.message, found.attempts) == (TOO_LONG.format(0), 1)


def test_nothing_is_checked_below_the_isolation_asked_for(
    store: HostStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(level: Isolation) -> None:
        raise SetupError("isolation sandbox does not work here")

    monkeypatch.setattr(intake, "require", refuse)
    with pytest.raises(SetupError, match="does not work here"):
        serve(store, ending=threading.Event())


def played(store: HostStore, number: int) -> list[int]:
    """List the finished matches of a challenge."""
    return [each.number for each in store.challenges.matches([number])[number]]


@pytest.mark.slow
def test_a_checker_that_is_killed_in_a_challenge_plays_each_match_once(store: HostStore) -> None:
    season = store.seasons.get()
    assert season is not None
    store.seasons.update(season.id, settings=replace(SETTINGS, house_bots=("random",), move_s=2.0))
    register(store, "random", "random", options={}, is_checked=False)
    author = add_author(store, "ann")
    receive(store, season, author, "mine.py", THINKS.encode(), {}, 0)
    made = ask(store, store.seasons.get(), author, "random", 1)
    with running(store, lambda state: None):
        wait_until(lambda: bool(store.challenges.claims()))
        for matches in (0, 1):
            wait_until(lambda done=matches: len(played(store, made.id)) == done)  # type: ignore[misc]
            wait_until(lambda: bool(store.challenges.claims()))
            (checker,) = checkers()
            os.kill(checker, signal.SIGKILL)
        wait_until(lambda: store.challenges.get(made.id).state.is_decided)
    found = store.challenges.get(made.id)
    assert (found.state, found.message, found.played) == (ChallengeState.PLAYED, "", 2)
    assert played(store, made.id) == [1, 2]
    assert store.matches.page() == ()


@pytest.mark.slow
def test_kills_of_the_intake_lose_nothing(store: HostStore) -> None:
    """Kill the intake or a process below it at random moments, and start it again."""
    chance = random.Random(5)
    expected = {}
    for number in range(20):
        text = GOOD.format(-(number % 2)) if number % 3 else "def choose(state, clock)\n"
        expected[submit(store, f"team{number}", text).id] = number % 3 != 0
    command = [sys.executable, "-m", "tests.league.hosting.season.intake_process", str(store.path)]
    kills = 0
    process = subprocess.Popen(command)
    try:
        end_s = time.monotonic() + PATIENCE_S * 2
        while any(not each.state.is_decided for each in store.submissions.page(limit=100)):
            assert time.monotonic() < end_s
            time.sleep(chance.uniform(1.0, 4.0))
            if kills < 12:
                victims = [process.pid, *(pid for pid, _ in below(process.pid))]
                victim = process.pid if kills % 2 else chance.choice(victims)
                kills += 1
                try:
                    os.kill(victim, signal.SIGKILL)
                except ProcessLookupError:
                    continue
            if process.poll() is not None or not psutil.Process(process.pid).is_running():
                process = subprocess.Popen(command)
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(PATIENCE_S)
    found = store.submissions.page(limit=100)
    assert len(found) == len(expected)
    disturbed = [
        each for each in found if each.message == CRASHED or "kill" in each.message.lower()
    ]
    # Each of them takes two kills.
    assert len(disturbed) <= kills // 2
    for each in found:
        if each not in disturbed:
            is_good = each.state is SubmissionState.PLAYING
            assert is_good == expected[each.id], each
    assert all(len(bot.versions) == 1 for bot in store.bots.all())
