"""The kernel contract: a game's rules and evaluations over a few 64-bit words.

A position is a tuple of `width` unsigned words, a move one such word. Kernels are for zero-sum
games of two seats that alternate, with integer utilities. Every value is for the seat to move in
the given position.

The functions are plain ones marked by `compilable`: they may call each other, and are compiled into
the search that runs them.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Self, TypeVar

UNIT = 1024
"""The value of a utility of 1 to a solver that counts plies; longer than any solved match."""

NEVER = 1 << 40
"""An infinite bound: greater than every value."""

Words = Any
"""A tuple of unsigned 64-bit words."""

Function = Callable[..., Any]
_F = TypeVar("_F", bound=Function)


@dataclass(frozen=True, slots=True, kw_only=True)
class Packing:
    """The packing of a game's positions and moves into words; it needs no numba.

    `rules` holds the options for the kernel's functions, `width` is the number of a position's
    words, `most_moves` bounds the moves of a position. `pack` turns a state into the rows of the
    trail, its own last; `move_of` turns a move's word into the move. `evaluations` are names; if
    they are `is_revised`, the kernel has `revise`. `key_words` and `is_sooner_better` are those of
    `Solving`, 0 words for a kernel without it; `slots` and `identity_words` those of `Deepening`.
    The first `board_words` words tell the board, 0 if all do; others count earlier positions.
    """

    rules: tuple[int, ...]
    width: int
    most_moves: int
    evaluations: tuple[str, ...]
    pack: Callable[[Any], Sequence[tuple[int, ...]]]
    move_of: Callable[[int], Any] = int
    is_revised: bool = False
    key_words: int = 0
    is_sooner_better: bool = True
    slots: int = 0
    identity_words: int = 0
    board_words: int = 0


@dataclass(frozen=True, slots=True)
class Solving:
    """Compilable functions that help to solve a game.

    `lines(rules, position, moves, at)` lists the moves like the kernel's `moves`, but the most
    promising first and without those that are no better than another. `key(rules, position)`
    returns `words` words, not all 0, that identify a position. `settle(rules, position)` bounds its
    value from below and above without a search. `outcome` is as the kernel's; if `settle` knows
    every end of a match, it may report none.

    If `is_sooner_better`, a win in n plies is worth `UNIT` - n and a loss the negative; otherwise
    values are utilities.
    """

    lines: Function
    outcome: Function
    key: Function
    words: int
    settle: Function | None = None
    is_sooner_better: bool = True


@dataclass(frozen=True, slots=True)
class Deepening:
    """Compilable functions that a deepening search needs besides the rules.

    `slot(rules, move)` numbers the move, below `slots`. `key(rules, position, trail, row)` returns
    `words` words that identify the position among those with the same seat to move; rows 0 to `row`
    of `trail` are the earlier positions. Symmetric positions have keys in the order of `State.key`.

    `image(rules, position, index)` returns the symmetric position of that index, of `images`, and
    `moved(rules, move, index)` the move there, in the order of `State.symmetries`. `null(position)`
    is `State.null`, None if that is.
    """

    slot: Function
    slots: int
    key: Function
    words: int
    image: Function | None = None
    moved: Function | None = None
    images: int = 0
    null: Function | None = None


@dataclass(frozen=True, slots=True)
class Kernel:
    """The compilable rules of one game under one choice of options.

    `moves(rules, position, moves, at)` writes the legal moves, in the order of `State.legal_moves`,
    into the array `moves` from index `at` on and returns the index after the last. `play(rules,
    position, move)` returns the child. `outcome(rules, position, trail, row)` returns whether the
    match is over, and the utility; rows 0 to `row` of the array `trail` are the earlier positions.

    `evaluate(rules, position, which)` returns the integer estimate by evaluation `which` of
    `evaluations`. If that is slow, a kernel has instead `revise(rules, position, move, which,
    estimate)`: the incremental update of an estimate by a move, for the seat that makes it. The
    search then starts from the game's own evaluation of the root.

    `ordered` is as `moves`, in the order of `State.order`; None if that is the same. The other
    fields are those of `Packing`.
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
    ordered: Function | None = None
    deepening: Deepening | None = None
    board_words: int = 0

    @classmethod
    def packed(cls, packing: Packing, **parts: Any) -> Self:
        """Return the kernel of a packing and functions."""
        import numpy as np  # noqa: PLC0415 (of an extra)

        return cls(
            rules=tuple(map(np.uint64, packing.rules)),
            width=packing.width,
            most_moves=packing.most_moves,
            evaluations=packing.evaluations,
            pack=packing.pack,
            move_of=packing.move_of,
            board_words=packing.board_words,
            **parts,
        )

    @property
    def packing(self) -> Packing:
        """The packing of positions."""
        return Packing(
            rules=tuple(map(int, self.rules)),
            width=self.width,
            most_moves=self.most_moves,
            evaluations=self.evaluations,
            pack=self.pack,
            move_of=self.move_of,
            is_revised=self.revise is not None,
            key_words=0 if self.solving is None else self.solving.words,
            is_sooner_better=self.solving is None or self.solving.is_sooner_better,
            slots=0 if self.deepening is None else self.deepening.slots,
            identity_words=0 if self.deepening is None else self.deepening.words,
            board_words=self.board_words,
        )


def compilable(function: _F) -> _F:
    """Mark a function as callable from compiled code; it stays a plain function."""
    from numba.extending import register_jitable  # noqa: PLC0415 (of an extra)

    register_jitable(function)
    return function
