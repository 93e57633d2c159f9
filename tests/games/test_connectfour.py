"""Connect Four against its known numbers, and against a board of plain lists."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.connectfour import GAME, ConnectFour, tops
from games.support.errors import MoveError
from games.support.game import State, play_texts
from games.support.perft import perft
from tests.examples import slow, soak

POSITIONS = [1, 7, 49, 238, 1120, 4263, 16422, 54859, 184275, 558186, 1662623]
"""After 0 to 10 plies. Source: OEIS A212693."""


@pytest.mark.parametrize("plies", [6, *slow(7), *soak(10)])
def test_positions_by_ply(plies: int) -> None:
    edge: set[State] = {GAME.initial()}
    counts = []
    for _ in range(plies + 1):
        counts.append(len(edge))
        edge = {
            state.play(move)
            for state in edge
            if state.outcome() is None
            for move in state.legal_moves()
        }
    assert counts == POSITIONS[: plies + 1]


@pytest.mark.slow
def test_perft() -> None:
    """Play stops at a win."""
    counts = [perft(GAME.initial(), depth) for depth in range(1, 8)]
    assert counts == [7, 49, 343, 2401, 16807, 117649, 823536]


@pytest.mark.slow
@pytest.mark.parametrize(("depth", "count"), [(8, 5673234), *soak((9, 39394572))])
def test_perft_deeper(depth: int, count: int) -> None:
    assert perft(GAME.initial(), depth) == count


def solve(state: State, stones: int, plies: int, alpha: int = -22, beta: int = 22) -> int:
    """Return the score of best play for who moves: 22 less the winner's stones, 0 for a draw.

    What `plies` do not decide counts as a draw.
    """
    for move in state.order(state.legal_moves()):
        child = state.play(move)
        outcome = child.outcome()
        if outcome is not None:
            score = 22 - (stones // 2 + 1) if any(outcome) else 0
        else:
            score = -solve(child, stones + 1, plies - 1, -beta, -alpha) if plies > 1 else 0
        alpha = max(alpha, score)
        if alpha >= beta:
            break
    return alpha


@pytest.mark.parametrize(
    ("texts", "score"),
    [
        ("2252576253462244111563365343671351441", -1),
        ("7422341735647741166133573473242566", 1),
        ("23163416124767223154467471272416755633", 0),
        ("65214673556155731566316327373221417", -1),
        ("562154564361751726662253737734213275114", 0),
    ],
)
def test_solved_ends(texts: str, score: int) -> None:
    """Positions of Pascal Pons's set of easy ends, and his scores."""
    assert solve(play_texts(GAME.initial(), texts), len(texts), 42) == score


@pytest.mark.parametrize(("texts", "score", "plies"), [("44455554221", -15, 2), ("4455", 18, 3)])
def test_solved_positions_that_are_decided_soon(texts: str, score: int, plies: int) -> None:
    """The first is lost to the other's seventh stone, the second won by the mover's fourth."""
    state = play_texts(GAME.initial(), texts)
    assert solve(state, len(texts), plies) == score
    assert solve(state, len(texts), plies - 1) == 0


def has_row(board: list[list[int]], seat: int, connect: int) -> bool:
    """Look for a row square by square; `board` holds columns of seats from the bottom."""

    def at(x: int, y: int) -> int | None:
        return board[x][y] if 0 <= x < len(board) and 0 <= y < len(board[x]) else None

    return any(
        all(at(x + dx * step, y + dy * step) == seat for step in range(connect))
        for x in range(len(board))
        for y in range(len(board[x]))
        for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1))
    )


@given(st.data(), st.integers(1, 9), st.integers(1, 9), st.integers(2, 7))
def test_rows_are_seen_on_boards_of_every_size(
    data: st.DataObject, columns: int, rows: int, connect: int
) -> None:
    state: State = ConnectFour(columns, rows, connect).initial()
    board: list[list[int]] = [[] for _ in range(columns)]
    while state.outcome() is None:
        moves = state.legal_moves()
        assert list(moves) == [x for x in range(columns) if len(board[x]) < rows]
        move = data.draw(st.sampled_from(moves))
        mover = state.to_move
        board[move].append(mover)
        state = state.play(move)
        if has_row(board, mover, connect):
            assert state.outcome() == ((1.0, -1.0), (-1.0, 1.0))[mover]
        elif all(len(column) == rows for column in board):
            assert state.outcome() == (0.0, 0.0)
        else:
            assert state.outcome() is None


