"""`league solve`."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from league.cli.options import Duration, json_option

if TYPE_CHECKING:
    from league.solving import Solved

SHOWN_MAX = 40


@click.command("solve")
@click.argument("game")
@click.option("--moves", multiple=True, metavar="TEXT", help="A position, by the moves to it.")
@click.option("--file", "path", metavar="FILE", help="A position a line, with its score if known.")
@click.option("--time", "limit", type=Duration(), help="Time for each position [no limit].")
@click.option("--pure", is_flag=True, help="In Python alone, also where a compiled solver is.")
@json_option
def command(
    game: str,
    moves: tuple[str, ...],
    path: str | None,
    limit: float | None,
    pure: bool,
    as_json: bool,
) -> None:
    """Find what positions of GAME are worth with best play on both sides, exactly.

    The score is that of the seat to move. In Connect Four it is 0 for a draw, and for a win one
    more than the stones that the winner has left; in othello?score=discs it is discs. A line of a
    file is a position and the score that is expected, as in '443 -2' or '... X; G8:+18; H1:+12';
    a score that differs makes the command exit with 1.

    \b
    Examples:
      league solve connectfour --moves 44455554221
      league solve "connectfour?columns=5&rows=4"
      league solve "othello?score=discs" --file endgames.obf
    """
    import time

    from games import catalogue
    from league.cli.console import print_json
    from league.errors import SetupError
    from league.solving import Task, solve, tasks_of

    rules = catalogue.find(game)
    tasks = [Task(text, rules.position(text)) for text in moves]
    if path is not None:
        try:
            lines = Path(path).read_text(encoding="utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise SetupError(f"can't read positions from {path!r}: {error}") from None
        tasks += tasks_of(rules, lines)
    if not tasks:
        tasks = [Task("the first position", rules.initial())]
    found, begin = [], time.perf_counter()
    for solved in solve(rules, tasks, not pure, limit):
        found.append(solved)
        if as_json:
            continue
        if not solved.is_expected or len(tasks) <= SHOWN_MAX:
            _show(solved)
    took = time.perf_counter() - begin
    wrong = [solved for solved in found if not solved.is_expected]
    if as_json:
        print_json([solved.as_json() for solved in found])
    elif len(found) > 1:
        known = sum(solved.task.expected is not None for solved in found)
        checked = f", {known - len(wrong)} of {known} as expected" if known else ""
        nodes = sum(solved.nodes for solved in found)
        click.echo(f"{len(found)} positions solved{checked}; {nodes:,} nodes in {took:.3f} s")
    if wrong:
        sys.exit(1)


def _show(solved: "Solved") -> None:
    from league.cli.console import clean

    words = {True: "won", False: "lost"}
    told = words[solved.utility > 0] if solved.utility else "a draw"
    if solved.plies:
        told += f" in {solved.plies} plies"
    expected = "" if solved.is_expected else f", but {solved.task.expected:+g} was expected"
    how = "compiled" if solved.is_compiled else "pure Python"
    text = solved.task.text
    text = text if len(text) <= SHOWN_MAX else f"{text[: SHOWN_MAX - 1]}…"
    click.echo(
        clean(f"{text}: {solved.score:+g} ({told}{expected}; {solved.nodes:,} nodes, {how})")
    )
