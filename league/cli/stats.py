"""`league stats`."""

from typing import TYPE_CHECKING

import click

from league.analysis.sentences import elo_told, interval_of
from league.cli.console import clean, print_json, print_table
from league.cli.options import db_option, json_option
from league.cli.pool_options import games_of, pool_options, print_openings, where

if TYPE_CHECKING:
    from league.analysis.pool_statistics import PoolStatistics


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
    from league.store.store import open_store

    with open_store(db, read_only=True) as store:
        pools = [pool(store, each, tournament) for each in games_of(store, game, tournament)]
    if as_json:
        from league.interchange.documents.statistics import Stats

        print_json([Stats.of(each) for each in pools])
        return
    for each in pools:
        if each.matches:
            _show(each, where(each.game, tournament))
        else:
            click.echo(f"{where(each.game, tournament)}: no matches yet")


def _show(found: "PoolStatistics", place: str) -> None:
    from league.analysis.encounters import most_frequent

    click.echo(clean(place))
    click.echo(f"  bots        {len(found.bots)}")
    click.echo(f"  matches     {found.matches:,}, encounters {found.encounters:,}")
    click.echo(f"  draws       {found.draw_rate:.1%}")
    if found.first.matches:
        click.echo(
            f"  first seat  {found.first.score:.1%}, 95% interval {interval_of(found.first)}, "
            f"Elo {elo_told(found.first)}"
        )
    else:
        seats = ", ".join(f"{number} {score:.1%}" for number, score in enumerate(found.seats, 1))
        click.echo(f"  seats       {seats}")
    click.echo(
        f"  plies       median {found.median_plies:g}, longest {found.plies_longest} "
        f"(match {found.longest})\n"
    )
    print_table(
        ("end", "matches", "share"),
        [
            (end, f"{count:,}", f"{count / found.matches:.1%}")
            for end, count in most_frequent(found.ends)
        ],
        right=("matches", "share"),
    )
    if found.openings:
        print_openings("opening (first seat)", found.openings)
    for cycle in found.cycles:
        click.echo(clean(cycle.sentence()))
    if not found.cycles:
        click.echo("no cycles: no ring of bots of which each beats the next, each at 95%")
