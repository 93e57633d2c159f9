"""Whatever is killed whenever: every match counts once, with the moves of a straight run."""

import os
import random
import signal
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from games.support.specs import find_game
from league.formats.schedule import Schedule
from league.model.records import MatchKey, MatchRecord
from league.store.rows import EncounterRow
from league.store.settings import SALT
from league.store.store import open_store
from tests.examples import soak
from tests.league.command import below, league, start
from tests.league.in_process import Script, run_here
from tests.paths import BAD_BOTS
from tests.processes import computed_s, is_running
from tests.waiting import PATIENCE_S, wait_until

BOTS = {
    "one": "alphabeta:depth=3,fast=no",
    "two": "iterative:depth=3",
    "three": "random",
    "four": "slow.py",
    "five": "greedy",
}
SLOW = """
import time

def choose(state, clock):
    time.sleep(0.02)
    return state.legal_moves()[-1]
"""
"""A tournament with it lasts for seconds, without seconds of computing."""
RUNNER, PARENT, WORKER, BOT = range(4)
"""How far below the runner a process stands."""
ANYBODY = [RUNNER, PARENT, WORKER, WORKER, BOT, BOT, BOT]


def register_all(folder: Path) -> None:
    """Register the bots of this test."""
    (folder / "slow.py").write_text(SLOW)
    for name, spec in BOTS.items():
        league(folder, "register", name, spec, "--no-check")


def play_straight(folder: Path, like: Path) -> None:
    """Play the first tournament of the league in `like` again, without processes to kill."""
    with open_store(str(like / "league.db"), read_only=True) as store:
        config, salt = store.tournaments.get(1).config, store.settings.get(SALT, "")
        versions = [store.bots.versions(config.entrants)[number] for number in config.entrants]
    with open_store(str(folder / "league.db"), create=True) as store:
        store.settings.set(SALT, salt)
        assert tuple(store.bots.register(version).id for version in versions) == config.entrants
        store.tournaments.add(config, Schedule(config, find_game(config.game)).planned)
        run_here(store, 1, scripts={"four": Script(move=lambda state: state.legal_moves()[-1])})


def run_arguments(rounds: int, *limits: str) -> list[str]:
    """Return the command line of the tournament; nothing in it depends on how long moves take."""
    names = ",".join(BOTS)
    return [
        *("run", "--game", "connectfour", "--bots", names, "--rounds", str(rounds)),
        *("--depth", "5", "--seed", "11", "--workers", "2", "-q", *limits),
    ]


def moves_of(folder: Path) -> dict[MatchKey, MatchRecord]:
    """Return every match of the first tournament; two with one key would be an error."""
    with open_store(str(folder / "league.db"), read_only=True) as store:
        found: dict[MatchKey, MatchRecord] = {}
        for match in store.matches.numbers():
            row, record = store.matches.get(match)
            assert row.key not in found
            found[row.key] = record
        assert store.tournaments.get(1).is_finished
    return found


def planned(folder: Path) -> list[EncounterRow]:
    """Return the plan of the first tournament, with the options that a tuning tries."""
    with open_store(str(folder / "league.db"), read_only=True) as store:
        return store.tournaments.encounters(1)


def kill_somebody(source: random.Random, runner: int, generation: int) -> bool:
    """Kill the runner, the parent of its workers, a worker or a bot; say whether one was there."""
    targets = [*below(runner), (runner, RUNNER)]
    chosen = [pid for pid, at in targets if at == generation]
    if not chosen:
        return False
    try:
        os.kill(source.choice(chosen), signal.SIGKILL)
    except ProcessLookupError:
        return False
    return True


def wait_for_bots(runner: int) -> None:
    """Wait until the tournament is in play."""
    wait_until(lambda: any(generation == BOT for _, generation in below(runner)))


def check_kills(tmp_path: Path, rounds: int, kills: Sequence[int], seed: int, *limits: str) -> int:
    """Run once straight and once with `kills`, hold the two against each other, and count."""
    source = random.Random(seed)
    straight, broken = tmp_path / "straight", tmp_path / "broken"
    for folder in (straight, broken):
        folder.mkdir()
    register_all(broken)
    process = start(broken, *run_arguments(rounds, *limits))
    wait_for_bots(process.pid)
    left = list(kills)
    deadline = time.monotonic() + PATIENCE_S
    while True:
        assert time.monotonic() < deadline, "the tournament does not come to its end"
        if process.poll() is not None:
            if process.returncode == 0:
                break
            _, err = process.communicate()
            # 1: stopped, because a match was void again and again under our hands.
            is_stopped = process.returncode == 1 and "tournament 1 stopped" in err
            assert process.returncode == -signal.SIGKILL or is_stopped, err
            process = start(broken, "resume", "1", "--workers", "2", "-q")
        time.sleep(source.uniform(0.05, 0.4))
        if left and kill_somebody(source, process.pid, left[0]):
            del left[0]
    process.communicate()
    assert not left, "the tournament ended before all were killed"
    play_straight(straight, broken)
    expected, found = moves_of(straight), moves_of(broken)
    assert found.keys() == expected.keys()
    assert planned(broken) == planned(straight)
    for key, record in expected.items():
        assert found[key].detail == record.detail
        assert found[key].opening == record.opening
        assert [move.move for move in found[key].moves] == [move.move for move in record.moves]
        assert found[key].scores == record.scores
        assert found[key].termination == record.termination
    for folder in (straight, broken):
        assert "0 findings" in league(folder, "db", "verify")
    return len(found)


