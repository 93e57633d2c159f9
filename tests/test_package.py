"""The example of a package: installed for real, it adds one of each kind."""

import json
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Callable
from pathlib import Path

import pytest

from games.support.specs import find_game
from games.support.trial import try_out
from tests.paths import EXAMPLES, ROOT
from tests.waiting import PATIENCE_S

PACKAGE = EXAMPLES / "package"
MAIN = "import sys; sys.argv[0] = 'league'; from league.cli.main import main; main()"

Run = Callable[..., str]


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make an environment that has this one's packages and the example, installed by pip."""
    pytest.importorskip("hatchling", reason="needs the extra 'dev'")
    folder = tmp_path_factory.mktemp("installed")
    venv.create(folder / "venv", with_pip=False)
    found = folder / "venv" / "bin" / "python"
    code = "import sysconfig; print(sysconfig.get_path('purelib'))"
    site = Path(ran(folder, found, "-c", code).strip())
    (site / "beside.pth").write_text(f"{sysconfig.get_path('purelib')}\n{ROOT}\n")
    # As users install it, but without a registry.
    offline = ("--no-index", "--no-deps", "--no-build-isolation", "--quiet")
    pip = ("-m", "pip", "install", *offline, "--target", str(site), str(PACKAGE))
    ran(folder, Path(sys.executable), *pip)
    return found


def ran(folder: Path, program: Path, *words: str) -> str:
    """Run a program in a folder and return what it prints; fail with its errors."""
    done = subprocess.run(
        [str(program), *words], cwd=folder, capture_output=True, text=True, timeout=PATIENCE_S
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def league(python: Path, tmp_path: Path) -> Run:
    """Return what runs `league` where the package is installed."""
    return lambda *words: ran(tmp_path, python, "-c", MAIN, *words)


@pytest.mark.extra
@pytest.mark.slow
def test_each_of_the_six_kinds_is_used(league: Run, python: Path) -> None:
    assert "it keeps to the contract" in league("games", "kayles")
    league("register", "mirror", "mirror", "--game", "kayles")
    league("register", "lucky", "random", "--game", "kayles")
    league("register", "program", f"asks:{python} -m kayles.program")
    run = ("run", "--game", "kayles", "--bots", "all", "--format", "ring", "--rounds", "2")
    league(*run, "--seed", "1", "--quiet")
    [tournament] = json.loads(league("tournaments", "--json"))
    # Three bots have three pairs of neighbours, and each encounter has two matches.
    assert (tournament["config"]["format"], tournament["played"]) == ("ring", 12)
    [table] = json.loads(league("standings", "--system", "share", "--json"))
    assert table["system"] == "share"
    for row in table["standings"]:
        assert row["rating"] == pytest.approx(100 * row["score"], abs=0.01)
    [bot] = [each for each in json.loads(league("bots", "--json")) if each["bot"] == "mirror"]
    assert bot["versions"][0]["spec"] == "kayles.bot:Mirror"
    lines = league("export", "1", "--as", "moves").splitlines()
    assert len(lines) == 12
    assert lines[0].count(" - ") == lines[0].count(": ") == 1
    assert all(
        "crash" not in each["termination"] for each in json.loads(league("matches", "--json"))
    )
    assert "0 findings" in league("db", "verify")


def test_its_game_keeps_the_contract() -> None:
    assert try_out(find_game(str(PACKAGE / "kayles" / "game.py")), PATIENCE_S) > 20


def test_contributors_are_shown_its_entry_points() -> None:
    text = (PACKAGE / "pyproject.toml").read_text()
    begin, end = text.index('[project.entry-points."botleague.games"]'), text.index("[tool.hatch")
    assert text[begin:end].strip() in (ROOT / "CONTRIBUTING.md").read_text()
