"""Parts of installed packages: each kind is found by name, and a broken one is told in a line."""

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from games.support.catalogue import Catalogue
from games.support.errors import InputError, UnknownNameError
from league.formats.format import Format
from league.store.store import open_store
from tests.league.command import ask
from tests.league.matches import add_bots, add_tournament, save_encounter
from tests.league.seats.scripted import engine
from tests.league.warm_cli import ForkServer
from tests.paths import EXAMPLES, ROOT

OFFERED = {
    "games": {"heaps": "nim:Nim", "tictactoe": "nim:Nim"},
    "bots": {
        "last": "extras:LastMove [fast]",
        "undescribed": "extras:Undescribed",
        "random": "extras:LastMove",
    },
    "formats": {"neighbours": "extras:Neighbours", "swiss": "extras:Neighbours"},
    "rating_systems": {"percent": "extras:Percent", "elo": "extras:Percent"},
    "protocols": {"told": "extras:HeapsSeat", "uci": "extras:HeapsSeat"},
    "exports": {"lines": "extras:LINES", "csv": "extras:LINES"},
}
"""By group, what the package offers by name: new parts, and some under names of our own."""

_ALWAYS = {"absent": "nowhere:Part", "leaves": "quits:Part", "wrong": "extras:NUMBER"}
BROKEN = {group: dict(_ALWAYS) for group in OFFERED}
"""By group, what it offers besides and can't be used."""

BROKEN["games"]["unready"] = "unready:Nim"
BROKEN["bots"]["within"] = "shut.inner:Part"
BROKEN["exports"]["kind"] = "extras:Lines"


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder that a package is installed in."""
    folder = tmp_path_factory.mktemp("packages")
    (folder / "extras.py").write_text(Path(__file__).with_name("extras.py").read_text())
    nim = (EXAMPLES / "nim.py").read_text()
    (folder / "nim.py").write_text(nim)
    (folder / "unready.py").write_text(nim.replace("option(21", "option('many'"))
    (folder / "quits.py").write_text("import sys\nsys.exit(3)\n")
    (folder / "shut").mkdir()
    (folder / "shut" / "__init__.py").write_text("1 / 0\n")
    (folder / "shut" / "inner.py").write_text("")
    info = folder / "extras-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: extras\nVersion: 1.0\n")
    groups = [
        f"[botleague.{group}]\n"
        + "".join(f"{name} = {value}\n" for name, value in (parts | BROKEN[group]).items())
        for group, parts in OFFERED.items()
    ]
    (info / "entry_points.txt").write_text("\n".join(groups))
    return folder


@pytest.fixture(scope="module")
def fork_server(package: Path) -> Iterator[ForkServer]:
    """Give commands to a league where that package is installed."""
    with ForkServer(PYTHONPATH=str(package)) as forks:
        yield forks


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a league in which two bots have met."""
    folder = tmp_path_factory.mktemp("played")
    with open_store(str(folder / "league.db"), create=True) as store:
        one, two = add_bots(store, "a", "b")
        save_encounter(store, add_tournament(store, one, two), 0, (one, two), "WL")
    return folder


FIND = """
import json
from bots.support.specs import BOTS
from games.support.specs import find_game, GAMES
from league.formats.specs import FORMATS, make_format
from league.interchange.export import EXPORTS, all_exports
from league.ratings.system_specs import SYSTEMS, make_system
from league.seats.bot_specs import PROTOCOLS, protocol_of

print(json.dumps({
    "names": {
        "games": GAMES.names(), "bots": BOTS.names(), "formats": FORMATS.names(),
        "rating_systems": SYSTEMS.names(), "protocols": PROTOCOLS.names(),
        "exports": list(all_exports()),
    },
    "found": [
        find_game("heaps?heap=5").spec, BOTS.find("last").__name__, BOTS.reference("last"),
        FORMATS.find("neighbours").__name__, make_format("neighbours:apart=2").apart,
        SYSTEMS.find("percent").__name__, make_system("percent").title,
        PROTOCOLS.find("told").__name__, protocol_of("told:./bot"), EXPORTS.find("lines").suffix,
    ],
    "own": [
        find_game("tictactoe").title, BOTS.find("random").__name__, FORMATS.find("swiss").__name__,
        SYSTEMS.find("elo").__name__, PROTOCOLS.find("uci").__name__, EXPORTS.find("csv").suffix,
    ],
}))
"""


