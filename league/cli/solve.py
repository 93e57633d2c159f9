"""`league solve`."""

import sys
from collections.abc import Sequence
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING

import click

from games.support.specs import find_game
from league.cli.console import clean, cut, print_json
from league.cli.option_types import DURATION
from league.cli.options import json_option
from league.model.errors import SetupError

if TYPE_CHECKING:
    from league.analysis.solve import Solved

SHOWN_MAX = 40
TEXT_MAX = 40
WIDTH = 80
INDENT = "\n  "


@click.command("solve")
@click.argument("game")
@click.option("--moves", multiple=True, metavar="TEXT", help="A position, by the moves to it.")
@click.option("--file", "path", metavar="FILE", help="A position a line, with its score if known.")
@click.option("--line", "has_line", is_flag=True, help="Show a perfect line to the end, too.")
@click.option("--time", "limit", type=DURATION, help="Time for each position [no limit].")
@click.option("--pure", is_flag=True, help="In Python alone, also where a compiled solver is.")
@json_option
def command(
    game: str,
    moves: tuple[str, ...],
    path: str | None,
    has_line: bool,
    limit: float | None,
    pure: bool,
    as_json: bool,
) -> None:
    """Find what positions of GAME are worth with best play on both sides, exactly.

    The score is that of the seat to move. In Connect Four it is 0 for a draw, and for a win one
    more than the stones that the winner has left; in othello?score=discs it is discs. All moves
    that keep it follow: those that win as soon and lose as late as can be, where that is counted.

    A line of a file is a position and the score that is expected, as in '443 -2' or
    '... X; G8:+18; H1:+12'; a score that differs makes the command exit with 1. Of more than 40
    positions only those are shown that differ, without moves, unless there is --line.

    \b
    Examples:
      league solve connectfour --moves 44455554221
      league solve "connectfour?columns=5&rows=4" --line
      league solve "othello?score=discs" --file endgames.obf
    """
    from league.analysis.solve import SolveTask, solve, tasks_of

    rules = find_game(game)
    tasks = [SolveTask(text, rules.position(text)) for text in moves]
    if path is not None:
        try:
            lines = Path(path).read_text(encoding="utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise SetupError(f"can't read positions from {path!r}: {error}") from None
        tasks += tasks_of(rules, lines)
    if not tasks:
        tasks = [SolveTask("the first position", rules.initial())]
    is_each_shown = has_line or len(tasks) <= SHOWN_MAX
    found = []
    for solved in solve(
        rules,
        tasks,
        is_fast=not pure,
        limit_s=limit,
        has_moves=as_json or is_each_shown,
        has_line=has_line,
    ):
        found.append(solved)
        if not as_json and (is_each_shown or not solved.is_expected):
            _show(solved)
    wrong = [solved for solved in found if not solved.is_expected]
    if as_json:
        from league.interchange.documents.searches import SolvedPosition

        print_json([SolvedPosition.of(solved) for solved in found])
    elif len(found) > 1:
        known = sum(solved.task.expected is not None for solved in found)
        checked = f", {known - len(wrong)} of {known} as expected" if known else ""
        nodes, took = sum(each.nodes for each in found), sum(each.seconds for each in found)
        click.echo(f"{len(found)} positions solved{checked}; {nodes:,} nodes in {took:.3f} s")
    if wrong:
        sys.exit(1)


def _show(solved: "Solved") -> None:
    """Print a position, what it is worth, its best moves and its line, folded at 80 columns."""
    words = {True: "won", False: "lost"}
    told = words[solved.utility > 0] if solved.utility else "a draw"
    if solved.plies:
        told += f" in {solved.plies} plies"
    expected = "" if solved.is_expected else f", but {solved.task.expected:+g} was expected"
    how = "compiled" if solved.is_compiled else "pure Python"
    score, cost = f": {solved.score:+g} ({told}{expected};", f"{solved.nodes:,} nodes, {how})"
    text = cut(clean(solved.task.text), min(TEXT_MAX, WIDTH - len(score)))
    is_short = len(text) + len(score) + len(cost) < WIDTH
    click.echo(f"{text}{score}{' ' if is_short else INDENT}{cost}")
    if solved.moves:
        _show_moves("best: ", [f"{move}," for move in solved.moves[:-1]] + [solved.moves[-1]])
    if solved.line:
        _show_moves("line: ", solved.line)


def _show_moves(name: str, words: Sequence[str]) -> None:
    text = clean(" ".join(words))
    click.echo(fill(text, WIDTH, initial_indent=f"  {name}", subsequent_indent=" " * 8))
