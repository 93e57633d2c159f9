"""`league register` for a class, `league rename` and `league remove`, as a lecturer meets them."""

import json
import os
import shutil
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import pytest

from league.api.league import League
from tests.league.command import both, league
from tests.paths import EXAMPLES

GOOD = "def choose(state, clock):\n    return state.legal_moves()[{}]\n"
PROGRAMS = EXAMPLES / "connectfour"
CRATE = '[package]\nname = "bot"\nversion = "0.1.0"\nedition = "2021"\n'


def write(path: Path, text: str | bytes) -> None:
    """Write a file and the folders above it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode() if isinstance(text, str) else text)


def zipped(path: Path, **files: str | bytes) -> None:
    """Write a zip; a double underscore in a name is a dot."""
    with ZipFile(path, "w", ZIP_DEFLATED) as out:
        for name, text in files.items():
            out.writestr(name.replace("__", "."), text)


def rows_of(folder: Path, *words: str, code: int = 0) -> dict[str, dict[str, object]]:
    """Register a class and return the results by name."""
    out, _ = both(folder, "register", *words, "--json", code=code)
    return {row["bot"]: row for row in json.loads(out)}


@pytest.mark.slow
def test_a_folder_of_submissions_is_registered_with_reasons(tmp_path: Path) -> None:
    class_ = tmp_path / "submissions"
    write(class_ / "anna.py", GOOD.format(0))
    write(class_ / "ben" / "bot.py", GOOD.format(-1))
    zipped(class_ / "Cleo Smith.zip", main__py=GOOD.format(0))
    write(class_ / "dora.py", "import anna\n" + GOOD.format(0))
    write(class_ / "eve.py", "def choose(state, clock): return 99\n")
    write(class_ / "<b>.py", GOOD.format(0))
    write(class_ / "notes.txt", "x")
    write(class_ / ".hidden", "x")
    (class_ / "link.py").symlink_to("anna.py")
    with open(os.fsencode(class_) + b"/odd\xff.py", "w") as file:  # noqa: PTH123 (no text)
        file.write(GOOD.format(0))
    out, err = both(tmp_path, "register", "submissions", "--game", "tictactoe", code=1)
    assert "9 submissions: 6 failed, 3 registered" in out
    assert err == "league: 6 of 9 submissions failed\n"
    found = rows_of(tmp_path, "submissions", "--game", "tictactoe", code=1)
    assert {name for name, row in found.items() if row["status"] == "unchanged"} == {
        "anna",
        "ben",
        "Cleo-Smith",
    }
    reasons = {name: str(row["reason"]) for name, row in found.items() if row["reason"]}
    assert "No module named 'anna'" in reasons["dora"]
    assert "illegal move" in reasons["eve"]
    assert "letters, digits and '+' are allowed" in reasons["<b>"]
    assert "'notes.txt' is not a Python file, zip or folder" in reasons["notes"]
    assert reasons["link"] == "'link.py' is a link"


def test_a_roster_names_the_bots(tmp_path: Path) -> None:
    write(tmp_path / "in" / "s01.py", GOOD.format(0))
    roster = "\ufeffName;Bot;Options\nMüller;in/s01.py;\ndeep;alphabeta;depth=2\nx;in/s02.py;\n"
    write(tmp_path / "roster.csv", roster)
    found = rows_of(tmp_path, "--csv", "roster.csv", "--no-check", code=1)
    assert [found[name]["status"] for name in ("Müller", "deep")] == ["registered"] * 2
    assert "no file" in str(found["x"]["reason"])
    write(tmp_path / "roster.csv", "who,what\n")
    assert "has no column 'name' (found: who, what)" in league(
        tmp_path, "register", "--csv", "roster.csv", code=1
    )


def test_what_is_wrong_for_a_whole_class_is_said_once(tmp_path: Path) -> None:
    write(tmp_path / "in" / "a.py", GOOD.format(0))
    write(tmp_path / "in" / "b" / "Makefile", "bot:\n\ttouch $(CURDIR)/../built\n")
    told = league(tmp_path, "register", "in", "--game", "conectfour", code=1)
    assert told == "league: unknown game 'conectfour' (did you mean 'connectfour'?)\n"
    write(tmp_path / "roster.csv", "name,bot\nMüller,random\n".encode("latin-1"))
    told = league(tmp_path, "register", "--csv", "roster.csv", code=1)
    assert told == "league: roster 'roster.csv' is not UTF-8 text: save it as 'CSV UTF-8'\n"
    told = league(tmp_path, "register", "--csv", "rooster.csv", code=1)
    assert told == "league: roster rooster.csv can't be read: No such file or directory\n"


def test_an_unchanged_bot_may_play_more_games(tmp_path: Path) -> None:
    words = ("register", "one", "random", "--no-check", "--game")
    league(tmp_path, *words, "connectfour")
    _, told = both(tmp_path, *words, "tictactoe")
    assert told == (
        "one is registered already, unchanged (version 1); it plays connectfour, tictactoe\n"
    )


@pytest.mark.slow
def test_a_submission_may_change_its_form_but_not_take_another_name(tmp_path: Path) -> None:
    league(tmp_path, "register", "house", "random", "--no-check")
    write(tmp_path / "class" / "anna.py", GOOD.format(0))
    write(tmp_path / "class" / "house.py", GOOD.format(0))
    first = rows_of(tmp_path, "class", "--no-check", code=1)
    assert "is in use by a bot made from 'random'" in str(first["house"]["reason"])
    (tmp_path / "class" / "anna.py").unlink()
    write(tmp_path / "class" / "anna" / "main.py", GOOD.format(0))
    assert rows_of(tmp_path, "class", "--no-check", code=1)["anna"]["version"] == 2


def test_two_submissions_cannot_share_a_name(tmp_path: Path) -> None:
    write(tmp_path / "class" / "anna.py", GOOD.format(0))
    write(tmp_path / "class" / "anna" / "bot.py", GOOD.format(0))
    found = json.loads(both(tmp_path, "register", "class", "--no-check", "--json", code=1)[0])
    assert [row["status"] for row in found] == ["registered", "failed"]


@pytest.mark.parametrize(
    ("words", "code", "expected"),
    [
        (["s01.py", "s02.py"], 1, "bad name 's01.py': that looks like a file"),
        (["s01.py", "good"], 1, "bad name 's01.py': that looks like a file: the name comes before"),
        (["s01.py", "s02.py", "s03.py"], 2, "3 words, expected NAME SPEC"),
        (["s01.py"], 2, "'s01.py' is one bot: give a name, 'league register NAME SPEC'"),
        (["one"], 2, "'one' is one bot: give a name"),
        (["nowhere"], 2, "'nowhere' is no folder"),
        (["one", "s01.py", "--csv", "x.csv"], 2, "--csv names the bots itself"),
        (["class", "--option", "a=1"], 2, "are for one bot"),
        ([], 2, "give NAME SPEC, a FOLDER of submissions, or --csv"),
        (["class"], 1, "'class' holds no submissions"),
        (["all", "random"], 1, "bad name 'all': that is a reserved word"),
        (["good/v2", "random"], 1, "bad name 'good/v2'"),
        (["..", "random"], 1, "bad name '..'"),
    ],
)
def test_words_that_are_no_registration(
    words: list[str], code: int, expected: str, tmp_path: Path
) -> None:
    for name in ("s01.py", "s02.py", "s03.py", "one/bot.py"):
        write(tmp_path / name, GOOD.format(0))
    (tmp_path / "class").mkdir()
    assert expected in league(tmp_path, "register", *words, code=code)


def test_a_bot_that_fails_in_its_trial_is_sent_to_the_check(tmp_path: Path) -> None:
    write(tmp_path / "my bot.py", "def choose(state, clock):\n    return None\n")
    words = ("register", "mine", "my bot.py", "--game", "tictactoe")
    said = league(tmp_path, *words, code=1)
    assert said.splitlines()[-1] == "  league check 'my bot.py' --game tictactoe"
    assert "league check" not in league(tmp_path, "register", "mine", "none.py", code=1)


@pytest.mark.slow
def test_bots_are_renamed_and_removed(tmp_path: Path) -> None:
    for name in ("one", "other", "mistake"):
        league(tmp_path, "register", name, "random", "--no-check")
    league(tmp_path, "run", "--game", "tictactoe", "--bots", "one,other", "--rounds", "1")
    league(tmp_path, "rename", "one", "Zoë")
    standings = league(tmp_path, "standings", "--json")
    assert '"Zoë"' in standings
    league(tmp_path, "report", "-o", "class.md")
    assert (tmp_path / "class.md").read_text().startswith("# Tournament 1")
    assert "looks like 'other'" in league(tmp_path, "rename", "Zoë", "0ther", code=1)
    assert "'Other' is in use by bot 'other'" in league(tmp_path, "rename", "Zoë", "Other", code=1)
    assert league(tmp_path, "remove", "mistake") == "removed mistake\n"
    refused = league(tmp_path, "remove", "Zoë", code=1)
    assert "'Zoë' has 2 matches, which are results of its opponents too" in refused
    assert "nobody answered: give --yes" in league(tmp_path, "remove", "Zoë", "--purge", code=2)
    told = league(tmp_path, "remove", "Zoë", "--purge", "--yes")
    assert "its 2 matches stay as those of removed-1" in told
    now = league(tmp_path, "standings", "--json", "--include-retired")
    assert now.replace("removed-1", "Zoë") == standings
    league(tmp_path, "db", "verify")
    assert "Zoë" not in league(tmp_path, "bots", "--retired")
    assert [row["bot"] for row in json.loads(league(tmp_path, "bots", "--json"))] == ["other"]


def bad(class_: Path) -> dict[str, str]:
    """Write twelve submissions that fail; return what is said of each, by name."""
    write(class_ / "b01.py", "def choose(state, clock)\n    return 1\n")
    write(class_ / "b02.py", "import numppy\n" + GOOD.format(0))
    write(class_ / "b03.py", "def choose(state, clock): return 99\n")
    write(class_ / "b04.py", "def choose(state, clock): return 1 / 0\n")
    write(class_ / "b05.py", "import time\ndef choose(state, clock): time.sleep(3600)\n")
    write(class_ / "b06" / "README.md", "to do")
    write(class_ / "b07" / "Makefile", "bot: bot.c\n\tcc -o bot bot.c\n")
    write(class_ / "b07" / "bot.c", "int main(void) { return answer; }\n")
    write(class_ / "b08" / "bot.py", GOOD.format(0))
    (class_ / "b08" / "weights").symlink_to("/etc/passwd")
    zipped(class_ / "b09.zip", bot__py=GOOD.format(0), weights=b"\0" * (33 << 20))
    zipped(class_ / "b10.zip", **{"../../bot.py": GOOD.format(0)})
    write(class_ / "b11.txt", "my bot comes later")
    write(class_ / "all.py", GOOD.format(0))
    return {
        "b01": "b01.py line 1: expected ':'",
        "b02": "No module named 'numppy'",
        "b03": "illegal move",
        "b04": "ZeroDivisionError",
        "b05": "time forfeit",
        "b06": "is a folder without",
        "b07": "answer",
        "b08": "'weights' is a link",
        "b09": "more than 32 MB of files",
        "b10": "outside of the bot's folder",
        "b11": "is not a Python file, zip or folder",
        "all": "reserved word",
    }


def good(class_: Path) -> None:
    """Write 48 submissions in five forms."""
    weights = bytes(range(256))
    reads = "from pathlib import Path\nassert (Path(__file__).parent / 'weights').read_bytes()\n"
    for number in range(15):
        write(class_ / f"file{number:02}.py", GOOD.format(0))
        write(class_ / f"folder{number:02}" / "bot.py", reads + GOOD.format(0))
        write(class_ / f"folder{number:02}" / "weights", weights)
    for number in range(12):
        zipped(class_ / f"zip{number:02}.zip", main__py=reads + GOOD.format(0), weights=weights)
    for number in range(4):
        made = class_ / f"c{number:02}"
        write(made / "bot.c", (PROGRAMS / "bot.c").read_bytes())
        write(made / "Makefile", "bot: bot.c\n\tcc -O2 -o bot bot.c\n")
    for number in range(2):
        made = class_ / f"rust{number:02}"
        write(made / "src" / "main.rs", (PROGRAMS / "bot.rs").read_bytes())
        write(made / "Cargo.toml", CRATE)


@pytest.mark.slow
def test_a_class_of_sixty_in_five_forms_with_twelve_failures(tmp_path: Path) -> None:
    class_ = tmp_path / "submissions"
    expected = bad(class_)
    good(class_)
    for tool in ("cc", "make", "cargo"):
        if shutil.which(tool) is None:
            pytest.skip(f"{tool} is not installed")
    found = rows_of(tmp_path, "submissions", "--game", "connectfour", code=1)
    assert len(found) == 60
    failed = {name: str(row["reason"]) for name, row in found.items() if row["status"] == "failed"}
    assert failed.keys() == expected.keys(), failed
    for name, text in expected.items():
        assert text in failed[name]
    assert len(set(failed.values())) == len(failed)


@pytest.mark.slow
def test_a_run_tries_bots_that_have_not_played_its_game(tmp_path: Path) -> None:
    write(tmp_path / "wide.py", "def choose(state, clock):\n    return state.legal_moves()[6]\n")
    league(tmp_path, "register", "wide", "wide.py", "--no-check")
    league(tmp_path, "register", "other", "random", "--no-check")
    run = ("run", "--game", "tictactoe", "--bots", "all", "--rounds", "1")
    _, first = both(tmp_path, *run)
    _, again = both(tmp_path, *run)
    assert "warning: bot 'wide' may lose its matches: 'wide.py' failed in a trial match" in first
    assert "may lose" not in again
    assert "is in tournament" not in league(tmp_path, "remove", "wide", code=1)


def test_a_bot_of_an_unfinished_tournament_is_not_removed(tmp_path: Path) -> None:
    with League(tmp_path / "league.db") as cup:
        for name in ("a", "b"):
            cup.register(name, "random", check=False)
        cup.create("tictactoe", rounds=1)
    told = league(tmp_path, "remove", "a", "--purge", "--yes", code=1)
    assert (
        "'a' is in tournament 1, not finished yet: 'league tournament withdraw' takes it out"
        in told
    )
