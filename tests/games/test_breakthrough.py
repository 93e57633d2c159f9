"""Breakthrough against a board of plain squares, and boards that search solves."""

from collections.abc import Iterator
from functools import cache
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots import alphabeta, iterative
from games.breakthrough import GAME, Breakthrough, advance, pieces, race
from games.support.errors import MoveError
from games.support.game import NULL, State, play_texts
from tests.strategies import walk

Squares = tuple[str, ...]
"""The ranks from White's side, each a text of `w`, `b` and `.`."""


def start(columns: int, rows: int) -> Squares:
    """Return the first position."""
    return ("w" * columns,) * 2 + ("." * columns,) * (rows - 4) + ("b" * columns,) * 2


def steps(board: Squares, mover: str) -> Iterator[tuple[str, Squares]]:
    """Yield each legal move as text, with the board after it."""
    way = 1 if mover == "w" else -1
    for y, rank in enumerate(board):
        for x, piece in enumerate(rank):
            if piece != mover:
                continue
            for across in (-1, 0, 1):
                to_x, to_y = x + across, y + way
                if not 0 <= to_x < len(rank):
                    continue
                there = board[to_y][to_x]
                if there == mover or (across == 0 and there != "."):
                    continue
                sign = "-" if there == "." else "x"
                ranks = [list(each) for each in board]
                ranks[y][x], ranks[to_y][to_x] = ".", mover
                text = f"{chr(97 + x)}{y + 1}{sign}{chr(97 + to_x)}{to_y + 1}"
                yield text, tuple("".join(each) for each in ranks)


def is_won(board: Squares, mover: str) -> bool:
    """Tell whether who just moved has won."""
    goal, other = (board[-1], "b") if mover == "w" else (board[0], "w")
    return mover in goal or not any(other in rank for rank in board)


def perft(state: State, depth: int) -> int:
    """Count the lines of `depth` plies; play stops at a win."""
    if depth == 0:
        return 1
    if state.outcome() is not None:
        return 0
    return sum(perft(state.play(move), depth - 1) for move in state.legal_moves())


def plain_perft(board: Squares, mover: str, depth: int) -> int:
    """Count as `perft` does, on plain squares."""
    if depth == 0:
        return 1
    other = "b" if mover == "w" else "w"
    return sum(
        plain_perft(after, other, depth - 1) if not is_won(after, mover) else depth == 1
        for _, after in steps(board, mover)
    )


def test_perft() -> None:
    assert [perft(GAME.initial(), depth) for depth in range(1, 4)] == [22, 484, 11132]


@pytest.mark.slow
def test_perft_deeper() -> None:
    assert perft(GAME.initial(), 4) == 256036 == plain_perft(start(8, 8), "w", 4)


@pytest.mark.parametrize(
    ("columns", "rows", "depth"),
    [(8, 8, 3), pytest.param(5, 5, 4, marks=pytest.mark.slow), (5, 5, 3), (2, 4, 8), (3, 4, 6)],
)
def test_perft_is_that_of_plain_squares(columns: int, rows: int, depth: int) -> None:
    game = Breakthrough(columns, rows)
    assert perft(game.initial(), depth) == plain_perft(start(columns, rows), "w", depth)


@cache
def wins(board: Squares, mover: str) -> bool:
    """Tell whether who moves wins, by trying everything on plain squares."""
    other = "b" if mover == "w" else "w"
    return any(is_won(after, mover) or not wins(after, other) for _, after in steps(board, mover))


@pytest.mark.parametrize(
    ("columns", "rows", "value", "plies"),
    [
        (2, 4, -1, 8),
        (2, 5, -1, 10),
        (2, 6, 1, 15),
        (3, 4, -1, 12),
        pytest.param(4, 4, -1, 14, marks=pytest.mark.slow),
    ],
)
def test_small_boards_are_solved(columns: int, rows: int, value: int, plies: int) -> None:
    root = Breakthrough(columns, rows).initial()
    found = iterative.search(root, depth=None, evaluation=NULL)
    assert (found.value, found.depth) == (value, plies)
    assert wins(start(columns, rows), "w") == (value > 0)


