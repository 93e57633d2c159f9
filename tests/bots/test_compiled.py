"""The compiled searches do what the pure ones do, to the node, in every process."""

import fcntl
import inspect
import os
import random
import subprocess
import sys
import time
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots import alphabeta, mcts
from bots.mcts.bot import EXPLORATION
from bots.mcts.compiled import CompiledTree, Plan
from bots.mcts.playouts import ROLLOUTS, LeafValue, Rollout
from bots.mcts.tree import UctTree
from bots.solver import Solver, solver_of
from bots.solver.pure import PureSolver
from bots.support.bot import Clock
from bots.support.search import Exhausted, SearchResult
from games import kernels
from games.connectfour import ConnectFourState, score_of
from games.support.game import Evaluation, Game, State
from games.support.kernel import Kernel
from games.support.specs import find_game
from tests.examples import examples, slow, soak
from tests.oracles import oracle_lines
from tests.paths import ROOT
from tests.strategies import open_positions, walk
from tests.waiting import ENDLESS_S, PATIENCE_S

pytest.importorskip("numba")

from bots.compiled import ready
from bots.compiled.kernel_loops import DEEPEN, PROVE, KernelLoops, loops_of
from bots.compiled.marks import find_mark, leave_mark
from bots.compiled.search import search

pytestmark = pytest.mark.extra

SMALL = "connectfour?columns=5&rows=4&connect=3"
QUICK = (
    "connectfour",
    SMALL,
    "connectfour?columns=3&rows=1&connect=2",
    "connectfour?columns=2&rows=2&connect=4",
    "connectfour?columns=9&rows=6",
)
LONG = (
    "tictactoe",
    "othello",
    "othello?score=discs",
    "tablut",
    "tablut?first=black&escape=corner&repetitions=2&armed=no",
    "tablut?repetitions=none",
    "breakthrough",
    "breakthrough?columns=3&rows=5",
    "mnk",
)
OTHER_BOARDS = (
    "mnk?columns=4&rows=5&connect=3&swap=yes&overline=no",
    "mnk?columns=9&rows=7&connect=7",
)
ALL_GAMES = (*QUICK, *LONG, *OTHER_BOARDS)
GAMES = (*QUICK, *slow(*LONG), *soak(*OTHER_BOARDS))
"""Games whose loops take a few seconds to compile, those that take many, and more of these."""

DEPTHS = {"tablut": 2, "mnk": 2}
CONNECT_FOUR = find_game("connectfour")


def functions_of(kernel: Kernel) -> tuple[Any, ...]:
    """Return what the machine code of a kernel depends on: its functions, and how many words."""
    helps = kernel.deepening and replace(kernel.deepening, slots=0)
    board = replace(kernel, rules=(), most_moves=0, evaluations=(), deepening=helps)
    return len(kernel.rules), replace(board, pack=tuple, move_of=int)


@cache
def loops_for(game: Game) -> KernelLoops:
    """Return the loops of the kernel that must be there, compiled once for all that run tests.

    Boards with the same functions share them, as they do in one process.
    """
    usual = find_game(game.name)
    kernel, usual_kernel = game.kernel(), usual.kernel()
    assert kernel is not None
    assert usual_kernel is not None
    like = usual if functions_of(kernel) == functions_of(usual_kernel) else game
    with Path(inspect.getfile(type(game))).open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        ready.prepare(like)
        mark = find_mark(like)
    # Without a folder for the code, each process compiles what it needs.
    return KernelLoops(kernel.packing, kernel, mark.code if mark else None)


def check_agreement(
    state: State,
    depth: int,
    evaluation: Evaluation,
    clock: Clock,
    loops: KernelLoops | None = None,
) -> SearchResult:
    """Hold the compiled search against the pure one: nodes, value, line, all."""
    pure = alphabeta.search(state, depth=depth, evaluation=evaluation, clock=clock)
    loops = loops or loops_for(state.game)
    found = search(state, loops=loops, depth=depth, evaluation=evaluation, clock=clock)
    assert found == pure
    return found


