"""A search as a drawing: the tree from the top, with windows, values and cut branches."""

from collections.abc import Iterator, Set
from dataclasses import dataclass
from html import escape

from bots.trace.records import Trace, TracedNode
from games.support.drawing import document
from games.support.game import CHANCE
from games.support.printable import printable
from league.render.page_parts import static
from league.render.search.words import (
    answer,
    counts,
    hidden_below,
    label,
    method,
    sampled,
    setter,
    short,
    window,
    worth,
)

NODES = 130
"""The most nodes drawn of a large search."""

STYLE = static("tree.css")
_WIDE = 5000
"""A drawing for a file that is wider than this, in pixels, shows fewer nodes."""

_ROOMS = (NODES, 86, 65, 43, 30, 20, 16, 12)
"""The numbers of nodes that are tried."""

_LEVEL = 116
_TOP = 24
_LEAF = 46
_COLUMN_WIDTH = 108
_CUT_WIDTH = 102
_MARK_WIDTH = 32
"""The width of the column of a cut in a brief drawing, in which scissors alone mark it."""
_CHARACTER = 8.5
_FOOT = 38
"""Distance from a node's centre to the start of its edges: its value stands above."""
_WINDOW_FOOT = 54
"""The same where its window stands there, too."""
_HEAD = 20
_CIRCLE = "M-15 0A15 15 0 1 0 15 0A15 15 0 1 0 -15 0Z"
# Two rings and two blades.
_SCISSORS = (
    "M-2.5 6a2.5 2.5 0 1 0 -5 0a2.5 2.5 0 1 0 5 0M7.5 6a2.5 2.5 0 1 0 -5 0a2.5 2.5 0 1 0 5 0"
    "M-3.6 3.8L5 -8M3.6 3.8L-5 -8"
)


@dataclass(frozen=True, slots=True)
class SearchDrawing:
    """The body of a drawing with its size in pixels, and the numbers of the nodes that it shows."""

    width: int
    height: int
    body: tuple[str, ...]
    shown: Set[int]


def draw_trace(trace: Trace, title: str) -> str:
    """Draw the search as a stand-alone SVG document of at most about `NODES` nodes."""
    drawn = draw_within(trace, _WIDE)
    head = [printable(title), method(trace), answer(trace), *counts(trace)]
    foot = [
        "▲ the side to move at the root, ▼ the others, ○ luck; thick: the best line; "
        "scissors and an orange box: moves that were cut off",
        sampled(trace, len(drawn.shown)),
    ]
    lines = [
        f'<text class="{"line" if index else "head"}" x="16" y="{26 + 20 * index}">'
        f"{escape(line)}</text>"
        for index, line in enumerate(head)
    ]
    top = 20 * len(head) + 24
    below = top + drawn.height
    lines += [
        f'<text class="line" x="16" y="{below + 10 + 20 * index}">{escape(line)}</text>'
        for index, line in enumerate(foot)
        if line
    ]
    width = max([drawn.width, *(7 * len(line) + 40 for line in (*head, *foot))])
    body = [*lines, f'<g transform="translate(0,{top})">', *drawn.body, "</g>"]
    return document(printable(title), (0, width, below + 44), body, style=STYLE)


def draw_within(trace: Trace, wide: int, *, is_brief: bool = False) -> SearchDrawing:
    """Draw at most about `NODES` nodes, and fewer if they are wider than so many pixels.

    A search with many moves at its root is wider even with the fewest nodes.
    """
    for room in _ROOMS:
        drawn = draw_nodes(trace, trace.sample(room), is_brief=is_brief)
        if drawn.width <= wide:
            break
    return drawn


