"""The contract of moves as checks: their texts, what they lead to, and what a key covers."""

import random
from collections.abc import Callable, Iterator, Sequence

from games.support.contract import MOVES_TRIED, BrokenError
from games.support.errors import MoveError, brief
from games.support.game import Move, State
from games.support.moves import decode_move, encode_move

NONSENSE: tuple[object, ...] = (
    None,
    3.5,
    True,
    [1],
    {"a": 1},
    "",
    "no such move",
    10**30,
    "9" * 5000,
    "x" * 100_000,
)
"""Values that stand for no move of any game."""


def check_texts(state: State) -> None:
    """Check that the text of each move is read as that move, and nonsense as none."""
    moves = state.legal_moves()
    texts = [state.text(move) for move in moves]
    for move, text in zip(moves, texts, strict=True):
        if not isinstance(text, str) or not text:
            raise BrokenError(
                state, "text", f"text({brief(move)}) gives {brief(text)}: expected a text"
            )
    if len(set(texts)) != len(texts):
        twice = next(text for text in texts if texts.count(text) > 1)
        raise BrokenError(state, "text", f"two legal moves have the same text {twice!r}")
    for move, text in list(zip(moves, texts, strict=True))[:MOVES_TRIED]:
        if _read(state, text) != move or _read(state, encode_move(state, move)) != move:
            raise BrokenError(
                state, "parse", f"the text {text!r} is not read as the move it stands for"
            )
    for wire in NONSENSE:
        if wire in texts:
            continue
        try:
            read = decode_move(state, wire)
        except MoveError:
            continue
        except Exception as error:
            raise BrokenError(
                state,
                "parse",
                f"parse({brief(wire)}) raises {type(error).__name__}: "
                "raise MoveError, or leave parse out",
            ) from None
        raise BrokenError(state, "parse", f"{brief(wire)} is no move, and read as {brief(read)}")


def _read(state: State, wire: object) -> object:
    """Return the move that is read; the error in words if there is none."""
    try:
        return decode_move(state, wire)
    except MoveError as error:
        return error


def check_play(state: State, source: random.Random) -> None:
    """Check that playing moves changes nothing, and gives the same positions each time."""
    before = _snapshot(state)
    for move in _some(state.legal_moves(), source):
        child, again = state.play(move), state.play(move)
        if not isinstance(child, State):
            raise BrokenError(state, "play", f"play() gives {brief(child)}: expected a State")
        if child is state or _snapshot(state) != before:
            raise BrokenError(
                state, "play", f"play({brief(move)}) changes the position: return a new one"
            )
        if child != again or hash(child) != hash(again):
            raise BrokenError(
                state,
                "play",
                f"play({brief(move)}) gives another position the second time: "
                "let chance() list what luck decides",
            )
        marks = state.marks(move)
        if not isinstance(marks, tuple) or not all(len(point) == 2 for point in marks):
            raise BrokenError(
                state, "marks", f"marks() gives {brief(marks)}: expected points (x, y)"
            )


def check_twins(
    one: State, other: State, ways: Callable[[], Sequence[str]], source: random.Random
) -> None:
    """Check that two positions with the same key are the same: moves, end, luck and what follows.

    `ways` gives the moves that lead to each, for the message.
    """
    for member, values in _differences(one, other, source):
        first, second = (f"after {brief(way)}" if way else "at the start" for way in ways())
        raise BrokenError(
            one,
            "key",
            f"key() lacks a part of the position: {first} and {second} it is the same, "
            f"but {member} differs ({values})",
        )


def _differences(one: State, other: State, source: random.Random) -> Iterator[tuple[str, str]]:
    ends = one.outcome(), other.outcome()
    if ends[0] != ends[1]:
        yield "outcome()", f"{ends[0]} and {ends[1]}"
    if ends != (None, None):
        return
    if one.to_move != other.to_move:
        yield "to_move", f"{one.to_move} and {other.to_move}"
    if set(moves := one.legal_moves()) != set(other.legal_moves()):
        yield "legal_moves()", f"{brief(moves)} and {brief(other.legal_moves())}"
    if dict(one.chance()) != dict(other.chance()):
        yield "chance()", f"{brief(one.chance())} and {brief(other.chance())}"
    for move in _some(moves, source):
        keys = one.play(move).key(), other.play(move).key()
        if keys[0] != keys[1]:
            yield f"play({brief(move)})", f"{brief(keys[0])} and {brief(keys[1])}"


def _some(moves: Sequence[Move], source: random.Random) -> Sequence[Move]:
    return moves if len(moves) <= MOVES_TRIED else source.sample(list(moves), MOVES_TRIED)


def _snapshot(state: State) -> tuple[object, ...]:
    return state.key(), state.to_move, tuple(state.legal_moves()), state.outcome(), state.render()
