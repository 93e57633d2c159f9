"""Tuning a bot's options from the command line: what is played, shown, registered and refused."""

import json
from pathlib import Path
from shutil import copytree

import pytest

from league.store.store import open_store
from tests.league.command import both, league

TUNE = (
    *("tune", "mine", "--game", "connectfour", "--param", "depth=1,1,4,1", "--matches", "32"),
    *("--test-matches", "32", "--depth", "6", "--seed", "3"),
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a league with a rated tournament, then a tuning of one of its bots."""
    found = tmp_path_factory.mktemp("tuning")
    league(found, "register", "mine", "minimax:depth=1", "--no-check")
    league(found, "register", "base", "greedy", "--no-check")
    league(
        found, "run", "--game", "connectfour", "--bots", "mine,base", "--rounds", "2", "--seed", "1"
    )
    (found / "before.json").write_text(league(found, "standings", "--json"))
    (found / "tuned.txt").write_text(league(found, *TUNE, "--quiet"))
    return found


def test_deeper_searches_win_and_the_test_shows_it(folder: Path) -> None:
    text = (folder / "tuned.txt").read_text()
    [found] = json.loads(league(folder, "standings", "--tournament", "2", "--json"))
    [depth] = found["tuning"]["parameters"]
    assert found["tuning"]["played"] == found["tuning"]["planned"] == 16
    assert depth["value"] > 1.5
    assert depth["text"] == str(round(depth["value"]))
    assert depth["slope"] > 0
    assert f"mine has depth={depth['text']} after 16 of 16 comparisons" in text
    assert found["tuning"]["is_gain"] is ("\ngain shown: evidence favours 20" in text)
    assert found["standings"] == []


def test_its_matches_count_in_no_rating(folder: Path) -> None:
    assert league(folder, "standings", "--json") == (folder / "before.json").read_text()
    assert "0 findings" in league(folder, "db", "verify")


def test_a_repeat_is_left_out_and_nothing_else_comes_in(folder: Path, tmp_path: Path) -> None:
    copytree(folder, tmp_path, dirs_exist_ok=True)
    league(tmp_path, *TUNE, "--quiet")
    assert league(tmp_path, "standings", "--json") == (folder / "before.json").read_text()


def test_each_match_tells_with_which_values_it_was_played(folder: Path) -> None:
    with open_store(str(folder / "league.db"), read_only=True) as store:
        match = store.matches.numbers(2)[0]
        first, second = store.matches.options(match)
    # Rounded up or down at the ends of the range too.
    assert {first["depth"], second["depth"]} <= {"1", "2", "3"}
    title, *_ = league(folder, "replay", str(match), "--plain").splitlines()
    told = f"mine (depth={first['depth']}) – mine (depth={second['depth']})"
    assert title == f"match {match}: {told}, connectfour"
    assert "plays the same move" in league(folder, "repro", str(match))


def test_the_report_has_the_parameters(folder: Path) -> None:
    report = league(folder, "report", "2", "--markdown")
    assert "| parameter | start | tuned |" in report
    assert "## Crosstable" not in report


def test_the_values_are_registered_on_request(folder: Path) -> None:
    tuned = ("--until-error", "1000", "--against", "base", "--register")
    _, err = both(folder, *TUNE, *tuned)
    [found] = json.loads(league(folder, "standings", "--tournament", "3", "--json"))
    bots = {each["bot"]: each for each in json.loads(league(folder, "bots", "--json"))}
    if found["tuning"]["is_gain"]:
        assert "registered mine@2 with the tuned values" in err
        value = found["tuning"]["parameters"][0]["text"]
        assert bots["mine"]["versions"][-1]["options"]["depth"] == value
    else:
        assert "no gain shown, so nothing was registered" in err
        assert len(bots["mine"]["versions"]) == 1


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        ("mine --game connectfour", 2, "which options? give --param"),
        ("mine --game connectfour --param depth=1", 2, "expected NAME=START,MIN,MAX,STEP"),
        ("mine --game connectfour --param depth=5,1,4,1", 2, "between MIN and MAX"),
        ("mine --game connectfour --param dept=1,1,4,1", 1, "unknown option 'dept'"),
        ("mine --game connectfour --param depth=1,-9,4,1", 1, "does not start with depth=-9"),
        ("mine --game pacman --param depth=1,1,4,1", 1, "can't fill"),
        ("other --game connectfour --param depth=1,1,4,1", 1, "no bot 'other'"),
        ("mine --game connectfour --param depth=1,1,4,1 --method spas", 1, "did you mean 'spsa'"),
        ("mine --game connectfour --param depth=1,1,4,1 --method swiss", 1, "are bayesian, spsa"),
        ("mine --game connectfour --params lines.txt", 1, "line 2: expected name, int or float"),
    ],
)
def test_what_makes_no_tuning_is_refused(folder: Path, words: str, code: int, told: str) -> None:
    (folder / "lines.txt").write_text("# a comment\ndepth; int; 1\n")
    before = league(folder, "tournaments")
    assert told in league(folder, "tune", *words.split(), code=code)
    assert league(folder, "tournaments") == before


def test_other_formats_tune_nothing(folder: Path) -> None:
    run = ("run", "--game", "connectfour", "--bots", "mine,base", "--param", "depth=1,1,4,1")
    assert "tunes no parameters" in league(folder, *run, "--format", "swiss", code=1)
    assert "test_error=9" in league(folder, *run, "--until-error", "9", code=1)
    assert "can't be made longer" in league(
        folder, "tournament", "extend", "2", "--rounds", "5", code=1
    )
