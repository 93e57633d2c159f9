"""`league stats`."""

import click

from league.cli.console import print_json, show
from league.cli.options import db_option, json_option
from league.cli.pool_options import games_of, pool_options


@click.command("stats")
@pool_options
@db_option
@json_option
def command(game: str | None, tournament: int | None, db: str, as_json: bool) -> None:
    """Show how matches went: draws, the first seat, lengths, endings, openings, cycles.

    In a cycle each bot beats the next and the last beats the first, each in so many encounters more
    than it loses that two equal bots would hardly ever differ so: a sign test at 95%.

    \b
    Example:
      league stats --game connectfour
    """
    from league.analysis.pool_statistics import pool
    from league.render.text.pool_statistics import pool_blocks
    from league.store.store import open_store

    with open_store(db, read_only=True) as store:
        pools = [pool(store, each, tournament) for each in games_of(store, game, tournament)]
    if as_json:
        from league.interchange.documents.statistics import Stats

        print_json([Stats.of(each) for each in pools])
        return
    for each in pools:
        show(pool_blocks(each, tournament))
