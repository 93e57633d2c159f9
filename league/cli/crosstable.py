"""`league crosstable`."""

import click

from league.cli.console import print_json, print_table
from league.cli.options import db_option, json_option
from league.cli.pool_options import games_of, where
from league.model.errors import SetupError


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
    """Show what every bot scored against every other: points / matches.

    \b
    Examples:
      league crosstable --tournament 1
      league crosstable --html > table.html
    """
    if as_json + is_markdown + is_html > 1:
        raise click.UsageError("choose one of --json, --markdown and --html")
    from league.analysis.standings import crosstable
    from league.interchange.crosstable import markdown, page, points
    from league.store.store import open_store

    with open_store(db, read_only=True) as store:
        chosen, *others = games = games_of(store, game, tournament)
        if others:
            raise SetupError(f"several games were played: choose --game {' | '.join(games)}")
        if as_json:
            from league.interchange.documents.tournaments import crosstable_document

            print_json(crosstable_document(store, chosen, tournament))
            return
        rows, cells = crosstable(store, chosen, tournament)
    title = where(chosen, tournament)
    if is_markdown or is_html:
        write = markdown if is_markdown else page
        click.echo(write(title, rows, cells), nl=False)
        return
    columns = [str(row.rank) for row in rows]
    table = [
        [row.rank, row.bot, *(points(cells, row, other) for other in rows), f"{row.points:g}"]
        for row in rows
    ]
    print_table(
        ("", "bot", *columns, "points"), table, right=("", *columns, "points"), title=chosen
    )
