"""What searches answer and claim when limits cut them short, and when nothing does."""

from math import inf
from types import SimpleNamespace

import pytest

from bots.support.bot import Clock, Report
from bots.support.search import LOOK_NODES, ORDERS, SearchBudget
from bots.support.specs import make_bot
from bots.support.transposition_table import TranspositionTable
from games.support.specs import find_game
from tests.bots.treegame import TreeGame, TreeState, full_tree

CONNECT_FOUR = find_game("connectfour")


class _SlowTree(TreeState):
    """A place in a tree whose moves take a millisecond each, by a clock of the test's own."""

    now_ns = 0

    def play(self, move: int) -> "_SlowTree":
        """Let the time pass."""
        _SlowTree.now_ns += 1_000_000
        child = super().play(move)
        return _SlowTree(child.game, child.node, child.name)


@pytest.fixture(scope="module")
def large_tree() -> TreeGame:
    """Grow a tree of 3¹⁰ leaves, once."""
    return full_tree((0, 1) * 5, 3, seed=1)


@pytest.mark.parametrize("name", ["minimax", "alphabeta", "iterative", "greedy"])
@pytest.mark.parametrize("order", ORDERS)
def test_a_slow_game_makes_nobody_late(
    name: str, order: str, large_tree: TreeGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = SimpleNamespace(monotonic_ns=lambda: _SlowTree.now_ns)
    monkeypatch.setattr("bots.support.search.time", clock)
    bot = make_bot(name, {"order": order, "depth": "9"} if name == "alphabeta" else {})
    for time_ms in range(4, 100, 5):
        _SlowTree.now_ns = 0
        move = bot.choose(
            _SlowTree(large_tree, large_tree.root, "root"), Clock(deadline_ns=time_ms * 1_000_000)
        )
        assert move in (0, 1, 2)
        assert _SlowTree.now_ns <= time_ms * 1_000_000


def test_looks_at_the_clock_follow_the_pace(monkeypatch: pytest.MonkeyPatch) -> None:
    now_ns = 0
    monkeypatch.setattr("bots.support.search.time", SimpleNamespace(monotonic_ns=lambda: now_ns))
    budget = SearchBudget(Clock(deadline_ns=10**12))
    nodes: float = 0
    for _ in range(20):
        nodes = budget.next_look(int(nodes))
    assert budget.next_look(1000) == 1000 + LOOK_NODES
    now_ns += LOOK_NODES * 1_000_000
    assert budget.next_look(2000) == 2001


@pytest.mark.parametrize("name", ["minimax", "alphabeta", "iterative", "greedy"])
def test_a_report_claims_no_more_than_was_seen(name: str) -> None:
    """A search cut short knows no score, and no loss, of moves that it has not searched."""
    state = CONNECT_FOUR.initial()
    for column in (3, 0, 3, 0, 3):
        state = state.play(column)
    bot = make_bot(name, {})
    bot.choose(state, Clock.of(0))
    assert bot.report is not None
    assert (bot.report.score, bot.report.text, bot.report.depth) == (None, "", 0)
    for nodes in range(1, 60):
        bot.choose(state, Clock(nodes=nodes, depth=2))
        assert bot.report.text == ""


@pytest.mark.parametrize("name", ["minimax", "alphabeta", "iterative"])
def test_a_proven_draw_is_called_one(name: str) -> None:
    state = find_game("tictactoe").initial()
    for square in (0, 4, 8):
        state = state.play(square)
    bot = make_bot(name, {"depth": "9"})
    bot.choose(state, Clock())
    assert bot.report is not None
    assert (bot.report.score, bot.report.text) == (0, "drawn")
    bot.choose(state, Clock(depth=2))
    assert bot.report.text == ""


def test_a_move_without_a_choice_is_reported() -> None:
    state = find_game("connectfour?columns=1&rows=3&connect=2").initial()
    bot = make_bot("iterative", {})
    assert bot.choose(state, Clock()) == 0
    assert bot.report == Report(depth=0, nodes=1, pv=(0,), text="only move")


def test_a_table_forgets_at_once_and_gives_back_in_time() -> None:
    table = TranspositionTable(10)
    table.shards[0]["a"] = (1, True, 0, 0, 0)
    table.clear(0)
    assert not any(table.shards)
    table.clear(inf)
    assert not any(table.shards)
