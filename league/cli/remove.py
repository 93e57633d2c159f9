"""`league remove`."""

import sys

import click

from league.cli.options import db_option


@click.command("remove")
@click.argument("name")
@click.option("--purge", is_flag=True, help="Also a bot with results; those stay, without it.")
@click.option("--yes", is_flag=True, help="Do not ask before --purge.")
@db_option
def command(name: str, purge: bool, yes: bool, db: str) -> None:
    """Delete a bot without matches, or all but the results of one.

    Results are those of its opponents too. --purge therefore keeps them, under a name such as
    removed-7, and deletes the bot's own name, sources, files and options. 'league retire' takes a
    bot out of future tournaments and deletes nothing.

    \b
    Examples:
      league remove mistake
      league remove mine --purge
    """
    from league.api.league import League
    from league.cli.console import print_answer
    from league.render.text.printable import clean

    if purge and not yes:
        question = clean(f"Delete name and sources of {name!r} for good?")
        try:
            click.confirm(question, abort=True, err=True)
        except click.Abort:
            if sys.stdin.isatty():
                raise
            raise click.UsageError("nobody answered: give --yes") from None
    with League(db, create=False) as league:
        print_answer(league.remove(name, purge=purge), as_json=False)
