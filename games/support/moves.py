"""Encoded moves: an int as itself, any other value as its text; and random moves."""

import random
from collections.abc import Sequence

from games.support.errors import (
    FAULT_MAX,
    MOVE_MAX,
    MOVES_LISTED,
    MoveError,
    brief,
    some,
)
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
        shown = brief(wire, MOVE_MAX)
        room = FAULT_MAX - len("answered an illegal move , ") - len(shown)
        raise MoveError(f"illegal move {shown}, {fault_of(state, wire, room)}", brief(wire))
    if isinstance(wire, str):
        return state.parse(wire)
    raise MoveError(f"not a move: {brief(wire)}", brief(wire))


def fault_of(state: State, move: Move, room: int = FAULT_MAX) -> str:
    """Say why a value is no legal move, in the notation of people: `which is column 4: ...`.

    The text has at most `room` characters.
    """
    if state.outcome() is not None:
        return "but the match is over"
    if refused := state.refusal(move):
        return f"which is {refused}"[:room]
    legal = state.legal_moves()
    text = "which is none of state.legal_moves(): "
    known = [shown_move(state, each) for each in legal[:MOVES_LISTED]]
    return text + some(known, len(legal), room - len(text))


def shown_move(state: State, move: Move) -> str:
    """Show a legal move as a bot's code has it and, if that differs, as people write it."""
    shown, text = brief(move, MOVE_MAX), state.text(move)
    return shown if text == str(move) else f"{shown} (written {text})"


def read_move(state: State, text: str) -> Move:
    """Read a person's move; raise `MoveError`, with the game's own reason where it has one."""
    try:
        return state.parse(text)
    except MoveError:
        if state.outcome() is None and (refused := _refused(state, text.strip().lower())):
            raise MoveError(f"illegal move {brief(text)}: {refused}", text) from None
        raise


_NAMED_MAX = 4096
"""Moves below this number are asked for their names; those of chess from square to square fit."""


def _refused(state: State, wanted: str) -> str:
    """Return why the game refuses the move that people write so; '' if it names no such move."""
    for move in range(_NAMED_MAX):
        name, _, reason = state.refusal(move).partition(": ")
        if reason and wanted in (written := (name.lower(), name.lower().replace("-", ""))):
            return reason
        if reason and wanted == written[0].rpartition(" ")[2]:
            return reason
    return ""


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
