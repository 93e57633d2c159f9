"""`league explain`: the same search as text, drawing, JSON and page."""

import json
import re
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

from bots.trace.records import SearchSetting, Step
from bots.trace.search import trace
from games.support.errors import InputError
from games.support.game import NULL
from games.support.specs import find_game
from league.cli.main import cli
from league.model.errors import SpecError
from league.model.records import MatchKey, MatchRecord, MoveRecord, Termination
from league.render.search import draw_trace, page_of, text_of
from league.render.search.settings import within
from league.render.search.words import sentence
from league.store.store import open_store
from tests.league import command
from tests.league.matches import add_bots, add_tournament
from tests.paths import DOCS

HOSTILE = "<img src=x onerror=alert(1)></script>\x1b[31m"
SVG = "http://www.w3.org/2000/svg"

PRUNING = """\
tree from the start
alpha-beta to the end, evaluation null; cuts where a value reaches the bound

Max to move: value 5, best line B D M
9 nodes made; minimax makes 15; 40.0% saved
2 cuts; 3 moves left out

root Max [−∞, ∞] = 5
├─ B* Min [−∞, ∞] = 5
│  ├─ D* Max [−∞, ∞] = 5
│  │  ├─ L = 3
│  │  └─ M* = 5
│  └─ E Max [−∞, 5] ≥ 6  cut by D: 2 moves left out
│     └─ N = 6
└─ C Min [5, ∞] ≤ 2  cut by B: 1 move left out
   └─ F = 2

* best line   = exact   ≥ at least   ≤ at most   est. at horizon   (+n) folded
"""


def explain(*arguments: str, code: int = 0) -> str:
    """Run the command and return what it prints on standard output."""
    found = CliRunner().invoke(cli, ["explain", *arguments])
    assert found.exit_code == code, (found.output, found.exception)
    return found.stdout if code == 0 else found.output


def hostile_tree(folder: Path) -> str:
    """Write a tree whose moves and seats have names like markup; return its spec."""
    name = HOSTILE.replace(" ", "_")
    root = {
        "seat": f"{name}0",
        "children": [
            {"name": name, "seat": f"{name}1", "children": [{"name": name, "value": 3}]},
            {
                "name": f"{name}2",
                "seat": f"{name}1",
                "children": [{"name": name, "value": 2}, {"name": f"{name}3", "value": 4}],
            },
        ],
    }
    file = folder / "hostile.json"
    file.write_text(json.dumps({"seats": [f"{name}0", f"{name}1"], "root": root}))
    return f"tree?file={file}"


def test_the_first_example_as_text() -> None:
    assert explain("--game", "tree?file=pruning") == PRUNING


def test_two_minimisers_in_a_row_are_cut_in_cascade() -> None:
    text = explain("--game", "tree?file=ghosts")
    assert "12 cuts, 2 of them in cascade; 24 moves left out" in text
    expected = (
        "├─ B Ghost-1 (min) [57, ∞] ≤ 30  cut in cascade by A: 2 moves left out\n"
        "│  └─ B1 Ghost-2 (min) [57, ∞] ≤ 30  cut by A: 2 moves left out\n"
        "│     └─ B11 Max [57, ∞] = 30\n"
    )
    assert expected in text
    assert "│  │  ├─ A12 Max [−∞, 57] ≥ 60  cut by A11: 2 moves left out\n" in text
    assert "│  │  ├─ A21 Max [−∞, 57] ≥ 66  cut by A A1: 2 moves left out\n" in text


def test_minimax_has_no_windows_and_luck_has_shares() -> None:
    text = explain("--game", "tree?file=chance", "--bot", "minimax")
    assert "15 nodes made: minimax leaves none out" in text
    assert "└─ C* chance = 3.75" in text
    assert "   ├─ 0.25: F Min = 12" in text
    assert "[" not in text


def test_the_convention_at_equality() -> None:
    arguments = ["--game", "tree?file=tied"]
    assert "1 cut; 1 move left out" in explain(*arguments)
    strict = explain(*arguments, "--cut", "strict")
    assert "0 cuts; 0 moves left out" in strict
    assert "cuts where a value passes the bound" in strict


@pytest.mark.parametrize(
    "arguments",
    [
        ["--game", "connectfour", "--moves", "4 4 3", "--bot", "alphabeta:depth=5"],
        ["--game", "connectfour", "--moves", "443", "--fold", "2"],
        ["--game", "pacman", "--bot", "alphabeta:depth=8"],
        ["--game", "tictactoe", "--moves", "a1", "--bot", "alphabeta:depth=none"],
        ["--game", "othello", "--bot", "alphabeta:depth=4,order=evaluation", "--cut", "strict"],
    ],
)
def test_text_is_eighty_columns_wide_and_not_long(arguments: list[str]) -> None:
    lines = explain(*arguments).splitlines()
    assert max(map(len, lines)) <= 80
    assert len(lines) < 130


