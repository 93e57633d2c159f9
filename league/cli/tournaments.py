"""`league tournaments`."""

import click

from league.cli.console import print_answer, print_json
from league.cli.options import db_option, json_option
from league.render.text.printable import clean


@click.command("tournaments")
@click.argument("tournament", type=int, required=False)
@db_option
@json_option
def command(tournament: int | None, db: str, as_json: bool) -> None:
    """List the tournaments, or show one with its settings.

    \b
    Examples:
      league tournaments
      league tournaments 3
    """
    import tomli_w

    from league.api.league import League

    with League(db, read_only=True) as league:
        if tournament is None:
            print_answer(league.tournaments()[::-1], as_json)
            return
        found = league.tournament(tournament)
        row, document = found.row, found.to_dict()
    if as_json:
        print_json(document)
        return
    why = f" ({row.stop_reason})" if row.stop_reason else ""
    click.echo(clean(f"tournament {row.id}: {row.status}{why}, {row.progress} matches"))
    if document["says"]:
        click.echo(clean(document["says"]))
    click.echo("\n" + clean(tomli_w.dumps(document["settings"]), keep_lines=True), nl=False)
