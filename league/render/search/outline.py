"""A search as an outline: nested lines that open and close, for narrow screens and for keys."""

from collections.abc import Set
from dataclasses import dataclass

from bots.trace.records import Kind, Trace, TracedNode
from league.render.search.words import cut_text, hidden_below, label, mover, window, worth


@dataclass(frozen=True, slots=True, kw_only=True)
class OutlineNode:
    """A node in words, with the nodes below it that are shown; `hidden` counts the others.

    `mover` and `window` are '' at a leaf, and `cut` where nothing was cut.
    """

    move: str
    worth: str
    mover: str
    window: str
    cut: str
    hidden: int
    is_best: bool
    is_estimate: bool
    children: tuple["OutlineNode", ...]


def outline_of(trace: Trace, shown: Set[int]) -> OutlineNode:
    """Return the root of the outline of the `shown` nodes."""
    found: dict[int, OutlineNode] = {}
    # Children have higher numbers than their parents.
    for number in sorted(shown, reverse=True):
        node = trace.recorded[number]
        below = [each for each in node.children if each in shown]
        found[number] = _told(trace, node, tuple(found[each] for each in below), below)
    return found[0]


def _told(
    trace: Trace, node: TracedNode, children: tuple[OutlineNode, ...], below: list[int]
) -> OutlineNode:
    name = label(node)
    return OutlineNode(
        move=name if node.probability is None else f"{node.probability:.3g}: {name}",
        worth=worth(node),
        mover="" if node.is_leaf else mover(trace, node),
        window=window(node.alpha, node.beta) if trace.is_pruning and not node.is_leaf else "",
        cut=cut_text(node),
        hidden=hidden_below(trace, node, below),
        is_best=node in trace.pv,
        is_estimate=node.leaf is Kind.ESTIMATE,
        children=children,
    )