def test_deep_trees_stay_narrow(tmp_path: Path) -> None:
    lines = [f"{' ' * depth}N{depth} Max" for depth in range(200)]
    (tmp_path / "deep.txt").write_text("\n".join([*lines, f"{' ' * 200}L 1"]))
    text = explain("--game", f"tree?file={tmp_path / 'deep.txt'}")
    assert max(map(len, text.splitlines())) <= 80
    assert "N199" in text


def test_long_names_leave_room_for_what_was_found(tmp_path: Path) -> None:
    name = "N" * 200
    (tmp_path / "long.txt").write_text(f"seats: {name} B\nroot {name}\n  {name}1 B\n    {name}2 3")
    spec = f"tree?file={tmp_path / 'long.txt'}"
    lines = explain("--game", spec).splitlines()
    assert max(map(len, lines)) <= 80
    assert sum(line.endswith("… = 3") or line.endswith("] = 3") for line in lines) == 2
    explain("--game", spec, "--svg", str(tmp_path / "a.svg"))
    assert float(re.findall(r'width="(\d+)"', (tmp_path / "a.svg").read_text())[0]) < 1500


def test_folding() -> None:
    text = explain("--game", "tree?file=pruning", "--fold", "1")
    assert "├─ B* Min [−∞, ∞] = 5 (+5)\n" in text
    assert "└─ C Min [5, ∞] ≤ 2 (+1)  cut by B: 1 move left out" in text
    assert text.endswith("Folded at 1 ply.\n")


def test_json_has_every_node_and_event() -> None:
    found = json.loads(explain("--game", "tree?file=pruning", "--json"))
    assert (found["nodes_made"], found["nodes_minimax"], found["share_saved"]) == (9, 15, 0.4)
    assert (found["value"], found["move"], found["pv"]) == (5, "B", ["B", "D", "M"])
    assert len(found["nodes"]) == 9
    cut = next(node for node in found["nodes"] if node["move"] == "E")
    assert cut == {
        "number": 5,
        "parent": 1,
        "ply": 2,
        "move": "E",
        "mover": 0,
        "role": "max",
        "probability": None,
        "depth": cut["depth"],
        "alpha": None,
        "beta": 5,
        "value": 6,
        "kind": "at least",
        "is_pv": False,
        "subtree": 2,
        "cut": {
            "bound": "beta",
            "limit": 5,
            "ancestor": 1,
            "sibling": 2,
            "sibling_line": ["B", "D"],
            "trigger": 6,
            "left_out": ["O", "P"],
            "is_cascade": False,
        },
    }
    steps = [(event["step"], event["node"]) for event in found["events"]]
    assert steps[:5] == [("enter", 0), ("enter", 1), ("enter", 2), ("leaf", 3), ("alpha", 2)]
    assert found["events"][-1] == {
        "step": "leave",
        "node": 0,
        "value": 5,
        "made": 9,
        "left_out": 3,
    }


def test_json_is_described() -> None:
    found = json.loads(explain("--game", "tree?file=pruning", "--json"))
    page = (DOCS / "how-to" / "explain-a-search.md").read_text()
    names = {*found, *found["nodes"][0], *found["nodes"][5]["cut"], *found["events"][0]}
    assert [name for name in sorted(names) if f"`{name}`" not in page] == []


@pytest.mark.parametrize("name", ["pruning", "ghosts", "chance", "three-seats"])
def test_the_drawing_is_well_formed(tmp_path: Path, name: str) -> None:
    explain("--game", f"tree?file={name}", "--svg", str(tmp_path / "a.svg"))
    root = ElementTree.fromstring((tmp_path / "a.svg").read_text())  # noqa: S314 (our own)
    assert root.tag == f"{{{SVG}}}svg"
    found = json.loads(explain("--game", f"tree?file={name}", "--json"))
    groups = [each.get("class", "").split() for each in root.iter(f"{{{SVG}}}g")]
    assert sum("n" in each for each in groups) == found["nodes_made"]
    assert sum("c" in each for each in groups) == found["cuts"]
    if name == "ghosts":
        assert "in cascade by A" in "".join(root.itertext())