@pytest.mark.parametrize("spec", GAMES)
@given(st.data())
@examples(30)
def test_it_is_the_pure_search_to_the_node(spec: str, data: st.DataObject) -> None:
    state = data.draw(open_positions(spec))
    names = ["null", *(each.name for each in state.game.evaluations)]
    evaluation = state.game.evaluation(data.draw(st.sampled_from(names)))
    depth = data.draw(st.integers(1, DEPTHS.get(state.game.name, 4)))
    found = check_agreement(state, depth, evaluation, Clock())
    limit = data.draw(st.integers(1, found.nodes))
    assert check_agreement(state, depth, evaluation, Clock(nodes=limit)).nodes == limit


@pytest.mark.parametrize(
    "spec",
    [SMALL, *slow(*(each for each in (*QUICK, *LONG) if each != SMALL)), *soak(*OTHER_BOARDS)],
)
@given(st.data())
@examples(60, quick=15)
def test_simulations_are_the_pure_ones_to_the_last_draw(spec: str, data: st.DataObject) -> None:
    """Whole matches of random moves hold the kernel's rules against the game's own."""
    state = data.draw(open_positions(spec))
    names = ["null", *(each.name for each in state.game.evaluations)]
    evaluation = state.game.evaluation(data.draw(st.sampled_from(names)))
    limits = {"depth": st.none() | st.integers(1, 5), "nodes": st.none() | st.integers(1, 900)}
    clocks = st.builds(Clock, **limits)
    clock = data.draw(clocks)
    plies = data.draw(st.sampled_from([None, 2, 9]))
    rollout = Rollout(data.draw(st.sampled_from(ROLLOUTS)), plies)
    has_solver, room = data.draw(st.booleans()), data.draw(st.sampled_from([10, 1000]))
    pure_source, source = random.Random(1), random.Random(1)
    pure_tree = UctTree(state, LeafValue(state.game, evaluation), has_solver)
    tree = CompiledTree(loops_for(state.game), state, evaluation, has_solver)
    plan = Plan(40, EXPLORATION, rollout, room)
    for _ in range(2):
        pure = mcts.search(
            pure_tree.root.state,
            simulations=40,
            evaluation=evaluation,
            source=pure_source,
            clock=clock,
            rollout=rollout,
            room=room,
            tree=pure_tree,
        )
        if clock.nodes is not None:
            plan = replace(plan, simulations=min(40, clock.nodes))
        assert tree.grow(plan, source, clock) == pure
        assert source.getstate() == pure_source.getstate()
        # The next search goes on from a reply.
        reply = state.play(pure.move)
        if reply.outcome() is None:
            state = reply.play(reply.legal_moves()[0])
        assert tree.keep(pure.move) == pure_tree.keep(pure.move)
        if state.outcome() is not None or not pure_tree.find(state):
            break
        assert tree.find(state)


def test_every_game_with_a_kernel_is_held_against_its_rules() -> None:
    modules = {path.stem for path in Path(kernels.__file__).parent.glob("[a-z]*.py")} - {"bits"}
    assert modules == {find_game(str(spec)).name for spec in ALL_GAMES}


@pytest.mark.parametrize("spec", ALL_GAMES)
def test_a_game_packs_positions_as_its_kernel_does(spec: str) -> None:
    """Bots know the packing alone, compiled code the kernel."""
    game = find_game(spec)
    packing, kernel = game.packing(), game.kernel()
    assert packing is not None
    assert kernel is not None
    bare = [replace(each, pack=tuple, move_of=int) for each in (packing, kernel.packing)]
    assert bare[0] == bare[1]


@pytest.mark.parametrize(
    ("name", "part"), [(DEEPEN, {"deepening": None}), (PROVE, {"solving": None})]
)
def test_a_kernel_has_no_loop_that_it_lacks_the_functions_for(
    name: str, part: dict[str, Any]
) -> None:
    kernel = CONNECT_FOUR.kernel()
    assert kernel is not None
    with pytest.raises(KeyError):
        loops_of(replace(kernel, **part)).loop(name)


@pytest.mark.parametrize(
    ("depth", "nodes"), [(6, 1_249), (8, 12_574), (10, 155_590), (12, 3_050_083)]
)
def test_connect_four_to_the_node(depth: int, nodes: int) -> None:
    """The counts that the pure search is held to."""
    root = CONNECT_FOUR.initial()
    null = CONNECT_FOUR.evaluation("null")
    found = search(root, loops=loops_for(CONNECT_FOUR), depth=depth, evaluation=null)
    assert (found.nodes, found.value, found.is_complete) == (nodes, 0, True)


