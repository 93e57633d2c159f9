"""Tablut against the counts of its referee, and against a plain board that follows the rules."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots import iterative, minimax
from bots.support.bot import Clock
from games.support.errors import MoveError, PositionError
from games.support.game import State
from games.support.perft import perft
from games.support.specs import find_game
from games.tablut.board import square_of
from games.tablut.board_text import read_pieces
from games.tablut.rules import GAME, TablutState
from tests.examples import examples, slow
from tests.strategies import walk, walks

At = tuple[int, int]
Board = dict[At, str]

CAMPS = {
    *((0, row) for row in (3, 4, 5)),
    *((8, row) for row in (3, 4, 5)),
    *((column, 0) for column in (3, 4, 5)),
    *((column, 8) for column in (3, 4, 5)),
    (1, 4),
    (7, 4),
    (4, 1),
    (4, 7),
}
MIDDLES = {(0, 4), (8, 4), (4, 0), (4, 8)}
THRONE = (4, 4)
STEPS = ((1, 0), (-1, 0), (0, 1), (0, -1))
CELLS = [(column, row) for column in range(9) for row in range(9)]


@pytest.mark.parametrize(
    ("first", "counts"),
    [("white", [56, 4408, 248456]), ("black", [80, 4344, 337840])],
)
def test_perft(first: str, counts: list[int]) -> None:
    """As the referee of the Bologna competition (GameAshtonTablut) counts, repetition ignored."""
    game = find_game(f"tablut?first={first}")
    assert [perft(game.initial(), depth) for depth in (1, 2, 3)] == counts


def board_of(state: TablutState) -> Board:
    """Return what stands on each square that is taken."""
    signs = [line.split()[1:] for line in state.render().splitlines()[:9]]
    return {
        (column, row): sign
        for row, line in enumerate(signs)
        for column, sign in enumerate(line)
        if sign in "KWB"
    }


def on_board(at: At) -> bool:
    """Whether a square exists."""
    return 0 <= at[0] < 9 and 0 <= at[1] < 9


def plain_moves(board: Board, is_white: bool) -> set[tuple[At, At]]:
    """List the moves step by step."""
    found = set()
    for at, sign in board.items():
        if (sign != "B") != is_white:
            continue
        for dx, dy in STEPS:
            for distance in range(1, 9):
                to = (at[0] + dx * distance, at[1] + dy * distance)
                if not on_board(to) or to in board or to == THRONE:
                    break
                if to in CAMPS and not (sign == "B" and at in CAMPS):
                    break
                if to not in CAMPS or distance <= 5:
                    found.add((at, to))
    return found


def plain_play(board: Board, at: At, to: At, is_armed: bool) -> tuple[Board, str]:
    """Move, take, and tell who won by it ('' for nobody)."""
    after = dict(board)
    sign = after[to] = after.pop(at)
    is_white = sign != "B"
    king = next(where for where, each in after.items() if each == "K")

    def helps(where: At) -> bool:
        if is_white:
            own = {"W", "K"} if is_armed else {"W"}
            return after.get(where) in own or where == THRONE or where in CAMPS - MIDDLES
        return after.get(where) == "B" or where == THRONE or where in CAMPS

    for dx, dy in STEPS:
        beside, behind = (to[0] + dx, to[1] + dy), (to[0] + 2 * dx, to[1] + 2 * dy)
        taken = "B" if is_white else "W"
        if sign == "K" and not is_armed:
            continue
        if after.get(beside) == taken and on_board(behind) and helps(behind):
            del after[beside]
    if is_white:
        return after, "White" if sign == "K" and {0, 8} & set(to) else ""
    around = [(king[0] + dx, king[1] + dy) for dx, dy in STEPS]
    if to not in around:
        return after, ""
    if king == THRONE or THRONE in around:
        is_taken = all(after.get(each) == "B" or each == THRONE for each in around)
    else:
        behind = (2 * king[0] - to[0], 2 * king[1] - to[1])
        is_taken = after.get(behind) == "B" or behind in CAMPS
    return after, "Black" if is_taken else ""


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["tablut", "tablut?first=black", "tablut?armed=no"])
@given(st.data())
@examples(100, quick=4)
def test_rules_are_those_of_a_plain_board(spec: str, data: st.DataObject) -> None:
    states = data.draw(walks(spec, 120))
    game = states[0].game
    for state in states[:: max(1, len(states) // 8)]:
        assert isinstance(state, TablutState)
        if state.outcome() is not None:
            continue
        board = board_of(state)
        moves = {state.text(move): move for move in state.legal_moves()}
        expected = plain_moves(board, state.is_white)
        assert set(moves) == {f"{name(at)}-{name(to)}" for at, to in expected}
        for at, to in expected:
            child = state.play(moves[f"{name(at)}-{name(to)}"])
            after, won = plain_play(board, at, to, "armed" not in spec)
            assert isinstance(child, TablutState)
            assert board_of(child) == after
            if won:
                winner = game.seat_names.index(won)
                assert child.outcome() == ((1.0, -1.0) if winner == 0 else (-1.0, 1.0))
            elif plain_moves(after, child.is_white):
                assert child.outcome() in (None, (0.0, 0.0))


def name(at: At) -> str:
    """Write a square."""
    return f"{'abcdefghi'[at[0]]}{at[1] + 1}"


THERE_AND_BACK = ("e3-f3", "b1-c1", "f3-e3", "c1-b1")


@pytest.mark.parametrize("allowed", [0, 1, 2])
def test_repetitions_until_the_draw(allowed: int) -> None:
    """The board after the second move has Black's piece on c1 for the first time."""
    game = find_game(f"tablut?repetitions={allowed}")
    state = game.position("e3-f3 d1-c1 f3-e3 c1-b1")
    for text in (*THERE_AND_BACK * allowed, "e3-f3"):
        state = state.play(state.parse(text))
        assert state.outcome() is None
    state = state.play(state.parse("b1-c1"))
    assert state.outcome() == (0.0, 0.0)
    assert state.render().endswith("draw: the position came again")


