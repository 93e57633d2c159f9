"""`league solve`."""

import sys
from typing import TYPE_CHECKING, Any

import click

from games.support.specs import find_game
from league.cli.console import print_answer, show
from league.cli.heartbeat import heartbeat
from league.cli.option_types import DURATION
from league.cli.options import json_option, read_lines

if TYPE_CHECKING:
    from league.analysis.solve import Solved

SHOWN_MAX = 40
"""Of more positions, only those are shown that differ from what was expected."""


@click.command("solve")
@click.argument("game")
@click.option("--moves", multiple=True, metavar="TEXT", help="A position, by the moves to it.")
@click.option(
    "--file",
    "path",
    metavar="FILE",
    help="A file of positions, one per line, with scores if known.",
)
@click.option("--line", "has_line", is_flag=True, help="Also show a perfect line to the end.")
@click.option(
    "--time",
    "limit_s",
    type=DURATION,
    default="1m",
    show_default=True,
    help="Time for each position.",
)
@click.option(
    "--pure", is_flag=True, help="Solve in pure Python, even if a compiled solver exists."
)
@json_option
def command(
    game: str,
    moves: tuple[str, ...],
    path: str | None,
    pure: bool,
    as_json: bool,
    **how: Any,
) -> None:
    """Find the exact value of positions under best play.

    The score is from the point of view of the seat to move. In Connect Four a draw is 0, and a win
    is one more than the number of stones that the winner has left. In othello?score=discs the score
    counts discs. The output also lists all best moves.

    Each line of a file is a position and its expected score, as in '443 -2' or '... X; G8:+18;
    H1:+12'. The command exits with 1 if a score differs. With more than 40 positions it shows only
    those that differ, without moves, unless you give --line.

    If a position takes longer than --time, the command prints what it has proven so far and stops.

    \b
    Examples:
      league solve connectfour --moves 44455554221
      league solve "connectfour?columns=5&rows=4" --line
      league solve "othello?score=discs" --file endgames.obf
    """
    from league.analysis.solve import SolveTask, known_of, tasks_of
    from league.api.tools import solve_tasks
    from league.render.text.searches import solved_blocks

    rules = find_game(game)
    tasks = [SolveTask(text, rules.position(text)) for text in moves]
    if path is not None:
        tasks += tasks_of(rules, read_lines(path))
    if not tasks:
        tasks = [SolveTask("the first position", rules.initial())]
    is_each_shown = how["has_line"] or len(tasks) <= SHOWN_MAX

    done = 0

    def show_solved(solved: "Solved") -> None:
        nonlocal done
        done += 1
        if not as_json and (is_each_shown or not solved.is_expected):
            show(solved_blocks(solved))

    def tell() -> str:
        task = tasks[min(done, len(tasks) - 1)]
        return f"position {done + 1} of {len(tasks)}, {task.text}: {known_of(task) or 'searching'}"

    with heartbeat(tell):
        answer = solve_tasks(
            game, tasks, show_solved, is_fast=not pure, has_moves=as_json or is_each_shown, **how
        )
    found = answer.value
    wrong = [solved for solved in found if not solved.is_expected]
    if as_json:
        print_answer(answer, as_json)
    elif len(found) > 1:
        known = sum(solved.task.expected is not None for solved in found)
        checked = f", {known - len(wrong)} of {known} as expected" if known else ""
        nodes, took = sum(each.nodes for each in found), sum(each.seconds for each in found)
        click.echo(f"{len(found)} positions solved{checked}; {nodes:,} nodes in {took:.3f} s")
    if wrong:
        sys.exit(1)
