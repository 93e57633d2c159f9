"""Connect Four against its known numbers, and against a board of plain lists."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.connectfour import GAME, ConnectFour, tops
from games.contract import State


def test_positions_by_ply() -> None:
    """OEIS A212693."""
    edge: set[State] = {GAME.initial()}
    counts = []
    for _ in range(8):
        counts.append(len(edge))
        edge = {
            state.play(move)
            for state in edge
            if state.outcome() is None
            for move in state.legal_moves()
        }
    assert counts == [1, 7, 49, 238, 1120, 4263, 16422, 54859]


def perft(state: State, depth: int) -> int:
    """Count the lines of `depth` plies; play stops at a win."""
    if depth == 0:
        return 1
    if state.outcome() is not None:
        return 0
    return sum(perft(state.play(move), depth - 1) for move in state.legal_moves())


def test_perft() -> None:
    counts = [perft(GAME.initial(), depth) for depth in range(1, 8)]
    assert counts == [7, 49, 343, 2401, 16807, 117649, 823536]


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


@pytest.mark.parametrize("text", ["0", "8", "x", "1 ", "٣"])
def test_columns_are_counted_from_one(text: str) -> None:
    state = GAME.initial()
    if text == "1 ":
        assert state.parse(text) == 0
    else:
        with pytest.raises(Exception, match=r"illegal move .* \(legal: 1, 2, 3, 4, 5, 6, 7\)"):
            state.parse(text)