@given(st.data(), st.integers(2, 12), st.integers(4, 12))
def test_matches_go_as_on_a_board_of_plain_squares(
    data: st.DataObject, columns: int, rows: int
) -> None:
    game = Breakthrough(columns, rows)
    state: State = game.initial()
    board, mover = start(columns, rows), "w"
    source = data.draw(st.randoms(use_true_random=False))
    while True:
        after = dict(steps(board, mover))
        moves = {state.text(move): move for move in state.legal_moves()}
        assert moves.keys() == after.keys()
        last = str(rows) if mover == "w" else "1"
        noisy = {text for text in moves if "x" in text or text[text.index("-") + 2 :] == last}
        assert {state.text(move) for move in state.noisy_moves()} == noisy
        text = source.choice(sorted(moves))
        state, board = state.play(moves[text]), after[text]
        drawn = [line.split()[1:] for line in state.render().replace("[", " ").splitlines()[:rows]]
        signs = {"w": "X", "b": "O", ".": "."}
        assert [[sign[0] for sign in line] for line in drawn] == [
            [signs[piece] for piece in rank] for rank in reversed(board)
        ]
        if is_won(board, mover):
            break
        assert state.outcome() is None
        check_evaluations(state, board)
        mover = "b" if mover == "w" else "w"
    assert state.outcome() == ((1.0, -1.0) if mover == "w" else (-1.0, 1.0))


def check_evaluations(state: State, board: Squares) -> None:
    """Hold `race`, `advance` and `pieces` against the squares."""
    rows = len(board)
    white = [y for y, rank in enumerate(board) for piece in rank if piece == "w"]
    black = [rows - 1 - y for y, rank in enumerate(board) for piece in rank if piece == "b"]
    worth = [sum(rows + gone for gone in each) + max(each) for each in (white, black)]
    more = plain_race(board, white, black, state.to_move)
    for seat, sign in ((0, 1), (1, -1)):
        assert race(state, seat) == sign * (worth[0] - worth[1] + more)  # type: ignore[arg-type]  # its own
        assert advance(state, seat) == sign * (worth[0] - worth[1])  # type: ignore[arg-type]  # its own
        assert pieces(state, seat) == sign * (len(white) - len(black))  # type: ignore[arg-type]  # its own


def plain_race(board: Squares, white: list[int], black: list[int], mover: int) -> int:
    """Return what `race` adds to `advance` for White, from the ranks that each piece has gone."""
    rows = len(board)
    own, other, foremost = ("w", "b", white) if mover == 0 else ("b", "w", black)
    takes = [after for text, after in steps(board, own) if "x" in text]
    turn = 1 if takes else 0
    last = 1 if other == "b" else -2
    if max(foremost) == rows - 2:
        turn += 50
    elif any(
        sign == other and not any(after[last][x] == own for after in takes)
        for x, sign in enumerate(board[last])
    ):
        turn -= 25
    return max(white) - max(black) + rows * (turn if mover == 0 else -turn)


@pytest.mark.parametrize(
    ("fen", "white"),
    [
        # A piece one step from the goal wins for the seat to move.
        ("8/P7/8/8/8/p7/8/8 w", 6 - 5 + 2 * (6 - 5) + 400),
        # The other can't be stopped, or can: by a capture, which is worth a piece.
        ("8/8/8/P7/8/8/p7/8 w", 4 - 6 + 2 * (4 - 6) - 200),
        ("8/8/8/8/8/8/p7/1P6 w", 0 - 6 + 2 * (0 - 6) + 8),
        ("8/8/8/8/8/8/p7/1P6 b", 0 - 6 + 2 * (0 - 6) - 400 - 8),
    ],
)
def test_the_race_is_seen_before_it_is_run(fen: str, white: int) -> None:
    state = Breakthrough().read(fen)
    assert (race(state, 0), race(state, 1)) == (white, -white)


