"""`league rate-pgn`."""

from typing import TYPE_CHECKING, Any

import click

from league.cli.console import note, print_answer, reading_progress
from league.cli.option_types import ANCHOR
from league.cli.options import json_option

if TYPE_CHECKING:
    from league.interchange.rate_pgn import Rating

TOLD = 5
"""So many of the faults of files are shown."""


@click.command("rate-pgn")
@click.argument("files", metavar="FILE.pgn...", nargs=-1, required=True)
@click.option("--anchor", type=ANCHOR, help="Fix this player's rating [the mean is 0].")
@click.option(
    "--at-least",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="Leave out players with fewer matches.",
)
@click.option(
    "--prior",
    type=click.FloatRange(0, 100),
    help="Virtual draws added to each player; 0 adds none. The default is a prior whose width is "
    "estimated.",
)
@click.option("--strict", is_flag=True, help="Refuse a game whose tag and moves disagree.")
@json_option
@click.option("--csv", "is_csv", is_flag=True, help="Print CSV.")
def command(
    files: tuple[str, ...],
    as_json: bool,
    is_csv: bool,
    **how: Any,
) -> None:
    """Rate all players in PGN files; no league is needed.

    Reads the tags White, Black and Result, so files of any game work. Files can be compressed with
    gzip, bzip2 or xz; - is standard input. Bars are 95% intervals, and LOS is the likelihood that a
    player is stronger than the next. Pools of players that never met are rated separately.

    \b
    Examples:
      league rate-pgn games.pgn more.pgn.gz
      league rate-pgn games.pgn --anchor "Stockfish 16=3500" --csv
    """
    if as_json and is_csv:
        raise click.UsageError("choose --json or --csv, not both")
    from league.api.league import League

    with reading_progress() as tell:
        found = League.rate_pgn(
            *files, on_read=lambda size: tell(f"{size / 1e6:,.0f} MB read"), **how
        )
    if is_csv:
        from league.interchange.rate_text import rate_csv

        click.echo(rate_csv(found.value), nl=False)
    else:
        print_answer(found, as_json)
    _tell(found.value)


def _tell(rating: "Rating") -> None:
    """Say what was left out, and where the first of that is."""
    for fault in rating.faults[:TOLD]:
        note(fault)
    left_out = [f"{count:,} {why}" for why, count in rating.left_out.items()]
    if left_out:
        note(f"left out: {', '.join(left_out)}")
    if rating.rare:
        note(f"left out: {rating.rare:,} names with too few matches")
