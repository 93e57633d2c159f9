"""`league gate`: exit codes, files and suites."""

import json
import os
import signal
from pathlib import Path

import pytest

from league.api.league import League
from league.cli.gate_suite import read_suite
from league.model.errors import ConfigError
from tests.league.command import both, start
from tests.waiting import PATIENCE_S, wait_until

BOT = "def choose(state, clock):\n    return state.legal_moves()[{place}]\n"
LOSES = """
def choose(state, clock):
    raise SystemExit("no idea")
"""
GAME = ("--game", "tictactoe")
TEST = (*GAME, "--elo0", "-200", "--batch", "4", "--workers", "1", "--move-time", "1h")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Make a league of `base`, and of the file of a change that is registered already."""
    for name, place in (("base", 0), ("new", -1)):
        (tmp_path / f"{name}.py").write_text(BOT.format(place=place))
    (tmp_path / "loses.py").write_text(LOSES)
    with League(tmp_path / "league.db") as cup:
        for name in ("base", "new", "loses"):
            cup.register(name, str(tmp_path / f"{name}.py"), check=False)
    return tmp_path


def gate(folder: Path, name: str, *arguments: str, code: int) -> tuple[str, str]:
    """Run `league gate` on a file; return both outputs."""
    return both(folder, "gate", str(folder / f"{name}.py"), *arguments, code=code)


@pytest.mark.slow
def test_a_weaker_change_exits_with_1_and_writes_its_files(folder: Path) -> None:
    files = ("--report", "gate.md", "--junit", "gate.xml", "--replays", "out/replays")
    out, err = gate(folder, "loses", "--against", "base", *TEST, *files, code=1)
    assert out.startswith("loses is weaker than base\n")
    assert "tournament 1: tictactoe, loses against base" in err
    report = (folder / "gate.md").read_text("utf-8")
    assert "against base, crash after " in report
    links = [line.partition("(<")[2].partition(">)")[0] for line in report.splitlines()]
    linked = [link for link in links if link]
    assert len(linked) == 10
    for link in linked:
        assert "<html" in (folder / link).read_text("utf-8")
    assert "<failure" in (folder / "gate.xml").read_text("utf-8")
    out, _ = gate(
        folder, "loses", "--against", "base", *TEST, "--json", "--web-url", "http://x/", code=1
    )
    found = json.loads(out)
    assert (found["verdict"], found["lines"][0]["won"]) == ("weaker", 0)
    assert found["lines"][0]["forfeits"]["crash"] >= 8


@pytest.mark.slow
def test_links_can_be_of_a_dashboard(folder: Path) -> None:
    url = ("--web-url", "https://x.example/cup/", "--report", "gate.md", "--rounds", "2")
    gate(folder, "loses", "--against", "base", *TEST, *url, "-q", code=2)
    text = (folder / "gate.md").read_text("utf-8")
    assert "](<https://x.example/cup/matches/" in text
    assert "all 2 encounters are played" in text


@pytest.mark.parametrize(("word", "code"), [("pass", 0), ("fail", 1), ("undecided", 2)])
@pytest.mark.slow
def test_a_setting_says_what_undecided_means(folder: Path, word: str, code: int) -> None:
    how = (*TEST, "--rounds", "1", "--undecided", word)
    out, _ = gate(folder, "new", "--against", "base", *how, code=code)
    assert "undecided whether new is weaker than base" in out


@pytest.mark.slow
def test_a_change_that_is_not_weaker_exits_with_0(folder: Path) -> None:
    out, _ = gate(folder, "base", "--against", "loses", *TEST, code=0)
    assert out.startswith("base is not weaker than loses\n")
    assert "Error rates: a change of −200 normalized Elo against the opponent passes" in out


@pytest.mark.parametrize(
    ("arguments", "code", "text"),
    [
        (("--against", "base", *GAME, "--elo", "3"), 64, "No such option '--elo'"),
        (("--against", "base", *GAME, "--budget", "3"), 64, "No such option '--budget'"),
        (GAME, 64, "give an opponent: --against BOT or --suite FILE.toml"),
        (("--against", "base"), 64, "game: missing"),
        (("--against", "base", *GAME, "--elo0", "3"), 64, "elo0 3 must be less than elo1 0"),
        (("--against", "base", *GAME, "--move-time", "x"), 64, "move-time"),
        (("--against", "base", *GAME, "--max-minutes", "0"), 64, "max-minutes: 0.0: expected"),
        (("--against", "base", *GAME, "--option", "x"), 64, "x"),
        (("--against", "base", *GAME, "--report", "no/gate.md"), 64, "there is no folder 'no'"),
        (("--suite", "no.toml"), 64, "no.toml: No such file"),
        (("--against", "bsae", *GAME), 70, "no bot 'bsae' (did you mean 'base'?)"),
        (("--against", "base", "--game", "tictacto"), 64, "did you mean 'tictactoe'"),
        (("--against", "base", *GAME, "--db", "no/x.db"), 70, "no folder 'no'"),
    ],
)
def test_an_error_is_no_verdict(
    folder: Path, arguments: tuple[str, ...], code: int, text: str
) -> None:
    _, err = gate(folder, "new", *arguments, code=code)
    assert text in " ".join(err.split())
    assert "Traceback" not in err


def test_a_missing_file_is_no_weak_change(folder: Path) -> None:
    _, err = gate(folder, "gone", "--against", "base", *GAME, code=70)
    assert "gone.py" in err


def test_a_fault_of_the_league_is_no_verdict(folder: Path) -> None:
    (folder / "league.db").write_bytes(b"no database at all")
    gate(folder, "new", "--against", "base", *GAME, code=70)


@pytest.mark.slow
def test_an_interrupt_writes_what_is_known_and_is_no_verdict(folder: Path) -> None:
    (folder / "slow.py").write_text("import time\ndef choose(state, clock):\n    time.sleep(600)\n")
    with League(folder / "league.db") as cup:
        cup.register("slow", str(folder / "slow.py"), check=False)
        how = ("--against", "slow", *TEST, "--undecided", "pass", "--report", "gate.md")
        with start(folder, "gate", str(folder / "new.py"), *how) as running:
            wait_until(lambda: len(cup.tournaments()) > 0 and cup.tournament().is_in_play)
            os.kill(running.pid, signal.SIGTERM)
            running.communicate(timeout=PATIENCE_S)
    assert running.returncode == 130
    assert "- slow, tictactoe: interrupted" in (folder / "gate.md").read_text("utf-8")


SUITE = """
elo0 = -200
batch = 4
move-time = "1h"

