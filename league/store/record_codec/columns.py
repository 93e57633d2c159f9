"""Columns of a match: one kind of number for all its moves or reports, some of them None."""

import struct
from collections.abc import Iterator, Sequence

from league.store.record_codec.entropy_coder import Packer, Unpacker

_NONE, _SOME, _ALL = range(3)
_KINDS = 3

_UNITS_NS = (10_000, 1000, 1)

_SCALES = (1, 10, 100, 1000, 10_000)
"""Most scores are whole multiples of one of these fractions."""

_RAW = len(_SCALES)
_WHOLE = 1 << 53
"""Floats represent all integers up to here exactly."""


def pack_numbers(packer: Packer, values: Sequence[int | None]) -> None:
    """Pack integers."""
    _pack_known(packer, values)
    packer.numbers([value for value in values if value is not None])


def unpack_numbers(source: Unpacker, count: int) -> list[int | None]:
    """Unpack integers."""
    known = _unpack_known(source, count)
    rest = iter(source.numbers(sum(known)))
    return [next(rest) if is_known else None for is_known in known]


def pack_times(packer: Packer, times_ns: Sequence[int | None]) -> None:
    """Pack times in nanoseconds, in the largest unit that divides them all."""
    known = [time for time in times_ns if time is not None]
    kind = next(at for at, unit in enumerate(_UNITS_NS) if not any(time % unit for time in known))
    packer.choices([kind], len(_UNITS_NS))
    unit = _UNITS_NS[kind]
    pack_numbers(packer, [None if time is None else time // unit for time in times_ns])


def unpack_times(source: Unpacker, count: int) -> list[int | None]:
    """Unpack times in nanoseconds."""
    unit = _UNITS_NS[source.choices(1, len(_UNITS_NS))[0]]
    return [None if time is None else time * unit for time in unpack_numbers(source, count)]


def pack_depths(packer: Packer, depths: Sequence[int | None], lag: int) -> None:
    """Pack values that often repeat every `lag` places."""
    _pack_known(packer, depths)
    for seat in range(lag):
        pack_repeated(packer, [depth for depth in depths[seat::lag] if depth is not None])


def unpack_depths(source: Unpacker, count: int, lag: int) -> list[int | None]:
    """Unpack depths."""
    known = _unpack_known(source, count)
    rests = [iter(unpack_repeated(source, sum(known[seat::lag]))) for seat in range(lag)]
    return [next(rests[place % lag]) if is_known else None for place, is_known in enumerate(known)]


def pack_repeated(packer: Packer, values: Sequence[int]) -> None:
    """Pack repeating numbers: the distinct values, then an index for each number."""
    if not values:
        return
    places = {value: place for place, value in enumerate(dict.fromkeys(values))}
    packer.numbers([len(places)])
    packer.numbers(list(places))
    packer.choices([places[value] for value in values], len(places))


def unpack_repeated(source: Unpacker, count: int) -> list[int]:
    """Unpack repeating numbers."""
    if not count:
        return []
    (size,) = source.numbers(1)
    values = source.numbers(size)
    return [values[place] for place in source.choices(count, size)]


def pack_scores(packer: Packer, scores: Sequence[float | None], lag: int) -> None:
    """Pack scores as differences from a prediction.

    The prediction is the previous score of the same seat, `lag` places before, or the negated
    previous score of any seat, whichever gives smaller differences.
    """
    _pack_known(packer, scores)
    known = [score for score in scores if score is not None]
    scale = next((at for at, scale in enumerate(_SCALES) if _fits(known, scale)), _RAW)
    packer.choices([scale], len(_SCALES) + 1)
    whole = [_whole(score, scale) for score in known]
    ways = [[each - guess for each, guess in _guessed(whole, *way)] for way in _ways(lag)]
    way = min(range(len(ways)), key=lambda way: sum(map(int.bit_length, ways[way])))
    packer.choices([way], len(ways))
    packer.numbers(ways[way])


def unpack_scores(source: Unpacker, count: int, lag: int) -> list[float | None]:
    """Unpack scores."""
    known = _unpack_known(source, count)
    (scale,) = source.choices(1, len(_SCALES) + 1)
    ways = _ways(lag)
    sign, back = ways[source.choices(1, len(ways))[0]]
    whole: list[int] = []
    for index, far in enumerate(source.numbers(sum(known))):
        whole.append(far + (sign * whole[index - back] if index >= back else 0))
    rest = iter(whole)
    return [_score(next(rest), scale) if is_known else None for is_known in known]


def _ways(lag: int) -> tuple[tuple[int, int], ...]:
    """Return the sign and distance of the previous score for each prediction."""
    return (-1, 1), (1, lag)


def _guessed(values: Sequence[int], sign: int, back: int) -> Iterator[tuple[int, int]]:
    guesses = [0] * back + [sign * value for value in values]
    return zip(values, guesses, strict=False)


def _fits(scores: Sequence[float], scale: int) -> bool:
    return all(
        abs(score) < _WHOLE / scale and round(score * scale) / scale == score for score in scores
    )


def _whole(score: float, scale: int) -> int:
    if scale == _RAW:
        return int.from_bytes(struct.pack(">d", score), "big", signed=True)
    return round(score * _SCALES[scale])


def _score(whole: int, scale: int) -> float:
    if scale == _RAW:
        found: float = struct.unpack(">d", whole.to_bytes(8, "big", signed=True))[0]
        return found
    return whole / _SCALES[scale]


def _pack_known(packer: Packer, values: Sequence[object]) -> None:
    known = [value is not None for value in values]
    kind = _ALL if all(known) else _SOME if any(known) else _NONE
    packer.choices([kind], _KINDS)
    if kind == _SOME:
        packer.choices(known, 2)


def _unpack_known(source: Unpacker, count: int) -> list[bool]:
    (kind,) = source.choices(1, _KINDS)
    if kind == _SOME:
        return [mark == 1 for mark in source.choices(count, 2)]
    return [kind == _ALL] * count
