"""Game trees: the textbook examples, searched to the node, and files good and bad."""

import json
from pathlib import Path

import pytest

from bots import alphabeta, iterative, minimax
from games.support.errors import PositionError
from games.support.game import CHANCE, NULL
from games.support.specs import find_game
from games.support.text_files import find_text
from games.tree.rules import TREES, TreeGame, TreeState

SHIPPED = ("binary", "chance", "ghosts", "horizon", "pruning", "three-seats", "tied")


def tree(name: str | Path) -> TreeGame:
    """Return the game of a shipped tree or a file."""
    game = find_game(f"tree?file={name}")
    assert isinstance(game, TreeGame)
    return game


def written(tmp_path: Path, text: str, name: str = "own.txt") -> TreeGame:
    """Return the game of a tree of one's own."""
    (tmp_path / name).write_text(text)
    return tree(tmp_path / name)


def test_all_that_is_shipped_is_tested() -> None:
    assert tuple(sorted(path.stem for path in TREES.iterdir())) == SHIPPED


@pytest.mark.parametrize(
    ("name", "value", "nodes", "pruned"),
    [
        # Minimax makes every node; alpha-beta skips O, P and all of G.
        ("binary", 5, 15, 11),
        ("pruning", 5, 15, 9),
        ("tied", 4, 10, 9),
        # 1 + 3 + 9 + 27 + 81 nodes; of the leaves 3*3 + 3*3 - 1 are made (Knuth and Moore 1975).
        ("ghosts", 57, 121, 17 + 20),
        ("horizon", 6, 15, 14),
    ],
)
def test_minimax_and_alphabeta_to_the_node(
    name: str, value: float, nodes: int, pruned: int
) -> None:
    root = tree(name).initial()
    whole = minimax.search(root, depth=None, evaluation=NULL)
    cut = alphabeta.search(root, depth=None, evaluation=NULL)
    assert (whole.value, whole.nodes) == (value, nodes)
    assert (cut.value, cut.move) == (whole.value, whole.move)
    assert cut.nodes == pruned


