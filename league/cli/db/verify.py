"""`league db verify`."""

import sys

import click

from league.cli.console import print_answer
from league.cli.options import db_option, json_option


@click.command("verify")
@click.option("--tournament", type=int, help="One tournament only.")
@db_option
@json_option
def command(tournament: int | None, db: str, as_json: bool) -> int:
    """Replay every stored match by the rules; say what does not hold.

    Exits with 1 when something does not.

    \b
    Example:
      league db verify --tournament 1
    """
    from rich.console import Console
    from rich.progress import Progress

    from league.api.league import League

    console = Console(stderr=True)
    with (
        League(db, read_only=True) as league,
        Progress(console=console, disable=not sys.stderr.isatty(), transient=True) as bar,
    ):
        task = bar.add_task("replaying")
        found = league.verify(
            tournament,
            on_match=lambda done, total: bar.update(task, completed=done, total=total),
        )
    print_answer(found, as_json)
    return 1 if found.value else 0
