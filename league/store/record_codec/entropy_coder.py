"""Entropy coding of integer columns with adaptive models.

Asymmetric numeral systems (Duda 2013, arXiv:1311.2540) over a state of any size: each step is
folded into one big number, in reverse order so that decoding yields the first step first. Models
restart with each column. Their loops are inlined because they take most of the time of packing.
"""

from collections.abc import Sequence

BLOCK = 500
"""Steps per big number: longer numbers are slow to compute with."""

_LENGTH_BYTES = 2
"""Size of a block's length field; a block has at most 4 kB."""

LONGEST = 66
"""The maximum number of bits in a number."""

_STEP, _NEAR = 32, 10
"""Weight added to the value seen, and to lengths one bit more or less."""

_LENGTHS = [4] * 14 + [2] * 10 + [1] * (LONGEST - 22)
"""Initial weight of each bit length from 0; the last is a sentinel."""

_LENGTHS_TOTAL = sum(_LENGTHS)


class Packer:
    """Encodes columns."""

    def __init__(self) -> None:
        self._steps: list[tuple[int, int, int]] = []

    def choices(self, values: Sequence[int], size: int) -> None:
        """Add numbers from 0 to `size` - 1; those seen more often get shorter codes."""
        if size < 2:
            return
        take, weights, total = self._steps.append, [_STEP] * size, _STEP * size
        for value in values:
            weight = weights[value]
            take((sum(weights[:value]), weight, total))
            weights[value] = weight + _STEP
            total += _STEP

    def numbers(self, values: Sequence[int]) -> None:
        """Add signed numbers; those of a size seen more often get shorter codes."""
        if not values:
            return
        is_signed = min(values) < 0
        take, weights, total = self._steps.append, _LENGTHS.copy(), _LENGTHS_TOTAL
        take((is_signed, 1, 2))
        for value in values:
            size = abs(value)
            length = size.bit_length()
            weight = weights[length]
            take((sum(weights[:length]), weight, total))
            weights[length] = weight + _STEP
            weights[length + 1] += _NEAR
            total += _STEP + _NEAR
            if length:
                weights[length - 1] += _NEAR
                total += _NEAR
                top = 1 << (length - 1)
                if is_signed:
                    take((size if value > 0 else size - top, 1, 2 * top))
                elif length > 1:
                    take((size - top, 1, top))

    def data(self) -> bytes:
        """Return the encoded columns."""
        steps = self._steps
        return b"".join(_folded(steps[at : at + BLOCK]) for at in range(0, len(steps), BLOCK))


def _folded(steps: Sequence[tuple[int, int, int]]) -> bytes:
    state = 0
    for start, size, total in reversed(steps):
        if size == 1:
            state = state * total + start
        else:
            whole, rest = divmod(state, size)
            state = whole * total + start + rest
    length = (state.bit_length() + 7) // 8
    return length.to_bytes(_LENGTH_BYTES, "big") + state.to_bytes(length, "big")


class Unpacker:
    """Decodes columns in the order they were added; raises `ValueError` past the end."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0
        self._left = 0
        self._state = 0

    def choices(self, count: int, size: int) -> list[int]:
        """Return the next `count` numbers from 0 to `size` - 1."""
        if size < 2:
            return [0] * count
        weights = [_STEP] * size
        found = []
        for _ in range(count):
            value = self._choice(weights)
            weights[value] += _STEP
            found.append(value)
        return found

    def numbers(self, count: int) -> list[int]:
        """Return the next `count` signed numbers."""
        if not count:
            return []
        is_signed = self._even(2)
        weights = _LENGTHS.copy()
        found = []
        for _ in range(count):
            length = self._choice(weights)
            weights[length] += _STEP
            weights[length + 1] += _NEAR
            if not length:
                found.append(0)
                continue
            weights[length - 1] += _NEAR
            top = 1 << (length - 1)
            if not is_signed:
                found.append(top + self._even(top))
                continue
            part = self._even(2 * top)
            found.append(part if part >= top else -part - top)
        return found

    def _choice(self, weights: Sequence[int]) -> int:
        self._step()
        whole, place = divmod(self._state, sum(weights))
        for value, weight in enumerate(weights):
            if place < weight:
                self._state = whole * weight + place
                return value
            place -= weight
        raise AssertionError("the weights are fewer than their sum")

    def _even(self, total: int) -> int:
        if total == 1:
            return 0
        self._step()
        self._state, value = divmod(self._state, total)
        return value

    def _step(self) -> None:
        if not self._left:
            begin = self._at + _LENGTH_BYTES
            self._at = begin + int.from_bytes(self._data[self._at : begin], "big")
            if len(self._data) < max(begin, self._at):
                raise ValueError("it ends too soon")
            self._state = int.from_bytes(self._data[begin : self._at], "big")
            self._left = BLOCK
        self._left -= 1