@pytest.mark.slow
def test_a_package_offers_parts_of_every_kind_by_entry_points(package: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", FIND],
        cwd=ROOT,
        env={"PYTHONPATH": f"{ROOT}:{package}"},
        capture_output=True,
        text=True,
        check=True,
    )
    told = json.loads(ran.stdout)
    for group, parts in OFFERED.items():
        assert parts.keys() <= set(told["names"][group]), group
    assert told["found"] == [
        *("heaps?heap=5", "LastMove", "extras:LastMove"),
        *("Neighbours", 2, "Percent", "Percent"),
        *("HeapsSeat", "told", ".txt"),
    ]
    # Names of the project's own mean what they mean without the package.
    assert told["own"] == ["Tic-tac-toe", "Random", "Swiss", "LiveElo", "UciSeat", ".csv"]


SCRIPT = [
    (r'"type":"move","id":(\d+).*"legal":\["(\w+)"', r'{"id":\1,"move":"\2"}'),
    (r'"id":(\d+)', r'{"id":\1,"protocol":1}'),
]
"""How a program that takes the first legal move answers."""


@pytest.mark.slow
def test_one_league_uses_a_package_s_parts_of_every_kind(
    tmp_path: Path, fork_server: ForkServer
) -> None:
    def league(*arguments: str) -> str:
        return ask(fork_server, tmp_path, *arguments)

    league("register", "last", "last", "--option", "skip=1", "--game", "heaps")
    league("register", "later", "last:skip=2", "--no-check")
    league("register", "first", engine("told", SCRIPT).spec)
    assert "plays heaps" in league("bots", "first"), "the one game of the protocol"
    run = ("run", "--game", "heaps?heap=9", "--format", "neighbours:apart=2", "--rounds", "2")
    league(*run, "--bots", "last,later,first", "--depth", "1", "--workers", "1", "-q")
    assert "0 findings" in league("db", "verify")
    (shown,) = json.loads(league("standings", "--system", "percent", "--json"))
    assert (shown["game"], shown["system"]) == ("heaps?heap=9", "percent")
    ratings = {row["bot"]: row["rating"] for row in shown["standings"]}
    # Opponents are two apart in the list: the middle one meets nobody.
    assert ratings.keys() == {"last", "first"}
    assert sum(ratings.values()) == 100
    head, *lines = league("export", "--as", "lines").splitlines()
    assert head == "matches of Nim"
    assert len(lines) == 4
    for one, other in (("last", "first"), ("first", "last")):
        assert sum(line.startswith(f"{one} – {other}: ") for line in lines) == 2
    points = sum(float(line.split()[-3 if line.startswith("last") else -1]) for line in lines)
    assert ratings["last"] == 25 * points


NAMING = {
    "games": ("games", "{}"),
    "bots": ("register", "c", "{}"),
    "formats": ("run", "--game", "tictactoe", "--bots", "a,b", "--format", "{}"),
    "rating_systems": ("standings", "--system", "{}"),
    "protocols": ("register", "c", "{}:true"),
    "exports": ("export", "--as", "{}"),
}
"""A command that names a part of the group."""

REASONS = {
    "absent": "'nowhere'",
    "leaves": "SystemExit: 3",
    "wrong": "",
    "unready": "option heap='many': expected a whole number from 1 to 60",
    "within": "does not load: ZeroDivisionError: division by zero",
    "kind": "is no export",
}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("group", "name"), [(group, name) for group, names in BROKEN.items() for name in names]
)
def test_a_part_that_can_not_be_used_is_told_in_a_line(
    played: Path, fork_server: ForkServer, group: str, name: str
) -> None:
    before = (played / "league.db").read_bytes()
    arguments = [word.format(name) for word in NAMING[group]]
    said = ask(fork_server, played, *arguments, code=1)
    assert said.startswith("league: ")
    assert said.count("\n") == 1
    reference = BROKEN[group][name]
    assert any(f"'{each}'" in said for each in (name, reference, reference.partition(":")[0]))
    assert REASONS[name] in said
    assert (played / "league.db").read_bytes() == before


