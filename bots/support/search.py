"""Shared parts of all searches: results, limits, and the game's values."""

import random
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf, isfinite
from typing import NotRequired, TypedDict, Unpack

from bots.support.bot import Clock, Report
from games.support.game import CHANCE, Evaluation, Game, Move, State

DEPTH_MAX = 400
"""The maximum depth of any search, in plies."""

STACK_CALLS = 3000
"""The calls that a search may nest: three a ply at the most, at chance nodes, up to `DEPTH_MAX` and
past the horizon, and room for its caller, the rules and the evaluation. Python's default of 1000
ends in `RecursionError`."""

MARGIN_NS = 3_000_000
"""Time reserved for sending the answer."""

LOOK_NS = 250_000
"""The target time between two looks at the clock."""

LOOK_NODES = 64
"""The most nodes between two looks at the clock, as nodes may suddenly get slower."""

FREE = Clock()

Shuffle = random.Random | None
"""The random source that shuffles the root's moves; None keeps their order.

The first of the best moves is answered, so shuffling chooses randomly among equals.
"""

TIES = ("first", "random")
"""The choice of a search among equal moves."""

ORDERS = ("given", "game", "evaluation")

CUTS = ("equality", "strict")
"""The cut convention: cut off when a value reaches a bound, or only when it passes it."""

Order = Callable[[State, Sequence[Move]], Sequence[Move]]
"""Sorts moves before they are searched."""


class Exhausted(Exception):
    """A limit of the move is reached; what was found so far is valid."""


class SearchRequest(TypedDict):
    """The arguments of every search, apart from the position.

    `depth` counts plies; None searches to the end of the game, at most `DEPTH_MAX` plies. If the
    `clock` ends the search early, the best move searched so far counts. `shuffle` shuffles the
    root's moves.
    """

    depth: int | None
    evaluation: Evaluation
    clock: NotRequired[Clock]
    shuffle: NotRequired[Shuffle]


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResult:
    """The result of a search.

    `value` is in evaluation units, from the view of the seat to move, and minus infinity if the
    limits let no move be searched; `nodes` counts the positions made, root included; `pv` starts
    with the best move; `depth` is the number of plies searched, `is_complete` false if the limits
    ended it before that, and `is_solved` true if no line was left open at that depth.
    """

    pv: tuple[Move, ...]
    value: float = -inf
    nodes: int = 1
    depth: int = 0
    is_complete: bool = True
    is_solved: bool = False

    @property
    def move(self) -> Move:
        """The best move."""
        return self.pv[0]

    def report(self, evaluation: Evaluation, game: Game) -> Report:
        """Return the bot's report of this result."""
        score = self.value if isfinite(self.value) else None
        return Report(
            depth=self.depth,
            nodes=self.nodes,
            score=score,
            pv=self.pv,
            text=self._proven(evaluation, game),
        )

    def _proven(self, evaluation: Evaluation, game: Game) -> str:
        proven = verdict(self.value, evaluation, game)
        if proven == "lost" and not self.is_complete:
            # The moves searched so far lose, but there are others.
            return ""
        # With luck, 0 may be the mean of wins and losses.
        is_drawn = self.is_solved and self.value == 0 and not game.has_chance
        return "drawn" if is_drawn else proven


