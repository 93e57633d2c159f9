"""The short ways of chess against python-chess itself."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("chess", reason="python-chess is not installed: pip install 'botleague[chess]'")

import chess

from games.chess.fast_legality import has_move, is_check, is_legal, played
from games.chess.rules import ChessState
from games.support.game import State
from games.support.specs import find_game
from tests.examples import slow
from tests.strategies import walks

SPECS = ("chess", "chess?chess960=yes", "chess?start=0", "chess?start=959")
WALKS = st.one_of([walks(spec) for spec in SPECS])
HARD = (
    # Castling both ways, and rooks that are captured on their corners.
    ("chess", "r3k2r/pppq1ppp/8/8/8/8/PPPQ1PPP/R3K2R w KQkq - 0 1"),
    ("chess", "r3k2r/6P1/8/8/3bB3/8/6p1/R3K2R w KQkq - 0 1"),
    ("chess?chess960=yes", "1r2kr2/8/8/8/8/8/8/1R2KR2 w FBfb - 0 1"),
    ("chess?chess960=yes", "4rkr1/8/8/8/8/8/8/4RKR1 w GEge - 0 1"),
    # Captures en passant: legal, one that uncovers the king, one that answers a check.
    ("chess", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2"),
    ("chess", "8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 2"),
    ("chess", "8/8/8/3pP3/2K5/8/8/4k3 w - d6 0 2"),
    # Promotions, straight and by captures, and a pawn that is pinned.
    ("chess", "1n1n2k1/2P5/8/8/8/8/8/4K3 w - - 0 1"),
    ("chess", "4k3/8/8/7K/8/8/4p1p1/3R3R b - - 0 1"),
    ("chess", "4k3/8/8/8/1b6/8/3P4/4K3 w - - 0 1"),
    # Only the king can move; stalemates, two with pieces that are pinned or boxed in; a pin.
    ("chess", "4k3/8/8/8/8/8/r7/4K3 w - - 0 1"),
    ("chess", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"),
    ("chess", "kb5R/8/1K6/8/8/8/8/8 b - - 0 1"),
    ("chess", "7k/8/1p2B1K1/bP6/1p6/1P6/8/8 b - - 0 1"),
    ("chess", "4k3/4r3/8/8/7b/8/4NR2/q2RK2r w - - 0 1"),
)
PIECES = ("pawns", "knights", "bishops", "rooks", "queens", "kings", "promoted", "occupied")
FACTS = ("turn", "castling_rights", "ep_square", "halfmove_clock", "fullmove_number", "chess960")


def facts(board: chess.Board) -> list[object]:
    return [getattr(board, name) for name in (*PIECES, "occupied_co", *FACTS)]


def check_moves(state: State) -> None:
    """Hold every number that could be a move against the moves that are listed."""
    assert isinstance(state, ChessState)
    board, legal = state.board, set(state.legal_moves())
    assert is_check(board) is board.is_check()
    for move in legal:
        text, after = state.text(move), state.play(move)
        known = chess.Move(move & 63, move >> 6 & 63, move >> 12 or None)
        assert text == board.copy(stack=False).san(known)
        assert isinstance(after, ChessState)
        assert after.is_check() is after.board.is_check()
        found = played(board, move)
        if found is not None:
            pushed = board.copy(stack=False)
            pushed.push(known)
            assert facts(found) == facts(pushed)
            assert not found.move_stack
            assert vars(found).keys() == vars(pushed).keys()
            assert found.copy() == found
    if board.is_check():
        return
    assert has_move(board) in ({None, True} if legal else {None})
    for move in range(6 << 12):
        assert is_legal(board, move) in {None, move in legal}


@pytest.mark.parametrize(("spec", "fen"), HARD)
@pytest.mark.parametrize("step", [6, *slow(1)])
def test_hard_positions_agree(spec: str, fen: str, step: int) -> None:
    game = find_game(spec)
    state = game.position(fen)
    check_moves(state)
    for move in state.legal_moves()[::step]:
        check_moves(state.play(move))


@given(WALKS)
def test_positions_of_a_walk_agree(states: list[State]) -> None:
    check_moves(states[-1])


@given(WALKS)
def test_most_is_told_without_python_chess(states: list[State]) -> None:
    quiet = [each for each in states if isinstance(each, ChessState) and not each.is_check()]
    pairs = [(each.board, move) for each in quiet for move in each.legal_moves()]
    for tell in (is_legal, played):
        told = [tell(board, move) is not None for board, move in pairs]
        assert sum(told) >= 0.8 * len(told)
    assert sum(has_move(each.board) is True for each in quiet) >= 0.8 * len(quiet)