@pytest.mark.slow
def test_tablut_sees_what_came_before() -> None:
    """A board of the match, not only of the search, may not come again."""
    for seed in range(20):
        states = [state for state in walk("tablut", seed, 60) if state.outcome() is None]
        for state in states[::6]:
            check_agreement(state, 2, state.game.evaluation(""), Clock())
    # Here the king is taken on a board that was there before.
    state = walk("tablut?first=black", 56265, 95)[60]
    check_agreement(state, 2, state.game.evaluation(""), Clock())


@pytest.mark.slow
@pytest.mark.parametrize(
    "spec",
    [
        "mnk?columns=20&rows=20&connect=6&swap=yes",
        "mnk?columns=20&rows=17&connect=2",
        "mnk?columns=1&rows=20&connect=3&swap=yes",
        "mnk?columns=20&rows=1&connect=7&overline=no",
    ],
)
def test_a_kernel_that_revises_estimates_keeps_them_right(spec: str) -> None:
    """At edges, in corners, after a swap, a few plies down."""
    kernel = find_game(spec).kernel()
    assert kernel is not None
    # Only one of the loops is needed.
    loops = loops_of(kernel)
    for seed in range(8):
        states = walk(spec, seed, 19)
        for state in (*states[:2], *states[6::6]):
            if state.outcome() is None:
                for evaluation in state.game.evaluations:
                    check_agreement(state, 1, evaluation, Clock(), loops)
                    check_agreement(state, 4, evaluation, Clock(nodes=600), loops)


@pytest.mark.parametrize("move_s", [0.0, 0.004, 0.02, 0.2])
def test_deadlines_hold(move_s: float) -> None:
    root = CONNECT_FOUR.initial()
    loops, evaluation = loops_for(CONNECT_FOUR), CONNECT_FOUR.evaluation("")
    search(root, loops=loops, depth=1, evaluation=evaluation)
    begin = time.process_time()
    found = search(root, loops=loops, depth=None, evaluation=evaluation, clock=Clock.of(move_s))
    # Its own time: a busy machine may stop it for long.
    assert time.process_time() - begin < move_s + 0.25
    assert found.move in root.legal_moves()
    assert not found.is_complete


def test_the_report_says_which_search_it_was() -> None:
    state = CONNECT_FOUR.initial()
    assert ready.prepare(CONNECT_FOUR)
    reports = []
    for fast, order in (("auto", "given"), ("auto", "game"), ("no", "given")):
        bot = alphabeta.AlphaBeta(depth=4, evaluate="null", fast=fast, order=order)
        bot.new_match(CONNECT_FOUR, 0, 1)
        bot.choose(state, Clock())
        assert bot.report is not None
        reports.append(bot.report)
    assert [report.text for report in reports] == ["compiled", "pure", ""]
    assert reports[0].nodes == reports[2].nodes
    assert reports[0].pv == reports[2].pv


@pytest.mark.parametrize(
    "spec",
    ["connectfour?columns=16&rows=16", "connectfour?connect=5", "mnk?connect=8", "pacman"],
)
def test_what_does_not_fit_has_no_kernel(spec: str) -> None:
    game = find_game(spec)
    assert game.kernel() is None
    assert ready.ready(game) is None
    assert not ready.prepare(game)


