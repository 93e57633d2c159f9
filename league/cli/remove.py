"""`league remove`."""

import click

from league.cli.options import db_option


@click.command("remove")
@click.argument("name")
@click.option("--purge", is_flag=True, help="Delete a bot with results too; the results stay.")
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
@db_option
def command(name: str, purge: bool, yes: bool, db: str) -> None:
    """Delete a bot that has no matches, or everything but its results.

    A bot's results are also its opponents' results. --purge therefore keeps them under a name such
    as removed-7, and deletes the bot's name, sources, files and options. To take a bot out of
    future tournaments without deleting anything, use 'league retire'.

    \b
    Examples:
      league remove mistake
      league remove mine --purge
    """
    from league.api.league import League
    from league.cli.console import confirm, print_answer

    if purge and not yes:
        confirm(f"Delete name and sources of {name!r} for good?")
    with League(db, create=False) as league:
        print_answer(league.remove(name, purge=purge), as_json=False)
