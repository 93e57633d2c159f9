"""The moves of a match and the principal variations of its bots, as numbers.

A variation mostly matches the moves played next, or the one of a ply or two before.
"""

from collections.abc import Sequence

from league.store.record_codec.columns import pack_repeated, unpack_repeated
from league.store.record_codec.entropy_coder import Packer, Unpacker

Line = tuple[int, ...]

_GUESSES = 3


def pack_lines(
    packer: Packer, lines: Sequence[Line], plies: Sequence[int], usual: Sequence[int]
) -> None:
    """Pack the moves of a match and the variations reported at some of its plies.

    Each variation is stored as its length minus the `usual` one, and its part that can't be
    predicted.
    """
    moves, *expected = lines
    guesses: list[int] = []
    fresh: list[int] = []
    rest = list(moves)
    before: dict[int, Line] = {}
    for ply, line in zip(plies, expected, strict=True):
        guess, most = 0, 0
        for number, way in enumerate(_ways(moves, before, ply)):
            alike = _alike(line, way)
            if alike > most:
                guess, most = number, alike
        guesses.append(guess)
        fresh.append(len(line) - most)
        rest += line[most:]
        before[ply] = line
    pack_repeated(packer, [len(line) - most for line, most in zip(expected, usual, strict=True)])
    packer.choices(guesses, _GUESSES)
    pack_repeated(packer, fresh)
    pack_repeated(packer, rest)


def unpack_lines(
    source: Unpacker, count: int, plies: Sequence[int], usual: Sequence[int]
) -> list[Line]:
    """Return the first `count` moves of the match, then the variations."""
    more = unpack_repeated(source, len(plies))
    guesses = source.choices(len(plies), _GUESSES)
    fresh = unpack_repeated(source, len(plies))
    values = unpack_repeated(source, count + sum(fresh))
    moves, at = tuple(values[:count]), count
    before: dict[int, Line] = {}
    for index, ply in enumerate(plies):
        old = usual[index] + more[index] - fresh[index]
        way = _ways(moves, before, ply)[guesses[index]]
        before[ply] = (*way[:old], *values[at : at + fresh[index]])
        at += fresh[index]
    return [moves, *before.values()]


def _ways(moves: Line, before: dict[int, Line], ply: int) -> tuple[Line, ...]:
    """Return predictions: the moves played, the variation of a ply before, and of two before."""
    return moves[ply:], before.get(ply - 1, ())[1:], before.get(ply - 2, ())[2:]


def _alike(line: Line, way: Line) -> int:
    """Return the length of the common prefix."""
    count = 0
    for one, other in zip(line, way, strict=False):
        if one != other:
            break
        count += 1
    return count
