"""Othello against its published numbers, and against a board of plain lists."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots import iterative
from bots.compiled.ready import prepare, ready_windows
from bots.compiled.window import Windows
from bots.support.search import SearchResult
from games.othello import GAME, PASS, OthelloState, final_discs
from games.support.errors import MoveError, PositionError
from games.support.game import State
from games.support.perft import perft
from games.support.specs import find_game
from tests.examples import slow, soak
from tests.oracles import oracle_lines
from tests.strategies import walk, walks

DISCS = find_game("othello?score=discs")

ENDGAMES = [
    # The next one after four more plies of best play, A4 B7 A3 A2.
    ("-XXXXXX-O-XOOOO-OOOXXOOXOXOOOOOOOXXOXXOOOOOXXOOX-OOOOO----XXXXX- X; B8:+10", 7_455),
    ("-XXXXXX---XOOOO--XOXXOOX-OOOOOOOOOOOXXOOOOOXXOOX--XXOO----XXXXX- X; A4:+10; B2:+0", 134_736),
    ("--O--O--X-OOOOX-XXOOOXOOXXOXOXOOXXOXXOOOXXXXOOOO--OXXX---XXXXX-- O; B7:-8; A7:-10", 372_175),
    ("--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; G8:+18; H1:+12", 357_904),
]
"""Positions of fourteen empty squares or so, with the best moves, their worth, and the nodes."""


def test_perft() -> None:
    """Aart Bik's numbers; passes count as a ply."""
    counts = [perft(GAME.initial(), depth) for depth in range(1, 8)]
    assert counts == [4, 12, 56, 244, 1396, 8200, 55092]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("depth", "count"), [(8, 390216), *soak((9, 3005288), (10, 24571284 - 228))]
)
def test_perft_deeper(depth: int, count: int) -> None:
    """A. Bik lets a player of an ended match pass once more: 228 matches end after nine plies."""
    assert perft(GAME.initial(), depth) == count


def solve_endgame(line: str, windows: Windows | None = None) -> SearchResult:
    """Solve an endgame, with `windows` compiled, and compare with its line: best move and value."""
    position = DISCS.position(line)
    listed = dict(part.strip().split(":") for part in line.split(";")[1:] if part.strip())
    evaluation = DISCS.evaluation("mobility")
    found = iterative.search(position, depth=None, evaluation=evaluation, windows=windows)
    assert found.is_solved
    best = max(int(score) for score in listed.values())
    assert found.value / evaluation.scale == best
    assert int(listed[position.text(found.move).upper()]) == best
    return found


def compiled_windows() -> Windows:
    """Return the compiled search, with a table as large as Python's; skip the test without it."""
    pytest.importorskip("numba")
    assert prepare(DISCS)
    windows = ready_windows(DISCS, DISCS.evaluation("mobility"), iterative.TABLE_MAX)
    assert windows is not None
    return windows


@pytest.mark.parametrize(("line", "nodes"), [ENDGAMES[0], *slow(ENDGAMES[1]), *soak(ENDGAMES[2])])
def test_endgames_are_solved_exactly(line: str, nodes: int) -> None:
    assert solve_endgame(line).nodes == nodes


@pytest.mark.slow
@pytest.mark.parametrize(("line", "nodes"), ENDGAMES)
def test_endgames_are_solved_compiled_in_as_many_nodes(line: str, nodes: int) -> None:
    assert solve_endgame(line, compiled_windows()).nodes == nodes


@pytest.mark.slow
def test_all_the_endgames_are_solved_exactly() -> None:
    """In Python this would take minutes."""
    lines = oracle_lines("othello_endgames.obf")
    assert len(lines) == 19
    for line in lines:
        solve_endgame(line, compiled_windows())


def plain_flips(board: dict[tuple[int, int], int], at: tuple[int, int], seat: int) -> set[int]:
    """Look in each of the eight directions for discs to turn, square by square."""
    found = set()
    for by_row in (-1, 0, 1):
        for by_column in (-1, 0, 1):
            row, column = at[0] + by_row, at[1] + by_column
            run = []
            while board.get((row, column)) == 1 - seat:
                run.append(8 * row + column)
                row, column = row + by_row, column + by_column
            if run and board.get((row, column)) == seat:
                found.update(run)
    return found


