"""The whole family of searches: values of minimax, nodes of the definition, faults found."""

import random
from collections import Counter
from collections.abc import Callable
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots import (
    alphabeta,
    expectiminimax,
    iterative,
    maxn,
    minimax,
    mtdf,
    nodelist,
    paranoid,
    pvs,
    quiescence,
    weighted,
)
from bots.support.bot import Clock
from bots.support.extras import Extras
from bots.support.search import ORDERS, SearchResult
from bots.support.search_bot import SearchBot
from bots.support.specs import BOTS, make_bot
from games.support.errors import InputError
from games.support.game import CHANCE, NULL, Evaluation, State
from games.support.specs import find_game
from games.tablut.rules import TablutState as TablutPosition
from tests.bots.graphgame import random_graph
from tests.bots.reference import FAULTS, Search, recorded, with_fault
from tests.bots.treegame import Node, TreeGame, TreeState, full_tree, random_tree
from tests.examples import examples, slow
from tests.strategies import SPECS, open_positions, playable, walk

Find = Callable[..., SearchResult]

EXACT: dict[str, Find] = {
    "alphabeta hard": partial(alphabeta.search, is_soft=False),
    "alphabeta strict": partial(alphabeta.search, cut_on="strict"),
    "alphabeta hard and strict": partial(alphabeta.search, cut_on="strict", is_soft=False),
    "nodelist": nodelist.search,
    "nodelist strict": partial(nodelist.search, cut_on="strict"),
    "nodelist minimax": partial(nodelist.search, method="minimax"),
    **{f"pvs {order}": partial(pvs.search, order=order) for order in ORDERS},
    "mtdf": mtdf.search,
    "mtdf without a table": partial(mtdf.search, table=0),
    "iterative aspiring": partial(iterative.search, extras=Extras(aspiration=0.7)),
    "iterative with killers": partial(iterative.search, extras=Extras(killers=True)),
    "expectiminimax": expectiminimax.search,
    "expectiminimax without Star1": partial(expectiminimax.search, has_star=False),
    "quiescence of no plies": partial(quiescence.search, noisy_plies=0),
}
"""All that must find minimax's value."""

DEEPENING = ("mtdf", "iterative")


def check_values(state: State, depth: int, evaluation: Evaluation) -> None:
    """Hold every search against minimax at its depth."""
    plain = minimax.search(state, depth=depth, evaluation=evaluation)
    for name, find in EXACT.items():
        found = find(state, depth=depth, evaluation=evaluation)
        expected = plain
        if name.startswith(DEEPENING) and found.depth != depth:
            # It stopped before, by a proof: a deeper look finds the same.
            expected = minimax.search(state, depth=found.depth, evaluation=evaluation)
            assert expected.value == pytest.approx(plain.value), name
        assert found.value == pytest.approx(expected.value, rel=1e-12, abs=1e-9), name
        assert found.pv[0] == found.move
        assert found.move in state.legal_moves()
        # Whatever the move is, it has the value.
        assert worth(state, found.move, found.depth - 1, evaluation) == pytest.approx(
            found.value, rel=1e-12, abs=1e-9
        ) or (name.startswith("iterative") and found.value <= -evaluation.scale), name


def worth(state: State, move: object, depth: int, evaluation: Evaluation) -> float:
    """Return what a move is worth to its mover, by minimax."""
    child, seat = state.play(move), state.to_move
    outcome = child.outcome()
    if outcome is not None:
        return outcome[seat] * evaluation.scale
    if depth <= 0:
        return evaluation.function(child, seat)
    if child.to_move == CHANCE:
        return sum(
            probability * worth(child_of_luck(child, seat), each, depth - 1, evaluation)
            for each, probability in child.chance()
        )
    sides = state.game.sides
    sign = 1 if sides[child.to_move] == sides[seat] else -1
    return sign * minimax.search(child, depth=depth, evaluation=evaluation).value


def child_of_luck(state: State, seat: int) -> State:
    """Return a position of luck as if `seat` moved in it."""
    assert isinstance(state, TreeState)
    twin = TreeState(state.game, state.node, state.name)
    twin.to_move = seat
    return twin


