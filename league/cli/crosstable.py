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

    \b
    Examples:
      league crosstable --tournament 1
      league crosstable --html > table.html
    """
    if as_json + is_markdown + is_html > 1:
        raise click.UsageError("choose one of --json, --markdown and --html")
    from league.api.league import League

    with League(db, read_only=True) as league:
        if tournament is None:
            found = league.crosstable(game)
        else:
            found = league.tournament(tournament).crosstable()
    if is_markdown or is_html:
        click.echo(found.to_markdown() if is_markdown else found.to_html(), nl=False)
    else:
        print_answer(found, as_json)
