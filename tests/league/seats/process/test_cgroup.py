"""Control groups: what is written where, and a real group of a bot where this machine has them."""

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from league.model.records import BotVersion, Isolation, Limits, Termination
from league.platform import core_numbers
from league.seats.process.bot_process import BotProcess, ProcessEnded
from league.seats.process.bot_use import Excess
from league.seats.process.cgroup import CONTROLLERS, BotGroup, bot_groups, delegated
from league.seats.process.environment import BotEnvironment
from league.seats.process.isolation import why_no_sandbox
from league.seats.process.launch import BotCommand, launch
from league.seats.process_seat import fault_of
from league.seats.seat import SeatFault
from tests.processes import state_of
from tests.promises import on_linux
from tests.waiting import PATIENCE_S, wait_until

CORES = len(core_numbers())

pytestmark = on_linux("a control group bounds a bot with its children")


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """Return a folder that looks like this process's group, delegated, in `tmp_path`."""
    lines = Path("/proc/self/cgroup").read_text().splitlines()
    places = [line[3:] for line in lines if line.startswith("0::")]
    if not places:
        pytest.skip("the kernel has no cgroup v2")
    group = tmp_path / places[0].lstrip("/")
    group.mkdir(parents=True, exist_ok=True)
    (group / "cgroup.controllers").write_text("cpuset cpu io memory hugetlb pids")
    (group / "cgroup.procs").write_text(str(os.getpid()))
    (group / "cgroup.subtree_control").write_text("")
    return group


def test_a_delegated_group_is_made_ready_and_given_back(own: Path, tmp_path: Path) -> None:
    assert delegated(tmp_path) == own
    with bot_groups(tmp_path) as groups:
        assert groups == own
        assert (own / "league" / "cgroup.procs").read_text() == str(os.getpid())
        enabled = (own / "cgroup.subtree_control").read_text()
        assert set(enabled.split()) == {f"+{name}" for name in CONTROLLERS}
    given_back = (own / "cgroup.subtree_control").read_text()
    assert set(given_back.split()) == {f"-{name}" for name in CONTROLLERS}


@pytest.mark.parametrize(
    ("name", "text"),
    [("cgroup.controllers", "cpu memory"), ("cgroup.procs", "1\n2"), ("cgroup.procs", "")],
)
def test_a_group_with_others_or_without_controllers_is_left_alone(
    own: Path, tmp_path: Path, name: str, text: str
) -> None:
    (own / name).write_text(text)
    with bot_groups(tmp_path) as groups:
        assert groups is None
    assert not (own / "league").exists()


def test_a_bot_is_bounded_with_its_children(tmp_path: Path) -> None:
    group = BotGroup.made(tmp_path, 300, 256)
    group.enter()
    group.freeze()
    found = {path.name: path.read_text() for path in group.path.iterdir()}
    assert found == {
        "cpu.max": f"{CORES * 100_000} 100000",
        "pids.max": "256",
        "memory.max": str(300 << 20),
        "memory.swap.max": "0",
        "memory.oom.group": "1",
        "cgroup.procs": "0",
        "cgroup.freeze": "1",
    }


def test_a_bot_that_was_ended_for_its_memory_loses_by_that(tmp_path: Path) -> None:
    group = BotGroup(tmp_path)
    assert not group.is_out_of_memory
    (tmp_path / "memory.events").write_text("low 0\nhigh 0\nmax 3\noom 1\noom_kill 0\n")
    assert not group.is_out_of_memory
    (tmp_path / "memory.events").write_text("low 0\nhigh 0\nmax 3\noom 1\noom_kill 2\n")
    assert group.is_out_of_memory
    ended = ProcessEnded(-9, excess=Excess.MEMORY)
    fault = fault_of(ended, BotVersion("bot", "bot.py"), 512)
    assert isinstance(fault, SeatFault)
    assert fault.termination is Termination.MEMORY_LIMIT
    assert fault.detail.endswith(": more than 512M (see --memory)")


@pytest.fixture
def real() -> Iterator[Path]:
    """Yield a group of the kernel's for groups of bots, without controllers."""
    for line in Path("/proc/self/mountinfo").read_text().splitlines():
        if " - cgroup2 " in line:
            folder = Path(line.split()[4]) / f"botleague-test-{os.getpid()}"
            try:
                folder.mkdir()
            except OSError:
                continue
            yield folder
            folder.rmdir()
            return
    pytest.skip("no control group can be made here")


@pytest.mark.parametrize("level", [Isolation.LIMITS, Isolation.SANDBOX])
def test_all_processes_of_a_bot_are_in_its_group(level: Isolation, real: Path) -> None:
    if level is Isolation.SANDBOX and (reason := why_no_sandbox()):
        pytest.skip(reason)
    script = "setsid sh -c 'sleep 77 & echo up; wait' & wait"
    command = BotCommand(words=["/bin/sh", "-c", script])
    process = launch(command, Limits(isolation=level), BotEnvironment(groups=real))
    assert _line(process) == "up"
    (folder,) = (path for path in real.iterdir() if path.is_dir())
    group = BotGroup(folder)
    pids = [int(each) for each in (folder / "cgroup.procs").read_text().split()]
    assert len(pids) >= 4
    group.freeze()
    wait_until(lambda: "frozen 1" in (folder / "cgroup.events").read_text())
    group.thaw()
    process.kill()
    assert not folder.exists()
    assert not any(map(state_of, pids))


def _line(process: BotProcess) -> str:
    return process.read_line(time.monotonic_ns() + int(PATIENCE_S * 1e9)).decode()
