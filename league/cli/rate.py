"""`league rate`."""

import csv
import sys
from typing import TYPE_CHECKING

import click

from league.cli.console import note, print_json, print_table, reading_progress
from league.cli.option_types import ANCHOR
from league.cli.options import json_option

if TYPE_CHECKING:
    from league.interchange.pgn.results import Results
    from league.interchange.rate_pgn import Rating

HEAD = ("", "name", "elo", "±", "LOS", "score", "draws", "matches")
TOLD = 5
"""So many of the faults of files are shown."""


@click.command("rate")
@click.argument("files", metavar="FILE.pgn...", nargs=-1, required=True)
@click.option("--anchor", type=ANCHOR, help="Rate this name so; else the mean is 0.")
@click.option(
    "--at-least",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="Leave names out that have fewer matches.",
)
@click.option(
    "--prior",
    type=click.FloatRange(0, 100),
    default=0.5,
    show_default=True,
    help="Virtual draws of each name; 0 for the results alone.",
)
@json_option
@click.option("--csv", "is_csv", is_flag=True, help="Print CSV.")
def command(
    files: tuple[str, ...],
    anchor: tuple[str, float] | None,
    at_least: int,
    prior: float,
    as_json: bool,
    is_csv: bool,
) -> None:
    """Rate everybody in PGN files, from all results at once; no league is needed.

    Only the tags White, Black and Result are read, of any game. Files may be packed by gzip, bzip2
    or xz; - is standard input. The bars are 95% intervals, LOS is how likely it is that a name is
    stronger than the next. Between pools, which never met, nothing is known.

    \b
    Examples:
      league rate games.pgn more.pgn.gz
      league rate games.pgn --anchor "Stockfish 16=3500" --csv
    """
    if as_json and is_csv:
        raise click.UsageError("choose --json or --csv, not both")
    from league.interchange.pgn.results import collect
    from league.interchange.rate_pgn import rate

    with reading_progress() as tell:
        results = collect(files, lambda size: tell(f"{size / 1e6:,.0f} MB read"))
    rating = rate(results, anchor, at_least, prior)
    if as_json:
        from league.interchange.documents.ratings import PlayerRatings

        faults, left_out = results.faults, results.left_out
        print_json(PlayerRatings.of(rating, faults=faults, left_out=left_out))
    elif is_csv:
        _print_csv(rating)
    else:
        _print_tables(rating)
    _tell(results, rating)


def _print_tables(rating: "Rating") -> None:
    for pool in range(1, rating.pools + 1):
        print_table(
            HEAD,
            [
                (
                    row.rank,
                    row.name,
                    f"{row.elo:.1f}",
                    "–" if row.error is None else f"{row.error:.1f}",
                    "" if row.los is None else f"{row.los:.0%}",
                    f"{row.score:.1%}",
                    f"{row.draws / row.matches:.0%}",
                    row.matches,
                )
                for row in rating.rows
                if row.pool == pool
            ],
            right=[name for name in HEAD if name != "name"],
            title=f"pool {pool} of {rating.pools}" if rating.pools > 1 else "",
        )
    click.echo(
        f"{rating.matches:,} matches; first seat {rating.advantage:+.1f} ± "
        f"{rating.advantage_error:.1f} Elo; {rating.draw_rate:.1%} draws between equals"
    )


def _print_csv(rating: "Rating") -> None:
    from league.interchange.exports.csv import cell

    writer = csv.writer(sys.stdout)
    writer.writerow(
        ("pool", "rank", "name", "elo", "error", "los", "score", "W", "D", "L", "matches")
    )
    for row in rating.rows:
        counts = (row.wins, row.draws, row.losses, row.matches)
        error = "" if row.error is None else f"{row.error:.2f}"
        los = "" if row.los is None else f"{row.los:.4f}"
        numbers = (f"{row.elo:.2f}", error, los, f"{row.score:.4f}")
        writer.writerow((row.pool, row.rank, cell(row.name), *numbers, *counts))


def _tell(results: "Results", rating: "Rating") -> None:
    """Say what was left out, and where the first of that is."""
    for fault in results.faults[:TOLD]:
        note(fault)
    left_out = [f"{count:,} {why}" for why, count in results.left_out.most_common()]
    if left_out:
        note(f"left out: {', '.join(left_out)}")
    if rating.rare:
        note(f"left out: {rating.rare:,} names with too few matches")