[[opponent]]
against = "loses"
game = "tictactoe"

[[opponent]]
against = "base"
game = "connectfour"
rounds = 1
"""


@pytest.mark.slow
def test_a_suite_makes_one_verdict(folder: Path) -> None:
    (folder / "suite.toml").write_text(SUITE)
    out, _ = gate(folder, "new", "--suite", "suite.toml", "--workers", "1", "--json", code=2)
    found = json.loads(out)
    assert [each["verdict"] for each in found["lines"]] == ["not weaker", "undecided"]
    assert [each["game"] for each in found["lines"]] == ["tictactoe", "connectfour"]
    assert (found["beta"], [each["beta"] for each in found["lines"]]) == (0.05, [0.025, 0.025])


def test_the_command_line_overrides_the_head_of_a_suite(folder: Path) -> None:
    (folder / "suite.toml").write_text(SUITE)
    how = ("--suite", "suite.toml", "--elo0", "7")
    assert "elo0 7 must be less" in gate(folder, "new", *how, code=64)[1]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("elo0 = -3", "write a table [[opponent]] for each opponent"),
        ("opponent = 3", "write a table [[opponent]] for each opponent"),
        ("elo2 = -3\n[[opponent]]", "unknown setting 'elo2'"),
        ("[[opponent]", "suite.toml: "),
    ],
)
def test_a_file_that_is_no_suite_is_refused(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "suite.toml"
    path.write_text(text)
    with pytest.raises(ConfigError) as refused:
        read_suite(path)
    assert told in str(refused.value)


def test_files_of_a_suite_are_meant_from_its_folder(tmp_path: Path) -> None:
    path = tmp_path / "suite.toml"
    path.write_text('openings = "a.txt"\n[[opponent]]\nagainst = "x"\nopenings = "b.txt"\n')
    head, (opponent,) = read_suite(path)
    assert head["openings"] == str(tmp_path / "a.txt")
    assert opponent["openings"] == str(tmp_path / "b.txt")
