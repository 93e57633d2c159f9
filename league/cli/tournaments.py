"""`league tournaments`."""

import sys
from typing import TYPE_CHECKING

import click

from games.support.printable import printable
from league.cli.console import print_answer, print_json
from league.cli.option_types import TOURNAMENT
from league.cli.options import db_option, json_option

if TYPE_CHECKING:
    from league.store.rows import TournamentRow
    from league.store.store import Store


@click.command("tournaments")
@click.argument("tournament", type=TOURNAMENT, required=False)
@click.option("--rules", is_flag=True, help="Print the file of its own game.")
@db_option
@json_option
def command(tournament: int | None, rules: bool, db: str, as_json: bool) -> None:
    """List the tournaments, or show one with its settings.

    With --rules, it prints the file of your own game as it was when the tournament began, so that
    you can restore it.

    \b
    Examples:
      league tournaments
      league tournaments 3
      league tournaments 3 --rules > mygame.py
    """
    if tournament is None:
        if rules:
            raise click.UsageError("--rules is of a tournament: 'league tournaments N --rules'")
        # One small query, for which SQLAlchemy would take longer to import than all else.
        from league.api.lists import tournaments_of_file

        if (listed := tournaments_of_file(db)) is not None:
            print_answer(listed, as_json)
            return
    import tomli_w

    from league.api.league import League

    with League(db, read_only=True) as league:
        if rules:
            _print_rules(league.store, league.tournament(tournament).row)
            return
        if tournament is None:
            print_answer(league.tournaments()[::-1], as_json)
            return
        found = league.tournament(tournament)
        row, document = found.row, found.to_dict()
    if as_json:
        print_json(document)
        return
    why = f" ({row.stop_reason})" if row.stop_reason else ""
    click.echo(printable(f"tournament {row.id}: {row.status}{why}, {row.progress} matches"))
    if document["says"]:
        click.echo(printable(document["says"]))
    click.echo("\n" + printable(tomli_w.dumps(document["settings"]), keep_lines=True), nl=False)


def _print_rules(store: "Store", row: "TournamentRow") -> None:
    from league.model.errors import SetupError

    text = store.rules.get(row.config.game_digest)
    if not text:
        raise SetupError(f"tournament {row.id} is of {row.config.game!r}: no file of it is kept")
    # On a terminal nothing of it is obeyed; in a file it is as it was.
    click.echo(
        printable(text.expandtabs(), keep_lines=True) if sys.stdout.isatty() else text, nl=False
    )
