"""A traced search finds what the plain one finds, and tells the truth about its way."""

from collections import Counter
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots import alphabeta, minimax
from bots.support.search import ORDERS, Exhausted
from bots.trace.records import Kind, SearchSetting, Step, Trace
from bots.trace.search import count_nodes, trace
from games.support.game import CHANCE, NULL, Evaluation, State
from games.support.specs import find_game
from tests.bots.treegame import random_tree
from tests.examples import examples
from tests.strategies import SPECS, open_positions

SIDES = [(0, 1), (0, 1, 1), (0, 1, 0, 1), (0, 1, 1, 1), (1, 0)]


def of_tree(name: str, **given: str) -> Trace:
    """Trace alpha-beta over a shipped tree."""
    root = find_game(f"tree?file={name}").initial()
    return trace(root, SearchSetting(None, NULL, **given))


def check_same(state: State, depth: int | None, evaluation: Evaluation) -> None:
    """Hold traces of both searches against the searches."""
    plain = minimax.search(state, depth=depth, evaluation=evaluation)
    found = trace(state, SearchSetting(depth, evaluation, method="minimax"))
    assert (found.value, found.move, found.nodes) == (plain.value, plain.move, plain.nodes)
    assert tuple(node.move for node in found.pv) == plain.pv
    assert found.cuts == found.left_out == 0
    for order in ORDERS:
        cut = alphabeta.search(state, depth=depth, evaluation=evaluation, order=order)
        found = trace(state, SearchSetting(depth, evaluation, order=order))
        assert (found.value, found.move, found.nodes) == (cut.value, cut.move, cut.nodes)
        assert tuple(node.move for node in found.pv) == cut.pv
        assert found.minimax.number == plain.nodes
        check_record(found, state, depth)
        strict = trace(state, SearchSetting(depth, evaluation, order=order, cut_on="strict"))
        assert strict.value == cut.value
        assert cut.nodes <= strict.nodes <= plain.nodes
        check_record(strict, state, depth)
        if order == "given":
            assert tuple(node.move for node in strict.pv) == plain.pv


def check_record(found: Trace, root: State, depth: int | None) -> None:
    """Hold every node's claim against the minimax value of its position."""
    assert list(found.recorded) == list(range(found.nodes))
    assert found.left_out == sum(len(n.cut.left_out) for n in found.recorded.values() if n.cut)
    assert found.cascades == sum(bool(n.cut and n.cut.is_cascade) for n in found.recorded.values())
    states = {0: root}
    setting = found.setting
    for number, node in found.recorded.items():
        if number:
            states[number] = states[node.parent].play(node.move)
            assert number in found.recorded[node.parent].children
        if node.is_leaf:
            continue
        assert node.is_floor or node.is_ceiling
        if node.made < 60:
            true = value_of(states[number], node.depth, setting.evaluation, root)
            assert (node.value <= true) if node.is_floor else True
            assert (node.value >= true) if node.is_ceiling else True
        if node.cut:
            check_cut(found, number)
    check_events(found)


def value_of(state: State, depth: int, evaluation: Evaluation, root: State) -> float:
    """Return minimax's value of a position for the seat to move at the root."""
    seat, sides = root.to_move, root.game.sides

    def value(state: State, depth: int) -> float:
        outcome = state.outcome()
        if outcome is not None:
            return outcome[seat] * evaluation.scale
        if depth == 0:
            return evaluation.function(state, seat)
        if state.to_move == CHANCE:
            total: float = 0
            for move, share in state.chance():
                total += share * value(state.play(move), depth - 1)
            return total
        values = [value(state.play(move), depth - 1) for move in state.legal_moves()]
        return max(values) if sides[state.to_move] == sides[seat] else min(values)

    return value(state, depth)


def check_cut(found: Trace, number: int) -> None:
    """Hold a cut against the bound that it names, set beside the way down to its node."""
    node = found.recorded[number]
    cut = node.cut
    assert cut is not None
    above = [each.number for each in found.ancestors(number)]
    assert cut.ancestor in above[1:]
    setter = found.recorded[cut.setter]
    assert setter.parent == cut.ancestor
    assert setter.value == cut.limit
    assert found.is_max(found.recorded[cut.ancestor]) != found.is_max(node)
    assert cut.bound == (Step.BETA if found.is_max(node) else Step.ALPHA)
    assert cut.setter_line[-1] == setter.text
    trigger = found.recorded[cut.trigger]
    assert trigger.parent == number
    assert trigger.value == node.value
    if found.setting.cut_on == "strict":
        assert trigger.value != cut.limit
    if cut.is_cascade:
        assert found.is_max(trigger) == found.is_max(node)
        assert trigger.was_cut
    assert node.kind is (Kind.AT_LEAST if found.is_max(node) else Kind.AT_MOST)


def check_events(found: Trace) -> None:
    """Events come in order: each node is entered once and left once, with the counts right."""
    steps = Counter((event.step, event.node) for event in found.events)
    entered = [e.node for e in found.events if e.step in (Step.ENTER, Step.LEAF)]
    assert len([e for e in found.events if e.step is Step.CUT]) == found.cuts
    assert sorted(entered) == list(found.recorded)
    for number, node in found.recorded.items():
        assert steps[Step.LEAVE, number] == (not node.is_leaf)
    assert found.events[-1].made == found.nodes
    assert found.events[-1].left_out == found.left_out
    windows = {0: (-inf, inf)}
    for event in found.events:
        node = found.recorded[event.node]
        if event.step in (Step.ENTER, Step.LEAF):
            above = windows.get(node.parent, (-inf, inf))
            is_luck = node.parent >= 0 and found.recorded[node.parent].mover == CHANCE
            windows[event.node] = (-inf, inf) if is_luck else above
            assert (node.alpha, node.beta) == windows[event.node]
        elif event.step is Step.ALPHA:
            assert event.value > windows[event.node][0]
            windows[event.node] = (event.value, windows[event.node][1])
        elif event.step is Step.BETA:
            assert event.value < windows[event.node][1]
            windows[event.node] = (windows[event.node][0], event.value)


