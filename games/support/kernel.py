"""What a kernel is: a game's rules and evaluations over a few 64-bit words.

A position is a tuple of `width` unsigned words, a move one such word. Kernels are for games of two
seats that move in turns, where one wins what the other loses, and whose utilities are whole
numbers. Every worth is that for the seat to move in the position it is asked about.

The functions are plain ones that `compilable` has marked: they may call each other, and are
compiled into the search that runs them.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

UNIT = 1024
"""What a utility of 1 is worth to a solver that counts plies: no match it solves is as long."""

NEVER = 1 << 40
"""An infinite bound: greater than every worth."""

Words = Any
"""A tuple of unsigned 64-bit words."""

Function = Callable[..., Any]
_F = TypeVar("_F", bound=Function)


@dataclass(frozen=True, slots=True)
class Solving:
    """What helps to solve a game, each a compilable function.

    `lines(rules, position, moves, at)` lists the moves as the kernel's `moves` does, but the most
    promising first and without those that another one is as good as. `key(rules, position)` names
    a position by `words` words that are not all 0. `settle(rules, position)` bounds its value from
    below and from above without a search. `outcome` is as the kernel's; where `settle` knows every
    end of a match, it may answer that none is over.

    Where `is_sooner_better`, a win in n plies is worth `UNIT` - n, and a loss as much less than 0;
    otherwise values are utilities.
    """

    lines: Function
    outcome: Function
    key: Function
    words: int
    settle: Function | None = None
    is_sooner_better: bool = True


@dataclass(frozen=True, slots=True)
class Kernel:
    """The compilable rules of one game under one choice of options.

    `moves(rules, position, moves, at)` writes the legal moves, in the order of
    `State.legal_moves`, into the array `moves` from index `at` on and returns the index behind
    the last. `play(rules, position, move)` returns the child. `outcome(rules, position, trail,
    row)` tells whether the match is over, and the utility; rows 0 to `row` of the array `trail`
    are the positions before this one.

    `evaluate(rules, position, which)` returns the estimate that is `which` of `evaluations`, a
    whole number. Where that takes long, a kernel has instead `revise(rules, position, move, which,
    estimate)`: what a move makes of a position's estimate, for the seat that makes it. The search
    then has the root's from the game's own evaluation, and keeps it up to date on the way down.

    `rules` holds the options as the functions want them. `pack` turns a state into the rows of
    the trail, its own being the last; `move_of` turns the word of a move into the move.
    """

    name: str
    moves: Function
    play: Function
    outcome: Function
    rules: tuple[Any, ...]
    width: int
    most_moves: int
    evaluations: tuple[str, ...]
    pack: Callable[[Any], Sequence[tuple[int, ...]]]
    move_of: Callable[[int], Any]
    evaluate: Function | None = None
    revise: Function | None = None
    solving: Solving | None = None


def compilable(function: _F) -> _F:
    """Mark a function as one that compiled code may call; it stays a plain function."""
    from numba.extending import register_jitable  # noqa: PLC0415 (of an extra)

    register_jitable(function)
    return function
