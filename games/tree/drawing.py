"""Draw a game tree as indented text and as an SVG document."""

from collections.abc import Sequence
from html import escape

from games.support.drawing import document, draw_lines
from games.support.game import CHANCE
from games.support.printable import cut, drawable
from games.tree.reader import ExplicitTree

_LEAF = 34
_LEVEL = 74
_LINES_MAX = 30
NODES_DRAWN = 3000
_WIDTH_MAX = 80
_STYLE = """
.edge { stroke: #768390; stroke-width: 1.5; fill: none }
.way { stroke: #d1342f; stroke-width: 3.5 }
.node { fill: #f6f8fa; stroke: #57606a; stroke-width: 1.5 }
.here { fill: #f2c230 }
.name { font: bold 12px sans-serif; fill: #1f2328 }
.leaf { font: 13px sans-serif }
.mover { text-anchor: start }
@media (prefers-color-scheme: dark) {
  .node { fill: #2d333b; stroke: #adbac7 }
  .name { fill: #e6edf3 }
  .here { fill: #7d5e00 }
}
"""
# Up for the first side, down for the second, squares for others, circles for luck.
_SHAPES = ("M0 -18L19 14H-19Z", "M0 18L19 -14H-19Z", "M-15 -13H15V13H-15Z")
_CIRCLE = "M-15 0A15 15 0 1 0 15 0A15 15 0 1 0 -15 0Z"


def draw_tree_text(tree: ExplicitTree, node: int) -> list[str]:
    """Draw the tree below `node` line by line, as many whole levels as fit on a screen."""
    lines: list[str] = []
    for levels in range(1, tree_height(tree, node) + 1):
        deeper = _lines(tree, node, levels, "", "")
        if levels > 1 and len(deeper) > _LINES_MAX:
            break
        lines = deeper
    return [cut(line, _WIDTH_MAX) for line in lines]


def tree_height(tree: ExplicitTree, node: int) -> int:
    """Return how many levels lie below a node, at least 1."""
    return max([1, *(1 + tree_height(tree, child) for child in tree.children[node])])


def _lines(tree: ExplicitTree, node: int, levels: int, first: str, rest: str) -> list[str]:
    children = tree.children[node]
    is_cut = bool(children) and levels == 1
    lines = [f"{first}{_label(tree, node)}{' …' if is_cut else ''}"]
    if is_cut:
        return lines
    for child in children:
        is_last = child == children[-1]
        lines += _lines(
            tree,
            child,
            levels - 1,
            f"{rest}{'└─ ' if is_last else '├─ '}",
            f"{rest}{'   ' if is_last else '│  '}",
        )
    return lines


def _label(tree: ExplicitTree, node: int) -> str:
    chosen = tree.share[node]
    share = "" if chosen is None else f"{chosen:.4g}: "
    utilities = tree.utilities[node]
    if utilities is not None:
        return f"{share}{tree.names[node]} {_worth(tree, utilities)}"
    mover = "chance" if tree.seats[node] == CHANCE else tree.seat_names[tree.seats[node]]
    estimate = f" ({tree.estimates[node]:g})" if tree.has_estimates else ""
    return f"{share}{tree.names[node]} {mover}{estimate}"


def _worth(tree: ExplicitTree, utilities: Sequence[float]) -> str:
    # With two sides one number is enough.
    shown = utilities[:1] if len(set(tree.sides)) == 2 else utilities
    return " ".join(f"{worth:g}" for worth in shown)


def draw_tree(tree: ExplicitTree, title: str, path: Sequence[int]) -> str:
    """Draw the tree from the top, `path` marked: triangles for the sides, circles for luck.

    More than `NODES_DRAWN` nodes would be unreadable: then draw the lines of text.
    """
    if len(tree.names) > NODES_DRAWN:
        return draw_lines(title, "\n".join(draw_tree_text(tree, path[-1])))
    places = _places(tree)
    width = round(max(x for x, _ in places)) + 2 * _LEAF
    height = max(tree.depths) * _LEVEL + 90
    body = []
    way_here = set(path)
    for node, parent in enumerate(tree.parents):
        if parent < 0:
            continue
        (x, y), (above_x, above_y) = places[node], places[parent]
        way = " way" if node in way_here else ""
        body.append(f'<path class="edge{way}" d="M{above_x:g} {above_y}L{x:g} {y}"/>')
        share = tree.share[node]
        if share is not None:
            at_x, at_y = (x + above_x) / 2, (y + above_y) / 2
            body.append(f'<text x="{at_x + 16:g}" y="{at_y:g}">{share:.3g}</text>')
    body += [_node(tree, node, *places[node], node == path[-1]) for node in range(len(places))]
    return document(title, (0, width, height), body, style=_STYLE)


def _places(tree: ExplicitTree) -> list[tuple[float, int]]:
    """Give each leaf a column, and centre each node above its children."""
    columns = [0.0] * len(tree.names)
    next_leaf = 0
    wide = _LEAF * (2 if len(set(tree.sides)) > 2 else 1)
    for node in range(len(tree.names)):
        if not tree.children[node]:
            columns[node] = next_leaf * wide + _LEAF
            next_leaf += 1
    for node in reversed(range(len(tree.names))):
        children = tree.children[node]
        if children:
            columns[node] = (columns[children[0]] + columns[children[-1]]) / 2
    levels = (depth * _LEVEL + 32 for depth in tree.depths)
    return list(zip(columns, levels, strict=True))


def _node(tree: ExplicitTree, node: int, x: float, y: int, is_here: bool) -> str:
    name = escape(drawable(tree.names[node])[:12])
    utilities = tree.utilities[node]
    here = " here" if is_here else ""
    if utilities is not None:
        box = f'<rect class="node{here}" x="-14" y="-13" width="28" height="24" rx="4"/>'
        value = f'<text class="leaf" y="28">{_worth(tree, utilities)}</text>'
        body = f'{box}<text class="name" y="4">{name}</text>{value}'
    else:
        seat = tree.seats[node]
        order = list(dict.fromkeys(tree.sides))
        side = order.index(tree.sides[seat]) if seat != CHANCE else 0
        shape = _CIRCLE if seat == CHANCE else _SHAPES[min(side, 2)]
        mover = "" if seat == CHANCE else escape(tree.seat_names[seat])
        body = f'<path class="node{here}" d="{shape}"/><text class="name" y="5">{name}</text>'
        body += f'<text class="mover" x="24" y="-10">{mover}</text>'
        if tree.has_estimates:
            body += f'<text x="-26" y="-10">({tree.estimates[node]:g})</text>'
    return f'<g transform="translate({x:g},{y})">{body}</g>'
