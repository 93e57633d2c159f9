"""Monte Carlo tree search: what it finds, proves and keeps, and that limits hold."""

import random
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots import minimax
from bots.mcts.bot import SIMULATIONS, Mcts, search
from bots.mcts.playouts import ROLLOUTS, Rollout
from bots.mcts.result import MctsResult
from bots.support.bot import Clock
from games.support.game import CHANCE, NULL, State
from games.support.moves import draw_move
from games.support.specs import find_game
from tests.bots.counted_time import CountedTime, counted_time
from tests.bots.treegame import Node, TreeGame, TreeState, random_tree
from tests.examples import examples
from tests.strategies import walk

__all__ = ["counted_time"]

CONNECT_FOUR = find_game("connectfour")
TICTACTOE = find_game("tictactoe")

every_rollout = pytest.mark.parametrize("rollout", ROLLOUTS)


def find(state: State, simulations: int, seed: int = 1, rollout: str = "random") -> MctsResult:
    """Search with the game's first evaluation."""
    return search(
        state,
        simulations=simulations,
        evaluation=state.game.evaluation(""),
        source=random.Random(seed),
        rollout=Rollout(rollout),
    )


def after(game: str, moves: tuple[int, ...]) -> State:
    """Return the position after some moves."""
    state: State = find_game(game).initial()
    for move in moves:
        state = state.play(move)
    return state


@every_rollout
@pytest.mark.parametrize(
    ("game", "moves", "best"),
    [
        ("connectfour", (0, 6, 1, 6, 2, 6), 3),
        ("connectfour", (3, 0, 3, 0, 3, 6), 3),
        ("tictactoe", (0, 3, 1, 4), 2),
        ("tictactoe", (8, 0, 7, 1, 5), 2),
    ],
)
def test_a_win_in_one_is_found_and_proven(
    rollout: str, game: str, moves: tuple[int, ...], best: int
) -> None:
    found = find(after(game, moves), 200, rollout=rollout)
    assert (found.move, found.verdict, found.pv) == (best, "won", (best,))
    assert found.simulations < 200
    evaluation = find_game(game).evaluation("")
    assert found.value == evaluation.scale


@every_rollout
@pytest.mark.parametrize(
    ("game", "moves", "best"),
    [
        ("connectfour", (0, 6, 1, 6, 2), 3),
        ("connectfour", (3, 0, 3, 0, 3), 3),
        ("tictactoe", (0, 4, 1), 2),
        ("tictactoe", (8, 0, 4, 1), 2),
    ],
)
@pytest.mark.parametrize("has_solver", [True, False])
def test_a_loss_in_one_is_blocked(
    has_solver: bool, rollout: str, game: str, moves: tuple[int, ...], best: int
) -> None:
    state = after(game, moves)
    bot = Mcts(simulations=500, rollout=rollout, solver=has_solver)
    assert bot.choose(state, Clock()) == best


def check_proof(state: State, found: MctsResult) -> None:
    """Hold what is proven against minimax to the end."""
    truth = minimax.search(state, depth=None, evaluation=NULL).value
    low, high = state.game.utility_bounds
    assert found.is_solved
    assert found.value == pytest.approx(truth, abs=1e-9)
    assert (found.verdict == "won") == (truth == high)
    assert (found.verdict == "lost") == (truth == low)
    best = state.play(found.move)
    outcome = best.outcome()
    if outcome is not None:
        assert outcome[state.to_move] == truth
    elif best.to_move != CHANCE:
        sides = state.game.sides
        sign = 1 if sides[best.to_move] == sides[state.to_move] else -1
        worth = sign * minimax.search(best, depth=None, evaluation=NULL).value
        assert worth == pytest.approx(truth, abs=1e-9)


