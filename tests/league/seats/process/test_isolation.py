"""What each level gives a bot, and what it keeps from it."""

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from functools import partial
from pathlib import Path

import psutil
import pytest

from games.support.specs import find_game
from league.model.errors import SetupError
from league.model.records import Isolation, Limits, TournamentConfig
from league.platform import HAS_SANDBOX
from league.registration.source_snapshot import take_snapshot
from league.seats.bot_specs import make_seat
from league.seats.process import isolation
from league.seats.process.bot_process import BotProcess, ProcessEnded
from league.seats.process.bot_use import Excess
from league.seats.process.environment import (
    NO_ENVIRONMENT,
    BotEnvironment,
    StartSlots,
    files_of_game,
)
from league.seats.process.idle_bots import IdleBots
from league.seats.process.launch import BotCommand, launch
from league.seats.process.namespace import why_no_namespace
from league.seats.process.rooms import ROOM_FILES, ROOMS
from league.seats.process.sandbox_handshake import SandboxHandshake
from league.seats.python.python_seat import PythonSeat
from league.seats.seat import MoveBudget, SeatFault
from league.store.store import open_store
from tests.league.command import league
from tests.league.seats.seating import seated
from tests.paths import BAD_BOTS, EXAMPLES
from tests.processes import is_tracing_restricted, marked, parent_of, state_of
from tests.promises import on_linux
from tests.waiting import ENDLESS_S, PATIENCE_S, wait_until

LEVELS = [
    Isolation.NONE,
    Isolation.LIMITS,
    pytest.param(
        Isolation.SANDBOX,
        marks=pytest.mark.skipif(
            bool(isolation.why_no_sandbox()), reason=isolation.why_no_sandbox() or "it works"
        ),
    ),
]
needs_sandbox = pytest.mark.skipif(
    bool(isolation.why_no_sandbox()), reason=isolation.why_no_sandbox() or "it works"
)

PROGRAMS = EXAMPLES / "connectfour"


def run(
    level: Isolation,
    script: str,
    folder: Path,
    *readable: Path,
    environment: BotEnvironment = NO_ENVIRONMENT,
) -> BotProcess:
    """Start a shell script as a bot's program."""
    limits = Limits(isolation=level, memory_mb=200)
    command = BotCommand(
        words=["/bin/sh", "-c", script], folder=folder, readable=readable or [folder]
    )
    return launch(command, limits, environment)


def line_of(process: BotProcess) -> str:
    """Return the next line of a program."""
    return process.read_line(time.monotonic_ns() + int(PATIENCE_S * 1e9)).decode()


def said(process: BotProcess) -> str:
    """Return the first line of a program, and end it."""
    try:
        return line_of(process)
    finally:
        process.kill()


def bounds(level: Isolation, folder: Path) -> dict[str, str]:
    """Return the soft limits that a program is under, by their names in /proc."""
    text = said(run(level, "tr '\\n' ';' < /proc/self/limits; echo", folder))
    return {line[:26].strip(): line[26:].split()[0] for line in text.split(";") if line}


