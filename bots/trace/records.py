"""What a traced search leaves behind: its nodes, its cuts, its events, its counts."""

from collections.abc import Iterable, Mapping
from dataclasses import KW_ONLY, dataclass, field
from enum import StrEnum

from games.support.game import CHANCE, Evaluation, Move, State


class Kind(StrEnum):
    """What a node's value says about the node."""

    UTILITY = "utility"
    """The match is over there."""
    ESTIMATE = "estimate"
    """The evaluation at the horizon."""
    EXACT = "exact"
    """What minimax would find."""
    AT_LEAST = "at least"
    """What minimax would find is no less."""
    AT_MOST = "at most"
    """What minimax would find is no greater."""


class Step(StrEnum):
    """What happens in a search, one thing at a time."""

    ENTER = "enter"
    LEAF = "leaf"
    BEST = "best"
    """A better move, which moves no bound."""
    ALPHA = "alpha"
    """A better move, which raises alpha."""
    BETA = "beta"
    """A better move, which lowers beta."""
    CUT = "cut"
    LEAVE = "leave"


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """Why the rest of a node's moves were left out.

    `bound` is the one that the value of the child `trigger` reached; it was set by the node
    `setter` (a child of the node `ancestor`), to which the moves in `setter_line` lead from the
    root. `left_out` holds the moves. `is_cascade`: the trigger was itself cut off by that bound,
    and its mover is of the same side, so that one bound cuts several nodes in a row.
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
    """A position that a search made; the search fills it in, and then it is only read.

    `number` counts in the order made, the root being 0; `parent` is -1 at the root. `mover` is the
    seat to move (`CHANCE` where luck is, and the last mover's view does not matter at a leaf);
    `depth` the plies left to the horizon. `alpha` and `beta` are the window it was entered with.
    `line` are the numbers of the best line below, `children` the recorded ones.
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
        """What the value is worth."""
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
    """One step: where, the value or bound it is about, and the counts after it.

    `made` counts the nodes so far, `left_out` the moves that cuts have left out so far.
    """

    step: Step
    node: int
    value: float
    made: int
    left_out: int


@dataclass(frozen=True, slots=True)
class Count:
    """A number of nodes; not exact where counting ended at `number` before it was done."""

    number: int
    is_exact: bool = True


@dataclass(frozen=True, slots=True)
class Setting:
    """How a search was asked for.

    `method` is `minimax` or `alphabeta`; `depth` counts plies, None is to the end of the game.
    `cut_on` says when alpha-beta cuts off: at `equality`, where a value reaches the bound, or, if
    `strict`, only where it passes it.
    """

    depth: int | None
    evaluation: Evaluation
    _: KW_ONLY
    method: str = "alphabeta"
    order: str = "given"
    cut_on: str = "equality"


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """A search, and what it did on its way.

    `value` is from the view of the seat to move at the root. `nodes` counts the positions made,
    the root included; `recorded` holds them by number, in the order made, or a sample of them:
    `is_sampled`. `cuts`, `cascades` and `left_out` (moves) count over the whole search. `largest`
    are the recorded cuts that left out most, the largest first, by the number of their node.
    """

    root: State
    setting: Setting
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
        """Whether it is a search that cuts off."""
        return self.setting.method != "minimax"

    @property
    def saved(self) -> float | None:
        """The share of minimax's nodes that were not made; None where these are not counted."""
        return 1 - self.nodes / self.minimax.number if self.minimax.is_exact else None

    def is_max(self, node: TracedNode) -> bool:
        """Whether the side of the root's mover moves there: it maximises, others minimise."""
        sides = self.root.game.sides
        return node.mover != CHANCE and sides[node.mover] == sides[self.root.to_move]

    def ancestors(self, number: int) -> Iterable[TracedNode]:
        """Yield a recorded node and the nodes above it, up to the root."""
        while number >= 0:
            node = self.recorded[number]
            yield node
            number = node.parent

    def sample(self, most: int) -> set[int]:
        """Choose at most about `most` recorded nodes, every one with all above it.

        The best line first, then the moves beside it, then the largest cuts (a quarter of the room
        at the most), then whole levels from the top.
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
