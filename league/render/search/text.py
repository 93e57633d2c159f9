"""A search as a tree of text, for the terminal."""

from collections.abc import Iterator
from textwrap import wrap

from bots.trace.records import Kind, Trace, TracedNode
from games.support.counts import counted
from games.support.printable import cut, printable
from league.render.search.words import (
    answer,
    counts,
    cut_text,
    hidden_below,
    label,
    method,
    mover,
    sampled,
    window,
    worth,
)

WIDTH = 80
LINES = 60
"""The most nodes shown without a fold."""
BRANCHES = 36
"""The maximum width of the branches in front of a line."""


def text_of(trace: Trace, title: str, fold: int | None = None) -> str:
    """Write the search as text: result, counts, and the tree with its windows and cuts.

    The tree is folded at `fold` plies below the root; without it, a large tree is sampled to fit a
    screen or two. Lines are at most 80 characters long.
    """
    shown = set(trace.recorded) if fold is not None else trace.sample(LINES)
    if fold is not None:
        shown = {number for number in shown if trace.recorded[number].ply <= fold}
    head = [printable(title), method(trace), "", answer(trace), *counts(trace)]
    deepest = max(trace.recorded[number].ply for number in shown)
    tree = _lines(trace, trace.recorded[0], shown, Branches(deepest))
    legend = ["* best line   = exact   ≥ at least   ≤ at most   est. at horizon   (+n) folded"]
    notes = _notes(trace, shown, fold)
    lines = [*_wrapped(head), "", *tree, "", *legend, *_wrapped(notes)]
    return "\n".join(cut(line, WIDTH) for line in lines)


def _wrapped(lines: list[str]) -> list[str]:
    return [part for line in lines for part in wrap(line, WIDTH) or [""]]


def _notes(trace: Trace, shown: set[int], fold: int | None) -> list[str]:
    if len(shown) == trace.nodes:
        return []
    if fold is None:
        return [sampled(trace, len(shown))]
    # Above the fold nodes may be missing too.
    above = [trace.recorded[number] for number in shown if trace.recorded[number].ply < fold]
    is_whole = all(hidden_below(trace, node, node.children) == 0 for node in above)
    return [f"Folded at {counted(fold, 'ply')}."] + (
        [] if is_whole else [sampled(trace, len(shown))]
    )


class Branches:
    """The branches in front of a line, narrower the deeper the tree is."""

    def __init__(self, deepest: int) -> None:
        self.unit = max(1, min(3, BRANCHES // max(1, deepest)))

    def fork(self, rest: str, is_last: bool) -> tuple[str, str]:
        """Return the prefixes of a child's line and of the lines below it."""
        first, below = ("└─ ", "   ") if is_last else ("├─ ", "│  ")
        return rest + first[: self.unit], rest + below[: self.unit]

    def fitted(self, text: str) -> str:
        """Return branches cut from the left to leave room for text."""
        return text if len(text) <= BRANCHES else f"…{text[1 - BRANCHES :]}"


def _lines(
    trace: Trace,
    node: TracedNode,
    shown: set[int],
    branches: Branches,
    first: str = "",
    rest: str = "",
) -> Iterator[str]:
    children = [child for child in node.children if child in shown]
    hidden = hidden_below(trace, node, children)
    yield branches.fitted(first) + _told(trace, node, 0 if children else hidden)
    for child in children:
        is_last = child == children[-1] and not hidden
        below = trace.recorded[child]
        yield from _lines(trace, below, shown, branches, *branches.fork(rest, is_last))
    if children and hidden:
        text = branches.fitted(branches.fork(rest, True)[0])
        yield f"{text}… {counted(hidden, 'node')} not shown"


def _told(trace: Trace, node: TracedNode, folded: int) -> str:
    """Describe a node in a line: move, mover, window, value, folded nodes, cut."""
    name = label(node) if node.probability is None else f"{node.probability:.3g}: {label(node)}"
    if node in trace.pv:
        name += "*"
    if node.is_leaf:
        return f"{name} {worth(node)}{' est.' if node.leaf is Kind.ESTIMATE else ''}"
    bounds = f" {window(node.alpha, node.beta)}" if trace.is_pruning else ""
    below = f" (+{folded:,})" if folded else ""
    cut = cut_text(node)
    told = f"{name} {mover(trace, node)}{bounds} {worth(node)}{below}"
    return f"{told}  {cut}" if cut else told