@on_linux("the kernel bounds memory, and the number of processes")
@pytest.mark.parametrize("level", LEVELS[1:])
def test_a_program_is_bounded(level: Isolation, tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    found = bounds(level, tmp_path)
    assert found["Max core file size"] == "0"
    assert found["Max file size"] == str(256 << 20)
    assert found["Max data size"] == str(8 * 200 << 20)
    assert found["Max open files"] == "1024"
    if level is Isolation.SANDBOX:
        assert found["Max processes"] == "256"
    else:
        assert int(found["Max processes"]) > 4096


TOUCHES = """
import mmap, os, signal
taken = mmap.mmap(-1, 1 << 30, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
if {children} == 0 or not all(os.fork() for _ in range({children})):
    for start in range(0, {megabytes} << 20, 1 << 20):
        taken[start : start + (1 << 20)] = bytes(1 << 20)
if {megabytes} < 100:
    print("up", flush=True)
signal.pause()
"""


@on_linux("memory is watched closely")
@pytest.mark.parametrize("level", LEVELS[1:])
@pytest.mark.parametrize(("children", "megabytes"), [(0, 50), (0, 600), (3, 120)])
def test_memory_counts_when_it_is_used_and_not_when_it_is_reserved(
    level: Isolation, children: int, megabytes: int, tmp_path: Path
) -> None:
    tmp_path.chmod(0o755)
    code = TOUCHES.format(children=children, megabytes=megabytes)
    script = shlex.join([sys.executable, "-I", "-S", "-c", code])
    process = run(level, script, tmp_path, tmp_path, Path(sys.prefix), Path(sys.base_prefix))
    try:
        if megabytes < 100:
            assert line_of(process) == "up"
            return
        with pytest.raises(ProcessEnded) as ended:
            line_of(process)
        assert ended.value.excess is Excess.MEMORY
    finally:
        process.kill()


@on_linux("the kernel bounds memory, and the number of processes")
@pytest.mark.parametrize("level", LEVELS)
def test_a_python_bot_gets_no_more_address_space_than_it_may_have(level: Isolation) -> None:
    limits = Limits(isolation=level, memory_mb=300)
    with seated(limits, "first") as (seat,):
        seat.start()
        text = Path(f"/proc/{seat.pid}/limits").read_text()
    assert re.search(rf"Max address space +{300 << 20} ", text)


@pytest.mark.parametrize("level", LEVELS[1:])
def test_the_environment_is_clean_and_the_home_its_own(
    level: Isolation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_SECRET", "secret")
    monkeypatch.setenv("LEAGUE_DB", "postgresql://user:secret@host/league")
    process = run(level, "env | tr '\\n' ';'; echo", tmp_path)
    text = said(process)
    assert "secret" not in text
    home = re.search("HOME=([^;]*)", text)
    assert home is not None
    assert home[1] != os.environ.get("HOME")
    assert not Path(home[1]).exists(), "it is removed with the bot"


@pytest.mark.parametrize("level", LEVELS)
def test_descriptors_are_closed(level: Isolation, tmp_path: Path) -> None:
    with (tmp_path / "ours").open("w") as ours:
        os.set_inheritable(ours.fileno(), True)
        text = said(run(level, "echo $(ls /dev/fd | wc -l)", tmp_path))
    # Its own three, and the one that ls reads the folder by.
    assert int(text) == 4


@pytest.mark.parametrize("level", LEVELS)
def test_an_exit_is_told_as_what_it_is(level: Isolation, tmp_path: Path) -> None:
    for script, returncode in (("exit 3", 3), ("kill -SEGV $$", -11), ("kill -9 $$", -9)):
        process = run(level, script, tmp_path)
        with pytest.raises(ProcessEnded) as ended:
            line_of(process)
        assert ended.value.returncode == returncode
        process.kill()


@pytest.mark.slow
def test_an_exit_that_takes_its_time_is_told_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a busy machine a killed process is gone a while after its output has ended."""
    monkeypatch.setattr("league.seats.process.bot_process.EXIT_S", 60.0)
    process = run(Isolation.NONE, "exec >&-; sleep 0.5; kill -9 $$", tmp_path)
    with pytest.raises(ProcessEnded) as ended:
        line_of(process)
    assert ended.value.returncode == -9
    process.kill()


@pytest.mark.slow
@pytest.mark.parametrize("level", LEVELS)
def test_computing_time_is_the_bots_own(level: Isolation, tmp_path: Path) -> None:
    script = "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done; echo done; read x"
    process = run(level, script, tmp_path)
    assert line_of(process) == "done"
    used = process.cpu_ns()
    process.kill()
    assert used is not None
    assert used > 2e7


@needs_sandbox
def test_a_sandbox_shows_the_bots_folder_and_not_the_league(tmp_path: Path) -> None:
    mine, theirs = tmp_path / "mine", tmp_path / "theirs"
    for folder in (mine, theirs):
        folder.mkdir()
        (folder / "bot.txt").write_text("source")
    text = said(run(Isolation.SANDBOX, f"ls {mine} {theirs} 2>&1 | tr '\\n' ' '; echo", mine))
    assert "bot.txt" in text
    assert "cannot access" in text


@needs_sandbox
@pytest.mark.parametrize("place", [".", "data"])
def test_a_database_in_the_bots_folder_is_not_seen(tmp_path: Path, place: str) -> None:
    folder = tmp_path / place
    folder.mkdir(exist_ok=True)
    (folder / "league.db").write_text("matches")
    (folder / "league.db-wal").write_text("more matches")
    (tmp_path / "book.txt").write_text("openings")
    environment = BotEnvironment(hidden=(folder / "league.db",))
    script = f"ls . {place} | tr '\\n' ' '; echo"
    text = said(run(Isolation.SANDBOX, script, tmp_path, environment=environment))
    assert "book.txt" in text
    assert "league.db" not in text


@pytest.mark.slow
@needs_sandbox
def test_a_sandbox_is_read_only_but_for_its_own_room(tmp_path: Path) -> None:
    tmp_path.chmod(0o777)
    for place in (str(tmp_path), "/", "/usr", "/dev", "/etc"):
        text = said(run(Isolation.SANDBOX, f"echo x > {place}/x; echo $?", tmp_path))
        assert text != "0", place
    assert said(run(Isolation.SANDBOX, "echo x > $HOME/x && echo x > /tmp/x; echo $?", tmp_path))
    many = "head -c 100000000 /dev/zero > /tmp/x; echo $?"
    assert said(run(Isolation.SANDBOX, many, tmp_path)) != "0"
    assert list(tmp_path.iterdir()) == []


@needs_sandbox
@pytest.mark.parametrize("is_private", [False, True])
def test_files_that_only_their_owner_may_read_are_read_too(
    tmp_path: Path, is_private: bool
) -> None:
    (tmp_path / "key").write_text("open sesame")
    (tmp_path / "key").chmod(0o600 if is_private else 0o644)
    tmp_path.chmod(0o700 if is_private else 0o755)
    assert said(run(Isolation.SANDBOX, "cat key; echo", tmp_path)) == "open sesame"


IN_JAVA = 'class Bot { public static void main(String[] a) { System.out.println("hello"); } }'
SCRIPTS = [
    (f"#!{sys.executable}", "print('hello')"),
    ("#!/usr/bin/env python3", "print('hello')"),
    ("#!/bin/sh", "echo hello"),
    ("#!/bin/bash", "echo hello"),
    ("#!/usr/bin/env sh", "echo hello"),
    ("#!/usr/bin/env bash", "echo hello"),
    ("#!/usr/bin/env -S sh -e", "echo hello"),
    ("#!/usr/bin/env node", "console.log('hello')"),
    ("#!/usr/bin/env -S java --source 11", IN_JAVA),
    ("#!/bin/sh", "exec node -e \"console.log('hello')\""),
    ("#!/bin/sh", "java -version && echo hello"),
]


@pytest.mark.slow
@needs_sandbox
@pytest.mark.parametrize(("first", "rest"), SCRIPTS)
def test_a_script_finds_its_interpreter_in_the_sandbox(
    tmp_path: Path, first: str, rest: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for tool in ("bash", "node", "java"):
        if re.search(rf"\b{tool}\b", first + rest) and shutil.which(tool) is None:
            pytest.skip(f"{tool} is not installed")
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    script = tmp_path / "bot"
    script.write_text(f"{first}\n{rest}\n")
    script.chmod(0o755)
    command = BotCommand(words=[str(script)], folder=tmp_path, readable=[script, tmp_path])
    assert said(launch(command, Limits(isolation=Isolation.SANDBOX), NO_ENVIRONMENT)) == "hello"


needs_namespace = pytest.mark.skipif(
    bool(why_no_namespace()), reason=why_no_namespace() or "it works"
)


@pytest.mark.parametrize(
    "level",
    [
        pytest.param(Isolation.LIMITS, marks=needs_namespace),
        pytest.param(Isolation.SANDBOX, marks=needs_sandbox),
    ],
)
def test_all_in_a_namespace_ends_with_it_and_with_its_worker(
    level: Isolation, tmp_path: Path
) -> None:
    script = "(setsid sleep 77 &) ; echo up; while :; do :; done"
    for end in ("kill", "outer"):
        process = run(level, script, tmp_path)
        line_of(process)
        inside = process.pid
        outer = parent_of(parent_of(inside))
        if end == "kill":
            process.kill()
        else:
            os.kill(outer, signal.SIGKILL)
        wait_until(partial(_is_gone, inside))
        process.kill()


TRACE = """
import ctypes, os, sys, time
from league.platform.linux import allow_tracing, forbid_tracing
def child(work):
    pid = os.fork()
    if pid:
        return pid
    if os.geteuid() == 0:
        os.setgid(65534)
        os.setuid(65534)
    os._exit(work())
def sleep():
    (forbid_tracing if sys.argv[1] == "forbid" else allow_tracing)()
    os.write(told, b"up")
    time.sleep(3600)
def attack():
    return 1 if ctypes.CDLL(None).ptrace(16, worker, None, None) else 0
ready, told = os.pipe()
worker = child(sleep)
os.read(ready, 2)
print(os.waitstatus_to_exitcode(os.waitpid(child(attack), 0)[1]))
os.kill(worker, 9)
"""


@on_linux("no process of the user can trace a worker")
def test_a_worker_can_be_traced_by_no_process_of_its_user() -> None:
    if is_tracing_restricted():
        pytest.skip("the kernel lets no process trace another that is not its child")
    told = {
        word: subprocess.check_output([sys.executable, "-c", TRACE, word], text=True).strip()
        for word in ("allow", "forbid")
    }
    assert told == {"allow": "0", "forbid": "1"}


def _is_gone(pid: int) -> bool:
    return not state_of(pid)


@pytest.mark.slow
@pytest.mark.parametrize("level", LEVELS)
def test_a_frozen_bot_stands_still_between_its_moves(level: Isolation) -> None:
    limits = Limits(isolation=level, depth=1)
    game = find_game("connectfour")
    environment = BotEnvironment(idle_bots=IdleBots())
    with seated(limits, "first", "slow", environment=environment) as (quick, slow):
        for place, seat in enumerate((quick, slow)):
            seat.start()
            seat.new_match(game, place, 1, ())
        assert quick.pid is not None
        wait_until(partial(_stands_still, quick.pid))
        for _ in range(2):
            quick.ask(game.initial(), (), MoveBudget.of(limits, game.seats))
            assert not _stands_still(quick.pid)
            slow.new_match(game, 1, 1, ())
            slow.ask(game.initial(), (), MoveBudget.of(limits, game.seats))
            wait_until(partial(_stands_still, quick.pid))


def _is_zombie(pid: int) -> bool:
    return state_of(pid) == psutil.STATUS_ZOMBIE


def _stands_still(pid: int) -> bool:
    return state_of(pid) == psutil.STATUS_STOPPED


def test_a_bot_that_has_computed_for_long_is_started_afresh(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with seated(Limits(), "first") as (seat,):
        seat.start()
        first = seat.pid
        seat.start()
        assert seat.pid == first
        monkeypatch.setattr("league.seats.process.bot_process.CPU_S", 1e-6)
        seat.start()
        assert seat.pid not in (first, None)


@on_linux("the kernel counts it so finely")
def test_a_bot_sees_its_own_processor_time_in_fine_steps(tmp_path: Path) -> None:
    path = tmp_path / "clock.py"
    path.write_text(
        "import time\n"
        "def choose(state, clock):\n"
        "    times = [time.process_time_ns() for _ in range(20_000)]\n"
        "    return min(b - a for a, b in zip(times, times[1:]) if b > a)\n"
    )
    seat = PythonSeat(take_snapshot("clock", f"{path}:choose", {}), Limits())
    game = find_game("tictactoe")
    try:
        seat.start()
        seat.new_match(game, 0, 1, ())
        step_ns = seat.ask(game.initial(), (), MoveBudget(cap_s=ENDLESS_S)).wire
        assert isinstance(step_ns, int)
        assert step_ns < 1_000_000
    finally:
        seat.stop()


def test_the_built_in_bots_need_no_sandbox() -> None:
    seat = PythonSeat(take_snapshot("r", "random", {}), Limits(isolation=Isolation.SANDBOX))
    seat.start()
    try:
        assert os.getpgid(seat.pid or 0) == seat.pid
        assert (
            not HAS_SANDBOX
            or Path(f"/proc/{seat.pid}/ns/net").readlink() == Path("/proc/self/ns/net").readlink()
        )
    finally:
        seat.stop()


@on_linux("there is a sandbox")
def test_a_level_that_does_not_work_says_what_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    isolation.why_no_sandbox.cache_clear()
    monkeypatch.setenv("PATH", "/nowhere")
    try:
        level, told = isolation.resolve(Isolation.AUTO)
        assert level is Isolation.LIMITS
        line, warning = told
        assert line.startswith("isolation: limits (bots run as you do, within limits and ")
        assert warning == (
            "warning: bots are not in the sandbox: sandbox needs bubblewrap: apt install bubblewrap"
        )
        with pytest.raises(SetupError, match=r"sandbox does not work here: .* bubblewrap"):
            isolation.resolve(Isolation.SANDBOX)
    finally:
        isolation.why_no_sandbox.cache_clear()


@on_linux("there is a sandbox")
@pytest.mark.parametrize("status", ["kill -9 $$", "exit 137"])
def test_a_probe_that_was_killed_is_made_again(
    status: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second is what bubblewrap says of a process inside that was killed."""
    if reason := isolation.why_no_sandbox():
        pytest.skip(reason)
    fake = tmp_path / "bwrap"
    again = f'[ -e {tmp_path}/seen ] && exec {shutil.which("bwrap")} "$@"'
    fake.write_text(f"#!/bin/sh\n{again}\n: >{tmp_path}/seen\n{status}\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    isolation.why_no_sandbox.cache_clear()
    try:
        assert not isolation.why_no_sandbox()
    finally:
        isolation.why_no_sandbox.cache_clear()


@needs_sandbox
def test_a_sandbox_without_a_bound_on_its_files_does_not_work(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """So it is where bubblewrap is a program of root, whose namespaces only root may enter."""

    def refuse(first: int, mark: str) -> None:
        raise PermissionError(f"the files of {first} can't be bounded: Operation not permitted")

    monkeypatch.setattr("league.seats.process.sandbox_handshake.bound_files", refuse)
    isolation.why_no_sandbox.cache_clear()
    try:
        assert "can't be bounded" in isolation.why_no_sandbox()
    finally:
        monkeypatch.undo()
        isolation.why_no_sandbox.cache_clear()


@pytest.mark.slow
@needs_sandbox
def test_the_files_of_a_sandbox_are_counted(tmp_path: Path) -> None:
    many = "seq -f {}/%.0f {} | xargs touch 2>/dev/null; ls {} | wc -l"
    for room in ROOMS:
        made = int(said(run(Isolation.SANDBOX, many.format(room, 2 * ROOM_FILES, room), tmp_path)))
        assert ROOM_FILES - 10 < made < ROOM_FILES


def test_a_tournament_keeps_its_level(tmp_path: Path) -> None:
    limits = Limits(isolation=Isolation.NONE, may_ponder=True)
    path = tmp_path / "league.db"
    with open_store(str(path), create=True) as store:
        config = TournamentConfig(
            game="connectfour", entrants=(1, 2), rounds=1, seed=1, opening_plies=2, limits=limits
        )
        number = store.tournaments.add(config, 2)
        assert store.tournaments.get(number).config.limits == limits
        assert isinstance(store.tournaments.get(number).config.limits.isolation, Isolation)


def test_files_of_a_game_are_those_its_spec_names(tmp_path: Path) -> None:
    own, package = tmp_path / "own.py", tmp_path / "package"
    own.write_text("")
    package.mkdir()
    (package / "__init__.py").write_text("")
    assert files_of_game("connectfour?columns=8") == ()
    assert files_of_game(f"{own}:Mine?size=3") == (own,)
    assert files_of_game(f"tree?file={own}") == (own,)
    assert files_of_game(f"{package}/__init__.py:Mine") == (package,)


@needs_sandbox
def test_a_bot_finds_the_game_s_own_files_and_nothing_beside_them(tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text("import rules, json\n")
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "__init__.py").write_text("from .board import SIZE\n")
    (tmp_path / "rules" / "board.py").write_text("SIZE = 3\n")
    for name in ("json.py", "league-1.backup", "token", "rules/book.txt"):
        (tmp_path / name).write_text("not for bots")
    environment = BotEnvironment.of(tmp_path / "league.db", [f"{tmp_path}/own.py:Mine"])
    script = f"find {tmp_path} -type f | sort | tr '\n' ' '; echo"
    text = said(run(Isolation.SANDBOX, script, Path("/usr"), environment=environment))
    names = [str(Path(path).relative_to(tmp_path)) for path in text.split()]
    assert names == ["own.py", "rules/__init__.py", "rules/board.py"]


@needs_sandbox
def test_a_module_path_beside_the_database_shows_modules_alone(tmp_path: Path) -> None:
    for name in ("league.db", "mine.py", "league-1.backup", "lib/__init__.py", "backups/one"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("")
    command = BotCommand(
        words=["/bin/sh", "-c", f"find {tmp_path} -type f | sort | tr '\n' ' '; echo"],
        python_path=[str(tmp_path)],
    )
    limits = Limits(isolation=Isolation.SANDBOX)
    environment = BotEnvironment(hidden=(tmp_path / "league.db",))
    text = said(launch(command, limits, environment))
    assert text.split() == [str(tmp_path / name) for name in ("lib/__init__.py", "mine.py")]


@pytest.mark.slow
@needs_sandbox
def test_a_package_brings_its_data_into_the_sandbox(tmp_path: Path) -> None:
    folder = tmp_path / "mynim"
    folder.mkdir()
    text = (EXAMPLES / "nim.py").read_text().replace("option(21", "option(HEAP")
    (folder / "nim.py").write_text(
        "from pathlib import Path\n"
        "HEAP = int(Path(__file__).with_name('heap.txt').read_text())\n" + text
    )
    (folder / "heap.txt").write_text("9")
    (folder / "__init__.py").write_text("from .nim import Nim as GAME\n")
    for name in ("one", "two"):
        league(tmp_path, "register", name, str(BAD_BOTS / "first.py"), "--no-check")
    out = league(
        tmp_path,
        *("run", "--game", "mynim/__init__.py", "--bots", "one,two", "--json"),
        *("--isolation", "sandbox", "--workers", "1", "--depth", "1", "--rounds", "1"),
    )
    assert json.loads(out)


HOLD = """
import os, sys, time
from league.seats.process.environment import StartSlots
slots = StartSlots(2)
for number in range(4):
    if os.fork() == 0:
        with slots.one():
            print("in", number, flush=True)
            if number == 0:
                os.kill(os.getpid(), 9)
            time.sleep(0.15)
            print("out", number, flush=True)
        os._exit(0)
for number in range(4):
    os.wait()
"""


@pytest.mark.slow
def test_so_many_bots_start_at_once_also_when_one_of_them_is_killed() -> None:
    done = subprocess.run(
        [sys.executable, "-c", HOLD], capture_output=True, text=True, timeout=PATIENCE_S, check=True
    )
    inside, most = 0, 0
    for line in done.stdout.splitlines():
        inside += 1 if line.startswith("in") and line != "in 0" else 0
        inside -= 1 if line.startswith("out") else 0
        most = max(most, inside)
    assert done.stdout.count("out") == 3
    assert most <= 2
    with StartSlots(1).one():
        pass


@on_linux("children that left their bot's session end with it")
@pytest.mark.slow
def test_nothing_is_left_behind_by_a_tournament(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scratch = tmp_path / "tmp"
    scratch.mkdir()
    monkeypatch.setenv("TMPDIR", str(scratch))
    for name in ("leaves_files", "detaches"):
        league(tmp_path, "register", name, str(BAD_BOTS / f"{name}.py"), "--no-check")
    out = league(
        tmp_path,
        *("run", "--game", "connectfour", "--bots", "leaves_files,detaches", "--json"),
        *("--isolation", "limits", "--workers", "1", "--depth", "1"),
    )
    assert json.loads(out)
    assert list(scratch.iterdir()) == []
    assert marked(str(scratch)) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["kills_parent", pytest.param("fork_bomb", marks=pytest.mark.alone)]
)
def test_what_limits_do_not_stop_costs_its_own_matches_alone(tmp_path: Path, name: str) -> None:
    is_killed = name == "kills_parent" and bool(why_no_namespace())
    for bot in (name, "first"):
        league(tmp_path, "register", bot, str(BAD_BOTS / f"{bot}.py"), "--no-check")
    for number in (1, 2):
        league(tmp_path, "register", f"r{number}", "random", "--no-check")
    league(
        tmp_path,
        *("run", "--game", "connectfour", "--bots", f"{name},first,r1,r2", "--workers", "2"),
        *("--isolation", "limits", "-q", "--move-time", "300ms"),
        code=1 if is_killed else 0,
    )
    found = json.loads(league(tmp_path, "matches", "--json"))
    assert len(found) == (6 if is_killed else 12)


@pytest.mark.parametrize("detached", ["", "setsid "])
def test_a_sandbox_that_dies_in_the_making_is_not_waited_for(
    detached: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # What is below it lives on, in its group or out of it, and holds its pipes open.
    monkeypatch.setattr("league.seats.process.sandbox_handshake.GATE_S", ENDLESS_S)
    gate = SandboxHandshake()
    script = f"echo why >&2; {detached}sleep {ENDLESS_S} & echo $!; kill -9 $$"
    with subprocess.Popen(
        ["/bin/sh", "-c", script],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as outer:
        assert outer.stdout is not None
        below = int(outer.stdout.readline())
        wait_until(partial(_is_zombie, outer.pid))
        begin = time.monotonic()
        try:
            with pytest.raises(OSError, match="the sandbox can't be made: why"):
                gate.open(None, outer)
            assert time.monotonic() - begin < PATIENCE_S
        finally:
            gate.close()
            with suppress(ProcessLookupError):
                os.kill(below, signal.SIGKILL)


def test_a_file_that_a_command_names_is_seen_wherever_it_lies(tmp_path: Path) -> None:
    if reason := isolation.why_no_sandbox():
        pytest.skip(reason)
    own, far = tmp_path / "own", tmp_path / "far"
    own.mkdir()
    far.mkdir()
    (far / "secret.txt").write_text("of somebody else")
    (far / "bot.py").write_text((PROGRAMS / "bot.py").read_text())
    version = take_snapshot("far", f"exec:{sys.executable} {far / 'bot.py'}", {}, own)
    seat = make_seat(version, Limits(start_s=PATIENCE_S, isolation=Isolation.SANDBOX))
    try:
        seat.start()
    finally:
        seat.stop()
    (far / "bot.py").write_text(f"raise SystemExit(open({str(far / 'secret.txt')!r}).read())")
    version = take_snapshot("far", f"exec:{sys.executable} {far / 'bot.py'}", {}, own)
    seat = make_seat(version, Limits(start_s=PATIENCE_S, isolation=Isolation.SANDBOX))
    try:
        with pytest.raises(SeatFault):
            seat.start()
        assert "FileNotFoundError" in seat.log
    finally:
        seat.stop()


@needs_sandbox
@pytest.mark.parametrize("asked", ["m", "m/nets", "m/nets/x.nnue"])
def test_what_is_asked_for_is_seen_in_the_folder_of_the_league(tmp_path: Path, asked: str) -> None:
    nets = tmp_path / "m" / "nets"
    nets.mkdir(parents=True)
    (nets / "x.nnue").write_text("a net ")
    (tmp_path / "m" / "league.db-wal").write_text("matches")
    environment = BotEnvironment(hidden=(tmp_path / "m" / "league.db",))
    seen = (tmp_path, tmp_path / asked)
    script = "cat m/nets/x.nnue; ls m | tr '\\n' ' '; echo"
    text = said(run(Isolation.SANDBOX, script, tmp_path, *seen, environment=environment))
    assert text.split() == ["a", "net", "nets"]
