"""Encoded moves: an int as itself, any other value as its text; and random moves."""

import random
from collections.abc import Sequence

from games.support.errors import MoveError, brief, listed
from games.support.game import Move, State

WireMove = int | str


def encode_move(state: State, move: Move) -> WireMove:
    """Encode a legal `move` of `state` for JSON and the database."""
    return move if type(move) is int else state.text(move)


def decode_move(state: State, wire: object) -> Move:
    """Decode a move of `encode_move`; raise `MoveError` unless it is legal."""
    if type(wire) is int:
        if state.is_legal(wire):
            return wire
        raise MoveError(f"illegal move {brief(wire)}, {fault_of(state, wire)}", brief(wire))
    if isinstance(wire, str):
        return state.parse(wire)
    raise MoveError(f"not a move: {brief(wire)}", brief(wire))


def fault_of(state: State, move: Move) -> str:
    """Say why a value is no legal move, in the notation of people: `which is column 4: ...`."""
    if state.outcome() is not None:
        return "but the match is over"
    if refused := state.refusal(move):
        return f"which is {refused}"
    legal = state.legal_moves()
    pairs = [(str(each), state.text(each)) for each in legal]
    known = [value if value == text else f"{value} (written {text})" for value, text in pairs]
    return f"which is none of state.legal_moves(): {listed(known)}"


def replay(state: State, moves: "list[WireMove] | tuple[WireMove, ...]") -> State:
    """Play encoded `moves` from `state`; raise `MoveError` at the first that is not legal."""
    for wire in moves:
        if state.outcome() is not None:
            raise MoveError(f"illegal move {brief(wire)}: the match is over", brief(wire))
        state = state.play(decode_move(state, wire))
    return state


def as_word(text: str) -> str:
    """Return the text of a move with `_` for spaces and for what can't be printed."""
    if not text.isprintable():
        text = "".join(each if each.isprintable() else " " for each in text)
    return text.replace(" ", "_") or "_"


def words_of(texts: Sequence[str]) -> str:
    """Return the texts of moves as words of one line."""
    line = " ".join(texts)
    # Almost all texts are words already: to look at them together is faster.
    if "" not in texts and line.count(" ") == len(texts) - 1 and line.isprintable():
        return line
    return " ".join(map(as_word, texts))


def line_of(state: State, moves: Sequence[WireMove]) -> str:
    """Write encoded `moves` from `state` as people do; raise `MoveError` if one is not legal."""
    words = []
    for wire in moves:
        if state.outcome() is not None:
            raise MoveError(f"illegal move {brief(wire)}: the match is over", brief(wire))
        move = decode_move(state, wire)
        words.append(as_word(state.text(move)))
        state = state.play(move)
    return " ".join(words)


def draw_move(state: State, source: random.Random) -> Move:
    """Draw a move: by the probabilities at a chance node, else uniformly."""
    luck = state.chance()
    if not luck:
        return source.choice(state.legal_moves())
    return source.choices([move for move, _ in luck], [probability for _, probability in luck])[0]
