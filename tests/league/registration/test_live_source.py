"""Functions and classes of a program as files of their own."""

import concurrent.futures
import functools
import math
import re
from collections.abc import Callable
from enum import Enum
from math import sqrt as root
from random import choice as pick_any
from typing import Any

import pytest

from league.model.errors import SpecError
from league.registration.live_source import source_of

FAR = float("inf")
WORDS = frozenset({"a", "b"})
FORM = re.compile("a.c")
W = 1


class Mode(Enum):
    """How to play."""

    FAST = 1


MODE = Mode.FAST


def named(function: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate without `functools.wraps`."""

    def wrapped(*arguments: Any) -> Any:
        return function(*arguments)

    return wrapped


@functools.lru_cache
def twice(number: int) -> int:
    """Return twice a number."""
    return 2 * number


double = twice


def scale() -> int:
    """Return the module's number."""
    return W


def uses_much(number: int) -> tuple[Any, ...]:
    """Use constants of many kinds, imports under other names, and helpers."""
    pool = concurrent.futures.ThreadPoolExecutor is not None
    parts = (FAR, WORDS, FORM.pattern, MODE.value, root(number), double(number), math.pi)
    return (*parts, pick_any([number]), pool)


class Counting:
    """A class that inherits and keeps constants."""

    base = MODE

    def choose(self, number: int) -> int:
        """Return the mode's number and that."""
        return self.base.value + twice(number)


def made(function: Callable[..., Any]) -> Any:
    """Run the file that holds a function or class, and return it."""
    scope: dict[str, Any] = {"__name__": "elsewhere"}
    exec(compile(source_of(function), "elsewhere.py", "exec"), scope)  # noqa: S102 (our own)
    return scope[function.__name__]


def test_a_function_does_the_same_elsewhere() -> None:
    assert made(uses_much)(4) == uses_much(4)


def test_a_class_does_the_same_elsewhere() -> None:
    assert made(Counting)().choose(3) == Counting().choose(3) == 7


def test_a_decorated_function_does_the_same_elsewhere() -> None:
    @named
    def thrice(number: int) -> int:
        return 3 * number

    assert made(thrice)(2) == 6


def test_values_of_the_function_around_are_kept() -> None:
    def factory(step: int) -> Callable[[int], int]:
        def added(number: int) -> int:
            return number + step

        return added

    assert made(factory(5))(2) == 7


def test_two_values_of_one_name_are_refused() -> None:
    def factory(W: int) -> Callable[[], int]:
        def both() -> int:
            return scale() + W

        return both

    assert made(factory(1))() == 2
    with pytest.raises(SpecError, match=r"bot 'both' uses two different values of the name 'W'"):
        source_of(factory(7))


def test_what_is_no_bot_is_refused() -> None:
    with pytest.raises(
        SpecError, match="an object of Counting is not a bot: give a function or a cl"
    ):
        source_of(Counting())  # type: ignore[arg-type]
    with pytest.raises(SpecError, match="an object of NoneType is not a bot"):
        source_of(None)  # type: ignore[arg-type]