@given(
    st.integers(0, 2**32),
    st.sampled_from([(0, 1), (0, 1, 1), (0, 1, 0, 1), (0, 1, 1, 1), (1, 0)]),
    st.integers(1, 6),
    st.booleans(),
    st.sampled_from(["null", "digits"]),
)
def test_every_search_finds_minimaxs_value_on_trees(
    seed: int, sides: tuple[int, ...], depth: int, has_luck: bool, name: str
) -> None:
    game = random_tree(seed, sides, 5, has_luck)
    check_values(game.initial(), depth, game.evaluation(name))


@given(st.integers(0, 2**32), st.integers(2, 10), st.integers(1, 6))
def test_every_search_finds_minimaxs_value_where_positions_come_back(
    seed: int, size: int, depth: int
) -> None:
    game = random_graph(seed, size)
    for evaluation in (NULL, *game.evaluations):
        check_values(game.initial(), depth, evaluation)


@pytest.mark.parametrize("spec", [spec for spec in SPECS if "three-seats" not in spec])
@given(st.data())
@examples(6)
def test_every_search_finds_minimaxs_value_in_games(spec: str, data: st.DataObject) -> None:
    state = data.draw(open_positions(spec))
    if state.game.has_chance:
        return
    names = ["null", *(each.name for each in state.game.evaluations)]
    evaluation = state.game.evaluation(data.draw(st.sampled_from(names)))
    moves = len(state.legal_moves())
    check_values(state, 3 if moves < 8 else 2 if moves < 30 else 1, evaluation)


@pytest.mark.slow
@given(st.data(), st.integers(2, 4))
@examples(40)
def test_a_table_changes_no_value_where_repetition_draws(data: st.DataObject, depth: int) -> None:
    """Positions go back and forth; the same board with another past is worth something else."""
    states = walk("tablut?armed=no", data.draw(st.integers(0, 10**6)), 6)
    # Two pieces go there and back: half of the next positions were there before.
    state = states[-1]
    for _ in range(3):
        if state.outcome() is not None:
            return
        state = state.play(data.draw(st.sampled_from(state.legal_moves()[:2])))
    if state.outcome() is not None or not isinstance(state, TablutPosition):
        return
    evaluation = state.game.evaluation("pieces")
    for find in (iterative.search, mtdf.search):
        found = find(state, depth=min(depth, 3), evaluation=evaluation)
        plain = alphabeta.search(state, depth=found.depth, evaluation=evaluation)
        assert found.value == plain.value


@given(
    st.integers(0, 2**32),
    st.sampled_from([(0, 1), (0, 1, 1), (0, 1, 0, 1), (0, 0, 1)]),
    st.booleans(),
    st.sampled_from(["equality", "strict"]),
)
@examples(150)
def test_the_nodes_are_those_of_the_definition(
    seed: int, sides: tuple[int, ...], has_luck: bool, cut_on: str
) -> None:
    game = random_tree(seed, sides, 5, has_luck)
    check_nodes(recorded(alphabeta.search), game, cut_on)
    check_nodes(recorded(nodelist.search), game, cut_on)
    if cut_on == "equality":
        check_nodes(recorded(partial(alphabeta.search, is_soft=False)), game, cut_on)


def check_nodes(search: Search, game: TreeGame, cut_on: str) -> None:
    """Hold a search's value and nodes against the definition."""
    value, made = with_fault("")(game, cut_on)
    found, nodes = search(game, cut_on)
    assert found == pytest.approx(value)
    assert nodes == made
    assert found == pytest.approx(minimax.search(game.initial(), depth=None, evaluation=NULL).value)


TREES = [
    (seed, sides, cut_on)
    for seed in range(12)
    for sides in ((0, 1), (0, 1, 1))
    for cut_on in ("equality", "strict")
]


@pytest.mark.parametrize("fault", FAULTS)
def test_faults_are_found(fault: str) -> None:
    """The check that the searches pass is one that each of these fails."""
    caught = 0
    for seed, sides, cut_on in TREES:
        game = random_tree(seed, sides, 5)
        check_nodes(with_fault(""), game, cut_on)
        try:
            check_nodes(with_fault(fault), game, cut_on)
        except AssertionError:
            caught += 1
    assert caught > 3


