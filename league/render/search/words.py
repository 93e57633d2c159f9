"""Words and signs that all views of a search share."""

from collections.abc import Sequence, Set
from math import inf

from bots.trace.records import Event, Kind, Step, Trace, TracedNode
from games.support.counts import counted
from games.support.game import CHANCE
from games.support.printable import cut, printable
from league.model.number_format import short_value

NAME = 20
"""Maximum number of shown characters of a name."""
LINE = 16
"""Maximum number of shown moves of a line."""
_SIGNS = {Kind.AT_LEAST: "≥", Kind.AT_MOST: "≤"}
_SORTED = {
    "given": "",
    "game": ", moves in the game's own order",
    "evaluation": ", moves sorted by evaluation",
}


def window(alpha: float, beta: float) -> str:
    """Write a window."""
    return f"[{short_value(alpha)}, {short_value(beta)}]"


def worth(node: TracedNode) -> str:
    """Write a node's value and its kind: `= 5`, `≥ 6`, `≤ 2`."""
    return f"{_SIGNS.get(node.kind, '=')} {short_value(node.value)}"


def short(text: str, most: int = NAME) -> str:
    """Return `text` made printable and cut to `most` characters."""
    return cut(printable(text[: most + 1]), most)


def label(node: TracedNode) -> str:
    """Name a node by the move that leads to it."""
    return short(node.text) if node.number else "root"


def line_of(texts: Sequence[str]) -> str:
    """Write a line of moves, of a very long one the end."""
    shown = " ".join(short(text) for text in texts[-LINE:])
    return f"… {shown}" if len(texts) > LINE else shown


def mover(trace: Trace, node: TracedNode) -> str:
    """Name a node's mover and its role: `Min`, `Red (max)`, `chance`."""
    if node.mover == CHANCE:
        return "chance"
    name = short(trace.root.game.seat_names[node.mover])
    role = "max" if trace.is_max(node) else "min"
    return name if name.lower() == role else f"{name} ({role})"


def way(trace: Trace, node: TracedNode) -> str:
    """Write the moves from the root to a node."""
    texts = [label(each) for each in trace.ancestors(node.number) if each.number]
    return line_of(texts[::-1]) or "root"


def setter(node: TracedNode) -> str:
    """Name the node whose value caused a cut: a sibling by its move, others by their line."""
    cut = node.cut
    if cut is None:
        return ""
    return line_of(cut.setter_line[-1:] if cut.ancestor == node.parent else cut.setter_line)


def cut_text(node: TracedNode) -> str:
    """Name the cause of a cut and the number of moves left out."""
    if node.cut is None:
        return ""
    how = "cut in cascade by" if node.cut.is_cascade else "cut by"
    left = counted(len(node.cut.left_out), "move")
    return f"{how} {setter(node)}: {left} left out"


def method(trace: Trace) -> str:
    """Describe the search method in a line."""
    setting = trace.setting
    depth = "to the end" if setting.depth is None else f"to depth {setting.depth}"
    if not trace.is_pruning:
        return f"minimax {depth}, evaluation {setting.evaluation.name}"
    reach = "reaches" if setting.cut_on == "equality" else "passes"
    return (
        f"alpha-beta {depth}, evaluation {setting.evaluation.name}"
        f"{_SORTED[setting.order]}; cuts where a value {reach} the bound"
    )


def answer(trace: Trace) -> str:
    """Write the result: the mover, the value and the best line."""
    line = " ".join(label(node) for node in trace.pv[:LINE])
    if len(trace.pv) > LINE:
        line += " …"
    name = short(trace.root.game.seat_names[trace.root.to_move])
    return f"{name} to move: value {short_value(trace.value)}, best line {line}"


def counts(trace: Trace) -> list[str]:
    """Write in lines the nodes made and saved, and the cuts."""
    if not trace.is_pruning:
        return [f"{counted(trace.nodes, 'node')} made: minimax leaves none out"]
    plain = trace.minimax
    if trace.saved is not None:
        compared = f"minimax makes {plain.number:,}; {trace.saved:.1%} saved"
    else:
        compared = f"minimax makes more than {plain.number:,}"
        if plain.number > trace.nodes:
            compared += f"; more than {1 - trace.nodes / plain.number:.1%} saved"
    cascades = f", {trace.cascades:,} of them in cascade" if trace.cascades else ""
    return [
        f"{counted(trace.nodes, 'node')} made; {compared}",
        f"{counted(trace.cuts, 'cut')}{cascades}; {counted(trace.left_out, 'move')} left out",
    ]


def stakes(trace: Trace) -> str:
    """Say which value is a match won, and which one lost; '' in a game for points."""
    if trace.root.game.utility_bounds != (-1.0, 1.0):
        return ""
    won = trace.setting.evaluation.scale
    return f"{short_value(won)} is a match won, {short_value(-won)} one lost."


def windowed(trace: Trace, shown: Set[int]) -> str:
    """Write the window of a `shown` node as an example: the first that has a bound; '' for none."""
    if not trace.is_pruning:
        return ""
    for number in sorted(shown):
        node = trace.recorded[number]
        if not node.is_leaf and (node.alpha, node.beta) != (-inf, inf):
            return window(node.alpha, node.beta)
    return ""


def sampled(trace: Trace, shown: int) -> str:
    """Say that a view shows a sample of the nodes, and which; '' if it shows all."""
    if shown >= trace.nodes:
        return ""
    return (
        f"A sample: {shown:,} of {trace.nodes:,} nodes, along the best line, "
        "at the largest cuts and near the root."
    )


def hidden_below(trace: Trace, node: TracedNode, shown: Sequence[int]) -> int:
    """Count the nodes below `node` outside the subtrees of its `shown` children."""
    return node.made - 1 - sum(trace.recorded[each].made for each in shown)


def sentence(trace: Trace, event: Event) -> str:
    """Describe an event in a sentence."""
    node = trace.recorded[event.node]
    where, value = way(trace, node), short_value(event.value)
    if event.step is Step.ENTER:
        if not trace.is_pruning:
            return f"Enter {where}: {mover(trace, node)} moves."
        return f"Enter {where} with {window(node.alpha, node.beta)}: {mover(trace, node)} moves."
    if event.step is Step.LEAF:
        what = "the match is over" if node.leaf is Kind.UTILITY else "estimated at the horizon"
        return f"{where} is worth {value}: {what}."
    if event.step is Step.BEST:
        return f"At {where} the best so far is {value}."
    if event.step is Step.ALPHA:
        return f"At {where} alpha rises to {value}: the maximiser has that much for certain."
    if event.step is Step.BETA:
        return f"At {where} beta falls to {value}: the minimiser allows no more."
    if event.step is Step.CUT:
        return _cut_sentence(trace, node, value)
    bound = "" if node.kind is Kind.EXACT else f"{node.kind} "
    return f"Leave {where}: its value is {bound}{value}."


def _cut_sentence(trace: Trace, node: TracedNode, value: str) -> str:
    cut = node.cut
    if cut is None:
        return ""
    verb = "reaches" if node.value == cut.limit else "passes"
    why = (
        f"{value} {verb} {cut.bound} = {short_value(cut.limit)}, "
        f"which {line_of(cut.setter_line)} has set"
    )
    again = "the same bound cuts on, in cascade" if cut.is_cascade else "cut off"
    left = ", ".join(map(short, cut.left_out[:8])) + (", …" if len(cut.left_out) > 8 else "")
    return f"At {way(trace, node)}, {why}: {again}. Left out: {left}."