def test_the_leaves_that_two_minimisers_leave(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []
    play = TreeState.play

    def counted(state: TreeState, move: int) -> TreeState:
        child = play(state, move)
        if child.outcome() is not None:
            made.append(child.name)
        return child

    monkeypatch.setattr(TreeState, "play", counted)
    found = alphabeta.search(tree("ghosts").initial(), depth=None, evaluation=NULL)
    assert len(made) == 17
    assert made[:4] == ["A111", "A112", "A113", "A121"]
    assert found.value == 57


def test_the_nodes_that_alphabeta_makes(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []
    play = TreeState.play

    def named(state: TreeState, move: int) -> TreeState:
        child = play(state, move)
        made.append(child.name)
        return child

    monkeypatch.setattr(TreeState, "play", named)
    alphabeta.search(tree("pruning").initial(), depth=None, evaluation=NULL)
    assert made == ["B", "D", "L", "M", "E", "N", "C", "F"]


def test_of_equal_moves_the_first_is_taken() -> None:
    root = tree("tied").initial()
    for search in (minimax.search, alphabeta.search, iterative.search):
        found = search(root, depth=None, evaluation=NULL)
        assert (found.value, root.text(found.move)) == (4, "B")


def test_luck_is_weighed() -> None:
    root = tree("chance").initial()
    assert isinstance(root, TreeState)
    for search in (minimax.search, alphabeta.search, iterative.search):
        found = search(root, depth=None, evaluation=NULL)
        assert (found.value, root.text(found.move)) == (3.75, "C")
    bet = root.play(1)
    assert bet.to_move == CHANCE
    assert bet.chance() == ((0, 0.25), (1, 0.75))


def test_the_horizon_hides_a_loss() -> None:
    game = tree("horizon")
    root, evaluation = game.initial(), game.evaluation("estimate")
    values = {
        depth: (found.value, root.text(found.move))
        for depth in (1, 2, 3)
        for found in [minimax.search(root, depth=depth, evaluation=evaluation)]
    }
    assert values == {1: (6, "B"), 2: (8, "B"), 3: (6, "C")}
    assert minimax.search(root, depth=None, evaluation=NULL).value == 6


def test_three_seats_have_three_utilities() -> None:
    state = tree("three-seats").position("B D H")
    assert state.outcome() == (3.0, 2.0, 6.0)
    assert state.render().endswith("over: One 3, Two 2, Three 6")


@pytest.mark.parametrize("name", SHIPPED)
def test_json_says_the_same(tmp_path: Path, name: str) -> None:
    """Every shipped tree, written as JSON, is the same tree."""
    text = tree(name).tree

    def node(number: int) -> dict[str, object]:
        found: dict[str, object] = {"name": text.names[number]}
        parent = text.parents[number]
        if parent >= 0 and text.shares[parent]:
            place = text.children[parent].index(number)
            found["probability"] = text.shares[parent][place]
        utilities = text.utilities[number]
        if utilities is not None:
            return found | {"value": list(utilities)}
        seat = text.seats[number]
        found["seat"] = "chance" if seat == CHANCE else text.seat_names[seat]
        found["estimate"] = text.estimates[number]
        return found | {"children": [node(child) for child in text.children[number]]}

    whole = {"title": text.title, "seats": list(text.seat_names), "sides": list(text.sides)}
    game = written(tmp_path, json.dumps(whole | {"root": node(0)}), "own.json")
    for table in ("names", "seats", "parents", "children", "shares", "utilities", "estimates"):
        assert getattr(game.tree, table) == getattr(text, table)
    assert game.sides == tree(name).sides


def test_json_leaves_may_be_bare_numbers(tmp_path: Path) -> None:
    root = {"seat": "Max", "children": [3, {"seat": "Min", "children": [[1, -1], 2]}]}
    game = written(tmp_path, json.dumps({"root": root}), "own.json")
    assert game.tree.names == ["root", "root.1", "root.2", "root.2.1", "root.2.2"]
    assert minimax.search(game.initial(), depth=None, evaluation=NULL).value == 3


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no node in it"),
        ("A Max", "line 1: 'A' has neither children nor a value"),
        ("A 3", "line 1: the root is a leaf"),
        ("A Max\n  B 1\nC 2", "line 3: a second root"),
        ("A Max\n  B 1\n   C 2", "line 3: 'B' is a leaf and has nothing below it"),
        ("A Max\n   B 1\n  C 2", "line 3: indented unlike the others below 'A'"),
        ("A Max\n\tB 1", "line 2: a tab in the indentation"),
        ("A Mux\n  B 1", r"line 1: no seat 'Mux' \(did you mean 'Max'\?\)"),
        ("A Max\n  B one", "line 2: 'B' has neither children nor a value"),
        ("A Max\n  B", "line 2: 'B', expected NAME SEAT or NAME VALUE"),
        ("A Max\n  B 1x", "line 2: '1x' is no number"),
        ("A Max\n  B 1e999", "line 2: '1e999' is no finite number"),
        ("A Max\n  B 1 2", "line 2: the values of two sides must add up to 0"),
        ("A Max\n  B 1 2 3", "line 2: 3 values, expected 2"),
        ("A Max\n  B 1\n  b 2", "line 3: a second 'b' below 'A'"),
        ("A Max\n  1/2: B 1\n  C 2", "line 1: only children of chance have probabilities"),
        ("A chance\n  1/2: B 1\n  C 2", "line 1: some of its children have no probability"),
        ("A chance\n  1/2: B 1\n  1/3: C 2", "line 1: its probabilities add up to 0.83"),
        ("A chance\n  1/0: B 1", "line 2: '1/0' is no number"),
        ("seats: One\nA One\n  B 1", "1 seat, expected two or more"),
        ("sides: 0\nA Max\n  B 1", "sides '0', expected a number for each of the 2 seats"),
        ("sides: 1 1\nA Max\n  B 1", "expected two or more different ones"),
        ('{"root"', r"line 1 column 8: Expecting ':' delimiter"),
        ('{"roots": 1}', r"unknown key 'roots' \(did you mean 'root'\?\)"),
        ("{}", "no 'root' in it"),
        ('{"root": {"seat": "Max"}}', "root: expected a 'value', or a 'seat' and 'children'"),
        (
            '{"root": {"seat": "Max", "children": [1, {"sit": 2}]}}',
            r"root.children\[1\]: unknown key 'sit' \(known: children",
        ),
        ('{"root": {"seat": "Max", "children": [true]}}', r"children\[0\]: True, expected a value"),
    ],
)
def test_bad_trees_are_named_with_their_place(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(PositionError, match=message):
        written(tmp_path, text)


def test_trees_are_not_too_deep(tmp_path: Path) -> None:
    text = "\n".join(f"{' ' * depth}N{depth} Max" for depth in range(400))
    with pytest.raises(PositionError, match="300 levels"):
        written(tmp_path, f"{text}\n{' ' * 400}L 1")
    deep = '{"seat":"Max","children":[' * 5000 + "1" + "]}" * 5000
    with pytest.raises(PositionError, match="300 levels"):
        written(tmp_path, f'{{"root":{deep}}}', "own.json")


def test_an_unknown_tree_gets_a_suggestion() -> None:
    with pytest.raises(PositionError, match=r"no tree 'prunning' \(did you mean 'pruning'\?\)"):
        tree("prunning")


def test_nodes_are_moves_by_name() -> None:
    root = tree("pruning").initial()
    state = tree("pruning").position("b E n")
    assert state.outcome() == (6.0, -6.0)
    assert state.render().splitlines()[-2] == "at A > B > E > N"
    assert [root.text(move) for move in root.legal_moves()] == ["B", "C"]


def test_a_large_tree_is_drawn_as_deep_as_there_is_room() -> None:
    text = tree("ghosts").initial().render()
    assert "A1 Ghost-2 …" in text
    assert len(text.splitlines()) < 35
    assert "A111" not in text
    below = tree("ghosts").position("A A1").render()
    assert "A113 55" in below


def test_the_ghosts_tree_has_its_best_moves_first() -> None:
    """Everywhere, so that the count of leaves is the least possible."""
    text = find_text("tree", TREES, "ghosts")[1]
    lines = [line.split() for line in text.splitlines()]
    values = [int(words[1]) for words in lines if len(words) == 2 and words[1].isdecimal()]
    assert sorted(values) == list(range(1, 82))
    assert values[:3] == [57, 56, 55]
