"""`league health`."""

from typing import TYPE_CHECKING

import click

from league.cli.console import print_json, print_table
from league.cli.options import db_option, json_option
from league.cli.pool_options import games_of, pool_options
from league.model.errors import SetupError
from league.model.number_format import short_count, short_time
from league.render.text.printable import clean
from league.render.text.score_parts import where

if TYPE_CHECKING:
    from league.analysis.bot_health import Health

HEAD = ("bot", "forfeits", "time", "p99", "slack", "least", "CPU", "nodes/s")


@click.command("health")
@click.argument("bot", required=False)
@pool_options
@click.option(
    "--matches",
    type=click.IntRange(1),
    default=200,
    show_default=True,
    help="Look at so many of each bot's newest matches.",
)
@click.option(
    "--versions",
    type=click.Choice(["newest", "all"]),
    default="newest",
    show_default=True,
    help="Of each bot, the newest version that played, or all.",
)
@db_option
@json_option
def command(
    bot: str | None,
    game: str | None,
    tournament: int | None,
    matches: int,
    versions: str,
    db: str,
    as_json: bool,
) -> None:
    """Show how bots fare as programs, or BOT in detail: forfeits, time, speed, depth.

    Slack is what was left of the time for a move, on its clock or for the move alone. CPU is the
    share of the time in which the bot computed. A move late with little of it was starved.

    \b
    Examples:
      league health
      league health deep --game connectfour --matches 50
    """
    from league.analysis.bot_health import health
    from league.store.store import open_store

    with open_store(db, read_only=True) as store:
        tables = {
            each: health(
                store,
                each,
                tournament=tournament,
                bot=bot,
                is_all_versions=versions == "all",
                matches=matches,
            )
            for each in games_of(store, game, tournament)
        }
    if as_json:
        from league.interchange.documents.bots import health_document

        print_json(
            [
                health_document(each, rows, tournament=tournament, matches=matches)
                for each, rows in tables.items()
            ]
        )
        return
    if not any(tables.values()):
        who = "" if bot is None else f" of {bot!r}"
        raise SetupError(f"no matches{who} in {where(' and '.join(tables), tournament)} yet")
    for each, rows in tables.items():
        if rows:
            _show(rows, f"{where(each, tournament)}, each bot's newest {matches:,} matches at most")
        if bot is not None:
            for row in rows:
                _show_one(row)


def _show(rows: "list[Health]", title: str) -> None:
    print_table(
        HEAD,
        [
            (
                row.bot,
                f"{row.forfeits.total()} of {row.matches}",
                _time(row.wall_s),
                _time(row.wall_p99_s),
                _time(row.slack_s),
                _time(row.slack_least_s),
                "–" if row.cpu_share is None else f"{row.cpu_share:.0%}",
                "–" if row.nodes_a_second is None else short_count(round(row.nodes_a_second)),
            )
            for row in rows
        ],
        right=HEAD[1:],
        title=title,
    )


def _show_one(row: "Health") -> None:
    forfeits = ", ".join(f"{count} {kind}" for kind, count in sorted(row.forfeits.items()))
    click.echo(clean(str(row.bot)))
    click.echo(f"  forfeits    {forfeits or 'none'}")
    click.echo(f"  moves       {len(row.moves):,}, {row.silent:,} of them without a report")
    click.echo(f"  late        {row.late:,} within the grace; starved {row.starved:,}\n")
    print_table(
        ("plies", "moves", "time", "depth"),
        [
            (
                f"{each.first}–{each.last}",
                each.moves,
                _time(each.wall_s),
                "–" if each.depth is None else f"{each.depth:g}",
            )
            for each in row.depths()
        ],
        right=("plies", "moves", "time", "depth"),
    )


def _time(seconds: float | None) -> str:
    if seconds is None:
        return "–"
    return f"{'-' if seconds < 0 else ''}{short_time(round(abs(seconds) * 1e9))}"
