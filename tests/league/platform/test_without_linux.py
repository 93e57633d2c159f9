"""The league where nothing that only Linux offers is there."""

import json
import os
import re
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from tests.league.command import LEAGUE
from tests.league.platform.linux_names import LINUX_NAMES
from tests.paths import BAD_BOTS, ROOT, with_source
from tests.processes import marked
from tests.waiting import wait_until

MAC = Path(__file__).parent / "mac"

SOCKET_NAME_BYTES = 104
"""The room for the name of a Unix socket on macOS."""

IMPORT_ALL = """
import asyncio, importlib, pkgutil, psutil, sys
from tests.league.platform.linux_names import hide
hide()
import bots, games, league
for package in (league, games, bots):
    for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        if not found.name.endswith("__main__"):
            try:
                importlib.import_module(found.name)
            except ModuleNotFoundError as error:
                if error.name.split(".")[0] in ("league", "games", "bots"):
                    raise
"""
"""Import every module; those of extras that are not installed are left out."""

SANDBOX = {
    *("bubblewrap", "cgroup", "namespace", "orphans", "rooms", "sandbox_handshake", "seccomp"),
    "tablut_relay",
}
"""The modules of `league/seats/process` that are never used without Linux, and the relay of the
Tablut challenge, a program of its own that looks whether there are namespaces."""


def _sources() -> list[Path]:
    return [path for top in ("league", "games", "bots") for path in (ROOT / top).rglob("*.py")]


@pytest.mark.slow
def test_every_module_is_imported_where_the_names_of_linux_are_missing() -> None:
    environment = {**os.environ, "BOTLEAGUE_PLATFORM": "portable"}
    subprocess.run([sys.executable, "-c", IMPORT_ALL], cwd=ROOT, env=environment, check=True)


@pytest.mark.parametrize(("system", "is_portable"), [("linux", False), ("darwin", True)])
def test_macos_takes_the_portable_means(system: str, is_portable: bool) -> None:
    code = f"import psutil, sys; sys.platform = {system!r}; import league.platform as found; "
    code += f"assert bool(found.WEAKER) is {is_portable}"
    environment = {**os.environ, "BOTLEAGUE_PLATFORM": ""}
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=environment, check=True)


@with_source
def test_only_one_package_asks_which_system_this_is() -> None:
    asking = {
        path for path in _sources() if re.search(r"sys\.platform|os\.uname", path.read_text())
    }
    assert {path.parent.name for path in asking} == {"platform"}


@with_source
def test_only_two_modules_and_the_sandbox_use_linux() -> None:
    names = {name for names in LINUX_NAMES.values() for name in names}
    used = re.compile(rf"\b({'|'.join(names)}|prctl)\(|[\"']/proc(/(?!cpuinfo)|[\"']\))")
    found = {path.stem for path in _sources() if used.search(path.read_text())}
    assert found - SANDBOX == {"linux", "linux_family"}


@pytest.mark.slow
def test_linux_needs_no_psutil() -> None:
    code = "import league.execution.local_pool, sys; assert 'psutil' not in sys.modules"
    environment = {**os.environ, "BOTLEAGUE_PLATFORM": ""}
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=environment, check=True)


@pytest.fixture
def mac(tmp_path: Path) -> dict[str, str]:
    """Return the environment of processes without Linux, with the long `$TMPDIR` of macOS."""
    temporary = tmp_path / ("T" * SOCKET_NAME_BYTES)
    temporary.mkdir()
    environment = {**os.environ, "BOTLEAGUE_PLATFORM": "portable", "TMPDIR": str(temporary)}
    return {**environment, "PYTHONPATH": os.pathsep.join((str(MAC), str(ROOT)))}


def test_the_simulation_takes_linux_away(mac: dict[str, str]) -> None:
    code = "import os\nfor work in (os.fork, lambda: open('/proc/self/stat')):\n"
    code += "    try:\n        work()\n    except OSError as error:\n        print(error)\n"
    code += "print(hasattr(os, 'sched_getaffinity'))"
    told = subprocess.check_output([sys.executable, "-c", code], env=mac, text=True)
    assert re.fullmatch(r".*not safe on macOS\n.*has no /proc.*\nFalse\n", told)


@pytest.mark.slow
def test_a_league_is_played_where_nothing_of_linux_is_there(
    tmp_path: Path, mac: dict[str, str]
) -> None:
    def run(*command: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            command, cwd=tmp_path, env=mac, capture_output=True, text=True, check=True
        )

    register = "import sys; from league import League\nwith League('league.db') as league:\n"
    register += "    for name, source in zip(sys.argv[1::2], sys.argv[2::2]):\n"
    register += "        league.register(name, source, check=False)\n"
    bots = {"first": str(BAD_BOTS / "first.py"), "raises": str(BAD_BOTS / "raises.py")}
    run(sys.executable, "-c", register, *(word for pair in bots.items() for word in pair))
    played = run(*LEAGUE, "run", "--game", "tictactoe", "--bots", "all", "--workers", "2", "--json")
    assert json.loads(played.stdout)
    assert played.stderr.count("weaker than on Linux") == 1
    with closing(sqlite3.connect(tmp_path / "league.db")) as database:
        assert database.execute("SELECT count(*) FROM match").fetchone() == (2,)
    log = (tmp_path / "league.log").read_text()
    assert log.count("bot 'raises': crash: ZeroDivisionError") == 2
    assert "worker-1[" in log
    assert list(Path(mac["TMPDIR"]).iterdir()) == []


END_AT_ONCE = """
import sys, time
from dataclasses import replace
from pathlib import Path
import psutil
from league.execution.local_pool import LocalPool
from league.execution.worker import MatchJob
from league.model.records import Limits, MatchKey
from league.registration.source_snapshot import take_snapshot
from league.seats.process.environment import NO_ENVIRONMENT
sources = enumerate(sys.argv[1:], 1)
bots = [replace(take_snapshot(Path(each).stem, each, {}), id=place) for place, each in sources]
limits = Limits(move_s=3600.0, start_s=3600.0)
job = MatchJob(
    key=MatchKey(0, 0),
    tournament=1,
    game="connectfour",
    versions=tuple(bots),
    opening=(),
    limits=limits,
    seed=1,
)
pool = LocalPool(1, cores_each=0, starts=None, environment=NO_ENVIRONMENT, log=None)
pool.submit([job])
def states():
    pool.done(0.0)
    return {each.status() for each in psutil.Process().children(recursive=True)}
while psutil.STATUS_STOPPED not in states():
    time.sleep(0.01)
pool.end()
"""


@pytest.mark.slow
def test_no_suspended_bot_outlives_a_pool_that_ends_at_once(
    tmp_path: Path, mac: dict[str, str]
) -> None:
    (tmp_path / "mark").mkdir()
    path = os.pathsep.join((mac["PYTHONPATH"], str(tmp_path / "mark")))
    bots = [str(BAD_BOTS / f"{name}.py") for name in ("first", "sleeps")]
    command = [sys.executable, "-c", END_AT_ONCE, *bots]
    subprocess.run(command, env={**mac, "PYTHONPATH": path}, check=True)
    wait_until(lambda: not marked(str(tmp_path / "mark")))
