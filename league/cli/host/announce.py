"""`league host announce`."""

import click

from league.cli.options import db_option


@click.command("announce")
@click.argument("text")
@db_option
def command(text: str, db: str) -> None:
    """Post a notice on the home page and in the feed.

    \b
    Example:
      league host announce "The deadline moves to Sunday."
    """
    from league.api.host import Host
    from league.cli.console import note
    from league.store.store import open_store

    with open_store(db) as store:
        Host(store).announce(text)
    note("announced")
