"""The searches agree with each other and with the published counts."""

import random
import time
from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots import alphabeta, iterative, minimax
from bots.support.bot import Clock
from bots.support.search import ORDERS, SearchResult
from bots.support.transposition_table import TranspositionTable
from games.support.game import CHANCE, Evaluation, State
from games.support.specs import find_game
from tests.bots.graphgame import random_graph
from tests.bots.treegame import Node, TreeGame, TreeState, full_tree, random_tree
from tests.examples import examples, slow
from tests.strategies import SPECS, open_positions, walk, walks

CONNECT_FOUR = find_game("connectfour")
NULL = CONNECT_FOUR.evaluation("null")


@pytest.mark.parametrize(
    ("depth", "nodes"), [(5, 18_730), pytest.param(None, 549_946, marks=pytest.mark.slow)]
)
def test_tictactoe_by_minimax(depth: int | None, nodes: int) -> None:
    """To the end 549,946 nodes, and before it 1 + 9 + 9·8 + 9·8·7 + ...; the value is a draw."""
    root = find_game("tictactoe").initial()
    plain = minimax.search(root, depth=depth, evaluation=NULL)
    assert (plain.nodes, plain.value) == (nodes, 0)
    assert plain.pv == alphabeta.search(root, depth=depth, evaluation=NULL).pv


def test_tictactoe_to_the_end() -> None:
    """18,297 nodes of alpha-beta in index order; the value is a draw."""
    root = find_game("tictactoe").initial()
    pruned = alphabeta.search(root, depth=None, evaluation=NULL)
    assert (pruned.nodes, pruned.value) == (18_297, 0)
    assert iterative.search(root, depth=None, evaluation=NULL).value == 0


@pytest.mark.parametrize(
    ("depth", "nodes"),
    [
        (6, 1_249),
        (8, 12_574),
        (10, 155_590),
        pytest.param(12, 3_050_083, marks=pytest.mark.slow),
    ],
)
def test_connect_four_to_the_node(depth: int, nodes: int) -> None:
    """Counts of alpha-beta with columns left to right and no evaluation, the root included."""
    found = alphabeta.search(CONNECT_FOUR.initial(), depth=depth, evaluation=NULL)
    assert (found.nodes, found.value) == (nodes, 0)


@pytest.mark.parametrize(
    ("seats", "leaves"),
    [
        ((0, 1, 0, 1), 3**2 + 3**2 - 1),
        ((0, 1, 1, 0, 1, 1), 3**2 + 3**4 - 1),
        ((0, 1, 1, 1, 1), 3 + 3**4 - 1),
        ((0, 0, 1), 3**2 + 3 - 1),
    ],
)
def test_the_best_case_of_knuth_and_moore(seats: tuple[int, ...], leaves: int) -> None:
    """Perfect order visits prod(max branchings) + prod(min branchings) - 1 leaves."""
    game = full_tree(seats, 3, seed=5)
    found = alphabeta.search(game.initial(), depth=None, evaluation=NULL)
    assert sum(name.count(".") == len(seats) for name in game.made) == leaves
    assert found.value == minimax.search(game.initial(), depth=None, evaluation=NULL).value


def check_agreement(state: State, depth: int, evaluation: Evaluation) -> None:
    """Hold every search against minimax at the same depth."""
    plain = minimax.search(state, depth=depth, evaluation=evaluation)
    found = [
        alphabeta.search(state, depth=depth, evaluation=evaluation, order=order) for order in ORDERS
    ]
    assert found[0].pv == plain.pv
    deepened = iterative.search(state, depth=depth, evaluation=evaluation)
    if deepened.depth == depth:
        found.append(deepened)
    else:
        # It stopped before: the value is proven, by a decision or by having seen all.
        deep = minimax.search(state, depth=deepened.depth, evaluation=evaluation)
        assert deepened.value == deep.value
        assert deep.value == plain.value
    for each in found:
        assert each.value == plain.value
        assert each.nodes <= plain.nodes or each is deepened
        check_line(state, each, evaluation)


def affordable(state: State, depth: int, nodes: int) -> int:
    """Return `depth`, or fewer plies where there are too many moves for that many nodes."""
    moves = len(state.legal_moves())
    return next((each for each in range(depth, 1, -1) if moves**each <= nodes), 1)


