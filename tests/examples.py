"""How many examples of a property are tried: few by default, many under other profiles."""

from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from _pytest.mark import ParameterSet


def examples(count: int, quick: int | None = None) -> settings:
    """Try `count` examples, and `quick` of them under the profile 'quick'.

    Without `quick` it is the share of the profiles' own numbers in `tests/conftest.py`, 3 or more.
    """
    usual = settings().max_examples
    if usual >= 100:
        return settings(max_examples=count)
    return settings(max_examples=quick or max(3, count * usual // 100))


def slow(*values: object) -> "list[ParameterSet]":
    """Return the values of a parameter whose cases take long, marked so."""
    return _marked([pytest.mark.slow], values)


def soak(*values: object) -> "list[ParameterSet]":
    """Return the values of a parameter whose cases take too long for CI, marked so."""
    return _marked([pytest.mark.slow, pytest.mark.soak], values)


def _marked(marks: list[pytest.MarkDecorator], values: tuple[object, ...]) -> "list[ParameterSet]":
    return [
        pytest.param(*(value if isinstance(value, tuple) else (value,)), marks=marks)
        for value in values
    ]
