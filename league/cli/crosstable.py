"""`league crosstable`."""

import click

from league.cli.console import print_answer
from league.cli.options import db_option, json_option


@click.command("crosstable")
@click.option("--game", help="The game [the only one played].")
@click.option("--tournament", type=int, help="One tournament only.")
@db_option
@json_option
@click.option("--markdown", "is_markdown", is_flag=True, help="Print Markdown.")
@click.option("--html", "is_html", is_flag=True, help="Print a page of HTML.")
def command(
    game: str | None,
    tournament: int | None,
    db: str,
    as_json: bool,
    is_markdown: bool,
    is_html: bool,
) -> None:
    """Show every bot's points against every other.

    Prints a table for each game. --json and --html print one game: name it with --game or
    --tournament if the league has several.

    \b
    Examples:
      league crosstable --tournament 1
      league crosstable --game connectfour --html > table.html
    """
    if as_json + is_markdown + is_html > 1:
        raise click.UsageError("choose one of --json, --markdown and --html")
    from league.api.league import League

    with League(db, read_only=True) as league:
        if tournament is not None:
            league.game_of(tournament, game)
            tables = [league.tournament(tournament).crosstable()]
        elif game is None and not (as_json or is_html):
            tables = [league.crosstable(each) for each in league.games()] or [league.crosstable()]
        else:
            tables = [league.crosstable(game)]
    for number, found in enumerate(tables):
        click.echo("\n" if number else "", nl=False)
        if is_markdown or is_html:
            click.echo(found.to_markdown() if is_markdown else found.to_html(), nl=False)
        else:
            print_answer(found, as_json)