@pytest.mark.parametrize("minimisers", [1, 2, 3, 4])
@pytest.mark.parametrize("find", [alphabeta.search, nodelist.search, pvs.search])
def test_the_best_case_with_minimisers_in_a_row(minimisers: int, find: Find) -> None:
    """prod(max branchings) + prod(min branchings) - 1 leaves (Knuth and Moore 1975)."""
    seats = (0, *(1,) * minimisers, 0)
    game = full_tree(seats, 3, seed=minimisers)
    kwargs = {"order": "given"} if find is pvs.search else {}
    found = find(game.initial(), depth=None, evaluation=NULL, **kwargs)
    leaves = {name for name in game.made if name.count(".") == len(seats)}
    assert len(leaves) == 3**2 + 3**minimisers - 1
    assert found.value == minimax.search(game.initial(), depth=None, evaluation=NULL).value


@given(st.integers(0, 2**32), st.sampled_from([(0, 1), (0, 1, 1)]))
def test_star1_prunes_and_finds_the_same(seed: int, sides: tuple[int, ...]) -> None:
    game = random_tree(seed, sides, 6, has_luck=True)
    evaluation = game.evaluation("digits")
    root = game.initial()
    pruned = expectiminimax.search(root, depth=None, evaluation=evaluation)
    whole = expectiminimax.search(root, depth=None, evaluation=evaluation, has_star=False)
    plain = alphabeta.search(root, depth=None, evaluation=evaluation)
    assert (whole.value, whole.nodes, whole.pv) == (plain.value, plain.nodes, plain.pv)
    assert pruned.value == pytest.approx(whole.value)
    assert pruned.nodes <= whole.nodes


def test_star1_saves_nodes() -> None:
    nodes: Counter[bool] = Counter()
    for seed in range(60):
        game = random_tree(seed, (0, 1), 6, has_luck=True)
        for has_star in (True, False):
            nodes[has_star] += expectiminimax.search(
                game.initial(), depth=None, evaluation=NULL, has_star=has_star
            ).nodes
    assert nodes[True] < 0.97 * nodes[False]


@given(st.integers(0, 2**32), st.sampled_from([(0, 1), (0, 1, 1)]), st.booleans())
def test_maxn_is_minimax_for_two_sides(seed: int, sides: tuple[int, ...], has_luck: bool) -> None:
    game = random_tree(seed, sides, 5, has_luck)
    evaluation = game.evaluation("digits")
    for depth in (1, 3, None):
        plain = minimax.search(game.initial(), depth=depth, evaluation=evaluation)
        found = maxn.search(game.initial(), depth=depth, evaluation=evaluation)
        assert (found.value, found.nodes, found.pv) == (plain.value, plain.nodes, plain.pv)


def test_three_seats_for_themselves_and_against_one() -> None:
    """By max^n the first seat gets 3 by B; against two enemies it is sure of no more than 1."""
    root = find_game("tree?file=three-seats").initial()
    each = maxn.search(root, depth=None, evaluation=NULL)
    assert (each.value, root.text(each.move)) == (3, "B")
    enemies = alphabeta.search(root, depth=None, evaluation=NULL)
    assert (enemies.value, root.text(enemies.move)) == (1, "B")
    bot = paranoid.Paranoid(rounds=1)
    assert root.text(bot.choose(root, Clock())) == "B"
    assert bot.report is not None
    assert bot.report.depth == 3


def quiet_minimax(
    state: State, depth: int, seat: int, evaluation: Evaluation, noisy_plies: int
) -> float:
    """Return the value with noisy moves past the horizon, without any cut."""
    outcome = state.outcome()
    if outcome is not None:
        return outcome[seat] * evaluation.scale
    sides = state.game.sides
    best = max if sides[state.to_move] == sides[seat] else min
    if depth > 0:
        moves, values = state.legal_moves(), []
    else:
        values = [evaluation.function(state, seat)]
        moves = state.noisy_moves() if depth > -noisy_plies else ()
    for move in moves:
        child = state.play(move)
        values.append(quiet_minimax(child, depth - 1, seat, evaluation, noisy_plies))
    return float(best(values))


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["tablut", "breakthrough?columns=5&rows=5", "othello", "chess"])
@given(st.integers(0, 10**6), st.integers(1, 2))
@examples(8, quick=2)
def test_quiescence_finds_what_its_definition_says(spec: str, seed: int, depth: int) -> None:
    if spec not in playable() and spec not in SPECS:
        pytest.skip("python-chess is missing")
    states = [each for each in walk(spec, seed, 30) if each.outcome() is None]
    state, evaluation = states[-1], states[-1].game.evaluation("")
    if len(state.legal_moves()) > 30:
        depth = 1
    found = quiescence.search(state, depth=depth, evaluation=evaluation, noisy_plies=2)
    assert found.value == quiet_minimax(state, depth, state.to_move, evaluation, 2)


