"""`league calibration`."""

import math
from typing import TYPE_CHECKING

import click

from league.cli.console import print_json, print_table
from league.cli.options import db_option, json_option
from league.cli.pictures import write
from league.cli.pool_options import games_of, pool_options
from league.model.errors import SetupError
from league.render.text.printable import clean
from league.render.text.score_parts import where

if TYPE_CHECKING:
    from league.analysis.calibration_report import PoolCalibration
    from league.ratings.goodness_of_fit import Bin

PLOT = 31
"""How many characters wide the plot of the scores from 0% to 100% is: one is 3⅓%."""


@click.command("calibration")
@pool_options
@click.option("--svg", "picture", metavar="FILE", help="Plot it; one game only.")
@db_option
@json_option
def command(
    game: str | None, tournament: int | None, picture: str | None, db: str, as_json: bool
) -> None:
    """Show whether one number describes each bot: expected against actual scores.

    Ratings are fitted to all matches, which go into bins by the difference of their bots, the first
    seat's advantage included. Two chi-square tests, each at 97.5%, say whether the bins, and the
    pairs, score what they should, where each side is expected 5 points or more. The same matches
    made the ratings, so that a misfit shows a little less than it is.

    \b
    Examples:
      league calibration --game connectfour
      league calibration --tournament 3 --svg calibration.svg
    """
    from league.analysis.calibration_report import calibration
    from league.render.calibration_plot import draw_calibration
    from league.store.store import open_store

    with open_store(db, read_only=True) as store:
        games = games_of(store, game, tournament)
        if picture is not None and len(games) > 1:
            raise SetupError(f"one picture is of one game: choose --game {' | '.join(games)}")
        pools = [calibration(store, each, tournament) for each in games]
    if picture is not None:
        write(draw_calibration(pools[0].found, where(games[0], tournament)), picture)
        if picture == "-":
            return
    if as_json:
        from league.interchange.documents.statistics import Calibration

        print_json([Calibration.of(each) for each in pools])
        return
    for each in pools:
        _show(each, where(each.game, tournament))


def _show(pool: "PoolCalibration", place: str) -> None:
    if not pool.found.bins:
        click.echo(clean(f"{place}: no matches of two bots yet"))
        return
    print_table(
        ("Elo apart", "matches", "expected", "actual", f"0%{'scores':^{PLOT - 6}}100%"),
        [
            (
                apart(each),
                f"{each.matches:,.0f}",
                f"{each.expected:.1%}",
                f"{each.actual:.1%}",
                bar(each),
            )
            for each in pool.found.bins
        ],
        right=("Elo apart", "matches", "expected", "actual"),
        title=place,
    )
    click.echo("● scored, with its 95% interval; │ expected; ◉ both\n")
    for sentence in pool.sentences():
        click.echo(sentence)
    misfits = pool.misfits()
    if misfits:
        print_table(
            ("farthest from expected", "matches", "expected", "actual", "sigmas"),
            [
                (
                    f"{pool.bots[each.one]} – {pool.bots[each.other]}",
                    f"{each.matches:,.0f}",
                    f"{each.expected:.1%}",
                    f"{each.actual:.1%}",
                    f"{each.sigmas:+.1f}",
                )
                for each in misfits
            ],
            right=("matches", "expected", "actual", "sigmas"),
        )


def apart(each: "Bin") -> str:
    """Write which differences a bin holds."""
    return f"{each.low:g}+" if math.isinf(each.high) else f"{each.low:g}–{each.high:g}"


def bar(each: "Bin") -> str:
    """Draw a bin's interval with what was scored and what was expected."""
    drawn = [" "] * PLOT
    low, high, actual, expected = (
        round(score * (PLOT - 1))
        for score in (each.actual_low, each.actual_high, each.actual, each.expected)
    )
    drawn[low : high + 1] = "─" * (high + 1 - low)
    drawn[expected] = "│"
    drawn[actual] = "◉" if actual == expected else "●"
    return "".join(drawn).rstrip()