SAME = """
import sys
from bots.alphabeta import AlphaBeta, search
from bots.compiled.ready import is_prepared, prepare, ready
from bots.iterative import Iterative
from bots.mcts import Mcts
from bots.mtdf import Mtdf
from bots.pvs import Pvs
from bots.solver import solver_of
from bots.support.bot import Clock
from games.support.specs import find_game
if "expect-warm" in sys.argv:
    assert all(is_prepared(find_game(spec)) for spec in sys.argv[1].split())
    assert not {"numba", "llvmlite", "numpy"} & set(sys.modules)
    for game in map(find_game, sys.argv[1].split()):
        for kind in (AlphaBeta, Iterative, Mtdf, Pvs, Mcts):
            bot = kind(**{"simulations" if kind is Mcts else "depth": 3})
            bot.new_match(game, 0, 1)
            bot.choose(game.initial(), Clock())
            assert kind is Mcts or "compiled" in bot.report.text, kind
    assert not {"numba", "numpy"} & set(sys.modules)
for spec, plies in (("connectfour", 9), ("othello", 52), ("breakthrough?columns=3&rows=5", 0)):
    if not {"solve", f"solve {spec}"} & set(sys.argv):
        continue
    state = find_game(spec).initial()
    for ply in range(plies):
        state = state.play(state.legal_moves()[ply % len(state.legal_moves())])
    solved = solver_of(state.game).solve(state)
    print(spec, solved.utility, solved.plies, solved.nodes, solved.is_compiled)
for spec in sys.argv[1].split():
    game = find_game(spec)
    if "expect-damage" in sys.argv:
        assert ready(game) is None
        assert not is_prepared(game)
    print(spec, prepare(game))
    bot = AlphaBeta(depth=3)
    bot.new_match(game, 0, 1)
    bot.choose(game.initial(), Clock())
    print(bot.report)
"""


def score_in(state: State, solver: Solver) -> int:
    """Return P. Pons's score of a position of Connect Four."""
    assert isinstance(state, ConnectFourState)
    found = solver.solve(state)
    return score_of(state, found.utility, found.plies or 0)


def run(*arguments: str, **environment: str) -> str:
    """Run the script above in a process of its own."""
    folder = ROOT
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", SAME, *arguments],
        cwd=folder,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=ENDLESS_S,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