@pytest.mark.slow
def test_parts_that_can_not_be_used_hide_no_others(played: Path, fork_server: ForkServer) -> None:
    games = ask(fork_server, played, "games").splitlines()
    assert any(line.split()[:2] == ["heaps", "Nim"] for line in games)
    assert "game 'leaves' does not load: SystemExit: 3" in games
    assert any(line.startswith("game 'unready' can't be made: option heap=") for line in games)
    bots = ask(fork_server, played, "bots", "--catalogue").splitlines()
    assert "last: Plays the last legal move." in bots
    assert "undescribed: no description" in bots
    assert "bot 'leaves' of an installed package does not load: SystemExit: 3" in bots
    as_json = json.loads(ask(fork_server, played, "bots", "--catalogue", "--json"))
    assert as_json["wrong"] == {"why_not": "extras:NUMBER, named as bot 'wrong', is no bot"}
    assert as_json["last"]["options"][0]["name"] == "skip"
    # No format is named: the usual one of the game is looked for among all.
    assert len(ask(fork_server, played, "export").splitlines()) == 2
    assert "known: " in ask(fork_server, played, "standings", "--system", "zzz", code=1)


def formats_of(patch: pytest.MonkeyPatch, **offered: str) -> Catalogue[type[Format]]:
    """Return the catalogue of formats, where a package offers these by name."""
    group = "botleague.formats"
    info = Path(tempfile.mkdtemp()) / "offered-1.0.dist-info"
    info.mkdir()
    lines = [f"{name} = {value}" for name, value in offered.items()]
    (info / "entry_points.txt").write_text("\n".join([f"[{group}]", *lines]))
    patch.syspath_prepend(info.parent)

    def is_format(part: object) -> bool:
        return isinstance(part, type) and issubclass(part, Format)

    return Catalogue(
        kind="format",
        package="league.formats",
        attribute="FORMAT",
        group=group,
        is_part=is_format,
    )


def test_a_reference_stands_without_spaces_and_extras(monkeypatch: pytest.MonkeyPatch) -> None:
    found = formats_of(monkeypatch, one="a.b : C [fast, more]", two="a.b")
    assert [found.reference(name) for name in ("one", "two", "swiss")] == ["a.b:C", "a.b", ""]


def test_what_is_there_is_told_apart_from_what_loads(monkeypatch: pytest.MonkeyPatch) -> None:
    found = formats_of(monkeypatch, extra="league.formats.swiss:Swiss", none="nowhere:Part")
    assert found.has("none")
    assert not found.has("format"), "a module without a part"
    assert {"extra", "none", "swiss"} <= set(found.names())
    parts, why_not = found.loaded()
    assert parts["extra"] is parts["swiss"] is found.find("swiss")
    assert list(why_not) == ["none"]
    with pytest.raises(UnknownNameError, match=r"unknown format 'swisss' \(did you mean 'swiss'"):
        found.find("swisss")


def test_a_reason_of_several_lines_becomes_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "stumbles.py").write_text("raise ValueError('one\\n  two')\n")
    monkeypatch.syspath_prepend(tmp_path)
    found = formats_of(monkeypatch, stumbles="stumbles:Part")
    with pytest.raises(InputError, match=r"does not load: ValueError: one two$"):
        found.find("stumbles")


@pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError])
def test_what_is_no_fault_of_a_part_is_passed_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: type[BaseException]
) -> None:
    (tmp_path / "stopped.py").write_text(f"raise {error.__name__}\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(error):
        formats_of(monkeypatch, stopped="stopped:Part").find("stopped")
