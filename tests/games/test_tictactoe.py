"""Tic-tac-toe against its known numbers."""

from collections import Counter

from games.contract import State
from games.tictactoe import GAME

GOLDEN = """\
3  O [X] X
2  O [X] .
1  . [X] O
   a  b  c
X won"""


def count_matches(state: State, found: Counter[float]) -> None:
    """Count all matches below a position by the first seat's result."""
    outcome = state.outcome()
    if outcome is not None:
        found[outcome[0]] += 1
        return
    for move in state.legal_moves():
        count_matches(state.play(move), found)


def test_all_matches() -> None:
    """255,168 matches: 131,184 won by the first seat, 77,904 by the second, 46,080 drawn."""
    found: Counter[float] = Counter()
    count_matches(GAME.initial(), found)
    assert found == {1: 131_184, -1: 77_904, 0: 46_080}


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