def test_nothing_in_a_drawing_overlaps_sideways() -> None:
    """Nodes of one level stand apart, cut and folded branches among them."""
    game = find_game("connectfour")
    found = trace(game.initial(), SearchSetting(4, game.evaluation("")))
    root = ElementTree.fromstring(draw_trace(found, ""))  # noqa: S314 (our own)
    levels: dict[str, list[float]] = {}
    for each in root.iter(f"{{{SVG}}}g"):
        if "n" in each.get("class", "").split():
            x, y = re.findall(r"-?[\d.]+", each.get("transform", ""))
            levels.setdefault(y, []).append(float(x))
    for places in levels.values():
        ordered = sorted(places)
        assert all(b - a >= 45 for a, b in pairwise(ordered))


def test_a_large_search_says_that_it_is_sampled(tmp_path: Path) -> None:
    game = find_game("connectfour")
    found = trace(game.initial(), SearchSetting(5, game.evaluation("")), recorded_max=500)
    assert found.is_sampled
    for text in (text_of(found, "big"), draw_trace(found, "big"), page_of(found, "big")):
        assert re.search(rf"A sample: \d+ of {found.nodes:,} nodes", text.replace("\n", " "))
    assert len(draw_trace(found, "big")) < 120_000


def test_the_page_stands_alone(tmp_path: Path) -> None:
    explain("--game", "tree?file=ghosts", "--html", str(tmp_path / "a.html"))
    page = (tmp_path / "a.html").read_text(encoding="utf-8")
    assert re.findall(r"https?://[^\s\"<]+", page.replace(SVG, "")) == []
    assert not re.search(r"<(link|img|iframe|script src)", page)
    assert not re.search(r"\son\w+=", page)
    assert "%%" not in page
    data = json.loads(re.findall(r'id="data">(.*?)</script>', page)[0])
    assert len(data["nodes"]) == 37
    told = [event["text"] for event in data["events"] if event["step"] == "cut"]
    assert (
        "At B, 30 passes alpha = 57, which A has set: the same bound cuts on, in cascade. "
        "Left out: B2, B3."
    ) in told
    assert data["events"][-1]["left"] == 24


def test_names_are_text_wherever_they_stand(tmp_path: Path) -> None:
    root = find_game(hostile_tree(tmp_path)).initial()
    found = trace(root, SearchSetting(None, NULL))
    assert found.cuts == 1
    for made in (draw_trace(found, HOSTILE), page_of(found, HOSTILE)):
        assert "<img" not in made
        assert "\x1b" not in made
        assert "&lt;img" in made
    page = page_of(found, HOSTILE)
    assert page.count("</script>") == 2
    ElementTree.fromstring(draw_trace(found, HOSTILE))  # noqa: S314 (our own)
    assert "\x1b" not in text_of(found, HOSTILE)


@pytest.mark.parametrize(
    ("arguments", "code", "text"),
    [
        ([], 2, "give --game"),
        (["--game", "conectfour"], 1, "did you mean 'connectfour'"),
        (["--game", "connectfour", "--bot", "random"], 1, "only minimax and alphabeta can"),
        (["--game", "connectfour", "--bot", "mine.py"], 1, "no file 'mine.py'"),
        (["--game", "connectfour", "--bot", "alphabeta:depht=3"], 1, "did you mean 'depth'"),
        (["--game", "connectfour", "--bot", "alphabeta:evaluate=x"], 1, "unknown evaluation"),
        (["--game", "connectfour", "--moves", "4 9"], 1, "ply 2: illegal move '9'"),
        (["--game", "tree", "--moves", "B D L"], 2, "the match is over in that position"),
        (
            ["--game", "tree?file=chance", "--moves", "B"],
            2,
            "a chance event comes next",
        ),
        (["--game", "tree", "--moves", "B", "--position", "B"], 2, "not both"),
        (["--game", "tree", "--ply", "1"], 2, "--ply counts the plies of a --match"),
        (["--game", "tree", "--match", "1"], 2, "give it alone"),
        (["--match", "1", "--db", "none.db"], 1, "no league at 'none.db'"),
        (["--game", "tree", "--svg", "/no/folder/a.svg"], 1, "/no/folder/a.svg"),
    ],
)
def test_what_goes_wrong_is_said_in_a_line(arguments: list[str], code: int, text: str) -> None:
    found = CliRunner().invoke(cli, ["explain", *arguments])
    if isinstance(found.exception, InputError):
        assert code == 1
        assert text in str(found.exception)
    else:
        assert found.exit_code == code
        assert text in found.output


