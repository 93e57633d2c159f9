"""A league with all that documents tell of, served."""

import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from league.model.records import IMPORTED, BotVersion
from league.store.store import open_store
from tests.league.command import league
from tests.league.web.serving import LONG_NAME, PLAY_SESSIONS, served
from tests.paths import BAD_BOTS

ODD_NAMES = ("<img src=x onerror=alert(1)>", "[red]x[/red]", "a/b?c#d%2F&e=f", "..", "ö ♥")

PGN = """\
[White "{}"]
[Black "{}"]
[Result "1-0"]

1. e4 e5 1-0

"""


@pytest.fixture(scope="session")
def odd_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a league with faults, luck, more than two seats, games with options and odd names.

    One for all processes that run tests: nobody changes it.
    """
    pytest.importorskip("chess", reason="needs the extra 'chess'")
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "odd"
    with folder.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            made = tmp_path_factory.mktemp("odd")
            _fill(made)
            made.rename(folder)
    return folder


def _fill(folder: Path) -> None:
    bots = {"mini": "minimax", "rnd": "random", "v 1.0+x": "greedy"}
    bots |= {name: str(BAD_BOTS / f"{name}.py") for name in ("escapes", "illegal")}
    for number, (name, spec) in enumerate(bots.items()):
        league(folder, "register", f"b{number}", spec, "--no-check")
        with open_store(str(folder / "league.db")) as store:
            # The name of one can't be registered.
            store.bots.rename(f"b{number}", name)
    run = ("run", "--depth", "1", "--seed", "1", "--quiet", "--game")
    league(folder, *run, "connectfour", "--bots", "mini,rnd,escapes")
    league(folder, "register", "mini", "minimax:depth=2", "--no-check")
    league(folder, *run, "tictactoe", "--bots", "mini,rnd", "--format", "knockout")
    league(folder, *run, "pacman?layout=small", "--bots", "mini,rnd,v 1.0+x")
    league(folder, *run, "mnk?columns=4&rows=4", "--bots", "mini,rnd", "--time", "1+1")
    league(folder, "register", "idle", "random", "--no-check")
    league(folder, "retire", "illegal")
    with open_store(str(folder / "league.db")) as store:
        # The store takes any name.
        store.bots.register_all(BotVersion(name, IMPORTED) for name in ODD_NAMES)
    pairs = zip(ODD_NAMES, [*ODD_NAMES[1:], ODD_NAMES[0]], strict=True)
    (folder / "odd.pgn").write_text("".join(PGN.format(*pair) for pair in pairs))
    league(folder, "import", "odd.pgn", "--game", "chess")


@pytest.fixture(scope="session")
def odd_link(odd_folder: Path) -> Iterator[str]:
    """Serve that league."""
    with served(odd_folder) as found:
        yield found.rstrip("/")


CRASHES = """
import sys

def choose(state, clock):
    print("about to divide <b>", file=sys.stderr)
    return 1 // 0
"""
HANGS = """
def choose(state, clock):
    while True:
        pass
"""


@pytest.fixture(scope="module")
def play_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a league of a bot that plays, one that crashes and one that never answers."""
    found = tmp_path_factory.mktemp("league")
    for name, text in {"crashes": CRASHES, "hangs": HANGS}.items():
        (found / f"{name}.py").write_text(text)
        league(found, "register", name, f"{name}.py", "--no-check")
    league(found, "register", "mini", "minimax", "--no-check")
    league(found, "register", LONG_NAME, "greedy", "--no-check")
    return found


@pytest.fixture(scope="module")
def play_link(play_folder: Path) -> Iterator[str]:
    """Serve that league to people who play."""
    with served(play_folder, "--play", "--play-sessions", str(PLAY_SESSIONS)) as found:
        yield found.rstrip("/")