@pytest.mark.parametrize(
    "spec",
    ["tictactoe", "connectfour?columns=4&rows=4&connect=3", "connectfour?columns=3&rows=4"],
)
@given(st.data(), st.integers(0, 100), st.sampled_from(ROLLOUTS))
@examples(15)
def test_a_proof_is_minimaxs_value(spec: str, data: st.DataObject, seed: int, rollout: str) -> None:
    """From the sixth ply on, so that minimax is quick too."""
    states = walk(spec, data.draw(st.integers(0, 2**32)), 6)
    state = next(each for each in reversed(states) if each.outcome() is None)
    if len(states) < 6:
        return
    found = search(
        state,
        simulations=100_000,
        evaluation=NULL,
        source=random.Random(seed),
        rollout=Rollout(rollout),
    )
    check_proof(state, found)


@given(
    st.integers(0, 2**32),
    st.sampled_from([(0, 1), (0, 1, 1), (0, 1, 0, 1), (0, 1, 1, 1), (1, 0)]),
    st.integers(1, 5),
    st.booleans(),
)
@examples(200)
def test_seats_may_move_in_any_order(
    seed: int, sides: tuple[int, ...], grown: int, has_luck: bool
) -> None:
    """Several minimisers in a row, the same seat twice, luck in between: the value is minimax's."""
    state = random_tree(seed, sides, grown, has_luck).initial()
    found = search(
        state, simulations=100_000, evaluation=NULL, source=random.Random(seed), exploration=9
    )
    check_proof(state, found)


@given(st.integers(0, 2**32), st.sampled_from([(0, 1), (0, 1, 1)]), st.integers(1, 300))
@examples(100)
def test_a_proof_cut_short_claims_nothing_false(
    seed: int, sides: tuple[int, ...], simulations: int
) -> None:
    state = random_tree(seed, sides, 5, has_luck=True).initial()
    found = search(state, simulations=simulations, evaluation=NULL, source=random.Random(seed))
    if found.is_solved:
        check_proof(state, found)
    assert found.simulations <= simulations


def test_a_draw_is_proven() -> None:
    found = find(after("tictactoe", (0, 4, 8)), 100_000)
    assert (found.verdict, found.value, found.is_complete) == ("drawn", 0, True)


@pytest.mark.parametrize(("nodes", "best"), [(1, 0), (2, 1), (3, 2), (4, 3)])
def test_a_move_not_looked_at_comes_before_a_lost_one(nodes: int, best: int) -> None:
    """The first three of four moves lose."""
    lost = (-9.0, 9.0)
    found = search(
        TreeGame(Node("", 0, (lost, lost, lost, (0.0, 0.0)))).initial(),
        simulations=None,
        evaluation=NULL,
        source=random.Random(1),
        clock=Clock(nodes=nodes),
    )
    assert (found.move, found.nodes) == (best, nodes)


def test_a_limit_of_nodes_ends_where_no_more_can_be_made() -> None:
    """Without proofs, a small tree is gone through again and again."""
    bot = Mcts(solver=False)
    bot.choose(after("tictactoe", (0, 1, 2, 4, 3, 5)), Clock(nodes=500))
    assert bot.report is not None
    assert bot.report.text == "500 simulations"


def test_three_sides_take_what_is_best_for_themselves() -> None:
    state = find_game("tree?file=three-seats").initial()
    for seed in range(5):
        found = find(state, 3000, seed)
        assert state.text(found.move) == "B"
        assert [state.text(found.move), len(found.pv), found.verdict] == ["B", 3, ""]
        assert found.value == pytest.approx(3, abs=0.5)


@pytest.mark.parametrize("has_solver", [True, False])
def test_luck_is_worth_its_mean(has_solver: bool) -> None:
    """Of 3.5 for sure enough and 3.75 by a long shot, the latter."""
    state = find_game("tree?file=chance").initial()
    for seed in range(3):
        bot = Mcts(simulations=10_000, solver=has_solver)
        bot.new_match(state.game, 0, seed)
        assert state.text(bot.choose(state, Clock())) == "C"
        assert bot.report is not None
        assert bot.report.pv == (1,)
        assert bot.report.score == pytest.approx(3.75, abs=0 if has_solver else 0.6)


