"""Squares of boards in text: where they are, what a move changes, what a mouse points at."""

import pytest

from games.support.game import State, play_texts
from games.support.specs import find_game
from league.render.text.board_grid import Pointing, changed, grid_of


def at(game: str, moves: str = "") -> State:
    """Return a position of a game."""
    return play_texts(find_game(game).initial(), moves)


@pytest.mark.parametrize(
    ("game", "rows", "columns", "step"),
    [
        ("connectfour", 6, 7, 3),
        ("connectfour?columns=12", 6, 12, 3),
        ("chess", 8, 8, 2),
        ("tablut", 9, 9, 3),
        ("mnk", 15, 15, 3),
    ],
)
def test_the_squares_are_above_their_headings(
    game: str, rows: int, columns: int, step: int
) -> None:
    lines = at(game).render().splitlines()
    grid = grid_of(lines)
    assert (grid.rows, len(grid.columns), grid.step) == (rows, columns, step)
    assert {line[column] for line in lines[:rows] for column in grid.columns} >= {"."}
    assert grid.square_at(0, grid.columns[-1]) == (0, grid.columns[-1])
    assert grid.square_at(rows, grid.columns[0]) is None


def test_a_board_without_headings_has_a_square_for_each_character() -> None:
    lines = at("pacman").render().splitlines()
    assert (grid_of(lines).rows, grid_of(lines).step) == (len(lines) - 1, 1)


@pytest.mark.parametrize(
    ("game", "moves", "squares"),
    [
        ("connectfour", "4", {(5, 10)}),
        ("chess", "e4", {(6, 10), (4, 10)}),
        ("chess", "e4 Nf6 Nf3 e5 Bc4 a6 O-O", {(7, 10), (7, 12), (7, 14), (7, 16)}),
        ("othello", "d3", {(2, 12)}),
    ],
)
def test_a_move_changes_its_squares(game: str, moves: str, squares: set[tuple[int, int]]) -> None:
    before, _, _ = moves.rpartition(" ")
    assert changed(at(game, before).render(), at(game, moves).render()) == squares


def test_a_winning_row_is_not_the_last_move() -> None:
    before, after = (at("connectfour", moves).render() for moves in ("414141", "4141414"))
    assert changed(before, after) == {(2, 10)}


def test_two_squares_are_a_move() -> None:
    state = at("chess")
    pointing = Pointing(state)
    assert not pointing.found([(4, 10)]), "a move does not begin where it ends"
    assert {state.text(move) for move in pointing.found([(6, 10)])} == {"e3", "e4"}
    found = pointing.found([(6, 10), (4, 10)])
    assert [state.text(move) for move in found] == ["e4"]
    assert pointing.is_whole([(6, 10), (4, 10)], found[0])
    assert not pointing.is_whole([(6, 10)], found[0])


def test_one_square_is_a_placement() -> None:
    state = at("othello")
    found = Pointing(state).found([(2, 12)])
    assert [state.text(move) for move in found] == ["d3"]
    assert Pointing(state).is_whole([(2, 12)], found[0])


def test_any_square_of_a_column_drops_a_stone() -> None:
    state = at("connectfour", "44")
    assert [state.text(move) for move in Pointing(state).found([(0, 10)])] == ["4"]
    assert not Pointing(at("chess")).found([(0, 10)])
