"""Gomoku and its kin against tic-tac-toe, solved boards, and a board of plain squares."""

import itertools
import random
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots import iterative
from games.mnk import GAME, MnkGame, neighbours
from games.support.errors import MoveError
from games.support.game import NULL, State, play_texts
from games.support.specs import find_game
from tests.strategies import walk

STEPS = ((1, 0), (0, 1), (1, 1), (1, -1))

Board = dict[tuple[int, int], int]
"""The seat of each stone by column and row, both from 0."""


@cache
def perft(state: State, depth: int) -> int:
    """Count the lines of `depth` plies; play stops at a win."""
    if depth == 0:
        return 1
    if state.outcome() is not None:
        return 0
    return sum(perft(state.play(move), depth - 1) for move in state.legal_moves())


@cache
def matches(state: State) -> int:
    """Count the ways in which a match can go on to its end."""
    if state.outcome() is not None:
        return 1
    return sum(matches(state.play(move)) for move in state.legal_moves())


def test_three_in_a_row_on_nine_points_has_the_lines_of_tictactoe() -> None:
    counts = [perft(MnkGame(3, 3, 3).initial(), depth) for depth in range(1, 7)]
    assert counts == [9, 72, 504, 3024, 15120, 54720]
    assert matches(MnkGame(3, 3, 3).initial()) == 255168


@given(st.integers(0, 2**32))
def test_three_in_a_row_on_nine_points_is_tictactoe(seed: int) -> None:
    source = random.Random(seed)
    ours, theirs = MnkGame(3, 3, 3).initial(), find_game("tictactoe").initial()
    while theirs.outcome() is None:
        assert ours.outcome() is None
        assert ours.legal_moves() == theirs.legal_moves()
        move = source.choice(theirs.legal_moves())
        assert ours.text(move) == theirs.text(move)
        ours, theirs = ours.play(move), theirs.play(move)
    assert ours.outcome() == theirs.outcome()
    images = [goes(move) for _, goes in theirs.symmetries() for move in range(9)]
    assert len(images) == 63
    assert {tuple(map(goes, range(9))) for _, goes in ours.symmetries()} == {
        tuple(images[at : at + 9]) for at in range(0, 63, 9)
    }


@pytest.mark.parametrize(
    ("game", "value", "plies"),
    [
        (MnkGame(3, 3, 3), 0, 9),
        (MnkGame(4, 3, 3), 1, 7),
        (MnkGame(3, 4, 3), 1, 7),
        (MnkGame(4, 4, 3), 1, 5),
        pytest.param(MnkGame(4, 4, 4), 0, 16, marks=pytest.mark.slow),
        (MnkGame(4, 3, 3, swap=True), -1, 10),
        (MnkGame(3, 3, 3, swap=True), 0, 10),
        (MnkGame(2, 1, 2, swap=True), 0, 3),
    ],
    ids=lambda value: value.spec if isinstance(value, MnkGame) else "",
)
def test_solved_boards(game: MnkGame, value: int, plies: int) -> None:
    """A larger board than tic-tac-toe's is won; where stones may be taken over, by the second."""
    found = iterative.search(game.initial(), depth=None, evaluation=NULL)
    assert (found.value, found.depth) == (value, plies)


def rows_of(board: Board, seat: int, length: int, is_exact: bool) -> set[tuple[int, int]]:
    """Look for rows stone by stone; return the squares of all."""
    found = set()
    for (x, y), (dx, dy) in itertools.product(board, STEPS):
        run: list[tuple[int, int]] = []
        while board.get((x + dx * len(run), y + dy * len(run))) == seat:
            run.append((x + dx * len(run), y + dy * len(run)))
        is_whole = board.get((x - dx, y - dy)) != seat
        if len(run) == length if is_exact and is_whole else not is_exact and len(run) >= length:
            found |= set(run)
    return found


games = st.builds(
    MnkGame,
    st.integers(1, 9),
    st.integers(1, 9),
    st.integers(2, 6),
    swap=st.booleans(),
    overline=st.booleans(),
)


