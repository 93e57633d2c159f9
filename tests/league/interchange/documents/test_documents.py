"""Every document that a command prints, read back by its class and held against its schema."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.hosting.model.people import Person, Role
from league.hosting.store.host_store import open_host_store
from league.interchange.documents.catalogue import document_of
from league.interchange.documents.document import (
    Document,
    document_type,
    json_text,
    schema_of,
    schemas_of,
    to_dict,
)
from league.match.replay import Frame
from league.model.document import Digits4
from league.store.rows import BotRow, VersionRow
from league.store.soundness import back_up
from tests.league.command import both, league
from tests.league.command_tree import COMMANDS
from tests.league.hosting.season.teams import add_leg, add_team, change_team, season_of
from tests.league.interchange.documents.of_commands import OF_COMMANDS
from tests.paths import BAD_BOTS

KEYS = Path(__file__).parent / "keys.txt"

PGN = '[White "one"]\n[Black "rnd"]\n[Result "1-0"]\n\n1. e4 e5 1-0\n\n'

VOID = ("--tournament", "1", "--reason", "a bug", "--yes")

GATE = ("--against", "mini", "--game", "tictactoe", "--depth", "1", "--rounds", "2")
"""A test that is too short for a verdict."""

PRINTED: dict[str, list[tuple[str, ...]]] = {
    "bench": [("bench", "tictactoe", "--bots", "minimax:depth=2,random")],
    "bots": [("bots",), ("bots", "mini"), ("bots", "--catalogue")],
    # It needs a hosted league: tests/league/hosting/cli/test_challenge.py looks at it.
    "challenge": [],
    "check": [("check", "random", "--game", "tictactoe")],
    "crosstable": [("crosstable", "--game", "tictactoe")],
    "db verify": [("db", "verify")],
    "demo": [("demo", "--rounds", "1", "--move-time", "5ms")],
    "exploit": [("exploit", "random", "--game", "kuhn")],
    "explain": [("explain", "--game", "tictactoe", "--bot", "alphabeta:depth=2")],
    "export": [("export", "1", "--as", "json")],
    "gate": [("gate", "random", "--name", "rnd", *GATE)],
    "games": [("games",), ("games", "mnk"), ("games", "--all")],
    "host init": [("host", "init", "--game", "tictactoe", "--db", "other.db")],
    "host settings": [("host", "settings"), ("host", "settings", "freeze=2d")],
    "host status": [("host", "status")],
    "host void": [("host", "void", *VOID, "--db", "one.db")],
    "import": [("import", "one.pgn", "--game", "chess")],
    "marks": [("marks",)],
    "matches": [("matches",)],
    "people add": [("people", "add", "ada", "--team", "rooks")],
    "people audit": [("people", "audit"), ("people", "audit", "ben")],
    "people disable": [("people", "disable", "ben")],
    "people enable": [("people", "enable", "ben")],
    "people import": [("people", "import", "roster.csv")],
    "people link": [("people", "link", "ben"), ("people", "link", "--pending")],
    "people list": [("people", "list")],
    "people remove": [("people", "remove", "eve", "--yes")],
    "people rename-team": [("people", "rename-team", "bishops", "queens")],
    "people show": [("people", "show", "ben")],
    "perft": [("perft", "tictactoe", "2"), ("perft", "tictactoe", "2", "--divide")],
    "power": [("power", "5")],
    # It needs a hosted league: tests/league/hosting/cli/test_push.py looks at it.
    "push": [],
    "rate-pgn": [("rate-pgn", "one.pgn")],
    "ratings": [("ratings", "history", "mini"), ("ratings", "recompute")],
    "register": [("register", "two", "random")],
    "replay": [("replay", "1"), ("replay", "1", "--ply", "1")],
    "report": [("report", "1")],
    "repro": [("repro", "1", "--ply", "2")],
    "resume": [("resume", "1")],
    "run": [("run", "--game", "tictactoe", "--bots", "mini,rnd", "--depth", "1")],
    "solve": [("solve", "tictactoe", "--line")],
    "sprt": [("sprt", "--counts", "5,3,2")],
    "standings": [("standings",), ("standings", "--matrix")],
    "stats calibration": [("stats", "calibration")],
    "stats cost": [("stats", "cost")],
    "stats health": [("stats", "health")],
    "stats versus": [("stats", "versus", "mini", "rnd"), ("stats", "versus", "rnd", "raises")],
    "stats": [("stats",)],
    "tournaments": [("tournaments",), ("tournaments", "1"), ("tournaments", "2")],
    "tune": [
        (
            *("tune", "mini", "--game", "tictactoe", "--param", "depth=1,1,3,1"),
            *("--matches", "4", "--test-matches", "2", "--seed", "1", "--depth", "1"),
        )
    ],
    "void": [("void", *VOID, "--db", "two.db")],
    "why": [("why", "1")],
}
"""What is asked of each command with `--json`."""

CODES = {"host status": 1, "gate": 2}
"""The exit codes of commands that find something: nobody hosts that league, nothing is decided."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a league with a bot that fails and a match from a file."""
    pytest.importorskip("chess", reason="needs the extra 'chess'")
    found = tmp_path_factory.mktemp("documents")
    bots = {"mini": "minimax", "rnd": "random", "raises": str(BAD_BOTS / "raises.py")}
    for name, spec in bots.items():
        league(found, "register", name, spec, "--no-check")
    chosen = ("--game", "tictactoe", "--bots", "mini,rnd,raises")
    league(found, "run", *chosen, "--depth", "1", "--seed", "1", "--quiet")
    (found / "one.pgn").write_text(PGN)
    league(found, "import", "one.pgn", "--game", "chess")
    for login, team in (("ben", "knights"), ("eve", "bishops")):
        league(found, "people", "add", login, "--team", team)
    (found / "roster.csv").write_text("login,team\nfay,pawns\nben,knights\n")
    with open_host_store(str(found / "league.db")) as store:
        season = season_of(store, marks="plays: 1 point")
        add_leg(store, season.id, 1)
        change_team(store, add_team(store, "mini"), bot_id=store.bots.get("mini").id)
        for copy in ("one.db", "two.db"):
            back_up(store, found / copy)
    return found