def open_windows(board: list[list[int]], seat: int, game: ConnectFour) -> int:
    """Count `windows` square by square."""

    def at(x: int, y: int) -> int:
        return board[x][y] if y < len(board[x]) else -1

    total = 0
    for x in range(game.columns):
        for y in range(game.rows):
            for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
                far_x, far_y = x + dx * (game.connect - 1), y + dy * (game.connect - 1)
                if not (0 <= far_x < game.columns and 0 <= far_y < game.rows):
                    continue
                held = [at(x + dx * step, y + dy * step) for step in range(game.connect)]
                mine, theirs = held.count(seat), held.count(1 - seat)
                total += mine**2 * (theirs == 0) - theirs**2 * (mine == 0)
    return total


@given(st.data(), st.integers(1, 8), st.integers(1, 7), st.integers(2, 6))
def test_windows_are_counted_right(
    data: st.DataObject, columns: int, rows: int, connect: int
) -> None:
    game = ConnectFour(columns, rows, connect)
    state: State = game.initial()
    board: list[list[int]] = [[] for _ in range(columns)]
    evaluation = game.evaluation("windows")
    while state.outcome() is None:
        for seat in (0, 1):
            assert evaluation.function(state, seat) == open_windows(board, seat, game)
            tall = [column[-1] for column in board if column]
            assert tops(state, seat) == tall.count(seat) - tall.count(1 - seat)  # type: ignore[arg-type]  # its own
        move = data.draw(st.sampled_from(state.legal_moves()))
        board[move].append(state.to_move)
        state = state.play(move)


def test_golden_match() -> None:
    state: State = GAME.initial()
    for text in "4455667":
        assert state.outcome() is None
        state = state.play(state.parse(text))
    assert state.outcome() == (1.0, -1.0)
    assert state.render().splitlines() == [
        " .  .  .  .  .  .  .",
        " .  .  .  .  .  .  .",
        " .  .  .  .  .  .  .",
        " .  .  .  .  .  .  .",
        " .  .  .  O  O  O  .",
        " .  .  . [X][X][X][X]",
        " 1  2  3  4  5  6  7",
        "Red (X) won",
    ]


def test_nothing_is_parsed_after_the_end() -> None:
    with pytest.raises(MoveError, match="'1': the match is over"):
        play_texts(GAME.initial(), "1212121").parse("1")


def test_positions_of_different_boards_differ() -> None:
    assert GAME.initial() == ConnectFour(7, 6, 4).initial()
    assert GAME.initial() != ConnectFour(7, 5, 4).initial()


def test_bounds_leave_room_for_decided_positions_under_every_option() -> None:
    for columns, rows, connect in itertools.product((1, 2, 7, 16), (1, 2, 6, 16), range(2, 17)):
        for evaluation in ConnectFour(columns, rows, connect).evaluations:
            assert evaluation.low <= 0 <= evaluation.high
            # A search may take a unit per ply off a decided position's worth.
            assert evaluation.scale - columns * rows > evaluation.high == -evaluation.low


def test_the_largest_board_fits_a_terminal() -> None:
    lines = play_texts(ConnectFour(16, 16, 4).initial(), "16 1 16 1 16 1 16").render().splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[-2].split() == [str(column) for column in range(1, 17)]
    assert lines[-3] == " O" + "  ." * 14 + " [X]"


@pytest.mark.parametrize("text", ["0", "8", "x", "1 ", "٣"])
def test_columns_are_counted_from_one(text: str) -> None:
    state = GAME.initial()
    if text == "1 ":
        assert state.parse(text) == 0
    else:
        with pytest.raises(Exception, match=r"illegal move .* \(legal: 1, 2, 3, 4, 5, 6, 7\)"):
            state.parse(text)
