"""Columns of numbers come out as they went in, and take little room."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.store.record_codec.entropy_coder import BLOCK, Packer, Unpacker

numbers = st.lists(st.integers(-(2**64), 2**64) | st.integers(-3, 3), max_size=40)
choices = st.integers(1, 9).flatmap(
    lambda size: st.tuples(st.lists(st.integers(0, size - 1), max_size=40), st.just(size))
)


@given(st.lists(numbers | choices, max_size=5))
def test_columns_round_trip(columns: list[list[int] | tuple[list[int], int]]) -> None:
    packer = Packer()
    for column in columns:
        if isinstance(column, tuple):
            packer.choices(*column)
        else:
            packer.numbers(column)
    source = Unpacker(packer.data())
    for column in columns:
        if isinstance(column, tuple):
            values, size = column
            assert source.choices(len(values), size) == values
        else:
            assert source.numbers(len(column)) == column


def packed(values: list[int]) -> bytes:
    packer = Packer()
    packer.numbers(values)
    return packer.data()


def test_long_columns_go_in_blocks() -> None:
    values = [random.Random(1).randint(-999, 999) for _ in range(5 * BLOCK)]
    assert Unpacker(packed(values)).numbers(len(values)) == values


def test_what_is_alike_takes_little_room() -> None:
    assert len(packed([0] * 400)) < 16
    # The highest bit is always the same; that others may come next takes less than one.
    assert len(packed([7] * 400)) < 400 * (2 + 1) / 8
    source = random.Random(1)
    assert len(packed([source.randint(512, 1023) for _ in range(400)])) < 400 * (9 + 1) / 8
    packer = Packer()
    packer.choices([int(source.random() < 0.1) for _ in range(400)], 2)
    # The entropy of one in ten is 0.469 bits.
    assert len(packer.data()) < 8 + 400 * 0.53 / 8


@pytest.mark.parametrize("cut", [0, 1, 2, 5])
def test_an_early_end_is_said(cut: int) -> None:
    with pytest.raises(ValueError, match="ends too soon"):
        Unpacker(packed([123456789] * 9)[:cut]).numbers(9)