def many(count: int, seed: int) -> list[int]:
    """Draw whom to kill."""
    return random.Random(seed).choices(ANYBODY, k=count)


@pytest.mark.slow
def test_a_few_kills(tmp_path: Path) -> None:
    kills = [BOT, WORKER, PARENT, BOT, RUNNER, WORKER, BOT]
    assert check_kills(tmp_path, 1, kills, 1) == 5 * 4


@pytest.mark.slow
def test_a_few_kills_under_clocks_and_by_stages(tmp_path: Path) -> None:
    limits = ("--depth", "3", "--time", "3/30m+10s:2/20m:1h", "--handicap", "two=0.5")
    played = check_kills(tmp_path, 2, [BOT, RUNNER], 2, *limits, "--format", "swiss")
    assert played == 2 * 2 * 2


@pytest.mark.slow
@pytest.mark.parametrize(("rounds", "kills", "seed"), [(6, 9, 0), *soak((40, 60, 1), (40, 60, 2))])
def test_many_kills(tmp_path: Path, rounds: int, kills: int, seed: int) -> None:
    assert check_kills(tmp_path, rounds, many(kills, seed), seed) == rounds * 5 * 4


@pytest.mark.slow
@pytest.mark.parametrize(
    ("schedule", "rounds", "kills"),
    [
        ("adaptive", 8, 5),
        *soak(("adaptive", 40, 30), ("swiss", 60, 10), ("ladder", 40, 30), ("knockout", 60, 10)),
    ],
)
def test_many_kills_by_stages(tmp_path: Path, schedule: str, rounds: int, kills: int) -> None:
    assert check_kills(tmp_path, rounds, many(kills, 5), 5, "--format", schedule)


@pytest.mark.slow
@pytest.mark.parametrize(("rounds", "kills"), [(4, 4), *soak((12, 20))])
def test_kills_leave_a_tuning_on_its_path(tmp_path: Path, rounds: int, kills: int) -> None:
    tuned = ("--format", "spsa:batch=2,test_rounds=4", "--param", "depth=2,1,4,1")
    played = check_kills(tmp_path, rounds, many(kills, 7), 7, *tuned)
    # Each comparison is two encounters, with the same opponent.
    assert played in (rounds * 4, rounds * 4 + 8)


@pytest.mark.slow
def test_nothing_is_left_running_after_a_kill(tmp_path: Path) -> None:
    register_all(tmp_path)
    process = start(tmp_path, *run_arguments(200))
    wait_for_bots(process.pid)
    children = [pid for pid, _ in below(process.pid)]
    process.kill()
    process.communicate()
    wait_until_gone(children)


def has_computed(pid: int) -> bool:
    """Whether a process has computed for a second; it may end while it is looked at."""
    with suppress(psutil.NoSuchProcess):
        return computed_s(pid) > 1
    return False


@pytest.mark.slow
def test_a_looping_bot_ends_with_its_worker(tmp_path: Path) -> None:
    """It never looks at its pipe, so that only the kernel can tell it."""
    for name in ("loops", "first"):
        league(tmp_path, "register", name, str(BAD_BOTS / f"{name}.py"), "--no-check")
    run = ("run", "--game", "connectfour", "--bots", "loops,first", "--depth", "1", "-q")
    process = start(tmp_path, *run, "--workers", "1")
    # Much more than a start computes: the bot was asked.
    wait_until(lambda: any(has_computed(pid) for pid, at in below(process.pid) if at >= BOT))
    children = [pid for pid, _ in below(process.pid)]
    process.kill()
    process.communicate()
    wait_until_gone(children)


def wait_until_gone(pids: list[int]) -> None:
    """Wait until none of the processes runs."""
    wait_until(lambda: not any(is_running(pid) for pid in pids))


UNHURRIED = """
import os, time

def choose(state, clock):
    if not os.path.exists({!r}):
        time.sleep(0.02)
    return state.legal_moves()[-1]
"""


def played(folder: Path) -> int:
    """Return how many matches are stored."""
    with open_store(str(folder / "league.db"), read_only=True) as store:
        return sum(row.played for row in store.tournaments.all())


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_ends_cleanly_and_says_how_to_go_on(tmp_path: Path, number: int) -> None:
    hurry = tmp_path / "hurry"
    (tmp_path / "unhurried.py").write_text(UNHURRIED.format(str(hurry)))
    for name, spec in {"one": "unhurried.py", "two": "random"}.items():
        league(tmp_path, "register", name, spec, "--no-check")
    run = ("run", "--game", "connectfour", "--bots", "one,two", "--rounds", "20", "--cap", "1h")
    limits = ("--isolation", "limits", "--depth", "1")
    process = start(tmp_path, *run, *limits, "--workers", "2", "-q")
    wait_until(lambda: played(tmp_path))
    children = [pid for pid, _ in below(process.pid)]
    process.send_signal(number)
    _, err = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 130
    assert "league resume 1" in err
    assert "Traceback" not in err
    assert not [pid for pid in children if is_running(pid)]
    assert 0 < played(tmp_path) < 40
    hurry.touch()
    league(tmp_path, "resume", "-q")
    assert len(moves_of(tmp_path)) == 40
