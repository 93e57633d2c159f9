"""Tic-tac-toe against its known numbers."""

from collections import Counter
from functools import cache

import pytest

from games.support.errors import MoveError
from games.support.game import State, play_texts
from games.tictactoe import GAME

GOLDEN = """\
3  O [X] X
2  O [X] .
1  . [X] O
   a  b  c
X won"""


@cache
def minimax(state: State) -> tuple[float, Counter[str | float]]:
    """Return the first seat's result under best play, and the nodes and matches by result below.

    A position that comes about in several ways is looked at once, and counted each time.
    """
    found: Counter[str | float] = Counter({"nodes": 1})
    outcome = state.outcome()
    if outcome is not None:
        return outcome[0], found + Counter({outcome[0]: 1})
    below = [minimax(state.play(move)) for move in state.legal_moves()]
    results = [result for result, _ in below]
    return max(results) if state.to_move == 0 else min(results), sum((n for _, n in below), found)


def test_all_matches() -> None:
    """255,168 matches: 131,184 won by the first seat, 77,904 by the second, 46,080 drawn.

    The tree of all matches has 549,946 nodes, and best play draws.
    """
    value, found = minimax(GAME.initial())
    assert value == 0
    assert found == {1: 131_184, -1: 77_904, 0: 46_080, "nodes": 549_946}
    assert found[1] + found[-1] + found[0] == 255_168


def test_all_positions() -> None:
    """5,478 positions can be reached."""
    seen = {GAME.initial()}
    edge: list[State] = [GAME.initial()]
    while edge:
        state = edge.pop()
        if state.outcome() is None:
            new = {state.play(move) for move in state.legal_moves()} - seen
            seen |= new  # type: ignore[arg-type]  # one game, one class
            edge += new
    assert len(seen) == 5478


def test_golden_match() -> None:
    state: State = GAME.initial()
    for text in ("b2", "a3", "3", "4", "b3", "c1", "8"):
        assert state.outcome() is None
        state = state.play(state.parse(text))
    assert state.outcome() == (1.0, -1.0)
    assert state.render() == GOLDEN


@pytest.mark.parametrize("text", ["0", "10", "05", "d1", "a4", "5", "b2"])
def test_only_free_squares_are_read(text: str) -> None:
    with pytest.raises(MoveError, match=r"\(legal: a3, b3, c3, a2, c2, a1, b1, c1\)"):
        GAME.initial().play(4).parse(text)


def test_nothing_is_parsed_after_the_end() -> None:
    state = play_texts(GAME.initial(), "1 4 2 5 3")
    assert state.outcome() == (1.0, -1.0)
    for text in ("9", "c1"):
        with pytest.raises(MoveError, match="the match is over"):
            state.parse(text)