def draw_nodes(trace: Trace, shown: Set[int], *, is_brief: bool = False) -> SearchDrawing:
    """Draw the `shown` nodes: each a group `n` with its number, its cut moves a group `c`.

    A brief drawing marks cuts, but does not name the moves, nor count the nodes that are not shown.
    """
    layout = _Layout(trace, shown, is_brief=is_brief)
    nodes = [trace.recorded[number] for number in sorted(shown)]
    body = [_edge(trace, node, layout) for node in nodes if node.number]
    for node in nodes:
        body += [_group(trace, node, layout), *_stubs(node, layout)]
    height = max(_level(node) + layout.height(node) for node in nodes)
    return SearchDrawing(round(layout.widths[0]) + 32, height, tuple(body), shown)


class _Layout:
    """Positions of all nodes, each above the middle of its subtree.

    Right of a node's children is a column for cut moves and nodes not shown.
    """

    def __init__(self, trace: Trace, shown: Set[int], *, is_brief: bool) -> None:
        self.is_brief = is_brief
        self.foot = _WINDOW_FOOT if trace.is_pruning else _FOOT
        self.children: dict[int, list[int]] = {}
        self.hidden: dict[int, int] = {}
        self.widths: dict[int, float] = {}
        self.centres: dict[int, float] = {}
        self.columns: dict[int, float] = {}
        for number in sorted(shown, reverse=True):
            node = trace.recorded[number]
            self.children[number] = [each for each in node.children if each in shown]
            hidden = hidden_below(trace, node, self.children[number])
            self.hidden[number] = 0 if is_brief else hidden
            has_column = node.cut is not None or self.hidden[number] > 0
            wide = _MARK_WIDTH if is_brief else _COLUMN_WIDTH
            self.columns[number] = wide if has_column else 0
            self.widths[number] = max(_own_width(trace, node), self.room(number))
        lefts = {0: 16.0}
        for number in sorted(shown):
            middle = lefts[number] + self.widths[number] / 2
            self.centres[number] = middle
            left = middle - self.room(number) / 2
            for child in self.children[number]:
                lefts[child] = left
                left += self.widths[child]
            self.columns[number] = left + self.columns[number] / 2

    def height(self, node: TracedNode) -> int:
        if node.cut is not None:
            return self.foot + (30 if self.is_brief else 104)
        if node.is_leaf:
            return _FOOT + 2
        return self.foot + 40 if self.hidden[node.number] else self.foot

    def room(self, number: int) -> float:
        """Return the width of a node's subtree."""
        return sum(self.widths[each] for each in self.children[number]) + self.columns[number]


def _own_width(trace: Trace, node: TracedNode) -> float:
    texts = [label(node), worth(node)]
    if not node.is_leaf and trace.is_pruning:
        texts.append(window(node.alpha, node.beta)[2:])
    shape = 0 if node.is_leaf else 2 * _half(label(node)) + 4
    return max(_LEAF, shape, *(_CHARACTER * len(text) + 12 for text in texts))


def _half(text: str) -> float:
    """Return half of the base of a triangle that holds a text."""
    return max(25, 4.4 * len(text) + 14)


def _level(node: TracedNode) -> int:
    return node.ply * _LEVEL + _TOP


def _edge(trace: Trace, node: TracedNode, layout: _Layout) -> str:
    x, y = layout.centres[node.number], _level(node)
    above_x, above_y = layout.centres[node.parent], y - _LEVEL + layout.foot
    kind = " pv" if node in trace.pv else ""
    edge = f'<path class="edge" d="M{above_x:.1f} {above_y}L{x:.1f} {y - _HEAD}"/>'
    if node.probability is not None:
        at_x, at_y = (
            (x + above_x) / 2 + (14 if x > above_x else -14),
            y - (_LEVEL + _HEAD - layout.foot) / 2,
        )
        edge += f'<text x="{at_x:.1f}" y="{at_y:g}">{node.probability:.3g}</text>'
    return f'<g class="e{kind}" data-n="{node.number}">{edge}</g>'


