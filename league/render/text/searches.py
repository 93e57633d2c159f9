"""Results of searches as text: solved positions, and bots compared by their nodes."""

import math
from collections.abc import Sequence
from textwrap import fill

from games.support.printable import cut, printable
from league.analysis.compare_searches import ComparedSearch
from league.analysis.solve import Solved
from league.model.number_format import short_score, true_minus
from league.render.text.table import Block, Table

WIDTH = 80
TEXT_MAX = 40
INDENT = "\n  "

BAR = 24
"""The length of the longest bar."""

BOTS_SHOWN = 34
"""A longer name of a bot is cut, so that its line keeps within 80 columns."""


def solved_blocks(solved: Solved) -> list[Block]:
    """Return what a position is worth, its best moves and its line, folded at 80 columns."""
    words = {True: "won", False: "lost"}
    told = words[solved.utility > 0] if solved.utility else "a draw"
    if solved.plies:
        told += f" in {solved.plies} plies"
    expected = "" if solved.is_expected else f", but {solved.task.expected:+g} was expected"
    how = "compiled" if solved.is_compiled else "pure Python"
    score = true_minus(f": {solved.score:+g} ({told}{expected};")
    cost = f"{solved.nodes:,} nodes, {how})"
    text = cut(printable(solved.task.text), min(TEXT_MAX, WIDTH - len(score)))
    is_short = len(text) + len(score) + len(cost) < WIDTH
    blocks: list[Block] = [f"{text}{score}{' ' if is_short else INDENT}{cost}"]
    if solved.moves:
        commas = [f"{move}," for move in solved.moves[:-1]]
        blocks.append(_moves("best: ", [*commas, solved.moves[-1]]))
    if solved.line:
        blocks.append(_moves("line: ", solved.line))
    return blocks


def compared_blocks(
    labels: Sequence[str], found: Sequence[Sequence[ComparedSearch]]
) -> list[Block]:
    """Return a row for each bot, and a bar for its nodes; `found` is by bot and position."""
    if len(found[0]) == 1:
        table = _one(labels, [answers[0] for answers in found])
    else:
        table = _many(labels, found)
    nodes = [sum(answer.nodes or 0 for answer in answers) for answers in found]
    return [table, *_bars(labels, nodes)]


def _one(labels: Sequence[str], answers: Sequence[ComparedSearch]) -> Table:
    return Table(
        ("bot", "depth", "nodes", "seconds", "value", "move", "says"),
        [
            (
                cut(label, BOTS_SHOWN),
                "–" if answer.depth is None else answer.depth,
                "–" if answer.nodes is None else f"{answer.nodes:,}",
                f"{answer.seconds:.3f}",
                "–" if answer.value is None else short_score(answer.value),
                answer.move,
                answer.text,
            )
            for label, answer in zip(labels, answers, strict=True)
        ],
        right=("depth", "nodes", "seconds", "value"),
    )


def _many(labels: Sequence[str], found: Sequence[Sequence[ComparedSearch]]) -> Table:
    nodes = [sum(answer.nodes or 0 for answer in answers) for answers in found]
    rows = []
    for label, answers, total in zip(labels, found, nodes, strict=True):
        pairs = zip(answers, found[0], strict=True)
        same = sum(mine.value == theirs.value for mine, theirs in pairs)
        is_told = all(answer.value is not None for answer in (*answers, *found[0]))
        rows.append(
            (
                cut(label, BOTS_SHOWN),
                f"{total:,}",
                f"{total / max(1, nodes[0]):.1%}",
                f"{sum(answer.seconds for answer in answers):.3f}",
                f"{same} of {len(answers)}" if is_told else "–",
            )
        )
    head = ("bot", "nodes", "of the first's", "seconds", "same value as it")
    return Table(head, rows, right=head[1:])


def _bars(labels: Sequence[str], nodes: Sequence[int]) -> list[str]:
    """Return a bar for each bot; ten times the nodes is one step of the scale more."""
    if max(nodes) < 1:
        return []
    digits = math.log10(max(nodes)) or 1
    lines = ["nodes (log scale)"]
    for label, count in zip(labels, nodes, strict=True):
        length = round(BAR * math.log10(max(1, count)) / digits)
        lines.append(f"  {cut(label, BOTS_SHOWN):<{BOTS_SHOWN}} {'█' * length} {count:,}")
    return lines


def _moves(name: str, words: Sequence[str]) -> str:
    text = printable(" ".join(words))
    return fill(text, WIDTH, initial_indent=f"  {name}", subsequent_indent=" " * 8)
