"""Moves as they travel and rest: an int as itself, any other value as its text."""

from games.contract import Move, State
from games.errors import MoveError, brief

WireMove = int | str


def encode_move(state: State, move: Move) -> WireMove:
    """Turn a legal `move` of `state` into what JSON and the database hold."""
    return move if type(move) is int else state.text(move)


def decode_move(state: State, wire: object) -> Move:
    """Turn what `encode_move` made back into a legal move; raise `MoveError` for anything else."""
    if type(wire) is int:
        if wire in state.legal_moves():
            return wire
        raise MoveError(f"illegal move {brief(wire)}", brief(wire))
    if isinstance(wire, str):
        return state.parse(wire)
    raise MoveError(f"not a move: {brief(wire)}", brief(wire))


def replay(state: State, moves: "list[WireMove] | tuple[WireMove, ...]") -> State:
    """Play encoded `moves` from `state`; raise `MoveError` at the first that is not legal."""
    for wire in moves:
        if state.outcome() is not None:
            raise MoveError(f"illegal move {brief(wire)}: the match is over", brief(wire))
        state = state.play(decode_move(state, wire))
    return state


def play_texts(state: State, texts: str) -> State:
    """Play moves as people write them: `4 4 3`, or `443` where each character is a move.

    Raises `MoveError` with the ply, counted from 1, and the text that names no legal move there.
    """
    words = texts.split()
    if len(words) == 1 and not _is_move(state, words[0]) and _is_move(state, words[0][0]):
        words = list(words[0])
    for ply, word in enumerate(words, 1):
        try:
            state = state.play(state.parse(word))
        except MoveError as error:
            raise MoveError(f"ply {ply}: {error}", word) from None
    return state


def _is_move(state: State, text: str) -> bool:
    try:
        state.parse(text)
    except MoveError:
        return False
    return True
