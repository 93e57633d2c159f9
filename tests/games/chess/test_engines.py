"""Chess as engines write it: FEN, moves by squares, and what can still repeat."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("chess", reason="needs the extra 'chess'")

from games.chess.rules import ChessState
from games.support.errors import MoveError
from games.support.game import State
from games.support.specs import find_game
from tests.strategies import walks

SPECS = ("chess", "chess?start=0", "chess?start=959", "chess?chess960=true")


def at(fen: str, spec: str = "chess") -> ChessState:
    """Return a position with nothing computed yet."""
    state = find_game(spec).position(fen)
    assert isinstance(state, ChessState)
    return state


@given(st.one_of([walks(spec) for spec in SPECS]))
def test_a_fen_is_what_python_chess_writes(states: list[State]) -> None:
    for state in states:
        assert isinstance(state, ChessState)
        assert state.fen() == state.board.fen()


@pytest.mark.slow
@given(st.one_of([walks(spec) for spec in SPECS]))
def test_codes_round_trip(states: list[State]) -> None:
    for state in states[:-1]:
        assert isinstance(state, ChessState)
        for move in state.legal_moves()[::7]:
            fresh = at(state.fen(), state.game.spec)
            assert fresh.decode(state.code(move)) == move
            assert fresh.decode(state.code(move).upper()) == move


@pytest.mark.parametrize(
    ("fen", "spec"),
    [
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "chess"),
        ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "chess?chess960=true"),
        ("k3r3/8/8/2pP4/8/8/4P3/4K3 w - c6 0 1", "chess"),
        ("8/P6k/8/8/8/8/p6K/8 b - - 0 1", "chess"),
    ],
)
def test_a_move_is_legal_when_it_is_listed(fen: str, spec: str) -> None:
    state = at(fen, spec)
    told = {move for move in range(-1, 7 << 12) if state.is_legal(move)}
    assert told == set(at(fen, spec).legal_moves())
    # Once they are listed, too.
    state.legal_moves()
    assert {move for move in range(-1, 7 << 12) if state.is_legal(move)} == told
    assert not state.is_legal(1 << 70)


@pytest.mark.parametrize("text", ["e1g1", "e1h1", "E1G1", " e1g1 "])
@pytest.mark.parametrize("spec", ["chess", "chess?chess960=true"])
def test_castling_is_read_in_both_ways(text: str, spec: str) -> None:
    state = at("4k3/8/8/8/8/8/8/4K2R w K - 0 1", spec)
    move = state.decode(text)
    assert state.code(move) == ("e1h1" if "960" in spec else "e1g1")
    assert state.play(move).fen().startswith("4k3/8/8/8/8/8/8/5RK1 b")


@pytest.mark.parametrize(
    "text", ["0000", "(none)", "", "e2e5", "a1a1", "e7e8q", "Nf3", "\ufffd", "e2e4q", "P@e4"]
)
def test_what_is_no_legal_move_is_refused_with_the_position(text: str) -> None:
    state = find_game("chess").initial()
    with pytest.raises(MoveError, match=r"^illegal move .* in rnbqkbnr/pppppppp/8"):
        state.decode(text)


def test_promotions_are_read_with_their_piece() -> None:
    state = at("8/P6k/8/8/8/8/8/K7 w - - 0 1")
    assert state.decode("a7a8q") != state.decode("a7a8n")
    with pytest.raises(MoveError):
        state.decode("a7a8")


def test_a_long_walk_keeps_its_fen() -> None:
    draw = random.Random(5)
    state = find_game("chess").initial()
    while state.outcome() is None:
        assert isinstance(state, ChessState)
        assert state.fen() == state.board.fen()
        state = state.play(draw.choice(state.legal_moves()))
