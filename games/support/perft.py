"""Perft: the number of lines of play of a given length.

The usual test of a move generator against published numbers (R. Hyatt's Crafty had a command of
that name). A line that ends before its length does not count; a pass is a ply, and so is a move of
luck, each outcome counting once whatever its probability.
"""

from games.support.game import State


def perft(state: State, depth: int) -> int:
    """Return the number of lines of exactly `depth` plies from `state`."""
    if depth == 0:
        return 1
    if state.outcome() is not None:
        return 0
    moves = state.legal_moves()
    if depth == 1:
        return len(moves)
    return sum(perft(state.play(move), depth - 1) for move in moves)


def divide(state: State, depth: int) -> list[tuple[str, int]]:
    """Return the number of lines that begin with each move, by its text."""
    if depth == 0 or state.outcome() is not None:
        return []
    return [(state.text(move), perft(state.play(move), depth - 1)) for move in state.legal_moves()]
