"""`league rename`."""

import click

from league.cli.options import db_option


@click.command("rename")
@click.argument("old")
@click.argument("new")
@db_option
def command(old: str, new: str, db: str) -> None:
    """Rename a bot; it keeps its versions, matches and ratings.

    Files that mention it, such as those of 'league run --save', keep the old name.

    \b
    Example:
      league rename mine minimax-2
    """
    from league.api.league import League
    from league.cli.console import note

    with League(db, create=False) as league:
        league.rename(old, new)
    note(f"{old} is {new} now")
