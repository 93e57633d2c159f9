"""The search of a user's own bot as text: counts, and the tree that it walks."""

from collections.abc import Iterator

from games.support.counts import counted
from games.support.game import CHANCE, texts_of
from games.support.printable import cut, printable
from league.analysis.own_search import OwnSearch
from league.model.number_format import short_value
from league.render.search.text import LINES, WIDTH, Branches
from league.render.search.words import line_of, short


def own_text_of(search: OwnSearch, title: str, fold: int | None = None) -> str:
    """Write what a search walked: its answer, counts, and the tree by moves.

    The tree is folded at `fold` plies below the root; without it, to about a screen. Values and
    windows are the bot's own business, and not seen. Lines are at most 80 characters long.
    """
    names = search.root.game.seat_names
    head = [
        printable(title),
        f"{printable(search.bot)}: {search.move} for {names[search.root.to_move]}",
        f"{counted(search.nodes, 'node')} (the root and the calls of play), "
        f"{counted(search.plies, 'ply')} deep, "
        f"{search.seconds:.3f} s",
        _reported(search),
    ]
    lines = [*filter(None, head), "", *_tree(search, fold), "", *_notes(search)]
    return "\n".join(cut(line, WIDTH) for line in lines).rstrip()


def _reported(search: OwnSearch) -> str:
    report = search.report
    if report is None:
        return ""
    pairs = (("depth", report.depth), ("nodes", report.nodes), ("score", report.score))
    words = [f"{name} {short_value(value)}" for name, value in pairs if value is not None]
    if report.pv:
        words.append(f"line {line_of(texts_of(search.root, report.pv))}")
    words += [printable(report.text)] if report.text else []
    return f"it reports {', '.join(words)}" if words else ""


def _tree(search: OwnSearch, fold: int | None) -> Iterator[str]:
    children: dict[int, list[int]] = {}
    plies = [0] * len(search.tree)
    for index, node in enumerate(search.tree[1:], 1):
        plies[index] = plies[node.parent] + 1
        children.setdefault(node.parent, []).append(index)
    # The tree comes level by level: whole levels fit, or the first nodes of the first one.
    if fold is None:
        cut = plies[LINES] if len(plies) > LINES else plies[-1] + 1
        shown = {index for index, ply in enumerate(plies) if ply < cut}
        shown |= set(range(min(LINES, len(plies)))) if cut == 1 else set()
    else:
        shown = {index for index, ply in enumerate(plies) if ply <= fold}
    branches = Branches(max(plies[index] for index in shown))

    def lines(index: int, first: str, rest: str) -> Iterator[str]:
        below = [each for each in children.get(index, ()) if each in shown]
        yield branches.fitted(first) + _told(search, index, hides=len(below) == 0)
        for each in below:
            yield from lines(each, *branches.fork(rest, each == below[-1]))

    yield from lines(0, "", "")


def _told(search: OwnSearch, index: int, *, hides: bool) -> str:
    node, names = search.tree[index], search.root.game.seat_names
    text = short(node.move) if index else "root"
    if node.utility is not None:
        return f"{text} = {short_value(node.utility)}" + _times(node.calls)
    mover = "chance" if node.mover == CHANCE else names[node.mover % len(names)]
    hidden = node.made - node.calls
    return f"{text} {mover}{_times(node.calls)}" + (f" (+{hidden:,})" if hides and hidden else "")


def _times(calls: int) -> str:
    return f" ×{calls:,}" if calls > 1 else ""


def _notes(search: OwnSearch) -> Iterator[str]:
    yield "= result for the seat to move   ×n played n times   (+n) calls folded"
    if search.nodes == 1:
        yield "The bot never calls state.play: its search, if it has one, is not seen."
    elif not search.is_whole:
        yield "Not every call has a place in the tree: the counts are those of all."
