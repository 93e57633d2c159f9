"""`league ratings`."""

import csv
import sys

import click

from league.cli.console import print_answer
from league.cli.options import db_option, json_option


@click.group("ratings")
def command() -> None:
    """Recompute stored ratings, or list a bot's rating history.

    \b
    Examples:
      league ratings recompute
      league ratings history mine --system elo
    """


@command.command("recompute")
@click.option("--game", help="One game only.")
@click.option("--system", "chosen", multiple=True, help="Or others than fitted and elo.")
@db_option
@json_option
def recompute(game: str | None, chosen: tuple[str, ...], db: str, as_json: bool) -> None:
    """Delete all stored ratings and compute them again from the matches.

    \b
    Example:
      league ratings recompute --game connectfour
    """
    from league.api.league import League

    with League(db) as league:
        print_answer(league.recompute(game, chosen), as_json)


@command.command("history")
@click.argument("bot")
@click.option("--game", help="One game only.")
@click.option("--system", default="fitted", show_default=True, help="Or elo, glicko2, nash, …")
@db_option
@json_option
@click.option("--csv", "is_csv", is_flag=True, help="Print CSV.")
def history(bot: str, game: str | None, system: str, db: str, as_json: bool, is_csv: bool) -> None:
    """List the stored ratings of BOT over time.

    Fitted ratings are kept at the end of each tournament, live ones after 1, 2, … 99, 100, 110, …
    matches of all bots.

    \b
    Example:
      league ratings history mine --game connectfour --csv
    """
    from league.api.league import League

    with League(db, read_only=True) as league:
        found = league.ratings(bot, game, system=system)
    if is_csv:
        writer = csv.writer(sys.stdout)
        head = ("game", "bot", "version", "tournament", "as_of_match", "at", "matches")
        writer.writerow((*head, "rating", "error"))
        for row in found.to_dict():
            writer.writerow(row.values())
    else:
        print_answer(found, as_json)
