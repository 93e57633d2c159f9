"""The search of a user's own bot: what is counted from outside."""

import json
from pathlib import Path

import pytest

from games.support.specs import find_game
from league.analysis.own_search import OwnBot, Route
from league.api.league import League
from league.model.errors import CheckError, SetupError
from league.registration.source_snapshot import take_snapshot
from league.seats.python.walk import TOLD_MAX
from tests.league.command import league

MINIMAX = """\
def choose(state, clock):
    return max(state.legal_moves(), key=lambda move: value(state.play(move), {}, state.to_move))


def value(state, depth, seat):
    outcome = state.outcome()
    if outcome is not None:
        return outcome[seat]
    if depth == 0:
        return 0
    values = [value(state.play(move), depth - 1, seat) for move in state.legal_moves()]
    return max(values) if state.to_move == seat else min(values)
"""

REPORTS = """\
from bots import Report


class Mine:
    def choose(self, state, clock):
        moves = state.legal_moves()
        for _ in range(3):
            state.play(moves[0])
        self.report = Report(depth=9, nodes=77, score=0.5, pv=(moves[0],), text="hm \\x1b[31m")
        return moves[0]
"""


def write(folder: Path, source: str) -> str:
    """Write a bot and return its spec."""
    (folder / "mine.py").write_text(source)
    return str(folder / "mine.py")


@pytest.mark.slow
@pytest.mark.parametrize("game", ["tictactoe", "connectfour", "breakthrough", "chess", "pacman"])
def test_the_nodes_of_a_minimax_are_those_of_the_built_in_one(game: str, tmp_path: Path) -> None:
    spec = write(tmp_path, MINIMAX.format(1))
    own, built_in = League.bench(game, f"{spec},minimax:depth=2").value
    if game != "pacman":
        assert (own[0].nodes, own[0].depth) == (built_in[0].nodes, 2)
    assert own[0].value is None


@pytest.mark.slow
def test_the_tree_is_the_one_that_was_walked(tmp_path: Path) -> None:
    version = take_snapshot("x", write(tmp_path, MINIMAX.format(2)), {})
    found = OwnBot(version).search(Route.to(find_game("tictactoe"), "b2 a1"))
    assert (found.nodes, found.plies, found.is_whole) == (1 + 7 + 42 + 210, 3, True)
    assert len(found.tree) == found.nodes
    assert found.tree[0].made == found.nodes - 1
    assert [node.move for node in found.tree[1:8]] == ["a3", "b3", "c3", "a2", "c2", "b1", "c1"]
    assert {node.made for node in found.tree[1:8]} == {1 + 6 + 30}
    large = OwnBot(take_snapshot("x", write(tmp_path, MINIMAX.format(4)), {}))
    found = large.search(Route(find_game("tictactoe")))
    assert len(found.tree) == TOLD_MAX
    assert found.nodes == 1 + 9 + 72 + 504 + 3024 + 15120


@pytest.mark.slow
def test_a_report_tells_more_and_repeated_calls_are_one_node(tmp_path: Path) -> None:
    spec = write(tmp_path, REPORTS)
    told = League.explain_own("connectfour", spec, "4 4")
    assert (told.value.nodes, told.value.plies, len(told.value.tree)) == (4, 1, 2)
    text = told.to_text()
    assert "it reports depth 9, nodes 77, score 0.5, line 1, hm \\x1b[31m" in text
    assert "└─ 1 Yellow ×3" in text
    assert told.to_dict()["nodes_reported"] == 77
    (answers,) = League.bench("connectfour", spec, "4 4").value
    assert (answers[0].nodes, answers[0].depth, answers[0].value) == (77, 9, 0.5)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("def choose(state, clock): return 1 / 0\n", "ZeroDivisionError"),
        ("def choose(state, clock): return 99\n", "illegal move 99"),
        ("import os\ndef choose(state, clock): os._exit(0)\n", "exited with status 0"),
    ],
)
def test_a_bot_that_fails_is_told_in_a_line(source: str, expected: str, tmp_path: Path) -> None:
    with pytest.raises(CheckError, match=expected):
        League.explain_own("tictactoe", write(tmp_path, source))


def test_a_position_in_a_notation_is_reached_too() -> None:
    chess = find_game("chess")
    fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1"
    assert Route.to(chess, fen).state.fen() == fen
    assert Route.to(chess, "e4 e5").state == chess.position("e4 e5")
    assert len(Route.to(chess, "e4 e5").moves) == 2
    with pytest.raises(SetupError, match="no bot moves there"):
        OwnBot(take_snapshot("x", "random", {})).search(
            Route.to(find_game("tictactoe"), "a1 b1 a2 b2 a3")
        )


@pytest.mark.slow
def test_the_commands_take_a_file(tmp_path: Path) -> None:
    write(tmp_path, MINIMAX.format(1))
    words = ("explain", "--game", "tictactoe", "--bot", "mine.py")
    text = league(tmp_path, *words)
    assert "82 nodes (the root and the calls of play), 2 plies deep" in text
    assert json.loads(league(tmp_path, *words, "--json"))["nodes"] == 82
    refused = league(tmp_path, *words, "--svg", "x.svg", code=2)
    assert "of a search of your own they see no values" in refused
    compared = league(tmp_path, "bench", "tictactoe", "--bots", "mine.py,minimax:depth=2")
    assert compared.count("82") == 4


@pytest.mark.slow
def test_a_position_of_a_match_is_searched(tmp_path: Path) -> None:
    write(tmp_path, MINIMAX.format(1))
    league(tmp_path, "register", "mine", "mine.py", "--no-check")
    league(tmp_path, "register", "other", "random", "--no-check")
    league(tmp_path, "run", "--game", "tictactoe", "--bots", "mine,other", "--rounds", "1")
    bots = json.loads(league(tmp_path, "export", "--match", "1", "--json"))["bots"]
    mine, other = ("2", "3") if bots[0] == "mine" else ("3", "2")
    explain = ("explain", "--match", "1", "--ply")
    left = 9 - int(mine)
    assert f"{1 + left + left * (left - 1)} nodes" in league(tmp_path, *explain, mine)
    assert "is random: only the searches of" in league(tmp_path, *explain, other, code=1)
    named = league(tmp_path, *explain, other, "--bot", "mine.py")
    assert f"after ply {other}\nmine.py: " in named
