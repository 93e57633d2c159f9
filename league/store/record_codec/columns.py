"""Columns of a match: values of one kind as bytes that compress well.

A column begins with a byte: how many digits a value has in its low half, how it is written in the
high one. Integers follow as digits of six bits, a byte each: the lowest digit of every value, then
the next one. Anything else is a line of JSON. Digits of eight bits compress worse, because
Zstandard uses one code for the bytes of all columns.
"""

import json
from collections.abc import Sequence
from types import NoneType
from typing import Any

_PLAIN, _SIGNED, _MAYBE = 0x00, 0x10, 0x20
"""As they are; zigzag (0, -1, 1, -2); zigzag from 1 on, 0 for None."""

_EMPTY = bytes((_PLAIN,))
_JSON = 0x0F

_BITS = 6

_ENCODER = json.JSONEncoder(separators=(",", ":"))


def encode_column(values: Sequence[Any]) -> bytes:
    """Encode integers, or whatever JSON can hold."""
    if not values:
        return _EMPTY
    kinds = set(map(type, values))
    if kinds <= {int, bool}:
        way, whole = _PLAIN, values
        if min(values) < 0:
            way, whole = _SIGNED, [2 * value if value >= 0 else -2 * value - 1 for value in values]
    elif kinds == {NoneType}:
        return bytes((_MAYBE,))
    elif kinds <= {int, NoneType}:
        way, whole = _MAYBE, [_marked(value) for value in values]
    else:
        return _as_json(values)
    digits = -(-max(whole).bit_length() // _BITS)
    if digits >= _JSON:
        return _as_json(values)
    if digits == 1:
        return bytes((way | digits, *whole))
    shifts = range(0, digits * _BITS, _BITS)
    planes = [bytes([value >> shift & 63 for value in whole]) for shift in shifts]
    return b"".join((bytes((way | digits,)), *planes))


class ColumnReader:
    """Decodes columns in the order they were added."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    @property
    def is_spent(self) -> bool:
        """Whether there are no more columns."""
        return self._at >= len(self._data)

    def next(self, count: int) -> list[Any]:
        """Return the next column, of `count` values if they are integers."""
        data, at = self._data, self._at + 1
        way, digits = data[at - 1] & 0xF0, data[at - 1] & 0x0F
        if digits == _JSON:
            self._at = data.index(b"\n", at) + 1
            found: list[Any] = json.loads(data[at : self._at])
            return found
        self._at = at + digits * count
        if not digits:
            return [None if way == _MAYBE else 0] * count
        planes = [data[at + place * count :][:count] for place in range(digits)]
        whole = list(planes.pop())
        for plane in reversed(planes):
            whole = [high << _BITS | low for high, low in zip(whole, plane, strict=True)]
        if way == _PLAIN:
            return whole
        if way == _SIGNED:
            return [-(value + 1 >> 1) if value & 1 else value >> 1 for value in whole]
        return [(value >> 1 if value & 1 else -(value >> 1)) if value else None for value in whole]


def _as_json(values: Sequence[Any]) -> bytes:
    return b"%c%s\n" % (_JSON, _ENCODER.encode(values).encode())


def _marked(value: int | None) -> int:
    if value is None:
        return 0
    return 2 * value + 1 if value >= 0 else -2 * value