def test_the_depth_of_the_clock_bounds_every_simulation() -> None:
    game = random_tree(3, (0, 1), 6)
    search(
        game.initial(),
        simulations=None,
        evaluation=game.evaluation("digits"),
        source=random.Random(1),
        clock=Clock(depth=2),
    )
    assert max(name.count(".") for name in game.made) == 2


@pytest.mark.parametrize("depth", [1, 2, 5])
def test_a_depth_alone_ends_at_the_default(depth: int) -> None:
    bot = Mcts()
    bot.choose(CONNECT_FOUR.initial(), Clock(depth=depth))
    assert bot.report is not None
    assert bot.report.text == f"{SIMULATIONS} simulations"
    assert bot.report.depth is not None
    assert bot.report.depth <= depth


@every_rollout
@given(st.integers(1, 400), st.integers(0, 10))
@examples(20)
def test_a_limit_of_nodes_is_exact(rollout: str, nodes: int, seed: int) -> None:
    game = random_tree(seed, (0, 1), 8)
    game.made.clear()
    found = search(
        game.initial(),
        simulations=None,
        evaluation=game.evaluation(""),
        source=random.Random(seed),
        clock=Clock(nodes=nodes),
        rollout=Rollout(rollout),
    )
    assert len(game.made) + 1 == found.nodes <= nodes
    state = CONNECT_FOUR.initial()
    found = search(
        state,
        simulations=None,
        evaluation=NULL,
        source=random.Random(seed),
        clock=Clock(nodes=nodes),
    )
    assert found.nodes == nodes


def test_no_time_at_all_gives_the_first_move() -> None:
    bot = Mcts()
    assert bot.choose(CONNECT_FOUR.initial(), Clock.of(0)) == 0
    assert bot.report is not None
    assert (bot.report.score, bot.report.depth, bot.report.pv) == (None, 0, (0,))


@pytest.mark.parametrize("rollout", ROLLOUTS)
@pytest.mark.parametrize("spec", ["connectfour", "tictactoe", "tree?file=three-seats"])
def test_a_deadline_is_used_and_kept(spec: str, rollout: str, counted_time: CountedTime) -> None:
    """Also where all is in the tree, so that nothing is left to make."""
    bot = Mcts(rollout=rollout, solver=False)
    state = find_game(spec).initial()
    counted_time.slow_down(state)
    bot.choose(state, Clock(100_000_000))
    assert 90_000_000 < counted_time.now_ns <= 100_000_000


def test_a_slow_game_makes_it_not_late(monkeypatch: pytest.MonkeyPatch) -> None:
    now_ns = 0
    play = TreeState.play

    def slow_play(state: TreeState, move: int) -> TreeState:
        nonlocal now_ns
        now_ns += 1_000_000
        return play(state, move)

    monkeypatch.setattr("bots.support.search.time", SimpleNamespace(monotonic_ns=lambda: now_ns))
    monkeypatch.setattr(TreeState, "play", slow_play)
    state = random_tree(1, (0, 1), 8).initial()
    for time_ms in range(4, 100, 5):
        now_ns = 0
        Mcts().choose(state, Clock(deadline_ns=time_ms * 1_000_000))
        assert now_ns <= time_ms * 1_000_000


def play_match(first: Mcts, seed: int, clock: Clock) -> tuple[list[int], list[str], int]:
    """Play against random moves; return the moves, what the bot told, and its utility."""
    state: State = CONNECT_FOUR.initial()
    seat = seed % 2
    first.new_match(state.game, seat, seed)
    source = random.Random(seed)
    moves, told = [], []
    while (outcome := state.outcome()) is None:
        if state.to_move == seat:
            move = first.choose(state, clock)
            assert first.report is not None
            told.append(first.report.text)
            check_line(state, first.report.pv)
        else:
            move = draw_move(state, source)
        assert move in state.legal_moves()
        moves.append(move)
        state = state.play(move)
    return moves, told, int(outcome[seat])


