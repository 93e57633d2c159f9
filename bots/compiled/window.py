"""The compiled search of one depth in a window, for the searches that deepen."""

from array import array
from collections.abc import Sequence
from math import ceil, floor, inf, isinf
from typing import NotRequired, TypedDict, Unpack

from bots.compiled import deepening_layout as at
from bots.compiled.kernel_loops import DEEPEN, KernelLoops
from bots.compiled.native import INTEGER, WORD, Block
from bots.compiled.ply_layout import INFINITE
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
from games.support.game import Evaluation, Move, State

FIRST_SIZE = 1 << 12
"""The places in use of an empty table's index; it doubles when half of them are taken."""


class WindowRequest(TypedDict):
    """The settings of a search for all its depths, up to `limit`.

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
    """A game's compiled searches, and the table of at most `room` positions that they share.

    Only one of them may be asked at a time; a new one clears the table.
    """

    def __init__(self, loops: KernelLoops, room: int) -> None:
        self.packing, self.room = loops.packing, room
        self.loop = loops.loop(DEEPEN)
        self.index = Block(INTEGER, max(FIRST_SIZE, 1 << (2 * room).bit_length()))
        self.rows = Block(WORD, room, at.KEY + self.packing.identity_words)

    def begin(self, state: State, **asked: Unpack[WindowRequest]) -> "WindowSearch":
        """Return a search below `state`, a position of the kernel's game."""
        self.index.items[:FIRST_SIZE] = _zeros(FIRST_SIZE)
        return WindowSearch(state, self, **asked)


class WindowSearch:
    """The compiled search below one position, to depths and in windows that are asked for.

    From one question to the next it learns the order of moves and fills the table. `nodes` counts
    all positions made so far; `value` and `line` are those of the root at the last depth asked for;
    `horizon` counts how often the last question met it, and `best` is the move of its answer.
    """

    def __init__(self, state: State, windows: Windows, **asked: Unpack[WindowRequest]) -> None:
        packing, limit = windows.packing, asked["limit"]
        self._packing, self._room = packing, windows.room
        self._legal, self._words = list(state.legal_moves()), dict[Move, int]()
        self._budget = SearchBudget(asked["clock"], LOOK_NODES)
        root = packing.pack(state)
        trail = Block(WORD, len(root) + limit + 1, packing.width)
        for index, row in enumerate(root):
            trail.set_row(index, row)
        moves = Block(WORD, (limit + 2) * packing.most_moves)
        self._ranks = Block(INTEGER, (limit + 2) * packing.most_moves)
        self._frames = Block(INTEGER, limit + 2, at.FRAME)
        if packing.is_revised:
            estimate = asked["evaluation"].function(state, state.to_move)
            self._frames.items[at.ESTIMATE] = int(estimate)
        self._pv = Block(WORD, limit + 2, limit + 3)
        names = Block(WORD, limit + 2, packing.identity_words)
        history = Block(INTEGER, 2, packing.slots)
        self._killers = Block(INTEGER, limit + 2)
        self._no_killers = array(INTEGER, [-1] * (limit + 2))
        self._count, self._asked = Block(INTEGER, at.COUNTED), Block(INTEGER, at.ASKED)
        self._count.items[at.NODES], self._count.items[at.SIZE] = 1, FIRST_SIZE
        self._run_loop = windows.loop.bound(
            *(packing.rules, self._asked, trail, moves, self._ranks, self._frames, self._pv),
            *(history, self._killers, windows.index, windows.rows, names, self._count),
        )
        self._settle(state, len(root) - 1, **asked)
        self._read()

    def _settle(self, state: State, first: int, **asked: Unpack[WindowRequest]) -> None:
        """Write what is the same at all depths."""
        extras = asked.get("extras", PLAIN)
        evaluation = asked["evaluation"]
        is_symmetric = any(image == state.key() for image, _ in state.symmetries())
        for place, setting in (
            (at.SCALE, evaluation.scale),
            (at.WHICH, ("null", *self._packing.evaluations).index(evaluation.name) - 1),
            (at.FIRST, first),
            (at.IS_ORDERED, asked.get("is_ordered", True)),
            (at.LEARNS, asked.get("learns", True)),
            (at.KILLS, extras.killers),
            (at.NULLS, extras.null_move),
            (at.REDUCES, extras.late_moves),
            (at.HAS_TABLE, self._room > 0 and asked.get("has_table", True)),
            (at.MIRROR_DEPTH, MIRROR_DEPTH if is_symmetric else INFINITE),
            (at.LATE_MOVES, LATE_MOVES),
            (at.LATE_DEPTH, LATE_DEPTH),
            (at.NULL_DEPTH, NULL_DEPTH),
            (at.NULL_REDUCTION, NULL_REDUCTION),
        ):
            self._asked.items[place] = int(setting)

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
        count, frame, asked = self._count.items, self._frames.items, self._asked.items
        if depth != asked[at.DEPTH]:
            asked[at.DEPTH] = depth
            self._pv.items[0] = 0
        self._killers.items[:] = self._no_killers
        asked[at.DRAWN] = len(drawn or ())
        for place, move in enumerate(drawn or ()):
            self._ranks.items[self._legal.index(move)] = len(self._legal) - place
        count[at.REACHED], count[at.PLY], count[at.PHASE] = 0, 0, at.ENTER
        count[at.MAY_PASS] = asked[at.NULLS]
        frame[at.AT] = frame[at.END] = 0
        frame[at.LEFT] = depth
        frame[at.ALPHA] = -INFINITE if isinf(low) else floor(2 * low)
        frame[at.BETA] = INFINITE if isinf(high) else ceil(2 * high)
        frame[at.HASHED] = _signed(at.NO_MOVE if first is None else self._words[first])
        try:
            self._run()
        finally:
            self._read()
        return float(count[at.RESULT]) / 2

    def _run(self) -> None:
        """Run the loop in slices."""
        count, look, is_done = self._count.items, 0.0, 0
        while not is_done:
            nodes = count[at.NODES]
            if nodes >= look:
                look = self._budget.next_look(nodes)
            count[at.UNTIL] = int(min(look, nodes + SLICE_NODES))
            is_done = self._run_loop()

    def _read(self) -> None:
        """Take over what was counted and found."""
        count = self._count.items
        self.nodes, self.horizon = count[at.NODES], count[at.REACHED]
        length, *words = self._pv.row(0)
        self.line: tuple[Move, ...] = tuple(map(self._packing.move_of, words[:length]))
        self.value = count[at.VALUE] / 2 if length else -inf
        if length:
            self._words[self.line[0]] = words[0]
        if self.nodes > 1:
            word = self._frames.items[at.BEST_MOVE] & at.NO_MOVE
            self.best = self._packing.move_of(word)


def _signed(word: int) -> int:
    return word - (1 << 64) if word >> 63 else word


def _zeros(count: int) -> "array[int]":
    return array(INTEGER, bytes(8 * count))
