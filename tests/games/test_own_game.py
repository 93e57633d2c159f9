"""A user's own game: by file, by module, by entry point, and all that can be wrong with it."""

import subprocess
import sys
from pathlib import Path

import pytest

from bots import iterative
from games import catalogue
from games.errors import GameError, InputError
from games.perft import perft
from tests.league.command import league
from tests.strategies import OWN_GAME

ROOT = Path(OWN_GAME).parents[1]


def test_the_documentation_shows_the_example_whole() -> None:
    example = Path(OWN_GAME).read_text()
    assert f"```python\n{example}```" in (ROOT / "docs" / "own-game.md").read_text()
    assert len(example.splitlines()) < 60


def test_a_game_is_named_by_its_file() -> None:
    game = catalogue.find(f"{OWN_GAME}:Nim?heap=9")
    assert game.spec == f"{OWN_GAME}:Nim?heap=9"
    assert catalogue.find(OWN_GAME).spec == f"{OWN_GAME}:Nim"
    assert [perft(game.initial(), depth) for depth in (1, 2, 3)] == [3, 9, 27]


def test_multiples_of_four_are_lost() -> None:
    game = catalogue.find(OWN_GAME)
    for heap in range(1, 14):
        root = game.with_options({"heap": str(heap)}).initial()
        found = iterative.search(root, depth=None, evaluation=game.evaluation("null"))
        assert found.value == (-1 if heap % 4 == 0 else 1)


def test_a_path_is_made_absolute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mine.py").write_text(Path(OWN_GAME).read_text())
    monkeypatch.chdir(tmp_path)
    assert catalogue.find("mine.py:Nim").spec == f"{tmp_path / 'mine.py'}:Nim"
    assert catalogue.find("./mine.py") == catalogue.find("mine.py:Nim")


def test_a_file_named_like_a_package_hides_none(tmp_path: Path) -> None:
    (tmp_path / "json.py").write_text(Path(OWN_GAME).read_text())
    catalogue.find(str(tmp_path / "json.py"))
    assert sys.modules["json"].__file__ != str(tmp_path / "json.py")


def test_modules_beside_the_file_can_be_imported(tmp_path: Path) -> None:
    text = Path(OWN_GAME).read_text()
    (tmp_path / "beside_the_game.py").write_text("HEAP = 17\n")
    text = f"from beside_the_game import HEAP\n{text.replace('option(21', 'option(HEAP')}"
    (tmp_path / "heaps.py").write_text(text)
    before = list(sys.path)
    assert catalogue.find(str(tmp_path / "heaps.py")).values["heap"] == 17
    assert sys.path == before


def test_a_tournament_of_one_s_own_game(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(Path(OWN_GAME).read_text())
    league(tmp_path, "register", "deep", "iterative", "--game", "mine.py:Nim")
    league(tmp_path, "register", "any", "random", "--game", "mine.py:Nim")
    league(tmp_path, "run", "--game", "mine.py:Nim", "--bots", "deep,any", "--rounds", "2")
    standings = league(tmp_path, "standings", "--game", "mine.py:Nim")
    assert next(line for line in standings.splitlines() if "deep" in line).split()[0] == "1"
    league(tmp_path, "verify")
    assert "deep" in league(tmp_path, "replay", "1", "--plain")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("def broken(:", "does not load: bad.py line 1: invalid syntax"),
        ("\n1 / 0", "does not load: bad.py line 2: ZeroDivisionError: division by zero"),
        ("import nothing_of_that_name", "does not load: .*No module named 'nothing_of_that_name'"),
        ("x = 1", "should define GAME or one subclass of games.Game, and has none"),
        (
            "from games import Game\nclass A(Game): pass\nclass B(Game): pass",
            "and has A, B; name one as FILE.py:NAME",
        ),
        ("from games import Game\nclass A(Game): pass", "A must be a dataclass"),
        (
            "from dataclasses import dataclass\nfrom games import Game\n"
            "@dataclass(frozen=True)\nclass A(Game):\n    title = 'A'",
            "A has no name",
        ),
        (
            "from dataclasses import dataclass\nfrom games import Game\n"
            "@dataclass(frozen=True)\nclass A(Game):\n    name = title = 'A'",
            "can't be made: .*initial",
        ),
        ("GAME = 3", "is none: expected a subclass of games.Game"),
    ],
)
def test_a_bad_file_is_told_in_a_line(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "bad.py").write_text(text)
    with pytest.raises(GameError, match=message) as caught:
        catalogue.find(str(tmp_path / "bad.py"))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("nowhere.py:Nim", "no game file 'nowhere.py'"),
        (f"{OWN_GAME}:Chess", "no 'Chess' in it"),
        ("no.such.module:Game", "does not load: No module named 'no'"),
        ("games.tictactoe:Position", "is none: expected a subclass of games.Game"),
        (f"{OWN_GAME}:Nim?most=0", "expected a whole number from 1 to 9"),
        (f"{OWN_GAME}:Nim?mots=1", "unknown option 'mots' of game nim"),
    ],
)
def test_a_bad_reference_is_told_in_a_line(spec: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        catalogue.find(spec)


def test_a_game_is_named_by_its_module() -> None:
    game = catalogue.find("games.tictactoe:TicTacToe")
    assert game.spec == "tictactoe"


def test_a_package_offers_games_by_an_entry_point(tmp_path: Path) -> None:
    (tmp_path / "heaps.py").write_text(Path(OWN_GAME).read_text())
    info = tmp_path / "heaps-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: heaps\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[botleague.games]\nmatches = heaps:Nim\n")
    code = (
        "from games import catalogue; assert 'matches' in catalogue.names();"
        "print(catalogue.find('matches?heap=5').spec)"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={"PYTHONPATH": f"{ROOT}:{tmp_path}"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stdout == "matches?heap=5\n"
