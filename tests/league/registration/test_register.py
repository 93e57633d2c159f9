"""Registering bots: what a new user writes, and what he gets wrong."""

from pathlib import Path

import pytest

from games.support.errors import InputError
from league.model.errors import CheckError, NameInUseError, SpecError
from league.model.names import NAME_MAX, check_name
from league.model.records import IMPORTED, BotVersion
from league.registration.register import register
from league.registration.source_snapshot import take_snapshot
from league.store.store import Store, open_store

GOOD = """\
def choose(state, clock):
    return state.legal_moves()[0]
"""

BROKEN = {
    "a syntax error": ("def choose(state, clock)\n    return 1\n", "mine.py line 1: expected ':'"),
    "a missing import": ("import numppy\n" + GOOD, "mine.py line 1: No module named 'numppy'"),
    "an error at import": ("x = 1\ny = 1 / 0\n" + GOOD, "mine.py line 2: ZeroDivisionError"),
    "a wrong signature": ("def choose(state):\n    return 0\n", "choose(state) can't be called as"),
    "no bot": ("x = 1\n", "mine has no bot: define choose(state, clock)"),
    "several bots": (
        "class A:\n    def choose(self, s, c): return 0\nclass B(A): pass\n",
        "several bots (A, B): name one",
    ),
    "a class that needs arguments": (
        "class A:\n    def __init__(self, x): pass\n    def choose(self, s, c): return 0\n",
        "missing 1 required positional argument",
    ),
    "a crash in play": ("def choose(state, clock):\n    return 1 / 0\n", "mine.py line 2"),
    "an illegal move": (
        "def choose(state, clock):\n    return 99\n",
        "illegal move at ply 5: answered an illegal move 99",
    ),
    "the text of a move": (
        "def choose(state, clock):\n    return '4'\n",
        "answered '4', a text: return the number 4 (written 5), or 3 if you mean the move written "
        "4",
    ),
    "an exit at import": ("raise SystemExit(3)\n", "mine.py line 1: SystemExit: 3"),
}


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return open_store(str(tmp_path / "league.db"), create=True)


def write(folder: Path, text: str, name: str = "mine.py") -> str:
    """Write a bot's file and return its spec."""
    (folder / name).write_text(text)
    return str(folder / name)


@pytest.mark.slow
@pytest.mark.parametrize("what", BROKEN)
def test_what_is_wrong_with_a_file_is_said_and_nothing_registered(
    what: str, store: Store, tmp_path: Path
) -> None:
    text, expected = BROKEN[what]
    with pytest.raises((SpecError, CheckError)) as caught:
        register(store, "mine", write(tmp_path, text), options={})
    assert expected in str(caught.value)
    assert len(str(caught.value).splitlines()) <= 2
    assert store.bots.all() == ()


@pytest.mark.slow
def test_a_number_that_equals_a_legal_move_is_that_move(store: Store, tmp_path: Path) -> None:
    text = (
        "from bots import Report\nclass Floats:\n    def choose(self, state, clock):\n"
        "        move = float(state.legal_moves()[0])\n"
        "        self.report = Report(pv=(move,))\n        return move\n"
    )
    assert register(store, "mine", write(tmp_path, text), options={}).is_new


@pytest.mark.slow
def test_a_bot_that_hangs_at_import_is_said(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("league.seats.python.python_seat.PythonSeat.usual_start_s", 0.5)
    spec = write(tmp_path, "import time\ntime.sleep(3600)\n")
    with pytest.raises(CheckError, match=r"took more than 0\.5 s to start"):
        register(store, "mine", spec, options={})


@pytest.mark.slow
def test_a_file_is_kept_as_it_was(store: Store, tmp_path: Path) -> None:
    spec = write(tmp_path, GOOD)
    version, is_new, found = register(
        store, "mine", spec, options={}, games=["connectfour", "tictactoe"]
    )
    assert (version.number, is_new) == (1, True)
    assert [each.game for each in found] == ["connectfour", "tictactoe"]
    assert all(each.times.matches == 7 for each in found)
    again, is_new, found = register(store, "mine", spec, options={})
    assert (again.id, is_new, found) == (version.id, False, ())
    write(tmp_path, GOOD + "# changed\n")
    changed, is_new, _ = register(store, "mine", spec, options={})
    assert (changed.number, is_new) == (2, True)
    assert store.bots.version(version.id).files == {"mine.py": GOOD.encode()}


@pytest.mark.slow
def test_modules_beside_a_bot_are_taken_along(store: Store, tmp_path: Path) -> None:
    write(tmp_path, "from deeper.pick import pick\n", "thoughts.py")
    (tmp_path / "deeper").mkdir()
    write(tmp_path / "deeper", "", "__init__.py")
    write(tmp_path / "deeper", "def pick(moves):\n    return moves[0]\n", "pick.py")
    write(tmp_path, "nobody imports this: {", "unused.py")
    spec = write(
        tmp_path,
        "import thoughts, os\n\nclass Mine:\n    def __init__(self, width=1): self.width = width\n"
        "    def choose(self, state, clock):\n"
        "        return thoughts.pick(state.legal_moves()[:self.width])\n",
    )
    version, _, _ = register(store, "mine", f"{spec}:Mine", options={"width": "2"})
    assert sorted(version.files) == [
        "deeper/__init__.py",
        "deeper/pick.py",
        "mine.py",
        "thoughts.py",
    ]
    with pytest.raises(CheckError, match=r"unknown option 'depth' of Mine \(known: width\)"):
        register(store, "other", f"{spec}:Mine", options={"depth": "2"})


@pytest.mark.slow
def test_a_name_belongs_to_one_bot(store: Store, tmp_path: Path) -> None:
    register(store, "mine", write(tmp_path, GOOD), options={})
    with pytest.raises(NameInUseError, match=r"is in use by a bot made from 'mine\.py'"):
        register(store, "mine", "random", options={})


def test_built_in_bots_take_options_in_their_spec(store: Store) -> None:
    version, _, _ = register(
        store, "deep", "alphabeta:depth=2,order=game", options={}, is_checked=False
    )
    assert (version.spec, version.options) == ("alphabeta", {"depth": "2", "order": "game"})
    deeper, is_new, _ = register(store, "deep", "alphabeta:depth=3", options={}, is_checked=False)
    assert (deeper.number, is_new) == (2, True)


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ("minmax", "unknown bot 'minmax' (did you mean 'minimax'?)"),
        ("alphabeta:depht=3", "unknown option 'depht' of bot alphabeta (did you mean 'depth'?)"),
        ("alphabeta:depth=-1", "expected a whole number from 1"),
        ("nowhere.py", "no file 'nowhere.py'"),
        ("no.such.module:Bot", "unknown bot 'no.such.module'"),
        (".", "can't be a bot: more than 500 files"),
    ],
)
def test_bad_specs_are_named(spec: str, expected: str) -> None:
    if spec == ".":
        spec = "./"
    with pytest.raises(InputError) as caught:
        take_snapshot("x", spec, {})
    assert expected in str(caught.value)


