"""`league solve`: exact values, checked against what a file expects."""

import json
from math import inf
from pathlib import Path

import pytest

from bots.solver import Bounds, solver_of
from games.support.kernel import UNIT
from games.support.specs import find_game
from league.analysis.solve import SolveTask, known_of
from tests.league.command import both, league
from tests.oracles import FOLDER, oracle_lines


@pytest.mark.extra
def test_solved_positions_in_pascal_pons_convention(tmp_path: Path) -> None:
    pytest.importorskip("numba")
    arguments = ("--moves", "44455554221", "--moves", "4455", "--json")
    told = json.loads(league(tmp_path, "solve", "connectfour", *arguments))
    assert [each["score"] for each in told] == [-15, 18]
    assert [each["utility"] for each in told] == [-1, 1]
    assert [each["plies"] for each in told] == [2, 3]


def test_a_file_is_held_against_what_it_expects(tmp_path: Path) -> None:
    (tmp_path / "ends.txt").write_text(
        "2252576253462244111563365343671351441 -1\n"
        "# a comment\n"
        "23163416124767223154467471272416755633 0\n"
        "562154564361751726662253737734213275114\n"
    )
    said = league(tmp_path, "solve", "connectfour", "--file", "ends.txt", "--pure")
    assert "3 positions solved, 2 of 2 as expected" in said
    assert "a draw" in said
    (tmp_path / "wrong.txt").write_text("562154564361751726662253737734213275114 2\n")
    out, _ = both(tmp_path, "solve", "connectfour", "--file", "wrong.txt", "--pure", code=1)
    assert "but +2 was expected" in out


@pytest.mark.slow
def test_othello_lines_expect_their_best_move(tmp_path: Path) -> None:
    line = "--O--O--X-OOOOX-XXOOOXOOXXOXOXOOXXOXXOOOXXXXOOOO--OXXX---XXXXX-- O; B7:-8; A7:-10"
    (tmp_path / "one.obf").write_text(f"{line}\n")
    told = json.loads(
        league(tmp_path, "solve", "othello?score=discs", "--file", "one.obf", "--json")
    )
    assert (told[0]["score"], told[0]["expected"], told[0]["is_expected"]) == (-8, -8, True)


def test_a_small_board_from_its_first_position(tmp_path: Path) -> None:
    said = league(tmp_path, "solve", "connectfour?columns=4&rows=4", "--pure")
    assert said.startswith("the first position: +0 (a draw;")
    assert said.splitlines()[0].endswith("pure Python)")


def test_best_moves_and_a_line_as_text(tmp_path: Path) -> None:
    arguments = ("--moves", "44455554221", "--moves", "4455", "--pure", "--line")
    said = league(tmp_path, "solve", "connectfour", *arguments).splitlines()
    assert [line for line in said if line.startswith(" ")] == [
        "  best: 1, 2, 3, 4, 5, 6, 7",
        "  line: 1 3",
        "  best: 3, 6",
        "  line: 3 1 2",
    ]
    assert "line" not in league(tmp_path, "solve", "connectfour", "--moves", "4455", "--pure")


@pytest.mark.slow
def test_text_is_eighty_columns_wide(tmp_path: Path) -> None:
    (tmp_path / "wrong.txt").write_text("22525762534622441115633653436713514 -12\n")
    asked = ("solve", "connectfour", "--file", "wrong.txt", "--pure", "--line")
    said, _ = both(tmp_path, *asked, code=1)
    assert "but −12 was expected;\n  " in said
    # Whatever the second seat does, three in a row come next.
    arguments = ("--moves", "e5 a1 f5", "--pure", "--line")
    said += league(tmp_path, "solve", "mnk?columns=9&rows=9&connect=3", *arguments)
    assert said.count("best: ") == said.count("line: ") == 2
    assert max(map(len, said.splitlines())) <= 80


def test_best_moves_and_a_line_as_json(tmp_path: Path) -> None:
    arguments = ("solve", "tree?file=tied", "--json")
    (told,) = json.loads(league(tmp_path, *arguments, "--line"))
    assert (told["moves"], told["line"]) == (["B", "D"], ["B", "E"])
    (told,) = json.loads(league(tmp_path, *arguments))
    assert (told["moves"], told["line"]) == (["B", "D"], None)


def test_many_positions_are_summed_up_but_for_their_lines(tmp_path: Path) -> None:
    (tmp_path / "many.txt").write_text("4455\n" * 41)
    arguments = ("solve", "connectfour", "--file", "many.txt", "--pure")
    assert league(tmp_path, *arguments).startswith("41 positions solved;")
    assert league(tmp_path, *arguments, "--line").count("  line: 3 1 2\n") == 41


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("pacman",), "no solver for pacman: it takes two seats, and no luck"),
        (("connectfour", "--file", "none.txt"), "can't read positions from 'none.txt'"),
        (("connectfour", "--moves", "48"), "ply 2: illegal move '8'"),
        (("connectfour", "--pure", "--time", "1ms"), "is not solved within 0.001 s: --time"),
    ],
)
def test_bad_input_is_told_in_a_line(
    tmp_path: Path, arguments: tuple[str, ...], message: str
) -> None:
    said = league(tmp_path, "solve", *arguments, code=1)
    assert message in said
    assert len(said.splitlines()) == 1


@pytest.mark.parametrize(
    ("low", "high", "unit", "told"),
    [
        (-inf, inf, UNIT, ""),
        (-UNIT, UNIT, UNIT, ""),
        (1 - UNIT + 8, UNIT - 6, UNIT, "not lost within 9 plies, not won within 6 plies"),
        (1, UNIT, UNIT, "won"),
        (0, 0, UNIT, "not lost, not won"),
        (-UNIT, -1, UNIT, "lost"),
        (-64, 6, 1, "at most +6"),
        (2, 6, 1, "at least +2, at most +6"),
    ],
)
def test_what_is_proven_so_far_is_told(low: float, high: float, unit: int, told: str) -> None:
    game = find_game("othello?score=discs" if unit == 1 else "connectfour")
    task = SolveTask("start", game.initial())
    task.bounds.narrow(low, high)
    task.bounds.unit = unit
    assert known_of(task) == told


def test_a_solver_narrows_the_bounds_until_they_meet() -> None:
    for is_fast in (False, True):
        state = find_game("connectfour").position("4455")
        bounds = Bounds()
        found = solver_of(state.game, is_fast).solve(state, bounds=bounds)
        assert bounds.low == bounds.high == UNIT - (found.plies or 0)


def test_utilities_that_are_not_whole_are_refused(tmp_path: Path) -> None:
    (tmp_path / "half.txt").write_text("root Max\n  A 0.5\n  B 1\n")
    said = league(tmp_path, "solve", "tree?file=half.txt", code=1)
    assert "it takes whole utilities, and one seat must win what the other loses" in said
    assert len(said.splitlines()) == 1


def test_a_line_that_is_no_position_is_named(tmp_path: Path) -> None:
    (tmp_path / "bad.txt").write_text("44\n\n4 9 3\n")
    said = league(tmp_path, "solve", "connectfour", "--file", "bad.txt", code=1)
    assert said.startswith("league: line 3: ply 2: illegal move '9'")


@pytest.mark.extra
@pytest.mark.parametrize("name", ["connectfour_end_easy.txt", "connectfour_middle_easy.txt"])
def test_the_published_sets(tmp_path: Path, name: str) -> None:
    pytest.importorskip("numba")
    assert len(oracle_lines(name)) == 1000
    said = league(tmp_path, "solve", "connectfour", "--file", str(FOLDER / name))
    assert "1000 positions solved, 1000 of 1000 as expected" in said