def _group(trace: Trace, node: TracedNode, layout: _Layout) -> str:
    kinds = ["n"]
    if node in trace.pv or node.number == 0:
        kinds.append("pv")
    if node.cut is not None:
        kinds.append("cut")
    bounds = ""
    if not node.is_leaf and trace.is_pruning:
        text = window(node.alpha, node.beta)
        bounds = f'<text class="window" y="49">{escape(text)}</text>'
    x, y = layout.centres[node.number], _level(node)
    return (
        f'<g class="{" ".join(kinds)}" data-n="{node.number}"'
        f' transform="translate({x:.1f},{y})">'
        f'<path class="shape" d="{_shape(trace, node)}"/>'
        f'<text class="move" y="{_text_level(trace, node)}">{escape(label(node))}</text>'
        f'<text class="value" y="33">{escape(worth(node))}</text>{bounds}</g>'
    )


def _shape(trace: Trace, node: TracedNode) -> str:
    if node.is_leaf:
        half = max(15, 4.8 * len(label(node)) + 2)
        return f"M{-half:g} -13H{half:g}V13H{-half:g}Z"
    if node.mover == CHANCE:
        return _CIRCLE
    half = _half(label(node))
    if trace.is_max(node):
        return f"M0 -20L{half:g} 14H{-half:g}Z"
    return f"M0 20L{half:g} -14H{-half:g}Z"


def _text_level(trace: Trace, node: TracedNode) -> int:
    if node.is_leaf or node.mover == CHANCE:
        return 4
    return 9 if trace.is_max(node) else 1


def _stubs(node: TracedNode, layout: _Layout) -> Iterator[str]:
    """Draw a node's cut moves, and how many nodes are not shown."""
    x, y, end = layout.centres[node.number], _level(node) + layout.foot, layout.columns[node.number]
    if node.cut is not None and layout.is_brief:
        yield (
            f'<g class="c" data-n="{node.number}">'
            f'<path class="gone" d="M{x:.1f} {y}L{end:.1f} {y + 12}"/>'
            f'<path class="mark" d="{_SCISSORS}" '
            f'transform="translate({end:.1f},{y + 18}) scale(1.4)"/></g>'
        )
        return
    if node.cut is not None:
        names = short(", ".join(node.cut.left_out), 12)
        by = short(setter(node), 10)
        how = "in cascade by" if node.cut.is_cascade else "by"
        left = f"{len(node.cut.left_out)} cut off"
        scissors = f'transform="translate({x + (end - x) * 0.5:.1f},{y + 13}) scale(1.4)"'
        yield (
            f'<g class="c" data-n="{node.number}">'
            f'<path class="gone" d="M{x:.1f} {y}L{end:.1f} {y + 26}"/>'
            f'<path class="mark" d="{_SCISSORS}" {scissors}/>'
            f'<rect class="off" x="{end - _CUT_WIDTH / 2:.1f}" y="{y + 26}"'
            f' width="{_CUT_WIDTH}" height="58" rx="4"/>'
            f'<text class="why" x="{end:.1f}" y="{y + 43}">{left}</text>'
            f'<text class="left" x="{end:.1f}" y="{y + 60}">{escape(names)}</text>'
            f'<text class="left" x="{end:.1f}" y="{y + 77}">{how} {escape(by)}</text></g>'
        )
    hidden = layout.hidden[node.number]
    if hidden:
        kind, at, down = "left", end, y + 30
        path = f"M{x:.1f} {y}L{end:.1f} {y + 16}"
        if node.cut is not None:
            # Its line passes the box on the left: the moves in there have no nodes.
            side = end - _COLUMN_WIDTH / 2
            kind, at, down = "left line", side + 10, y + 98
            path = f"M{x:.1f} {y}L{side:.1f} {y + 26}V{down - 4}H{at - 3:.1f}"
        yield (
            f'<g class="h" data-n="{node.number}"><path class="gone" d="{path}"/>'
            f'<text class="{kind}" x="{at:.1f}" y="{down}">+{hidden:,} nodes</text></g>'
        )