@given(st.data(), games)
def test_matches_go_as_on_a_board_of_plain_squares(data: st.DataObject, game: MnkGame) -> None:
    state: State = game.initial()
    board: Board = {}
    source = data.draw(st.randoms(use_true_random=False))
    size = game.columns * game.rows
    plies = 0
    while state.outcome() is None:
        free = [at for at in range(size) if (at % game.columns, at // game.columns) not in board]
        is_swap_open = game.swap and plies == 1
        assert list(state.legal_moves()) == free + [size] * is_swap_open
        move = source.choice(state.legal_moves())
        mover = state.to_move
        state = state.play(move)
        plies += 1
        if move == size:
            board = dict.fromkeys(board, mover)
        else:
            board[move % game.columns, move // game.columns] = mover
        assert state.to_move == 1 - mover
        won = rows_of(board, mover, game.connect, not game.overline)
        full = len(board) == size
        expected = ((1.0, -1.0), (-1.0, 1.0))[mover] if won else (0.0, 0.0) if full else None
        assert state.outcome() == expected
        drawn = [line.split() for line in state.render().replace("[", " ").splitlines()]
        for (x, y), seat in board.items():
            assert drawn[y][x + 1] == "XO"[seat] + "]" * ((x, y) in won)


def open_windows(board: Board, seat: int, game: MnkGame) -> int:
    """Count `windows` square by square."""
    total = 0
    places = itertools.product(range(game.columns), range(game.rows), STEPS)
    for x, y, (dx, dy) in places:
        squares = [(x + dx * step, y + dy * step) for step in range(game.connect)]
        if not (0 <= squares[-1][0] < game.columns and 0 <= squares[-1][1] < game.rows):
            continue
        held = [board.get(square) for square in squares]
        mine, theirs = held.count(seat), held.count(1 - seat)
        total += mine**2 * (theirs == 0) - theirs**2 * (mine == 0)
    return total


def touching(board: Board, seat: int) -> int:
    """Count pairs of neighbouring stones of one seat."""
    return sum(
        board[x, y] == seat == board.get((x + dx, y + dy))
        for (x, y), (dx, dy) in itertools.product(board, STEPS)
    )


@given(
    st.builds(
        MnkGame,
        st.integers(1, 20),
        st.integers(1, 20),
        st.integers(2, 20),
        overline=st.booleans(),
    ),
    st.integers(0, 2**32),
    st.integers(0, 120),
)
def test_evaluations_are_counted_right(game: MnkGame, seed: int, plies: int) -> None:
    states = walk(game.spec, seed, plies)
    state = next(each for each in reversed(states) if each.outcome() is None)
    board: Board = {}
    for line, y in zip(state.render().splitlines(), range(game.rows), strict=False):
        for x, sign in enumerate(line.split()[1:]):
            if sign != ".":
                board[x, y] = "XO".index(sign)
    windows = game.evaluation("windows").function
    for seat in (0, 1):
        assert windows(state, seat) == open_windows(board, seat, game)
        assert neighbours(state, seat) == touching(board, seat) - touching(board, 1 - seat)  # type: ignore[arg-type]  # its own


@pytest.mark.slow
def test_bounds_leave_room_for_decided_positions_under_every_option() -> None:
    for columns, rows, connect in itertools.product((1, 2, 15, 20), (1, 2, 15, 20), range(2, 21)):
        for overline in (True, False):
            for evaluation in MnkGame(columns, rows, connect, overline=overline).evaluations:
                assert evaluation.low <= 0 <= evaluation.high
                # A search may take a unit per ply off a decided position's worth.
                assert evaluation.scale - columns * rows > evaluation.high == -evaluation.low


def test_longer_rows_win_only_where_they_may() -> None:
    line = "a1 a3 b1 b3 c1 c3 e1 e3 f1 f3 d1"
    assert play_texts(MnkGame(7, 7, 5).initial(), line).outcome() == (1.0, -1.0)
    state = play_texts(MnkGame(7, 7, 5, overline=False).initial(), line)
    assert state.outcome() is None
    # A row of five wins, with one of six on the board; only its own stones are marked.
    state = play_texts(state, "g7 a2 g6 b2 g5 c2 g3 d2 g2")
    assert state.outcome() is None
    won = play_texts(state, "e2")
    assert won.outcome() == (1.0, -1.0)
    assert won.render().count("]") == 5


def test_swap_hands_the_first_stone_over() -> None:
    game = MnkGame(5, 5, 4, swap=True)
    assert "swap" not in {game.initial().text(move) for move in game.initial().legal_moves()}
    state = play_texts(game.initial(), "c3")
    assert state.render().splitlines()[-1] == "White (O) to move, or swap"
    taken = play_texts(state, "swap")
    assert taken.to_move == 0
    assert taken.render().splitlines()[2] == "3  .  .  O  .  ."
    assert state.key() != taken.key()
    with pytest.raises(MoveError, match="illegal move 'swap'"):
        taken.parse("swap")
    with pytest.raises(MoveError, match="illegal move 'swap'"):
        play_texts(MnkGame(5, 5, 4).initial(), "c3").parse("swap")
    won = play_texts(taken, "a1 c2 b1 c4 e5 c5")
    assert won.outcome() == (-1.0, 1.0)


def test_who_moves_is_part_of_the_key() -> None:
    """The same stones of the same seats, once with a swap."""
    game = MnkGame(5, 5, 4, swap=True)
    keys = {play_texts(game.initial(), texts).key() for texts in ("c3", "c3 swap", "c3 b2", "b2")}
    assert len(keys) == 4
    assert play_texts(game.initial(), "c3 swap b2 a1").key() != (
        play_texts(game.initial(), "b2 c3 a1").key()
    )


def test_golden_match() -> None:
    state = play_texts(MnkGame(6, 6, 5).initial(), "c3 b2 d4 b3 b4 a1 e5 f6")
    assert state.outcome() is None
    state = play_texts(state, "b5 a2 c4 a3 e4 a4 f4")
    assert state.outcome() == (1.0, -1.0)
    assert state.render().splitlines() == [
        "6  .  .  .  .  .  O",
        "5  .  X  .  .  X  .",
        "4  O [X][X][X][X][X]",
        "3  O  O  X  .  .  .",
        "2  O  O  .  .  .  .",
        "1  O  .  .  .  .  .",
        "   a  b  c  d  e  f",
        "Black (X) won",
    ]


def test_the_largest_board_fits_a_terminal() -> None:
    lines = play_texts(MnkGame(20, 20).initial(), "t1 a20").render().splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[0] == "20  O" + "  ." * 19
    assert lines[19] == " 1 " + " . " * 19 + " X"
    assert lines[20].split() == list("abcdefghijklmnopqrst")


def test_stones_of_a_won_row_are_marked_in_the_picture() -> None:
    state = play_texts(GAME.initial(), "h8 g7 i8 i9 j8 h10 k8 g9")
    assert state.svg().count('class="mark"') == 0
    assert state.svg().count('class="black"') == state.svg().count('class="white"') == 4
    assert state.play(state.parse("l8")).svg().count('class="mark"') == 5
    assert state.svg().count('class="star"') == 9
    assert "Gomoku: Black to move" in state.svg()


def test_order_begins_near_the_stones() -> None:
    state: State = GAME.initial()
    assert state.text(state.order(state.legal_moves())[0]) == "h8"
    state = play_texts(state, "c3")
    moves = state.order(state.legal_moves())
    near = {"b2", "b3", "b4", "c2", "c4", "d2", "d3", "d4"}
    assert {state.text(move) for move in moves[:8]} == near
    assert state.text(moves[0]) == "d4"
    assert list(state.order(moves[10:12])) == list(moves[10:12])


@pytest.mark.parametrize(
    ("columns", "rows", "images"), [(5, 5, 7), (5, 4, 3), (1, 4, 1), (1, 1, 0)]
)
def test_boards_have_as_many_images_as_their_shape(columns: int, rows: int, images: int) -> None:
    found = list(MnkGame(columns, rows).initial().symmetries())
    assert len(found) == images


@pytest.mark.parametrize("text", ["h16", "p1", "0", "8h", "swap", "", "h٣", "a1 "])
def test_points_are_named_by_letter_and_number(text: str) -> None:
    state = GAME.initial()
    if text == "a1 ":
        assert state.parse(text) == 14 * 15
    else:
        with pytest.raises(MoveError, match=r"illegal move .* \(legal: a15, b15, "):
            state.parse(text)


def test_nothing_is_parsed_after_the_end() -> None:
    with pytest.raises(MoveError, match="'a1': the match is over"):
        play_texts(MnkGame(3, 1, 2).initial(), "a1 c1 b1").parse("a1")