@pytest.mark.slow
@pytest.mark.soak
def test_two_more_plies_win() -> None:
    """They did not with `advance`, which sees no threat in the positions where a search stops."""
    evaluation, won = GAME.evaluation(""), 0
    for seed, seat in product(range(3), (0, 1)):
        state: State = walk("breakthrough", seed, 4)[-1]
        while (outcome := state.outcome()) is None:
            depth = 4 if state.to_move == seat else 2
            state = state.play(alphabeta.search(state, depth=depth, evaluation=evaluation).move)
        won += outcome[seat] > 0
    assert won >= 5


def test_bounds_leave_room_for_decided_positions_under_every_option() -> None:
    for columns in range(2, 13):
        for rows in range(4, 13):
            for evaluation in Breakthrough(columns, rows).evaluations:
                # A search may take a unit per ply off a decided position's worth.
                plies = 4 * columns * rows
                assert evaluation.scale - plies > evaluation.high == -evaluation.low > 0


def test_golden_match() -> None:
    state = play_texts(Breakthrough(4, 5).initial(), "a2-b3 a4xb3 c2xb3 d4-d3 b3xc4 d3-c2 c4xb5")
    assert state.outcome() == (1.0, -1.0)
    assert state.render().splitlines() == [
        "5  O [X] O  O",
        "4  .  O  .  .",
        "3  .  .  .  .",
        "2  .  X  O  X",
        "1  X  X  X  X",
        "   a  b  c  d",
        "White (X) won",
    ]
    assert state.svg().count('class="goal"') == 1
    assert "Breakthrough: White (plain) won" in state.svg()


def test_who_captures_all_wins() -> None:
    texts = "a2xb3 a3xb2 a1xb2 a4xb3 b2-a3 b3-a2 b1xa2 b4-b3"
    state = play_texts(Breakthrough(2, 4).initial(), texts)
    assert state.outcome() is None
    won = play_texts(state, "a2xb3")
    assert won.outcome() == (1.0, -1.0)
    assert won.render().splitlines() == [
        "4  .  .",
        "3  X  X",
        "2  .  .",
        "1  .  .",
        "   a  b",
        "White (X) won",
    ]
    assert won.svg().count('class="goal"') == 0


def test_order_puts_wins_before_captures_before_the_farthest() -> None:
    state = play_texts(Breakthrough(4, 6).initial(), "a2-a3 d5-d4 a3-a4 d4-d3")
    texts = [state.text(move) for move in state.order(state.legal_moves())]
    assert texts[0] == "a4xb5"
    assert texts[1] == "c2xd3"
    state = play_texts(state, "a4xb5 d3xc2")
    texts = [state.text(move) for move in state.order(state.legal_moves())]
    assert set(texts[:2]) == {"b5xa6", "b5xc6"}
    assert "x" in texts[2]
    assert "x" not in texts[4]


@pytest.mark.parametrize("text", ["a2-a3", "a2a3", " A2A3 "])
def test_a_move_may_be_written_without_its_sign(text: str) -> None:
    assert GAME.initial().parse(text) == 3 * 8 + 1


def test_captures_may_be_written_without_their_sign() -> None:
    state = Breakthrough(5, 4).initial()
    assert state.parse("b2c3") == state.parse("b2xc3")


@pytest.mark.parametrize("text", ["a2-a4", "a2xb3", "a1-a2", "a7-a6", "h2-i3", "a2", "-", "a2+a3"])
def test_other_moves_are_refused(text: str) -> None:
    with pytest.raises(MoveError, match=r"illegal move .* \(legal: b2-a3, "):
        GAME.initial().parse(text)


def test_nothing_is_parsed_after_the_end() -> None:
    state = play_texts(Breakthrough(2, 4).initial(), "a2xb3 a3xb2 b3xa4")
    assert state.outcome() == (1.0, -1.0)
    with pytest.raises(MoveError, match="'a1-a2': the match is over"):
        state.parse("a1-a2")
