"""`league db upgrade`."""

import click

from league.cli.console import counting
from league.cli.options import db_option


@click.command("upgrade")
@db_option
def command(db: str) -> None:
    """Bring an older botleague's database up to date.

    A backup is left beside it.

    The upgrade rewrites match records last, so that SQL can read their moves. If it is interrupted,
    run it again.

    \b
    Example:
      league db upgrade --db league.db
    """
    from league.store.migration import upgrade_database
    from league.store.store import open_store

    done = upgrade_database(db)
    if done.before == done.after:
        click.echo(f"{db} is up to date (revision {done.after})")
    else:
        click.echo(f"{db}: revision {done.before} -> {done.after}")
    if done.backup:
        click.echo(f"the database as it was: {done.backup}")
    with open_store(db) as store, counting("rewriting records") as on_record:
        rewritten = store.rewrite_records(on_record)
    if rewritten.records:
        click.echo(f"{rewritten.records} match records rewritten")
    if rewritten.left:
        click.echo(
            f"{rewritten.left} match records left as they are: damaged, or of games that can't be "
            "played here"
        )