def board_of(state: OthelloState) -> dict[tuple[int, int], int]:
    """Return the seat on each square that is taken."""
    return {
        (square // 8, square % 8): seat
        for square in range(64)
        for seat in (0, 1)
        if state.discs(seat) >> square & 1
    }


@given(walks("othello"))
def test_rules_are_those_of_a_plain_board(states: list[State]) -> None:
    for state in states[:: max(1, len(states) // 6)]:
        assert isinstance(state, OthelloState)
        board = board_of(state)
        moves = {
            seat: {
                square: plain_flips(board, (square // 8, square % 8), seat)
                for square in range(64)
                if (square // 8, square % 8) not in board
            }
            for seat in (0, 1)
        }
        may = {seat: [square for square in moves[seat] if moves[seat][square]] for seat in (0, 1)}
        if not may[0] and not may[1]:
            assert state.outcome() is not None
            continue
        assert state.outcome() is None
        assert list(state.legal_moves()) == (may[state.to_move] or [PASS])
        for square in may[state.to_move]:
            child = state.play(square)
            flips = moves[state.to_move][square]
            after = board_of(child)
            assert after == board | dict.fromkeys(
                [(each // 8, each % 8) for each in {square, *flips}], state.to_move
            )
        discs = list(board.values())
        assert GAME.evaluation("mobility").function(state, 0) == len(may[0]) - len(may[1])
        assert GAME.evaluation("discs").function(state, 0) == discs.count(0) - discs.count(1)


def test_a_pass_is_a_move() -> None:
    states = [state for seed in range(20) for state in walk("othello", seed, 60)]
    stuck = [each for each in states if not each.outcome() and each.legal_moves() == (PASS,)]
    assert stuck
    for state in stuck:
        assert state.text(PASS) == "pass"
        assert "to move, who must pass" in state.render()
        passed = state.play(state.parse("PASS"))
        assert passed.to_move == 1 - state.to_move
        assert passed.legal_moves()[0] != PASS


def test_the_empty_squares_go_to_the_winner() -> None:
    assert final_discs(0b111, 0b1000) == 3 - 1 + 60
    assert final_discs(0b1, 0b110) == 1 - 2 - 61
    assert final_discs(0b11, 0b1100) == 0


def test_the_score_option_counts_discs() -> None:
    line = "X" * 40 + "O" * 24 + "O"
    assert DISCS.position(line).outcome() == (16.0, -16.0)
    assert GAME.position(line).outcome() == (1.0, -1.0)
    assert DISCS.position("X" * 40 + "-" * 24 + "O").outcome() == (64.0, -64.0)
    assert DISCS.position(line).render().endswith("X won (X 40, O 24)")
    assert GAME.position("X" * 32 + "O" * 32 + "X").outcome() == (0.0, 0.0)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("-" * 63 + " X", "64 squares and who moves, and here are 64 signs"),
        ("-" * 20 + "q" + "-" * 43 + " X", "'Q' at e3: expected X, O or -"),
        ("-" * 64 + "?", r"'\?' is nobody to move: expected X or O"),
    ],
)
def test_bad_positions_are_named(text: str, message: str) -> None:
    with pytest.raises(PositionError, match=message):
        GAME.position(text)


def test_positions_are_moves_too() -> None:
    assert GAME.position("f5 d6") == GAME.initial().play(37).play(43)
    with pytest.raises(MoveError, match="ply 1: illegal move 'a1'"):
        GAME.position("a1 f5")


@given(st.data())
def test_notation_covers_the_board(data: st.DataObject) -> None:
    square = data.draw(st.integers(0, 63))
    text = GAME.initial().text(square)
    assert text[0] == "abcdefgh"[square % 8]
    assert int(text[1]) == square // 8 + 1
