"""A user's own game: by file, by module, by entry point, and all that can be wrong with it."""

import subprocess
import sys
from pathlib import Path

import pytest

from bots import iterative
from games.support.errors import GameError, InputError
from games.support.perft import perft
from games.support.specs import find_game
from games.support.trial import try_out
from league.execution.live_feed import LiveFeed
from league.execution.worker import MatchJob, Worker
from league.model.records import BotVersion, Limits, MatchKey
from league.seats.process.environment import NO_ENVIRONMENT
from tests.league.command import league, start
from tests.strategies import OWN_GAME
from tests.waiting import PATIENCE_S

ROOT = Path(OWN_GAME).parents[1]


def test_the_documentation_shows_the_example_whole() -> None:
    example = Path(OWN_GAME).read_text()
    assert f"```python\n{example}```" in (ROOT / "docs" / "how-to" / "write-a-game.md").read_text()
    assert len(example.splitlines()) < 60


def test_a_game_is_named_by_its_file() -> None:
    game = find_game(f"{OWN_GAME}:Nim?heap=9")
    assert game.spec == f"{OWN_GAME}:Nim?heap=9"
    assert find_game(OWN_GAME).spec == f"{OWN_GAME}:Nim"
    assert [perft(game.initial(), depth) for depth in (1, 2, 3)] == [3, 9, 27]


def test_multiples_of_four_are_lost() -> None:
    game = find_game(OWN_GAME)
    for heap in range(1, 14):
        root = game.with_options({"heap": str(heap)}).initial()
        found = iterative.search(root, depth=None, evaluation=game.evaluation("null"))
        assert found.value == (-1 if heap % 4 == 0 else 1)


def test_a_path_is_made_absolute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mine.py").write_text(Path(OWN_GAME).read_text())
    monkeypatch.chdir(tmp_path)
    assert find_game("mine.py:Nim").spec == f"{tmp_path / 'mine.py'}:Nim"
    assert find_game("./mine.py") == find_game("mine.py:Nim")


def test_a_file_named_like_a_package_hides_none(tmp_path: Path) -> None:
    (tmp_path / "json.py").write_text(Path(OWN_GAME).read_text())
    find_game(str(tmp_path / "json.py"))
    assert sys.modules["json"].__file__ != str(tmp_path / "json.py")


def test_modules_beside_the_file_can_be_imported(tmp_path: Path) -> None:
    text = Path(OWN_GAME).read_text()
    (tmp_path / "beside_the_game.py").write_text("HEAP = 17\n")
    text = f"from beside_the_game import HEAP\n{text.replace('option(21', 'option(HEAP')}"
    (tmp_path / "heaps.py").write_text(text)
    before = list(sys.path)
    assert find_game(str(tmp_path / "heaps.py")).values["heap"] == 17
    assert sys.path == before