def rows(command: str, value: Any) -> Iterator[Any]:
    """Yield the documents in what a command prints."""
    if isinstance(value, list):
        yield from value
    elif command == "bots" and "bot" not in value:
        yield from value.values()
    else:
        yield value


def read(kinds: tuple[type, ...], value: Any) -> Document:
    """Read a value as the one kind of document that it fits."""
    found = []
    for kind in map(document_type, kinds):
        try:
            found.append(msgspec.convert(value, kind))
        except msgspec.ValidationError as error:
            failure = error
    if not found:
        raise failure
    return found[0]


def in_order(value: object) -> Any:
    """Return a value of JSON whose objects differ where their keys come in another order."""
    return json.loads(json.dumps(value), object_pairs_hook=list)


@pytest.mark.extra
@pytest.mark.parametrize("command", OF_COMMANDS)
def test_what_a_command_prints_is_its_document(folder: Path, command: str) -> None:
    validators = pytest.importorskip("jsonschema_rs", reason="needs the extra 'dev'")
    for arguments in PRINTED[command]:
        # `export` has another meaning of --json, and prints one document a line.
        more = () if command == "export" else ("--json",)
        text, _ = both(folder, *arguments, *more, code=CODES.get(command, 0))
        values = map(json.loads, text.splitlines()) if command == "export" else [json.loads(text)]
        for value in (row for each in values for row in rows(command, each)):
            document = read(OF_COMMANDS[command], value)
            assert in_order(to_dict(document)) == in_order(value)
            validators.Draft202012Validator(schema_of(type(document), "")).validate(value)


def test_documents_keep_their_keys() -> None:
    kinds = [kind for of_command in OF_COMMANDS.values() for kind in of_command]
    shapes = schemas_of(kinds, "").items()
    found = [
        f"{name}: {' '.join(each['properties'])}" for name, each in shapes if "enum" not in each
    ]
    # To change a document on purpose, change its line there.
    assert sorted(found) == KEYS.read_text("utf-8").splitlines()


def test_every_command_that_prints_json_is_in_the_catalogue() -> None:
    def has_json(found: click.Command) -> bool:
        # The commands of `ratings` are in its own module, and have its name.
        parts = found.commands.values() if type(found) is click.Group else ()
        return any(each.name == "as_json" for each in found.params) or any(map(has_json, parts))

    assert {name for name, found in COMMANDS.items() if has_json(found)} == set(OF_COMMANDS)


@given(value=st.floats() | st.floats(-9, 9).map(lambda each: each / 7) | st.none())
def test_numbers_have_the_digits_of_their_field(value: float | None) -> None:
    class Measured(Document):
        """A number."""

        size: Digits4 | None

    class Value:
        size = value

    found = Measured.of(Value()).size
    is_missing = value is None or value != value or abs(value) == float("inf")
    assert found == (None if is_missing else round(value or 0.0, 4))


@given(
    name=st.text(),
    options=st.dictionaries(st.text(), st.text()),
    numbers=st.lists(st.integers(1, 2**53), min_size=1),
)
def test_a_document_is_read_back_as_it_was(
    name: str, options: dict[str, str], numbers: list[int]
) -> None:
    versions = [
        VersionRow(id=each, number=each, spec=name, options=options, digest="", created_at=each)
        for each in numbers
    ]
    row = BotRow(
        id=1, name=name, is_retired=False, games=(name,), created_at=1, versions=tuple(versions)
    )
    document = document_of(row)
    assert json.loads(json_text([row, float("inf")])) == [to_dict(document), None]
    assert msgspec.convert(to_dict(document), type(document)) == document
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({**to_dict(document), "more": 1}, type(document))


def test_a_value_without_a_document_is_refused() -> None:
    with pytest.raises(TypeError, match="no document of 3"):
        document_of(3)
    assert document_of.dispatch(Frame) is not document_of.dispatch(object)
    with pytest.raises(TypeError, match="no document of Person"):
        json_text([float("inf"), Person(1, "ben", Role.AUTHOR)])


@pytest.mark.slow
@pytest.mark.parametrize("arguments", [["--help"], ["standings"], ["games"]])
def test_tables_are_made_without_documents(folder: Path, arguments: list[str]) -> None:
    code = (
        "import sys\nfrom league.cli.main import cli\n"
        f"cli({arguments!r}, standalone_mode=False)\n"
        "print('msgspec' in sys.modules)"
    )
    found = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=True
    )
    assert found.stdout.splitlines()[-1] == "False"
