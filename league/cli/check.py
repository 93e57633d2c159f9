"""`league check`."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from league.cli.options import json_option, pairs

if TYPE_CHECKING:
    from league.registry import Checked


@click.command("check")
@click.argument("spec")
@click.option("--game", "games", multiple=True, help="A game to try it in (repeat).")
@click.option("--option", "options", multiple=True, metavar="K=V", help="An option of the bot.")
@json_option
def command(spec: str, games: tuple[str, ...], options: tuple[str, ...], as_json: bool) -> None:
    """Try a bot out without registering it.

    Starts it in a process of its own and lets it play a few matches against itself.

    \b
    Examples:
      league check mine.py
      league check iterative:depth=4 --game tictactoe --game connectfour
    """
    from games import catalogue
    from league.cli.console import print_json
    from league.registry import check
    from league.snapshot import take_snapshot

    version = take_snapshot("check", spec, pairs(options))
    found = check(version, [catalogue.find(game) for game in games or ("connectfour",)])
    if as_json:
        print_json([asdict(each) for each in found])
        return
    show_checked(found)
    click.echo(f"{spec} is fit to play")


def show_checked(found: "Sequence[Checked]") -> None:
    """Say what a check found, a line for each game."""
    from league.cli.console import note

    for each in found:
        note(
            f"checked in {each.game}: {each.matches} matches against itself, "
            f"{each.moves} legal moves, {each.mean_s * 1e3:.0f} ms a move, "
            f"slowest {each.slowest_s * 1e3:.0f} ms"
        )