@pytest.mark.slow
def test_a_tournament_of_one_s_own_game(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(Path(OWN_GAME).read_text())
    league(tmp_path, "register", "deep", "iterative", "--game", "mine.py:Nim")
    league(tmp_path, "register", "chance", "random", "--game", "mine.py:Nim")
    run = ("run", "--game", "mine.py:Nim", "--bots", "deep,chance", "--workers", "1")
    # The bots' own processes find the game too.
    with start(tmp_path, *run) as runner:
        _, err = runner.communicate(timeout=PATIENCE_S)
        assert runner.returncode == 0, err
    standings = league(tmp_path, "standings", "--game", "mine.py:Nim")
    assert next(line for line in standings.splitlines() if "deep" in line).split()[0] == "1"
    league(tmp_path, "db", "verify")
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
        find_game(str(tmp_path / "bad.py"))
    assert "\n" not in str(caught.value)


def written(folder: Path, old: str = "", new: str = "", more: str = "") -> str:
    """Write the example with a change, and return its path."""
    text = Path(OWN_GAME).read_text()
    assert old in text
    path = folder / "own.py"
    path.write_text(text.replace(old, new) + more)
    return str(path)


def test_an_instance_s_values_are_its_defaults(tmp_path: Path) -> None:
    path = written(tmp_path, more="\nGAME = Nim(heap=30)\nSMALL = Nim(heap=5)\n")
    for spec, heap in (("GAME", 30), ("GAME?heap=21", 21), ("SMALL", 5), ("SMALL?heap=30", 30)):
        game = find_game(f"{path}:{spec}")
        assert game.values["heap"] == heap
        assert game.spec == f"{path}:{spec}"
        assert find_game(game.spec) == game
    assert find_game(path).values["heap"] == 30


def test_a_game_of_the_project_under_another_name_keeps_its_own(tmp_path: Path) -> None:
    (tmp_path / "wide.py").write_text(
        "from games.connectfour import ConnectFour\nGAME = ConnectFour(columns=9)\n"
    )
    wide = find_game(str(tmp_path / "wide.py"))
    assert wide.spec == f"{tmp_path / 'wide.py'}:GAME"
    assert wide.values["columns"] == 9
    assert find_game("connectfour").spec == "connectfour"


@pytest.mark.parametrize("sign", ["?", "&"])
def test_a_path_that_no_spec_can_hold_is_refused(
    tmp_path: Path, sign: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / f"a{sign}b"
    folder.mkdir()
    written(folder)
    (folder / "tree.txt").write_text("A Max\n  B 1\n")
    monkeypatch.chdir(folder)
    for spec in ("own.py", "tree?file=tree.txt"):
        with pytest.raises(InputError, match="which the name of a game can't hold"):
            find_game(spec)


RENDER = "def render(self):"
BROKEN = {
    "moves": ("return tuple(range(1,", "return set(range(1,", "legal_moves() gives set"),
    "none": ("self.left) + 1))", "self.left - 4) + 1))", "legal_moves() is empty"),
    "outcome": ("return None", "return 'no'", "outcome() gives 'no'"),
    "seats": ("return (-1.0, 1.0) if", "return (1.0,) if", "a number for each of the 2 seats"),
    "bounds": ("(-1.0, 1.0) if", "(-9.0, 9.0) if", "outside utility_bounds -1 to 1"),
    "turn": ("1 - self.to_move)", "5)", "to_move is 5, no seat"),
    "key": ("(self.left, self.to_move)\n\n", "[self.left]\n\n", "a key is not hashable"),
    "raises": ("return Heap(self.game", "return 1 / 0 or Heap(self.game", "ZeroDivisionError"),
    "text": ('return f"{', 'return 3 or f"{', "render() gives no text"),
    "marks": (
        RENDER,
        f"def marks(self, move):\n        return 3\n\n    {RENDER}",
        "marks() gives 3",
    ),
    "material": (
        RENDER,
        f"def material(self):\n        return ('x',)\n\n    {RENDER}",
        "expected a text for each of the 2 seats",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", BROKEN)
def test_a_game_that_does_what_none_may_is_refused_before_it_begins(
    tmp_path: Path, name: str
) -> None:
    old, new, message = BROKEN[name]
    path = written(tmp_path, old, new)
    with pytest.raises(GameError) as caught:
        try_out(find_game(path))
    assert message in str(caught.value)
    league(tmp_path, "register", "a", "random", "--no-check")
    league(tmp_path, "register", "b", "random", "--no-check")
    said = league(tmp_path, "run", "--game", path, "--bots", "a,b", "--rounds", "1", code=1)
    assert message in said
    assert "Traceback" not in said
    assert "no tournaments" in league(tmp_path, "tournaments")


@pytest.mark.slow
def test_what_fails_later_makes_the_match_void_and_names_the_line(tmp_path: Path) -> None:
    late = "        import os\n        if os.environ.get('LATE'): raise ValueError('late')\n"
    path = written(tmp_path, "        if self.left:\n", late + "        if self.left:\n")
    game = find_game(path)
    assert try_out(game, PATIENCE_S) > 10
    job = MatchJob(
        key=MatchKey(0, 0),
        tournament=1,
        game=game.spec,
        versions=(BotVersion("a", "random"),) * 2,
        opening=(),
        limits=Limits(depth=1),
        seed=1,
    )
    worker = Worker(NO_ENVIRONMENT, LiveFeed())
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LATE", "1")
        [result] = worker.play([job])
    worker.stop()
    assert result.match is None
    assert "own.py line" in result.void
    assert "ValueError: late" in result.void


def findings(folder: Path) -> str:
    """Return what `league db verify` finds."""
    process = start(folder, "db", "verify")
    out, err = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 1
    assert "Traceback" not in err
    return out


def test_a_moved_folder_may_be_linked_from_its_old_place(tmp_path: Path) -> None:
    (tmp_path / "old").mkdir()
    path = written(tmp_path / "old")
    spec = find_game(path).spec
    (tmp_path / "old").rename(tmp_path / "new")
    (tmp_path / "old").symlink_to("new")
    assert find_game(path).spec == spec
    assert find_game(f"{tmp_path}/new/../old/own.py").spec == spec.replace("/old/", "/new/")


@pytest.mark.slow
def test_a_file_that_changed_is_noticed(tmp_path: Path) -> None:
    path = written(tmp_path)
    for name in ("a", "b"):
        league(tmp_path, "register", name, "random", "--no-check")
    league(tmp_path, "run", "--game", path, "--bots", "a,b", "--rounds", "2", "-q")
    assert "0 findings" in league(tmp_path, "db", "verify")
    written(tmp_path, more="\n# A comment changes no rule.\n")
    assert "0 findings" in league(tmp_path, "db", "verify")
    league(tmp_path, "tournament", "extend", "1", "--rounds", "1")
    league(tmp_path, "resume", "1", "-q")
    written(tmp_path, "heap: int = option(21", "heap: int = option(22")
    assert "has changed since it began" in findings(tmp_path)
    league(tmp_path, "tournament", "extend", "1", "--rounds", "1")
    said = league(tmp_path, "resume", "1", code=1)
    assert "tournament 1 can't go on: the file of its game" in said
    Path(path).unlink()
    league(tmp_path, "run", "--game", "tictactoe", "--bots", "a,b", "--rounds", "2", "-q")
    said = findings(tmp_path)
    assert "no game file" in said
    lost = league(tmp_path, "replay", "1", "--plain", code=1)
    assert f"'league tournaments 1 --rules > {path}' writes it as it was" in lost
    Path(path).write_text(league(tmp_path, "tournaments", "1", "--rules"))
    assert Path(path).read_text() == Path(OWN_GAME).read_text()
    league(tmp_path, "replay", "1", "--plain")
    Path(path).unlink()
    # The other tournament is checked all the same.
    assert "writes it as it was" in said
    assert "4 matches replayed, 1 finding\n" in said


@pytest.mark.slow
def test_a_file_that_ends_the_process_is_told_in_a_line(tmp_path: Path) -> None:
    (tmp_path / "leaves.py").write_text("import sys\nsys.exit(3)\n")
    said = league(tmp_path, "games", "leaves.py", code=1)
    assert "leaves.py line 2: SystemExit: 3" in said


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("heap: int", "heap: 'Foo'", "can't be made: name 'Foo' is not defined"),
        ("option(21", "option('many'", "option heap='many': expected a whole number"),
    ],
)
def test_bad_options_are_found_at_once(tmp_path: Path, old: str, new: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        find_game(written(tmp_path, old, new))


def test_a_game_may_refuse_values_as_it_likes(tmp_path: Path) -> None:
    more = (
        "\n    def __post_init__(self):\n        if self.heap == 13: raise ValueError('no luck')\n"
    )
    path = written(tmp_path, more=more)
    with pytest.raises(InputError, match=r"options of game .* don't fit: no luck"):
        find_game(f"{path}?heap=13")


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("~nobody_of_that_name/x.py", "game file"),
        (f"{'x' * 300}.py", "game file"),
        ("tree?file=~nobody_of_that_name/x", "can't be read"),
        (f"pacman?layout={'x' * 300}", "layout 'xxx"),
        (":X", "'' is neither a file.py nor a module"),
        ("..:X", "is neither a file.py nor a module"),
        ("openspiel", "is a family: name one of it as openspiel:NAME"),
        ("nowhere.py:Nim", "no game file 'nowhere.py'"),
        (f"{OWN_GAME}:Chess", r"no 'Chess' in it \(known: Nim\)"),
        ("no.such.module:Game", "does not load: No module named 'no'"),
        ("games.tictactoe:TicTacToeState", "is none: expected a subclass of games.Game"),
        (f"{OWN_GAME}:Nim?most=0", "expected a whole number from 1 to 9"),
        (f"{OWN_GAME}:Nim?mots=1", "unknown option 'mots' of game nim"),
    ],
)
def test_a_bad_reference_is_told_in_a_line(spec: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        find_game(spec)


def test_a_game_is_named_by_its_module() -> None:
    game = find_game("games.tictactoe:TicTacToe")
    assert game.spec == "tictactoe"


def test_a_package_offers_games_by_an_entry_point(tmp_path: Path) -> None:
    (tmp_path / "heaps.py").write_text(Path(OWN_GAME).read_text())
    info = tmp_path / "heaps-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: heaps\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[botleague.games]\nmatches = heaps:Nim\n")
    code = (
        "from games.support.specs import find_game, GAMES\n"
        "assert 'matches' in GAMES.names()\n"
        "print(find_game('matches?heap=5').spec)"
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