@given(
    st.integers(0, 2**32),
    st.sampled_from(SIDES),
    st.integers(1, 5),
    st.integers(1, 6),
    st.sampled_from(["null", "digits"]),
    st.booleans(),
)
@examples(100)
def test_trees_with_several_minimisers_and_luck(
    seed: int, sides: tuple[int, ...], levels: int, depth: int, name: str, has_luck: bool
) -> None:
    game = random_tree(seed, sides, levels, has_luck)
    check_same(game.initial(), depth, game.evaluation(name))


@pytest.mark.parametrize("spec", SPECS)
@given(st.data(), st.integers(1, 3))
@examples(5)
def test_positions_of_every_game(spec: str, data: st.DataObject, depth: int) -> None:
    state = data.draw(open_positions(spec))
    names = ["null", *(each.name for each in state.game.evaluations)]
    while depth > 1 and not count_nodes(state, depth, 3000).is_exact:
        depth -= 1
    check_same(state, depth, state.game.evaluation(data.draw(st.sampled_from(names))))


def test_the_cuts_of_the_first_example() -> None:
    found = of_tree("pruning")
    named = {node.text: node for node in found.recorded.values()}
    assert [n.text for n in found.recorded.values()] == ["", *"BDLMENCF"]
    assert (named["E"].alpha, named["E"].beta) == (-inf, 5)
    assert (named["E"].value, named["E"].kind) == (6, Kind.AT_LEAST)
    assert (named["C"].value, named["C"].kind) == (2, Kind.AT_MOST)
    assert (named["B"].value, named["B"].kind) == (5, Kind.EXACT)
    by_beta, by_alpha = named["E"].cut, named["C"].cut
    assert by_beta is not None
    assert by_alpha is not None
    assert (by_beta.bound, by_beta.setter_line, by_beta.left_out) == (
        "beta",
        ("B", "D"),
        ("O", "P"),
    )
    assert (by_alpha.bound, by_alpha.setter_line, by_alpha.left_out) == ("alpha", ("B",), ("G",))
    assert (found.nodes, found.minimax.number, found.saved) == (9, 15, 0.4)
    assert (found.cuts, found.left_out, found.cascades) == (2, 3, 0)


def test_two_minimisers_are_cut_in_cascade() -> None:
    found = of_tree("ghosts")
    named = {node.text: node for node in found.recorded.values()}
    for above, below in (("B", "B1"), ("C", "C1")):
        first, second = named[below].cut, named[above].cut
        assert first is not None
        assert second is not None
        assert first.setter_line == second.setter_line == ("A",)
        assert (first.is_cascade, second.is_cascade) == (False, True)
        assert found.recorded[second.trigger] is named[below]
        assert len(first.left_out) == len(second.left_out) == 2
    assert (found.nodes, found.minimax.number, found.cascades) == (37, 121, 2)


def test_equal_values_cut_only_at_equality() -> None:
    """The second move ties with the first: strictly, all of it is looked at."""
    equal, strict = of_tree("tied"), of_tree("tied", cut_on="strict")
    assert (equal.nodes, strict.nodes) == (9, 10)
    assert (equal.cuts, strict.cuts) == (1, 0)
    assert equal.value == strict.value


def test_a_large_search_is_sampled() -> None:
    game = find_game("connectfour")
    setting = SearchSetting(5, game.evaluation(""))
    whole = trace(game.initial(), setting)
    part = trace(game.initial(), setting, recorded_max=200, counted_max=1500)
    assert not whole.is_sampled
    assert part.is_sampled
    assert len(part.recorded) < len(whole.recorded) / 4
    assert (part.value, part.move, part.nodes) == (whole.value, whole.move, whole.nodes)
    assert (part.cuts, part.left_out, part.cascades) == (whole.cuts, whole.left_out, whole.cascades)
    assert [node.number for node in part.pv] == [node.number for node in whole.pv]
    for number, node in part.recorded.items():
        same = whole.recorded[number]
        assert (node.value, node.kind, node.cut, node.text) == (
            same.value,
            same.kind,
            same.cut,
            same.text,
        )
    assert part.largest[:50] == whole.largest[:50]
    assert (part.minimax.number, part.minimax.is_exact) == (1500, False)
    assert part.saved is None
    assert part.events[-1] == whole.events[-1]


@pytest.mark.parametrize("most", [1, 10, 60, 300])
def test_a_sample_is_a_tree_with_the_best_line_in_it(most: int) -> None:
    game = find_game("connectfour")
    found = trace(game.initial(), SearchSetting(5, game.evaluation("")))
    chosen = found.sample(most)
    assert len(chosen) <= max(most, 60)
    assert {0, *(node.number for node in found.pv)} <= chosen
    assert all(found.recorded[number].parent in chosen for number in chosen if number)


@pytest.mark.parametrize(
    ("depth", "nodes"), [(5, 18_730), pytest.param(None, 549_946, marks=pytest.mark.slow)]
)
def test_nodes_are_counted_as_minimax_makes_them(depth: int | None, nodes: int) -> None:
    root = find_game("tictactoe").initial()
    assert count_nodes(root, depth, 10**6).number == nodes
    assert not count_nodes(root, 4, 3000).is_exact


def test_a_search_without_end_is_ended() -> None:
    root = find_game("connectfour").initial()
    with pytest.raises(Exhausted):
        trace(root, SearchSetting(None, NULL, method="minimax"), nodes_max=2000)