def check_line(state: State, found: SearchResult, evaluation: Evaluation) -> None:
    """Play the principal variation; where it ends the match or the depth, it has the value."""
    seat = state.to_move
    assert found.pv[0] == found.move
    for move in found.pv:
        assert move in state.legal_moves()
        state = state.play(move)
    outcome = state.outcome()
    if outcome is not None:
        assert outcome[seat] * evaluation.scale == found.value
    elif len(found.pv) == found.depth:
        assert evaluation.function(state, seat) == found.value


@pytest.mark.parametrize("spec", SPECS)
@given(st.data(), st.integers(1, 4))
@examples(25)
def test_every_search_finds_minimaxs_value(spec: str, data: st.DataObject, depth: int) -> None:
    state = data.draw(open_positions(spec))
    depth = affordable(state, depth, 7_000)
    names = ["null", *(each.name for each in state.game.evaluations)]
    check_agreement(state, depth, state.game.evaluation(data.draw(st.sampled_from(names))))


@given(
    st.integers(0, 2**32),
    st.sampled_from([(0, 1), (0, 1, 1), (0, 1, 0, 1), (0, 1, 1, 1), (1, 0)]),
    st.integers(1, 5),
    st.integers(1, 6),
    st.sampled_from(["null", "digits"]),
)
def test_seats_may_move_in_any_order(
    seed: int, sides: tuple[int, ...], grown: int, depth: int, name: str
) -> None:
    game = random_tree(seed, sides, grown)
    check_agreement(game.initial(), depth, game.evaluation(name))


@given(st.integers(0, 2**32), st.integers(2, 12), st.integers(1, 7))
@examples(200)
def test_positions_may_come_back_at_other_depths(seed: int, size: int, depth: int) -> None:
    """What a deeper search found out must not be told to one that may not know it."""
    game = random_graph(seed, size)
    for evaluation in (NULL, *game.evaluations):
        check_agreement(game.initial(), depth, evaluation)


@given(st.data())
@examples(30)
def test_a_depth_cut_short_never_answers_worse(data: st.DataObject) -> None:
    state = data.draw(open_positions("connectfour?columns=5&rows=4&connect=3", 6))
    evaluation = state.game.evaluation("")
    whole = [iterative.search(state, depth=depth, evaluation=evaluation) for depth in (3, 4)]
    if whole[1].depth < 4 or whole[1].nodes - whole[0].nodes < 2:
        return
    nodes = data.draw(st.integers(whole[0].nodes, whole[1].nodes - 1))
    cut = iterative.search(state, depth=4, evaluation=evaluation, clock=Clock(nodes=nodes))

    def worth(move: int) -> float:
        """Return what a move is worth at the depth that was cut short."""
        child = state.play(move)
        outcome = child.outcome()
        if outcome is not None:
            return outcome[state.to_move] * evaluation.scale
        sign = 1 if child.to_move == state.to_move else -1
        return sign * minimax.search(child, depth=3, evaluation=evaluation).value

    if whole[1].value > -evaluation.scale:
        assert cut.move == whole[0].move or worth(cut.move) > worth(whole[0].move)


@given(st.integers(0, 2**32), st.integers(2, 7))
@examples(40)
def test_deepening_changes_no_value(seed: int, depth: int) -> None:
    state = walk("connectfour", seed, 20)[-1]
    if state.outcome() is not None:
        return
    evaluation = CONNECT_FOUR.evaluation("windows")
    deepened = iterative.search(state, depth=depth, evaluation=evaluation)
    plain = alphabeta.search(state, depth=deepened.depth, evaluation=evaluation)
    assert deepened.value == plain.value


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("nodes", [10_000, *slow(600_000)])
def test_symmetric_positions_share_their_values(spec: str, nodes: int) -> None:
    """First positions are their own images: there the table holds one entry for all images."""
    root = find_game(spec).initial()
    for depth in range(1, affordable(root, 6, nodes) + 1):
        for evaluation in (NULL, *root.game.evaluations):
            check_agreement_of_two(root, depth, evaluation, iterative.TABLE_MAX)