def test_a_search_that_never_ends_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("league.api.tools.NODES_MAX", 1000)
    said = explain("--game", "connectfour", "--bot", "minimax", code=2)
    assert "makes more than 1,000 nodes: give it less depth, as in --bot minimax:depth=3" in said


@pytest.fixture
def league(tmp_path: Path) -> str:
    """Make a league with a match between two bots, and return its database."""
    db = str(tmp_path / "league.db")
    with open_store(db, create=True) as store:
        versions = add_bots(store, "one", "two")
        tournament = add_tournament(store, *versions)
        record = MatchRecord(
            game="connectfour",
            versions=tuple(versions),
            seed=1,
            opening=(3, 3),
            moves=tuple(
                MoveRecord(ply % 2, wall_ns=1, cpu_ns=1, over_ns=0, report=None) for ply in range(7)
            ),
            scores=(1.0, 0.0),
            termination=Termination.RULES,
            utilities=(1.0, -1.0),
        )
        store.matches.save(tournament, [(MatchKey(0, 0), record)])
    return db


def test_a_stored_match(league: str) -> None:
    first = explain("--match", "1", "--bot", "minimax:depth=1", "--db", league).splitlines()[0]
    assert re.fullmatch(r"match 1: one – two, connectfour.*, after ply 8", first)
    same = explain("--match", "1", "--ply", "2", "--db", league, "--bot", "minimax:depth=2")
    given = explain("--game", "connectfour", "--moves", "4 4", "--bot", "minimax:depth=2")
    assert same.splitlines()[1:] == given.splitlines()[1:]
    assert "ended after 9 plies" in explain("--match", "1", "--ply", "10", "--db", league, code=2)
    assert "the match is over" in explain("--match", "1", "--ply", "9", "--db", league, code=2)


def test_a_bot_that_is_no_search_is_named_instead_of_another_ones_search(league: str) -> None:
    found = CliRunner().invoke(cli, ["explain", "--match", "1", "--db", league])
    assert isinstance(found.exception, SpecError)
    told = str(found.exception)
    assert told.startswith(
        "'one', to move after ply 8, is random: only the searches of minimax and"
    )


@pytest.mark.slow
def test_the_bots_own_search_is_explained(tmp_path: Path) -> None:
    db = str(tmp_path / "league.db")
    runner = CliRunner()
    for name, spec in (("deep", "alphabeta:depth=2,order=game"), ("plain", "minimax:depth=1")):
        assert runner.invoke(cli, ["register", name, spec, "--no-check", "--db", db]).exit_code == 0
    arguments = ["run", "--game", "tictactoe", "--bots", "all", "--rounds", "1", "--db", db]
    command.league(tmp_path, *arguments)
    texts = [explain("--match", "1", "--ply", ply, "--db", db) for ply in ("2", "3")]
    assert any("alpha-beta to depth 2" in text and "game's own order" in text for text in texts)
    assert any("minimax to depth 1" in text for text in texts)


@pytest.mark.slow
def test_a_tournaments_limit_in_rounds_holds(tmp_path: Path) -> None:
    db = str(tmp_path / "league.db")
    runner = CliRunner()
    for name in ("one", "two"):
        spec = "minimax:depth=4"
        assert runner.invoke(cli, ["register", name, spec, "--no-check", "--db", db]).exit_code == 0
    arguments = ["run", "--game", "tictactoe", "--bots", "all", "--depth-rounds", "1", "--db", db]
    command.league(tmp_path, *arguments)
    assert "minimax to depth 2" in explain("--match", "1", "--ply", "2", "--db", db)


def test_a_limit_of_depth_holds() -> None:
    assert within(SearchSetting(None, NULL), 3).depth == 3
    assert within(SearchSetting(5, NULL), 3).depth == 3
    assert within(SearchSetting(2, NULL), 3).depth == 2
    assert within(SearchSetting(2, NULL), None).depth == 2


def test_leaving_says_what_the_value_is_worth() -> None:
    found = trace(find_game("tree").initial(), SearchSetting(None, NULL))
    told = [sentence(found, event) for event in found.events if event.step is Step.LEAVE]
    assert "Leave B: its value is 5." in told
    assert "Leave B E: its value is at least 6." in told
    assert "Leave C: its value is at most 2." in told


def test_the_title_says_where_the_search_begins() -> None:
    for given, told in (
        (("--moves", "b2 a1"), "tictactoe after b2 a1"),
        (("--position", "b2 a1"), "tictactoe at b2 a1"),
        ((), "tictactoe from the start"),
    ):
        text = explain("--game", "tictactoe", "--bot", "minimax:depth=1", *given)
        assert text.startswith(told)