def check_line(state: State, moves: tuple[int, ...]) -> None:
    """Play a principal variation."""
    for move in moves:
        assert move in state.legal_moves()
        state = state.play(move)


@pytest.mark.slow
@every_rollout
def test_the_same_seed_plays_the_same_match(rollout: str) -> None:
    bot = Mcts(rollout=rollout)
    clock = Clock(nodes=1000)
    assert play_match(bot, 5, clock) == play_match(bot, 5, clock)
    assert play_match(Mcts(rollout=rollout), 5, clock) == play_match(bot, 5, clock)


@pytest.mark.slow
def test_the_tree_is_kept_between_moves() -> None:
    _, told, _ = play_match(Mcts(simulations=500), 4, Clock())
    assert told[0] == "500 simulations"
    assert " after " in told[1]
    _, told, _ = play_match(Mcts(simulations=500, reuse=False), 4, Clock())
    assert not any("after" in text for text in told)


def test_what_is_kept_spares_nodes() -> None:
    """A proof that was found before need not be found again."""
    state = after("connectfour?columns=4&rows=4&connect=3", (0, 3))
    nodes = {}
    for reuse in (True, False):
        bot = Mcts(reuse=reuse)
        bot.new_match(state.game, 0, 1)
        clock = Clock(nodes=1_000_000)
        reply = state.play(bot.choose(state, clock))
        bot.choose(reply.play(reply.legal_moves()[0]), clock)
        assert bot.report is not None
        assert bot.report.nodes is not None
        assert bot.report.text.startswith("won")
        nodes[reuse] = bot.report.nodes
    assert nodes[True] < nodes[False]


def test_a_tree_is_kept_over_several_replies_and_a_move_without_a_choice() -> None:
    game = find_game("tree?file=ghosts")
    state = game.initial()
    bot = Mcts(simulations=400, solver=False)
    bot.new_match(game, 0, 1)
    state = state.play(bot.choose(state, Clock())).play(0).play(0)
    bot.choose(state, Clock())
    assert bot.report is not None
    assert " after " in bot.report.text


def test_a_new_match_forgets_the_tree() -> None:
    bot = Mcts(simulations=300)
    state = CONNECT_FOUR.initial()
    move = bot.choose(state, Clock())
    bot.new_match(state.game, 0, 1)
    bot.choose(state.play(move).play(0), Clock())
    assert bot.report is not None
    assert bot.report.text == "300 simulations"


def test_a_move_without_a_choice_is_answered_at_once() -> None:
    state = find_game("connectfour?columns=1&rows=3&connect=2").initial()
    bot = Mcts()
    assert bot.choose(state, Clock()) == 0
    assert bot.report is not None
    assert (bot.report.nodes, bot.report.text) == (1, "only move")


@pytest.mark.parametrize(
    ("simulations", "matches"), [(100, 4), pytest.param(400, 20, marks=pytest.mark.slow)]
)
def test_it_beats_random_moves(simulations: int, matches: int) -> None:
    played = [play_match(Mcts(simulations=simulations), seed, Clock()) for seed in range(matches)]
    assert [won for _, _, won in played].count(1) >= 0.95 * matches


def opening(seed: int, ties: str) -> tuple[int, ...]:
    """Return the first moves of a match against itself, leaves valued without any luck.

    The board has two middle columns, one as good as the other.
    """
    state = find_game("connectfour?columns=6&rows=5").initial()
    bot, moves = Mcts(simulations=60, rollout="evaluation", ties=ties), []
    bot.new_match(state.game, 0, seed)
    for _ in range(4):
        moves.append(bot.choose(state, Clock()))
        state = state.play(moves[-1])
    return tuple(moves)


def test_ties_are_drawn_by_the_seed_where_nothing_else_is() -> None:
    assert len({opening(seed, "first") for seed in range(8)}) == 1
    drawn = [opening(seed, "random") for seed in range(8)]
    assert {moves[0] for moves in drawn} == {2, 3}
    assert drawn == [opening(seed, "random") for seed in range(8)]