def test_a_king_taken_on_a_board_that_was_there_before() -> None:
    """He went between two by himself, one of them left, and came back to take him."""
    before = walk("tablut?first=black", 56265, 95)[60]
    taken = before.play(before.parse("a7-c7"))
    assert taken.outcome() == (1.0, -1.0)
    assert "won" in taken.render().splitlines()[-1]


def test_repetitions_without_a_limit() -> None:
    state = find_game("tablut?repetitions=none").position("e3-f3 d1-c1 f3-e3 c1-b1")
    for _ in range(9):
        for text in THERE_AND_BACK:
            state = state.play(state.parse(text))
    assert state.outcome() is None


def test_positions_with_another_past_are_not_equal() -> None:
    """The same board, but here a move may repeat what there would be new."""
    one = GAME.position("e3-f3 d1-c1 f3-g3 c1-b1")
    other = GAME.position("e3-g3 d1-b1")
    assert isinstance(one, TablutState)
    assert isinstance(other, TablutState)
    assert one.board() == other.board()
    assert one != other


def test_a_capture_ends_the_past() -> None:
    for seed in range(15):
        for before, after in zip(*[walk("tablut", seed, 80)[i:] for i in (0, 1)], strict=False):
            assert isinstance(before, TablutState)
            assert isinstance(after, TablutState)
            count = before.render().count("B") + before.render().count("W")
            if after.render().count("B") + after.render().count("W") < count - 1:
                assert len(after.seen) == 1


def test_the_corner_variant() -> None:
    game = find_game("tablut?escape=corner")
    moves = "e4-f4 d1-c1 e5-e4 c1-b1 e4-d4 b1-a1 d4-d2 i4-i3 d2-a2"
    state = game.position(moves)
    assert state.outcome() is None
    assert GAME.position(moves).outcome() == (1.0, -1.0)
    with pytest.raises(MoveError, match="is over"):
        GAME.position(f"{moves} i3-i2")


def test_moves_are_read_without_a_dash() -> None:
    state = GAME.initial()
    assert state.parse("e3f3") == state.parse("E3-F3") == 81 * square_of("e3") + square_of("f3")
    with pytest.raises(MoveError, match="illegal move 'e3e4'"):
        state.parse("e3e4")


@pytest.mark.parametrize("seat", [*slow(0), 1])
def test_thinking_ahead_beats_greed(seat: int) -> None:
    """A small version of what the documentation quotes at one second a move."""
    evaluation = GAME.evaluation("siege")
    state: State = GAME.position("e3-f3 a4-b4")
    for _ in range(120):
        if state.outcome() is not None:
            break
        if state.to_move == seat:
            clock = Clock(nodes=10_000)
            move = iterative.search(state, depth=4, evaluation=evaluation, clock=clock).move
        else:
            move = minimax.search(state, depth=1, evaluation=evaluation).move
        state = state.play(move)
    outcome = state.outcome()
    assert outcome is not None
    assert outcome[seat] == 1.0


def ways(board: Board, at: At) -> list[At]:
    """List where the king could go from a square: neither onto nor across anything."""
    found = []
    for step in STEPS:
        to = (at[0] + step[0], at[1] + step[1])
        while on_board(to) and to not in board and to not in CAMPS and to != THRONE:
            found.append(to)
            to = (to[0] + step[0], to[1] + step[1])
    return found


@pytest.mark.parametrize("escape", ["edge", "corner"])
@given(data=st.data())
def test_siege_weighs_what_a_plain_board_shows(escape: str, data: st.DataObject) -> None:
    state = data.draw(walks(f"tablut?escape={escape}"))[-1]
    assert isinstance(state, TablutState)
    board = board_of(state)
    signs = list(board.values())
    (king,) = (at for at, sign in board.items() if sign == "K")
    del board[king]
    goals = {at for at in CELLS if sum(each in (0, 8) for each in at) >= 1 + (escape == "corner")}
    beside = [board.get((king[0] + across, king[1] + down)) for across, down in STEPS]
    exits = goals.intersection(ways(board, king))
    near = [at for at in ways(board, king) if at not in exits and goals & {*ways(board, at)}]
    ring = [
        square_of(name)
        for name in ["b3", "c2", "g2", "h3", "b7", "c8", "g8", "h7", "c3", "g3", "c7", "g7"]
    ]
    worth = 100 * signs.count("W") - 55 * signs.count("B") - 40 * beside.count("B")
    worth += 4 * len(ways(board, king)) + 25 * len(near) + (0, 250, 900, 900, 900)[len(exits)]
    worth -= 8 * sum(board.get((each % 9, each // 9)) == "B" for each in ring)
    siege = GAME.evaluation("siege").function
    assert (siege(state, 0), siege(state, 1)) == (worth, -worth)


@pytest.mark.parametrize("row", ["²", "٣", "9" * 5000])
def test_a_board_with_an_absurd_number_is_refused(row: str) -> None:
    with pytest.raises(PositionError):
        read_pieces("/".join([row, *["9"] * 8]))
