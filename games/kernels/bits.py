"""Bit operations of one machine instruction, for compiled code only."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import types
from numba.extending import intrinsic

ZERO = np.uint64(0)
ONE = np.uint64(1)

Build = Callable[[Any, Any, Any, Any], Any]


def _popcount(typing: Any, word: Any) -> tuple[Any, Build]:
    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.uint64), build


def _lowest(typing: Any, word: Any) -> tuple[Any, Build]:
    """Return the index of the lowest set bit of a word other than 0."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], context.get_constant(types.boolean, True))

    return types.int64(types.uint64), build


def _highest(typing: Any, word: Any) -> tuple[Any, Build]:
    """Return the index of the highest set bit of a word other than 0."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        zeros = builder.ctlz(arguments[0], context.get_constant(types.boolean, True))
        return builder.sub(context.get_constant(types.int64, 63), zeros)

    return types.int64(types.uint64), build


popcount: Callable[[Any], int] = intrinsic(_popcount)
lowest: Callable[[Any], int] = intrinsic(_lowest)
highest: Callable[[Any], int] = intrinsic(_highest)
signed: Any = np.int64
"""A type whose arithmetic never mixes with that of unsigned words."""
