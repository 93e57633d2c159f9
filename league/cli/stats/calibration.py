"""`league stats calibration`."""

import click

from league.cli.console import print_some
from league.cli.options import db_option, json_option, pool_options
from league.cli.pictures import write
from league.model.errors import SetupError
from league.render.text.score_parts import where


@click.command("calibration")
@pool_options
@click.option("--svg", "picture", metavar="FILE", help="Plot it; one game only.")
@db_option
@json_option
def command(
    game: str | None, tournament: int | None, picture: str | None, db: str, as_json: bool
) -> None:
    """Show whether one number describes each bot.

    Ratings are fitted to all matches. The matches are then sorted into bins by the rating
    difference of their bots, the first seat's advantage included. Two chi-square tests, each at
    97.5%, compare expected and actual scores: one of the bins, one of the pairs. They use cells in
    which each side is expected to score 5 points or more. The tests are slightly lenient, because
    the same matches made the ratings.

    \b
    Examples:
      league stats calibration --game connectfour
      league stats calibration --tournament 3 --svg calibration.svg
    """
    from league.api.league import League
    from league.render.calibration_plot import draw_calibration

    with League(db, read_only=True) as league:
        found = league.calibration(game, tournament=tournament)
    if picture is not None and found.value:
        games = [each.game for each in found.value]
        if len(games) > 1:
            raise SetupError(f"one picture is of one game: choose --game {' | '.join(games)}")
        write(draw_calibration(found.value[0].found, where(games[0], tournament)), picture)
        if picture == "-":
            return
    print_some(found, as_json)
