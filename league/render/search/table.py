"""A search as JSON."""

from math import isfinite
from typing import Any

from bots.trace.records import Trace, TracedNode
from games.support.game import CHANCE


def as_json(trace: Trace, title: str) -> dict[str, Any]:
    """Return the search as one JSON document (docs/explain.md); infinite bounds are null."""
    setting = trace.setting
    return {
        "title": title,
        "game": trace.root.game.spec,
        "method": setting.method,
        "depth": setting.depth,
        "evaluation": setting.evaluation.name,
        "order": setting.order,
        "cut_on": setting.cut_on if trace.is_pruning else None,
        "seat": trace.root.to_move,
        "seat_names": list(trace.root.game.seat_names),
        "value": trace.value,
        "move": trace.root.text(trace.move),
        "pv": [node.text for node in trace.pv],
        "nodes_made": trace.nodes,
        "nodes_minimax": trace.minimax.number,
        "is_minimax_exact": trace.minimax.is_exact,
        "share_saved": trace.saved,
        "cuts": trace.cuts,
        "cascades": trace.cascades,
        "moves_left_out": trace.left_out,
        "is_sampled": trace.is_sampled,
        "nodes": [_node(trace, node) for node in trace.recorded.values()],
        "events": [
            {
                "step": str(event.step),
                "node": event.node,
                "value": event.value if event.step != "enter" else None,
                "made": event.made,
                "left_out": event.left_out,
            }
            for event in trace.events
        ],
    }


def _node(trace: Trace, node: TracedNode) -> dict[str, Any]:
    return {
        "number": node.number,
        "parent": None if node.number == 0 else node.parent,
        "ply": node.ply,
        "move": node.text,
        "mover": None if node.is_leaf else "chance" if node.mover == CHANCE else node.mover,
        "role": _role(trace, node),
        "probability": node.probability,
        "depth": node.depth,
        "alpha": _bound(node.alpha),
        "beta": _bound(node.beta),
        "value": node.value,
        "kind": str(node.kind),
        "is_pv": node.number == 0 or node in trace.pv,
        "subtree": node.made,
        "cut": _cut(node),
    }


def _role(trace: Trace, node: TracedNode) -> str:
    if node.is_leaf:
        return "leaf"
    if node.mover == CHANCE:
        return "chance"
    return "max" if trace.is_max(node) else "min"


def _bound(value: float) -> float | None:
    return value if isfinite(value) else None


def _cut(node: TracedNode) -> dict[str, Any] | None:
    cut = node.cut
    if cut is None:
        return None
    return {
        "bound": str(cut.bound),
        "limit": cut.limit,
        "ancestor": cut.ancestor,
        "sibling": cut.setter,
        "sibling_line": list(cut.setter_line),
        "trigger": cut.trigger,
        "left_out": list(cut.left_out),
        "is_cascade": cut.is_cascade,
    }