def test_quiescence_sees_the_recapture() -> None:
    """White's pawn could take a knight, and be taken for it: an exchange that depth 1 misjudges."""
    pytest.importorskip("chess")
    game = find_game("chess")
    state = game.position("4k3/8/2p5/3p4/8/8/3Q4/4K3 w - - 0 1")
    evaluation = game.evaluation("material")
    plain = alphabeta.search(state, depth=1, evaluation=evaluation)
    quiet = quiescence.search(state, depth=1, evaluation=evaluation)
    assert state.text(plain.move) == "Qxd5"
    assert state.text(quiet.move) != "Qxd5"


@pytest.mark.parametrize("name", BOTS.names())
def test_equal_moves_are_drawn_by_the_seed(name: str) -> None:
    bot = make_bot(name, {})
    if not isinstance(bot, SearchBot):
        return
    root = find_game("tree?file=tied").initial()
    drawn: Counter[str] = Counter()
    for seed in range(60):
        bot = make_bot(name, {"ties": "random"})
        bot.new_match(root.game, 0, seed)
        move = bot.choose(root, Clock())
        twin = make_bot(name, {"ties": "random"})
        twin.new_match(root.game, 0, seed)
        assert twin.choose(root, Clock()) == move
        drawn[root.text(move)] += 1
    # C is worth less; one ply deep nobody sees that.
    assert set(drawn) == ({"B", "C", "D"} if name == "greedy" else {"B", "D"})
    assert min(drawn.values()) > 6
    first = make_bot(name, {})
    assert root.text(first.choose(root, Clock())) == "B"


@given(
    st.integers(0, 2**32),
    st.sampled_from([(0, 1), (0, 1, 1)]),
    st.integers(1, 5),
    st.sampled_from(["null", "digits"]),
)
def test_every_search_draws_what_minimax_draws(
    seed: int, sides: tuple[int, ...], depth: int, name: str
) -> None:
    """From the same seed: so each of the best moves is as likely, whatever was searched first."""
    game = random_tree(seed, sides, 5)
    root, evaluation = game.initial(), game.evaluation(name)
    find_all = {**EXACT, "iterative": iterative.search}
    drawn = minimax.search(root, depth=depth, evaluation=evaluation, shuffle=random.Random(seed))
    for label, find in find_all.items():
        found = find(root, depth=depth, evaluation=evaluation, shuffle=random.Random(seed))
        if found.depth == depth:
            assert (found.move, found.pv[0]) == (drawn.move, drawn.move), label


def random_utilities(seed: int, seats: int, depth: int) -> TreeGame:
    """Grow a tree in which each seat plays for itself, and its utility tells nothing of others."""
    source = random.Random(seed)

    def grow(left: int, name: str) -> Node | tuple[float, ...]:
        if left == 0 or (left < depth and source.random() < 0.2):
            return tuple(float(source.randint(-4, 4)) for _ in range(seats))
        children = tuple(grow(left - 1, f"{name}.{each}") for each in range(source.randint(1, 4)))
        return Node(name, source.randrange(seats), children)

    root = grow(depth, "root")
    assert isinstance(root, Node)
    return TreeGame(root, tuple(range(seats)))


def sure_of(node: Node | tuple[float, ...], seat: int, depth: int) -> float:
    """Return what a seat gets at the least when all the others are against it; 0 at the horizon."""
    if not isinstance(node, Node):
        return node[seat]
    if depth == 0:
        return 0
    best = max if node.seat == seat else min
    return best(sure_of(child, seat, depth - 1) for child in node.children)


@given(st.integers(0, 2**32), st.integers(3, 5), st.integers(1, 5))
def test_every_search_finds_minimaxs_value_against_many_sides(
    seed: int, seats: int, depth: int
) -> None:
    """All others minimise what the mover at the root gets, in whatever order they move."""
    game = random_utilities(seed, seats, 5)
    value = sure_of(game.root, game.root.seat, depth)
    for name, find in {**EXACT, "minimax": minimax.search, "iterative": iterative.search}.items():
        found = find(game.initial(), depth=depth, evaluation=NULL)
        if found.depth == depth:
            assert found.value == value, name


