"""`league db upgrade`."""

import click

from league.cli.options import db_option


@click.command("upgrade")
@db_option
def command(db: str) -> None:
    """Bring an older botleague's database up to date.

    A backup is left beside it.

    \b
    Example:
      league db upgrade --db league.db
    """
    from league.store.migration import upgrade_database

    done = upgrade_database(db)
    if done.before == done.after:
        click.echo(f"{db} is up to date (revision {done.after})")
    else:
        click.echo(f"{db}: revision {done.before} -> {done.after}")
    if done.backup:
        click.echo(f"the database as it was: {done.backup}")