def test_a_second_process_with_the_cache_warm_finds_the_same(tmp_path: Path) -> None:
    """Of one game: each that is compiled here takes long, and the next test has the others."""
    folder, spec = str(tmp_path), "connectfour"
    first = run(spec, f"solve {spec}", NUMBA_CACHE_DIR=folder)
    assert first.count("compiled") == 1
    compiled = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.ready")}
    assert compiled
    again = run(spec, f"solve {spec}", "expect-warm", NUMBA_CACHE_DIR=folder)
    assert again == first
    assert compiled == {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.ready")}
    for path in tmp_path.rglob("*.ready"):
        path.write_bytes(path.read_bytes()[:1000])
    mended = run(spec, "expect-damage", NUMBA_CACHE_DIR=folder)
    assert mended.splitlines() == first.splitlines()[-2:]


@pytest.mark.slow
def test_another_process_finds_with_kept_code_what_python_finds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of the games that take longest to compile: other tests have compiled them."""
    specs = ("othello", "tablut", "breakthrough", "mnk", "tictactoe")
    marks = {}
    for game in map(find_game, specs):
        loops_for(game)
        marks[game] = find_mark(game)
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    for game, mark in marks.items():
        assert mark is not None
        assert leave_mark(game, mark)
    kept = {path: path.stat().st_mtime_ns for path in tmp_path.iterdir()}
    assert len(kept) == len(specs)
    found = run(" ".join(specs), "expect-warm").splitlines()
    assert {path: path.stat().st_mtime_ns for path in tmp_path.iterdir()} == kept
    monkeypatch.setenv("NUMBA_CACHE_DIR", f"{os.devnull}/nowhere")
    pure = run(" ".join(specs)).splitlines()
    assert found[::2] == [f"{spec} True" for spec in specs]
    assert pure[::2] == [f"{spec} False" for spec in specs]
    for compiled, plain in zip(found[1::2], pure[1::2], strict=True):
        assert "text='pure'" in plain
        # Compiled scores are floats.
        assert compiled.replace(".0,", ",") == plain.replace("'pure'", "'compiled'")


def test_without_numba_the_pure_search_plays() -> None:
    # The loops of another test may be in the cache.
    blocked = "import sys; sys.modules['numba'] = sys.modules['llvmlite'] = None\n"
    folder = ROOT
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", blocked + SAME, "connectfour othello"],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=True,
    )
    assert done.stdout.count("text='pure'") == 2
    assert "connectfour False" in done.stdout


@pytest.mark.slow
def test_without_a_folder_for_the_cache_the_pure_search_plays() -> None:
    """It would be compiled anew in each process; a solver, which has no clock, still is."""
    done = subprocess.run(
        [sys.executable, "-c", SAME, "connectfour", "solve connectfour"],
        cwd=ROOT,
        env={**os.environ, "NUMBA_CACHE_DIR": f"{os.devnull}/nowhere"},
        capture_output=True,
        text=True,
        timeout=ENDLESS_S,
        check=True,
    )
    solved, prepared, report = done.stdout.splitlines()
    assert solved.endswith(" True")
    assert prepared == "connectfour False"
    assert "text='pure'" in report


def test_without_memory_the_pure_search_plays() -> None:
    """Where address space is short, numba and what it imports may hang: it is not asked for."""
    limit = "import resource as r; r.setrlimit(r.RLIMIT_AS, (300 << 20, 300 << 20))\n"
    folder = ROOT
    done = subprocess.run(
        [sys.executable, "-c", limit + SAME, "connectfour"],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=True,
    )
    assert "text='pure'" in done.stdout


@pytest.mark.parametrize(
    ("moves", "score"),
    [
        ("2252576253462244111563365343671351441", -1),
        ("23163416124767223154467471272416755633", 0),
        ("52753311433677442422121", 8),
        ("1233722555341451114725221333", -1),
    ],
)
def test_quoted_scores_of_connect_four(moves: str, score: int) -> None:
    """Positions of P. Pons's test sets."""
    state = CONNECT_FOUR.position(moves)
    assert score_in(state, solver_of(CONNECT_FOUR)) == score


@pytest.mark.slow
@pytest.mark.parametrize(("name", "is_fast"), [("middle", True), ("end", True), ("end", False)])
def test_pons_test_sets(name: str, is_fast: bool) -> None:
    """A thousand positions each, with their exact scores."""
    solver = solver_of(CONNECT_FOUR, is_fast)
    for line in oracle_lines(f"connectfour_{name}_easy.txt"):
        moves, score = line.split()
        assert score_in(CONNECT_FOUR.position(moves), solver) == int(score)


@pytest.mark.slow
def test_published_ends_of_othello() -> None:
    """Nineteen positions with 14 to 16 empty squares, and the discs that each move wins by."""
    game = find_game("othello?score=discs")
    solver = solver_of(game)
    for line in oracle_lines("othello_endgames.obf"):
        state = game.position(line)
        worths = [each.split(":") for each in line.split(";")[1:] if each.strip()]
        assert solver.solve(state).utility == max(int(worth) for _, worth in worths)
        for move, worth in worths:
            child = state.play(state.parse(move))
            sign = 1 if child.to_move == state.to_move else -1
            assert sign * solver.solve(child).utility == int(worth)


@pytest.mark.parametrize(
    "spec",
    [
        "connectfour?columns=4&rows=4&connect=3",
        *slow(
            "connectfour?columns=5&rows=4",
            "breakthrough?columns=3&rows=5",
            "mnk?columns=3&rows=4&connect=3&swap=yes&overline=no",
        ),
    ],
)
def test_both_solvers_agree(spec: str) -> None:
    """On the utility, and on how long it takes."""
    game = find_game(spec)
    compiled, pure = solver_of(game), PureSolver(game)
    for seed in range(12):
        state = random.Random(seed).choice(walk(spec, seed, 12))
        found, expected = compiled.solve(state), pure.solve(state)
        assert (found.utility, found.plies) == (expected.utility, expected.plies)
        assert found.is_compiled
        assert not expected.is_compiled


@pytest.mark.parametrize("is_fast", [True, False])
def test_solvers_stop_at_their_limits(is_fast: bool) -> None:
    solver = solver_of(CONNECT_FOUR, is_fast)
    state = CONNECT_FOUR.initial()
    with pytest.raises(Exhausted):
        # The first question compiles what is not in the cache yet.
        solver.solve(state, Clock(nodes=1000))
    for clock in (Clock(nodes=2000), Clock.of(0.02)):
        begin = time.process_time()
        with pytest.raises(Exhausted):
            solver.solve(state, clock)
        assert time.process_time() - begin < 1


def test_solvers_refuse_what_they_cannot_solve() -> None:
    with pytest.raises(ValueError, match="no solver for pacman"):
        solver_of(find_game("pacman"))