class SearchBudget:
    """The limits of one move, checked at least every `look_nodes` nodes."""

    def __init__(self, clock: Clock, look_nodes: int = LOOK_NODES) -> None:
        self._most = look_nodes
        self._nodes = inf if clock.nodes is None else clock.nodes
        self._deadline = None if clock.deadline_ns is None else clock.deadline_ns - MARGIN_NS
        self._looked_ns = time.monotonic_ns()
        self._step = 1

    def next_look(self, nodes: int) -> float:
        """Return the node count of the next check; raise `Exhausted` when a limit is reached.

        Call it before making a node, so that a node limit is exact. The slower a game's nodes, the
        fewer between two looks at the clock.
        """
        if nodes >= self._nodes:
            raise Exhausted
        if self._deadline is None:
            return self._nodes
        now = time.monotonic_ns()
        if now >= self._deadline:
            raise Exhausted
        took, self._looked_ns = now - self._looked_ns, now
        if took > LOOK_NS:
            self._step = max(1, self._step * LOOK_NS // took)
        else:
            self._step = min(self._most, 2 * self._step)
        return min(self._nodes, nodes + self._step)

    def look_at_clock(self) -> None:
        """Raise `Exhausted` when time is up, for work that counts no nodes."""
        if self._deadline is not None and time.monotonic_ns() >= self._deadline:
            raise Exhausted


def deepen_stack() -> None:
    """Let Python nest as many calls as the deepest search; does nothing the second time."""
    sys.setrecursionlimit(max(sys.getrecursionlimit(), STACK_CALLS))


def depth_limit(*limits: int | None) -> int:
    """Return the least of the given depths in plies; None is as deep as a search can."""
    return min([DEPTH_MAX, *(limit for limit in limits if limit is not None)])


def depth_of(limit: int, pv: tuple[Move, ...]) -> int:
    """Return the depth to report: the limit, or the line's length without one."""
    return limit if limit < DEPTH_MAX else len(pv)


def sides_of(state: State) -> tuple[bool, ...]:
    """Tell for each seat whether it is on the side of the seat to move."""
    if state.to_move == CHANCE:
        raise ValueError("a search starts where a seat moves, not chance")
    sides = state.game.sides
    mine = sides[state.to_move]
    return tuple(side == mine for side in sides)


def signs_of(state: State) -> tuple[int, ...]:
    """Return 1 for each seat on the mover's side, -1 for its opponents.

    One more entry, at index `CHANCE`, is 1: chance nodes are seen from the root.
    """
    return (*(1 if mine else -1 for mine in sides_of(state)), 1)


def order_of(name: str, evaluation: Evaluation, budget: SearchBudget) -> Order | None:
    """Return the sorting function of one of `ORDERS`; None keeps the rules' order."""
    if name == "given":
        return None
    if name == "game":
        return lambda state, moves: state.order(moves)

    def by_evaluation(state: State, moves: Sequence[Move]) -> Sequence[Move]:
        seat = state.to_move

        def worth(move: Move) -> float:
            # These positions do not count as nodes, but take time.
            budget.look_at_clock()
            child = state.play(move)
            outcome = child.outcome()
            if outcome is not None:
                return outcome[seat] * evaluation.scale
            return evaluation.function(child, seat)

        return sorted(moves, key=worth, reverse=True)

    return by_evaluation


def first_moves(root: State, order: Order | None, shuffle: Shuffle) -> Sequence[Move]:
    """Return the root's moves in the order to search them."""
    moves = root.legal_moves()
    if shuffle is not None:
        return shuffle.sample(list(moves), len(moves))
    return moves if order is None else order(root, moves)


def estimate_of(evaluation: Evaluation) -> Callable[[State, int], float] | None:
    """Return the evaluation's function; None where it is always 0."""
    return None if evaluation.low == evaluation.high == 0 else evaluation.function


def verdict(value: float, evaluation: Evaluation, game: Game) -> str:
    """Return what a value proves in a word: `won`, `lost`, or nothing.

    Estimates lie strictly within the utility bounds, so only a line to the end reaches them.
    """
    low, high = game.utility_bounds
    if value >= high * evaluation.scale:
        return "won"
    return "lost" if value <= low * evaluation.scale else ""


class TreeSearch:
    """The limits and counters of a search of the tree below a position.

    `lines` holds the best line by remaining depth, the root's last; `value` is the root's value so
    far.
    """

    def __init__(
        self,
        root: State,
        *,
        depth: int | None,
        evaluation: Evaluation,
        clock: Clock = FREE,
        shuffle: Shuffle = None,
        order: str = "given",
    ) -> None:
        deepen_stack()
        self.root = root
        self.seat, self.mine = root.to_move, sides_of(root)
        self.evaluation = evaluation
        self.scale, self.estimate = evaluation.scale, estimate_of(evaluation)
        self.clock, self.budget = clock, SearchBudget(clock)
        self.order = order_of(order, evaluation, self.budget)
        self.shuffle = shuffle
        self.limit = depth_limit(depth, clock.depth)
        self.lines: list[tuple[Move, ...]] = [()] * (self.limit + 1)
        self.value = -inf
        self.nodes = 1
        self.look: float = 0


class DepthSearch(TreeSearch, ABC):
    """A search to one depth; override `run`.

    `first` are the root's moves in search order, and `fallback` is the answer if the limits let no
    move be searched. `is_solved` turns false at the first estimated position.
    """

    def __init__(
        self, root: State, *, order: str = "given", **asked: Unpack[SearchRequest]
    ) -> None:
        super().__init__(root, order=order, **asked)
        self.first: Sequence[Move] = ()
        self.fallback: Move = root.legal_moves()[0]
        self.is_solved = True

    @abstractmethod
    def run(self) -> None:
        """Search the root; raise `Exhausted` at a limit."""

    def result(self) -> SearchResult:
        """Search, and return the result."""
        is_complete = True
        try:
            self.first = first_moves(self.root, self.order, self.shuffle)
            self.run()
        except Exhausted:
            is_complete = False
        line = self.lines[self.limit]
        pv = line or (self.fallback,)
        return SearchResult(
            value=self.value,
            nodes=self.nodes,
            pv=pv,
            depth=depth_of(self.limit, pv) if line else 0,
            is_complete=is_complete,
            is_solved=is_complete and self.is_solved,
        )
