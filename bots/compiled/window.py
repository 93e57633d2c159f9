"""The compiled search of one depth in a window, for the searches that deepen."""

from collections.abc import Sequence
from functools import cache
from math import ceil, floor, inf, isinf
from typing import Any, NotRequired, TypedDict, Unpack

import numpy as np
from numba import njit

from bots.compiled import deepening as at
from bots.compiled.digest import digest_of
from bots.compiled.loops import INFINITE
from bots.compiled.search import LOOK_NODES, SLICE_NODES
from bots.support.bot import Clock
from bots.support.extras import (
    LATE_DEPTH,
    LATE_MOVES,
    MIRROR_DEPTH,
    NULL_DEPTH,
    NULL_REDUCTION,
    PLAIN,
    Extras,
)
from bots.support.search import SearchBudget
from games.kernels import Deepening, Kernel
from games.support.game import Evaluation, Move, State

_WORD = (1 << 64) - 1

FIRST_SIZE = 1 << 12
"""The places in use of an empty table's index; it doubles when half of them are taken."""


class WindowRequest(TypedDict):
    """What a search does at all depths, which are `limit` at most.

    `is_ordered` sorts moves by `State.order`, and `learns` by the history heuristic.
    """

    limit: int
    evaluation: Evaluation
    clock: Clock
    extras: NotRequired[Extras]
    is_ordered: NotRequired[bool]
    learns: NotRequired[bool]
    has_table: NotRequired[bool]


class Windows:
    """A kernel's compiled searches, and the table of at most `room` positions that they share.

    Only one of them may be asked at a time; a new one clears the table.
    """

    def __init__(self, kernel: Kernel, room: int) -> None:
        self.kernel, self.room = kernel, room
        self.index = np.empty(max(FIRST_SIZE, 1 << (2 * room).bit_length()), np.int64)
        self.rows = np.empty((max(1, room), at.KEY + _helps(kernel).words), np.uint64)

    def begin(self, state: State, **asked: Unpack[WindowRequest]) -> "WindowSearch":
        """Return a search below `state`, a position of the kernel's game."""
        self.index[:FIRST_SIZE] = 0
        return WindowSearch(state, self, **asked)


