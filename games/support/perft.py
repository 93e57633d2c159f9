"""Perft: how many lines of play of a given length the rules allow.

The usual test of a game's rules against published numbers (R. Hyatt's Crafty had a command of that
name). A line that ends before its length counts for nothing; a pass is a ply, and so is a move of
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
    """Return for each move, as people write it, how many of the lines begin with it."""
    if depth == 0 or state.outcome() is not None:
        return []
    return [(state.text(move), perft(state.play(move), depth - 1)) for move in state.legal_moves()]