@pytest.mark.parametrize(
    "name",
    [
        "a",
        "Ab-1.2_x",
        "Müller",
        "محمد",
        "日本の棋士2",
        "गीता",
        "бот",
        "a..b",
        "x" * 80,
        "C++",
        "Stockfish dev-20240709",
    ],
)
def test_names_that_fit(name: str) -> None:
    check_name(name)


BAD_NAMES = (
    *("", " a", "a ", "a  b", "x" * (NAME_MAX + 1), "a\x1b[31m", "<b>", "a\nb", "a,b", "..", "-"),
    *("../../x<script>", "a/b", "a\\b", "a=b", "[b]", "a\u202eb", "a\u200bb", "\ud800", "\ue000"),
    *("+a", "good@2", "O'Kelly (64-bit)", "a-", ".a", "\U0001f916", "go\u034fod", "\u3164"),
    *("all", "ALL", "\uff21\uff2c\uff2c", "mean", "s01.py", "mine.ZIP", "g\u043e\u043ed"),
)


@pytest.mark.parametrize("name", BAD_NAMES)
def test_names_that_do_not(name: str) -> None:
    with pytest.raises(NameInUseError, match="bad name") as caught:
        check_name(name)
    assert "\x1b" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("al1ce", "allce"),
        ("lvan", "Ivan"),
        ("rnodern", "modern"),
        ("\uff47ood", "good"),
        ("\u0441\u043e\u0440", "cop"),
        ("b0b", "bob"),
    ],
)
def test_names_that_look_like_another(name: str, other: str, store: Store) -> None:
    register(store, other, "random", options={}, is_checked=False)
    with pytest.raises(NameInUseError, match=f"looks like '{other}'"):
        register(store, name, "random", options={}, is_checked=False)


def test_a_name_is_the_same_however_its_accents_are_written(store: Store) -> None:
    for name in ("Mu\u0308ller", "M\u00fcller"):
        register(store, name, "random", options={}, is_checked=False)
    assert [bot.name for bot in store.bots.all()] == ["M\u00fcller"]
    assert store.bots.get("Mu\u0308ller").name == "M\u00fcller"


def test_bots_of_older_leagues_and_of_files_keep_their_names(store: Store) -> None:
    store.bots.register(BotVersion("O'Kelly (64-bit)", IMPORTED))
    store.bots.register(BotVersion("good v2", "random"))
    for name in ("O'Kelly (64-bit)", "good v2"):
        found = register(store, name, "random", options={}, is_checked=False)
        assert found.version.name == name


def test_a_folder_stands_for_its_bot(store: Store, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    write(tmp_path / "mine", GOOD, "only.py")
    version, _, _ = register(store, "mine", f"{tmp_path}/mine", options={}, is_checked=False)
    assert sorted(version.files) == ["only.py"]
    write(tmp_path / "mine", "", "other.py")
    with pytest.raises(SpecError, match=r"is a folder without Cargo\.toml, Makefile, bot\.py"):
        take_snapshot("mine", f"{tmp_path}/mine", {})
    write(tmp_path / "mine", GOOD, "main.py")
    found = take_snapshot("mine", f"{tmp_path}/mine", {})
    assert (list(found.files), found.spec) == (["main.py", "only.py", "other.py"], "main.py")