@given(st.data(), st.integers(1, 5), st.sampled_from([0, 1, 10, 100]))
@examples(40)
def test_a_full_table_changes_no_value(data: st.DataObject, depth: int, limit: int) -> None:
    state = data.draw(open_positions("connectfour?columns=5&rows=4&connect=3"))
    for evaluation in (NULL, *state.game.evaluations):
        check_agreement_of_two(state, depth, evaluation, limit)


def check_agreement_of_two(state: State, depth: int, evaluation: Evaluation, limit: int) -> None:
    """Hold deepening with a table of `limit` entries against alpha-beta."""
    deepened = iterative.search(
        state, depth=depth, evaluation=evaluation, table=TranspositionTable(limit)
    )
    plain = alphabeta.search(state, depth=deepened.depth, evaluation=evaluation)
    assert deepened.value == plain.value
    check_line(state, deepened, evaluation)


@pytest.mark.parametrize("spec", SPECS)
@given(st.data())
@examples(20)
def test_evaluations_see_no_difference_between_images(spec: str, data: st.DataObject) -> None:
    """The table relies on it."""
    states = data.draw(walks(spec))
    for index in range(len(list(states[0].symmetries()))):
        image = states[0]
        for before, after in pairwise(states):
            move = next(move for move in before.legal_moves() if before.play(move) == after)
            image = image.play(list(before.symmetries())[index][1](move))
            if after.outcome() is None:
                for each in after.game.evaluations:
                    worth = [each.function(position, 0) for position in (after, image)]
                    assert worth[0] == worth[1]


def test_keys_without_an_order_share_nothing() -> None:
    class Odd(TreeState):
        """A position whose image has a key of another type."""

        def symmetries(self) -> list[tuple[object, Callable[[int], int]]]:
            """Return an image."""
            return [(1, lambda move: move)]

    game = random_tree(1, (0, 1), 2)
    assert iterative.least_image(Odd(game, game.root, "a"), "a") == ("a", None)


def test_it_wins_by_the_shortest_way() -> None:
    state = CONNECT_FOUR.initial()
    for column in (3, 0, 3, 0, 3, 1):
        state = state.play(column)
    found = iterative.search(state, depth=8, evaluation=CONNECT_FOUR.evaluation(""))
    assert (found.move, found.depth, found.pv) == (3, 1, (3,))
    assert found.report(CONNECT_FOUR.evaluation(""), CONNECT_FOUR).text == "won"


@given(st.integers(0, 2**32))
@examples(40)
def test_it_loses_as_late_as_it_can(seed: int) -> None:
    game = find_game("connectfour?columns=5&rows=4&connect=3")
    states = [state for state in walk(game.spec, seed, 12) if state.outcome() is None]
    for state in states:
        found = iterative.search(state, depth=6, evaluation=NULL)
        if found.value < 0 and found.depth > 1:
            # A depth less sees no loss yet behind this move: it is the last to come.
            left = state.play(found.move)
            sooner = minimax.search(left, depth=max(1, found.depth - 2), evaluation=NULL)
            assert found.depth == 2 or sooner.value <= 0


class _Coin(State):
    """A safe move, or a throw that pays 8 in one of four cases."""

    __slots__ = ("game", "result", "to_move")

    result: float | None

    def __init__(self, to_move: int, result: float | None = None) -> None:
        self.game = TreeGame()
        self.to_move = to_move
        self.result = result

    def legal_moves(self) -> tuple[int, ...]:
        """Return both moves."""
        return (0, 1)

    def chance(self) -> tuple[tuple[int, float], ...]:
        """Return both faces."""
        return ((0, 0.25), (1, 0.75)) if self.to_move == CHANCE else ()

    def play(self, move: int) -> "_Coin":
        """Throw, or take what is safe."""
        if self.to_move == CHANCE:
            return _Coin(0, (8.0, 0.0)[move])
        return _Coin(0, 1.0) if move else _Coin(CHANCE)

    def outcome(self) -> tuple[float, ...] | None:
        """Return what was won."""
        return None if self.result is None else (self.result, -self.result)

    def key(self) -> tuple[int, float | None]:
        """Return all there is."""
        return self.to_move, self.result

    def render(self) -> str:
        """Return nothing worth reading."""
        return ""

    svg = render


