"""The compiled deepening searches do what those in Python do, to the node."""

from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots import iterative, mtdf, pvs
from bots.support.bot import Clock, Report
from bots.support.extras import PLAIN, Extras
from bots.support.search import SearchRequest, SearchResult
from bots.support.specs import make_bot
from bots.support.transposition_table import TranspositionTable
from games.support.game import NULL, Evaluation, State
from games.support.specs import find_game
from tests.bots.counted_time import CountedTime, counted_time
from tests.bots.test_compiled import GAMES, loops_for
from tests.examples import examples
from tests.strategies import open_positions, walk

__all__ = ["counted_time"]

pytest.importorskip("numba")

from bots.compiled import ready
from bots.compiled.window import Windows

pytestmark = pytest.mark.extra

DEPTHS = {"connectfour": 6, "othello": 4, "breakthrough": 4, "tictactoe": 9}
"""The greatest depth to search; else 3."""

CONNECT_FOUR = find_game("connectfour")

EXTRAS = (
    PLAIN,
    Extras(killers=True, aspiration=3),
    Extras(null_move=True, late_moves=True),
    Extras(aspiration=1, killers=True, null_move=True, late_moves=True),
)


def windows_of(state: State, room: int = 0) -> Windows:
    """Return the compiled search of a game that has one."""
    return Windows(loops_for(state.game), room)


def draw_evaluation(data: st.DataObject, state: State) -> Evaluation:
    """Draw one of the game's evaluations, or none."""
    names = ["null", *(each.name for each in state.game.evaluations)]
    return state.game.evaluation(data.draw(st.sampled_from(names)))


def affordable(state: State, data: st.DataObject) -> int:
    """Draw a depth that Python searches quickly."""
    most = DEPTHS.get(state.game.name, 3)
    return data.draw(st.integers(1, min(most, 2) if len(state.legal_moves()) > 40 else most))


@pytest.mark.parametrize("spec", GAMES)
@given(st.data())
@examples(30)
def test_iterative_is_the_search_in_python_to_the_node(spec: str, data: st.DataObject) -> None:
    """With a table too, as long as it has room."""
    state = data.draw(open_positions(spec, 40))
    depth, evaluation = affordable(state, data), draw_evaluation(data, state)
    extras, room = data.draw(st.sampled_from(EXTRAS)), data.draw(st.sampled_from((0, 100_000)))
    windows = windows_of(state, room)

    def both(clock: Clock) -> SearchResult:
        asked = SearchRequest(depth=depth, evaluation=evaluation, clock=clock)
        pure = iterative.search(state, **asked, extras=extras, table=TranspositionTable(room))
        found = iterative.search(state, **asked, extras=extras, windows=windows)
        assert found == pure
        return found

    nodes = both(Clock()).nodes
    both(Clock(nodes=data.draw(st.integers(1, nodes))))


@pytest.mark.parametrize("spec", GAMES)
@given(st.data())
@examples(20)
def test_pvs_and_mtdf_without_a_table_are_those_in_python(spec: str, data: st.DataObject) -> None:
    state = data.draw(open_positions(spec, 40))
    evaluation, depth = draw_evaluation(data, state), affordable(state, data)
    for find in (
        partial(pvs.search, order="game"),
        partial(pvs.search, order="given"),
        partial(mtdf.search, table=0),
    ):
        pure = find(state, depth=depth, evaluation=evaluation)
        windows = windows_of(state)
        assert find(state, depth=depth, evaluation=evaluation, windows=windows) == pure


def test_connect_four_to_the_node() -> None:
    """Counts in Python; with a table, mirror images share entries below the first position."""
    state = CONNECT_FOUR.initial()
    find = partial(iterative.search, state, evaluation=CONNECT_FOUR.evaluation("null"))
    with_table = [find(depth=each, windows=windows_of(state, 100_000)).nodes for each in (10, 12)]
    assert with_table == [14_697, 41_975]
    assert [find(depth=each, windows=windows_of(state)).nodes for each in (6, 8)] == [2_086, 15_197]
    extras = Extras(killers=True, late_moves=True)
    find = partial(iterative.search, state, evaluation=CONNECT_FOUR.evaluation("windows"))
    reduced = [find(depth=8, windows=windows_of(state, 100_000), extras=extras).nodes]
    assert reduced == [16_755]


@given(st.data(), st.sampled_from((1, 10, 300)))
@examples(20)
def test_a_full_table_changes_no_value(data: st.DataObject, room: int) -> None:
    """And `mtdf` finds the same first best move through any table."""
    state = data.draw(open_positions("connectfour", 30))
    evaluation = draw_evaluation(data, state)
    for find in (iterative.search, mtdf.search):
        found = find(state, depth=6, evaluation=evaluation, windows=windows_of(state, room))
        pure = find(state, depth=6, evaluation=evaluation)
        assert (found.value, found.depth, found.is_solved) == (
            pure.value,
            pure.depth,
            pure.is_solved,
        )
        assert find is iterative.search or found.move == pure.move


@pytest.mark.parametrize("name", ["iterative", "pvs", "mtdf"])
@pytest.mark.parametrize("ties", ["first", "random"])
def test_bots_play_the_same_compiled_and_say_so(name: str, ties: str) -> None:
    assert ready.prepare(CONNECT_FOUR)
    states = [each for each in walk("connectfour", 5, 20) if each.outcome() is None]
    reports: dict[str, list[Report]] = {}
    for fast in ("auto", "no"):
        bot = make_bot(name, {"depth": "5", "ties": ties, "fast": fast})
        bot.new_match(CONNECT_FOUR, 0, 1)
        for state in states:
            bot.choose(state, Clock())
            assert bot.report is not None
            reports.setdefault(fast, []).append(bot.report)
    assert all("compiled" in each.text for each in reports["auto"])
    for compiled, pure in zip(reports["auto"], reports["no"], strict=True):
        assert (compiled.pv[0], compiled.score, compiled.depth) == (
            pure.pv[0],
            pure.score,
            pure.depth,
        )
        # Each `mtdf` has a table of its own kind.
        assert name == "mtdf" or (compiled.nodes, compiled.pv) == (pure.nodes, pure.pv)


def test_a_window_between_whole_values_with_late_moves_is_searched_in_python() -> None:
    assert not iterative.Iterative(late_moves=True, aspiration=0.5).can_be_fast
    assert iterative.Iterative(late_moves=True, aspiration=2).can_be_fast
    assert iterative.Iterative(aspiration=0.5).can_be_fast
    assert not pvs.Pvs(order="evaluation").can_be_fast


def test_a_deadline_is_kept(counted_time: CountedTime) -> None:
    assert ready.prepare(CONNECT_FOUR)
    bot = iterative.Iterative()
    bot.new_match(CONNECT_FOUR, 0, 1)
    deadline_ns = counted_time.now_ns + 20_000_000
    bot.choose(CONNECT_FOUR.initial(), Clock(deadline_ns))
    assert counted_time.now_ns <= deadline_ns
    assert bot.report is not None
    assert bot.report.text == "compiled"


def test_a_table_that_memory_does_not_hold_is_left_to_python() -> None:
    assert ready.prepare(CONNECT_FOUR)
    assert ready.ready_windows(CONNECT_FOUR, NULL, 1000)
    for room in (10**15, 10**20):
        assert ready.ready_windows(CONNECT_FOUR, NULL, room) is None
