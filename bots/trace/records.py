"""The record of a traced search: nodes, cuts, events and counts."""

from collections.abc import Iterable, Mapping
from dataclasses import KW_ONLY, dataclass, field
from enum import StrEnum

from games.support.game import CHANCE, Evaluation, Move, State


class Kind(StrEnum):
    """The relation of a node's value to its minimax value."""

    UTILITY = "utility"
    """The match is over there."""
    ESTIMATE = "estimate"
    """The evaluation at the horizon."""
    EXACT = "exact"
    """The minimax value."""
    AT_LEAST = "at least"
    """A lower bound of the minimax value."""
    AT_MOST = "at most"
    """An upper bound of the minimax value."""


class Step(StrEnum):
    """The kinds of events in a search."""

    ENTER = "enter"
    LEAF = "leaf"
    BEST = "best"
    """A better move that moves no bound."""
    ALPHA = "alpha"
    """A better move that raises alpha."""
    BETA = "beta"
    """A better move that lowers beta."""
    CUT = "cut"
    LEAVE = "leave"


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """The reason why the rest of a node's moves were cut.

    The value of the child `trigger` reached `bound`, which was set by the node `setter` (a child of
    `ancestor`), at the end of the moves `setter_line` from the root. `left_out` holds the moves.
    `is_cascade`: the trigger was itself cut by that bound, and its mover is of the same side, so
    one bound cuts several nodes in a row.
    """

    bound: Step
    limit: float
    ancestor: int
    setter: int
    setter_line: tuple[str, ...]
    trigger: int
    left_out: tuple[str, ...]
    is_cascade: bool = False


@dataclass(slots=True, eq=False, kw_only=True)
class TracedNode:
    """A position of a search; read-only once the search has filled it in.

    `number` counts in creation order, the root being 0; `parent` is -1 at the root. `mover` is the
    seat to move (`CHANCE` for luck; irrelevant at a leaf); `depth` the plies left to the horizon.
    `alpha` and `beta` are the window on entry. `line` are the numbers of the best line below,
    `children` the recorded ones.
    """

    number: int
    parent: int
    ply: int
    move: Move
    text: str
    mover: int
    depth: int
    alpha: float
    beta: float
    value: float = 0
    is_floor: bool = True
    is_ceiling: bool = True
    leaf: Kind | None = None
    probability: float | None = None
    cut: Cut | None = None
    was_cut: bool = False
    made: int = 1
    line: tuple[int, ...] = ()
    children: list[int] = field(default_factory=list)

    @property
    def kind(self) -> Kind:
        """Return the relation of the value to the minimax value."""
        if self.leaf is not None:
            return self.leaf
        if self.is_floor and self.is_ceiling:
            return Kind.EXACT
        return Kind.AT_LEAST if self.is_floor else Kind.AT_MOST

    @property
    def is_leaf(self) -> bool:
        """Whether nothing was searched below."""
        return self.leaf is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One event: its node, its value or bound, and the counts after it.

    `made` counts the nodes so far, `left_out` the moves cut so far.
    """

    step: Step
    node: int
    value: float
    made: int
    left_out: int


@dataclass(frozen=True, slots=True)
class Count:
    """A number of nodes; a lower bound if counting stopped at `number`."""

    number: int
    is_exact: bool = True


@dataclass(frozen=True, slots=True)
class SearchSetting:
    """The settings of a search.

    `method` is `minimax` or `alphabeta`; `depth` counts plies, None is to the end of the game.
    `cut_on` is when alpha-beta cuts: at `equality` with the bound, or, if `strict`, only past it.
    """

    depth: int | None
    evaluation: Evaluation
    _: KW_ONLY
    method: str = "alphabeta"
    order: str = "given"
    cut_on: str = "equality"


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """A search and its steps.

    `value` is from the view of the root's mover. `nodes` counts the positions made, root included;
    `recorded` holds them by number in creation order, or a sample: `is_sampled`. `cuts`, `cascades`
    and `left_out` (moves) count over the whole search. `largest` are the largest recorded cuts, in
    descending order, by the number of their node.
    """

    root: State
    setting: SearchSetting
    value: float
    move: Move
    nodes: int
    minimax: Count
    pv: tuple[TracedNode, ...]
    recorded: Mapping[int, TracedNode]
    events: tuple[Event, ...]
    cuts: int
    cascades: int
    left_out: int
    largest: tuple[int, ...]

    @property
    def is_sampled(self) -> bool:
        """Whether some nodes were made but not recorded."""
        return len(self.recorded) < self.nodes

    @property
    def is_pruning(self) -> bool:
        """Whether the method prunes."""
        return self.setting.method != "minimax"

    @property
    def saved(self) -> float | None:
        """The share of minimax's nodes not made; None if these are not counted."""
        return 1 - self.nodes / self.minimax.number if self.minimax.is_exact else None

    def is_max(self, node: TracedNode) -> bool:
        """Whether the root's side moves there: it maximises, others minimise."""
        sides = self.root.game.sides
        return node.mover != CHANCE and sides[node.mover] == sides[self.root.to_move]

    def ancestors(self, number: int) -> Iterable[TracedNode]:
        """Yield a recorded node and its ancestors up to the root."""
        while number >= 0:
            node = self.recorded[number]
            yield node
            number = node.parent

    def sample(self, most: int) -> set[int]:
        """Choose at most about `most` recorded nodes, each with all its ancestors.

        First the best line, then its siblings, then the largest cuts (at most a quarter), then
        whole levels from the top.
        """
        if len(self.recorded) <= most:
            return set(self.recorded)
        chosen = {0, *(node.number for node in self.pv)}
        for number in self.largest:
            if len(chosen) >= max(most // 4, 12):
                break
            cut = self.recorded[number].cut
            below = cut.trigger if cut and cut.trigger in self.recorded else number
            chosen.update(node.number for node in self.ancestors(below))
        for level in self._levels():
            beside = [each for each in level if each.parent in (0, *(n.number for n in self.pv))]
            for nodes in (level, beside):
                new = {each.number for each in nodes if each.parent in chosen} - chosen
                if len(chosen) + len(new) <= most:
                    chosen |= new
                    break
        return chosen

    def _levels(self) -> list[list[TracedNode]]:
        levels: list[list[TracedNode]] = []
        for node in self.recorded.values():
            while len(levels) <= node.ply:
                levels.append([])
            levels[node.ply].append(node)
        return levels