@pytest.mark.parametrize("search", [minimax.search, alphabeta.search, iterative.search])
def test_chance_is_weighed(search: Callable[..., SearchResult]) -> None:
    found = search(_Coin(0), depth=None, evaluation=NULL)
    assert (found.move, found.value, found.pv) == (0, 2.0, (0,))
    with pytest.raises(ValueError, match="not chance"):
        search(_Coin(CHANCE), depth=None, evaluation=NULL)


@given(st.integers(0, 10**9), st.integers(1, 6), st.sampled_from([(0, 1), (0, 1, 1), (0, 0, 1)]))
def test_every_search_gives_minimax_s_value_with_luck(
    seed: int, depth: int, sides: tuple[int, ...]
) -> None:
    game = random_tree(seed, sides, 6, has_luck=True)
    evaluation = game.evaluation("digits")
    expected = minimax.search(game.initial(), depth=depth, evaluation=evaluation)
    pruned = alphabeta.search(game.initial(), depth=depth, evaluation=evaluation)
    deepened = iterative.search(game.initial(), depth=depth, evaluation=evaluation)
    assert pruned.value == expected.value
    assert pruned.move == expected.move
    if deepened.depth == depth:
        assert deepened.value == pytest.approx(expected.value)


def test_a_mean_of_nothing_is_no_draw() -> None:
    """An even bet is worth 0, and yet nobody draws."""
    game = TreeGame(Node("", 0, (Node("", CHANCE, ((1.0, -1.0), (-2.0, 2.0))),)))
    for search in SEARCHES:
        found = search(game.initial(), depth=None, evaluation=NULL)
        assert found.value == 0
        assert found.report(NULL, game).text == ""


SEARCHES = [minimax.search, alphabeta.search, iterative.search]


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize("limit", [1, 2, 50, 1000])
def test_node_limits_hold_and_repeat(search: object, limit: int) -> None:
    assert callable(search)
    root = CONNECT_FOUR.initial()
    found = [search(root, depth=9, evaluation=NULL, clock=Clock(nodes=limit)) for _ in range(2)]
    assert found[0] == found[1]
    assert found[0].nodes == limit
    assert found[0].move in root.legal_moves()


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize("move_s", [0.0, 0.005, 0.05])
def test_deadlines_hold(search: object, move_s: float) -> None:
    assert callable(search)
    root = CONNECT_FOUR.initial()
    begin = time.process_time()
    found = search(root, depth=None, evaluation=NULL, clock=Clock.of(move_s))
    # Its own time: a busy machine may stop it for long. How close it comes, a benchmark measures.
    assert time.process_time() - begin < move_s + 0.5
    assert found.move in root.legal_moves()


def test_what_was_found_so_far_is_the_answer() -> None:
    """With time for the first move alone, that one is it; a better one seen later replaces it."""
    state = CONNECT_FOUR.initial()
    for column in (3, 0, 3, 0, 3, 1):
        state = state.play(column)
    full = alphabeta.search(state, depth=5, evaluation=NULL)
    for nodes in range(2, full.nodes, 5):
        cut = alphabeta.search(state, depth=5, evaluation=NULL, clock=Clock(nodes=nodes))
        if cut.value == 1:
            assert cut.move == full.move == 3
            break
        assert cut.move in state.legal_moves()
    else:
        pytest.fail("the win was never seen before the end")


def test_a_long_game_does_not_end_pythons_stack() -> None:
    game = find_game("connectfour?columns=16&rows=16&connect=16")
    clock = Clock(nodes=2000)
    for search in SEARCHES:
        assert search(game.initial(), depth=None, evaluation=NULL, clock=clock).nodes >= 250


def test_seeds_draw_moves() -> None:
    from bots.random import Random  # noqa: PLC0415 (named like the module of the standard library)

    bot = Random()
    root = CONNECT_FOUR.initial()
    lines = []
    for seed in (1, 1, 2):
        bot.new_match(CONNECT_FOUR, 0, seed)
        lines.append([bot.choose(root, Clock()) for _ in range(20)])
    assert lines[0] == lines[1] != lines[2]
    assert set(lines[0] + lines[2]) == set(range(7))
    assert random.Random(1).random() == random.Random(1).random()
