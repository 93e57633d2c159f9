"""A search as one HTML file that steps through it, one event at a time."""

from collections.abc import Set
from html import escape
from importlib.resources import files
from typing import Any

from bots.trace.records import Step, Trace, TracedNode
from games.support.printable import printable
from league.model.number_format import short_value
from league.render.page_parts import policy_of, script_data, static
from league.render.search.drawing import SearchDrawing, draw_nodes
from league.render.search.words import (
    answer,
    counts,
    label,
    method,
    mover,
    sampled,
    sentence,
    stakes,
    worth,
)

NODES = 500
"""The most nodes shown of a large search, for a responsive browser."""


def page_of(trace: Trace, title: str, most: int = NODES) -> str:
    """Return a self-contained page of at most about `most` nodes."""
    style = "".join(map(static, ("tree.css", "steps_page.css", "steps.css")))
    script = static("steps.js")
    return _filled(
        "page.html",
        policy=policy_of(style, script),
        title=escape(printable(title)),
        style=style,
        script=script,
        steps=steps_of(trace, draw_nodes(trace, trace.sample(most))),
    )


def steps_of(trace: Trace, drawing: SearchDrawing) -> str:
    """Return the part of a page that steps through a search, as HTML for `steps.css` and `.js`."""
    lines = [method(trace), answer(trace), *counts(trace)]
    note = sampled(trace, len(drawing.shown))
    return _filled(
        "steps.html",
        about="\n".join(f"<p>{escape(line)}</p>" for line in lines),
        stakes=escape(stakes(trace)),
        note=f'<p class="note">{escape(note)}</p>' if note else "",
        width=str(drawing.width),
        height=str(drawing.height),
        tree="\n".join(drawing.body),
        data=script_data(_data(trace, drawing.shown)),
    )


def _filled(name: str, **parts: str) -> str:
    """Fill the places of a file; one pass, so that what is put in is never searched for places."""
    text = files("league.render.search").joinpath(name).read_text("utf-8")
    pieces = text.split("%%")
    return "".join(parts[piece] if index % 2 else piece for index, piece in enumerate(pieces))


def _data(trace: Trace, shown: Set[int]) -> dict[str, Any]:
    return {
        "pruning": trace.is_pruning,
        "nodes": {each: _node(trace, trace.recorded[each]) for each in sorted(shown)},
        "events": [
            {
                "step": str(event.step),
                "node": event.node,
                "value": "" if event.step is Step.ENTER else short_value(event.value),
                "text": sentence(trace, event),
                "made": event.made,
                "left": event.left_out,
            }
            for event in trace.events
            if event.node in shown
        ],
    }


def _node(trace: Trace, node: TracedNode) -> dict[str, Any]:
    return {
        "parent": node.parent,
        "move": label(node),
        "mover": "" if node.is_leaf else mover(trace, node),
        "alpha": short_value(node.alpha),
        "beta": short_value(node.beta),
        "worth": worth(node),
    }