@pytest.mark.parametrize("depth", [1, 2, 3, None])
def test_every_search_finds_minimaxs_value_with_three_seats(depth: int | None) -> None:
    root = find_game("tree?file=three-seats").initial()
    plain = minimax.search(root, depth=depth, evaluation=NULL)
    for name, find in {**EXACT, "iterative": iterative.search}.items():
        assert find(root, depth=depth, evaluation=NULL).value == plain.value, name


def test_paranoid_looks_as_deep_as_it_is_told() -> None:
    root = find_game("pacman").initial()
    seats = root.game.seats
    assert seats == 3
    for options, depth in (
        ({}, seats),
        ({"depth": "2"}, 2),
        ({"rounds": "2"}, 2 * seats),
        ({"rounds": "none", "depth": "4"}, 4),
    ):
        bot = make_bot("paranoid", options)
        bot.choose(root, Clock())
        assert bot.report is not None
        assert bot.report.depth == depth, options


@pytest.mark.parametrize("name", [name for name in BOTS.names() if name != "random"])
def test_a_drawn_move_is_no_worse(name: str) -> None:
    for seed in range(6):
        game = random_tree(seed, (0, 1), 4)
        root, best = game.initial(), minimax.search(game.initial(), depth=None, evaluation=NULL)
        bot = make_bot(name, {"ties": "random"} if "ties" in dir(BOTS.find(name)) else {})
        if not isinstance(bot, SearchBot) or name in ("greedy", "quiescence", "paranoid"):
            continue
        bot.new_match(game, 0, seed)
        move = bot.choose(root, Clock())
        assert worth(root, move, 9, NULL) == best.value


def test_weights_are_read_and_refused() -> None:
    assert weighted.parse_weights("2*mobility + 30*corners - discs") == [
        (2.0, "mobility"),
        (30.0, "corners"),
        (-1.0, "discs"),
    ]
    assert weighted.parse_weights("-.5*a") == [(-0.5, "a")]
    for text in ("2*", "a b", "3", "a+", "2**a", "a;b"):
        with pytest.raises(InputError, match="option weights="):
            weighted.parse_weights(text)
    bot = make_bot("weighted", {"weights": "2*mobilty", "depth": "1"})
    with pytest.raises(
        InputError, match=r"evaluation of othello 'mobilty' .did you mean 'mobility'"
    ):
        bot.choose(find_game("othello").initial(), Clock())


@given(st.integers(0, 10**6))
@examples(30)
def test_a_mixture_is_the_sum_of_its_parts(seed: int) -> None:
    game = find_game("othello")
    state = walk("othello", seed, 40)[-1]
    mixture = weighted.combine(game, weighted.parse_weights("2*mobility+30*corners-discs"))
    for seat in (0, 1):
        parts = [
            game.evaluation(each).function(state, seat) for each in ("mobility", "corners", "discs")
        ]
        assert mixture.function(state, seat) == 2 * parts[0] + 30 * parts[1] - parts[2]
        assert mixture.low <= mixture.function(state, seat) <= mixture.high
    assert mixture.high < mixture.scale


@pytest.mark.parametrize("count", [1, *slow(3)])
def test_reductions_and_null_moves_leave_legal_answers(count: int) -> None:
    source = random.Random(4)
    for spec in ("tablut", "chess"):
        if spec not in playable():
            continue
        states = [each for each in walk(spec, 8, 30) if each.outcome() is None]
        for state in source.sample(states, count):
            for extras in (Extras(null_move=True), Extras(late_moves=True)):
                found = iterative.search(
                    state,
                    depth=3,
                    evaluation=state.game.evaluation(""),
                    extras=extras,
                )
                assert found.move in state.legal_moves()
                assert found.depth == 3 or found.is_solved or abs(found.value) >= 1


def test_null_moves_are_where_they_make_sense() -> None:
    assert find_game("connectfour").initial().null() is None
    passed = find_game("tablut").initial().null()
    assert passed is not None
    assert passed.to_move == 1
    assert passed.legal_moves()
    pytest.importorskip("chess")
    game = find_game("chess")
    state = game.initial().null()
    assert state is not None
    assert len(state.legal_moves()) == 20
    assert game.position("4k3/8/8/8/8/8/4r3/R3K3 w - - 0 1").null() is None
    assert game.position("4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1").null() is None
