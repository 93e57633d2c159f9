"""`league upgrade`."""

import click

from league.cli.options import db_option


@click.command("upgrade")
@db_option
def command(db: str) -> None:
    """Bring a database of an older botleague up to date, with a backup beside it.

    \b
    Example:
      league upgrade --db league.db
    """
    from league.store.migration import upgrade_database

    done = upgrade_database(db)
    if done.before == done.after:
        click.echo(f"{db} is up to date (revision {done.after})")
        return
    click.echo(f"{db}: revision {done.before} -> {done.after}")
    if done.backup:
        click.echo(f"the database as it was: {done.backup}")