class WindowSearch:
    """The compiled search below one position, to depths and in windows that are asked for.

    From one question to the next it learns the order of moves and fills the table. `nodes` counts
    all positions made so far; `value` and `line` are those of the root at the last depth asked for;
    `horizon` counts how often the last question met it, and `best` is the move of its answer.
    """

    def __init__(self, state: State, windows: Windows, **asked: Unpack[WindowRequest]) -> None:
        kernel, limit = windows.kernel, asked["limit"]
        self._kernel, self._windows = kernel, windows
        self._legal, self._words = list(state.legal_moves()), dict[Move, int]()
        self._loop, self._budget = loop_of(kernel), SearchBudget(asked["clock"], LOOK_NODES)
        helps, root = _helps(kernel), kernel.pack(state)
        self._trail = np.zeros((len(root) + limit + 1, kernel.width), np.uint64)
        self._trail[: len(root)] = root
        self._moves = np.zeros((limit + 2) * kernel.most_moves, np.uint64)
        self._ranks = np.zeros((limit + 2) * kernel.most_moves, np.int64)
        self._frames = np.zeros((limit + 2, at.FRAME), np.int64)
        if kernel.revise is not None:
            estimate = asked["evaluation"].function(state, state.to_move)
            self._frames[0, at.ESTIMATE] = int(estimate)
        self._pv = np.zeros((limit + 2, limit + 3), np.uint64)
        self._names = np.zeros((limit + 2, helps.words), np.uint64)
        self._history = np.zeros((2, helps.slots), np.int64)
        self._killers = np.zeros(limit + 2, np.int64)
        self._count = np.zeros(at.COUNTED, np.int64)
        self._count[at.NODES], self._count[at.SIZE] = 1, FIRST_SIZE
        self._asked = np.zeros(at.ASKED, np.int64)
        self._settle(state, len(root) - 1, **asked)
        self._read()

    def _settle(self, state: State, first: int, **asked: Unpack[WindowRequest]) -> None:
        """Write what is the same at all depths."""
        kernel, extras = self._kernel, asked.get("extras", PLAIN)
        evaluation = asked["evaluation"]
        is_symmetric = any(image == state.key() for image, _ in state.symmetries())
        for place, setting in (
            (at.SCALE, evaluation.scale),
            (at.WHICH, ("null", *kernel.evaluations).index(evaluation.name) - 1),
            (at.FIRST, first),
            (at.IS_ORDERED, asked.get("is_ordered", True)),
            (at.LEARNS, asked.get("learns", True)),
            (at.KILLS, extras.killers),
            (at.NULLS, extras.null_move and _helps(kernel).null is not None),
            (at.REDUCES, extras.late_moves),
            (at.HAS_TABLE, self._windows.room > 0 and asked.get("has_table", True)),
            (at.MIRROR_DEPTH, MIRROR_DEPTH if is_symmetric else INFINITE),
            (at.LATE_MOVES, LATE_MOVES),
            (at.LATE_DEPTH, LATE_DEPTH),
            (at.NULL_DEPTH, NULL_DEPTH),
            (at.NULL_REDUCTION, NULL_REDUCTION),
        ):
            self._asked[place] = int(setting)

    def ask(
        self,
        depth: int,
        low: float,
        high: float,
        *,
        first: Move = None,
        drawn: Sequence[Move] | None = None,
    ) -> float:
        """Return the root's value in the window, else a bound; raise `Exhausted` at a limit.

        `first` is the move to search first, None for none, and `drawn` are all moves in another
        order. Bounds
        between two whole numbers stand for any between them.
        """
        count, frame = self._count, self._frames[0]
        if depth != self._asked[at.DEPTH]:
            self._asked[at.DEPTH] = depth
            self._pv[0, 0] = 0
        self._killers[:] = -1
        self._asked[at.DRAWN] = len(drawn or ())
        for place, move in enumerate(drawn or ()):
            self._ranks[self._legal.index(move)] = len(self._legal) - place
        count[at.REACHED], count[at.PLY], count[at.PHASE] = 0, 0, at.ENTER
        count[at.MAY_PASS] = self._asked[at.NULLS]
        frame[at.AT] = frame[at.END] = 0
        frame[at.LEFT] = depth
        frame[at.ALPHA] = -INFINITE if isinf(low) else floor(2 * low)
        frame[at.BETA] = INFINITE if isinf(high) else ceil(2 * high)
        frame[at.HASHED] = _signed(int(at.NONE) if first is None else self._words[first])
        try:
            self._run()
        finally:
            self._read()
        return float(count[at.RESULT]) / 2

    def _run(self) -> None:
        """Run the loop in slices."""
        is_done, look = False, 0.0
        while not is_done:
            nodes = int(self._count[at.NODES])
            if nodes >= look:
                look = self._budget.next_look(nodes)
            is_done = self._loop(
                self._kernel.rules,
                self._asked,
                self._trail,
                self._moves,
                self._ranks,
                self._frames,
                self._pv,
                self._history,
                self._killers,
                self._windows.index,
                self._windows.rows,
                self._names,
                self._count,
                int(min(look, nodes + SLICE_NODES)),
            )

    def _read(self) -> None:
        """Take over what was counted and found."""
        self.nodes, self.horizon = int(self._count[at.NODES]), int(self._count[at.REACHED])
        words = [int(word) for word in self._pv[0, 1 : 1 + int(self._pv[0, 0])]]
        self.line: tuple[Move, ...] = tuple(map(self._kernel.move_of, words))
        self.value = float(self._count[at.VALUE]) / 2 if words else -inf
        if words:
            self._words[self.line[0]] = words[0]
        self.best = self._kernel.move_of(int(self._frames[0, at.BEST_MOVE]) & _WORD)


def _helps(kernel: Kernel) -> Deepening:
    assert kernel.deepening is not None  # noqa: S101
    return kernel.deepening


def _signed(word: int) -> int:
    return word - (1 << 64) if word >> 63 else word


def loop_of(kernel: Kernel) -> Any:
    """Return the compiled loop, which numba compiles or loads on its first call."""
    helps = _helps(kernel)
    return _loop(
        kernel.moves,
        helps.order,
        kernel.play,
        kernel.outcome,
        kernel.evaluate,
        kernel.revise,
        helps.slot,
        helps.key,
        helps.image,
        helps.moved,
        helps.null,
        helps.images,
        kernel.width,
        helps.words,
        digest_of(kernel),
    )


@cache
def _loop(*constants: Any) -> Any:
    function = at.deepening(*constants)
    try:
        return njit(cache=True, nogil=True, error_model="numpy")(function)
    except RuntimeError:
        # There is no place for a cache: neither beside the sources nor in the user's folder.
        return njit(nogil=True, error_model="numpy")(function)
