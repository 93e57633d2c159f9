"""`league power`."""

import math

import click

from league.cli.console import print_json
from league.cli.options import json_option


@click.command("power")
@click.argument("elo", type=float)
@click.option(
    "--draws",
    type=click.FloatRange(0, 1, max_open=True),
    default=0.3,
    show_default=True,
    help="Share of draws.",
)
@click.option("--alpha", type=float, default=0.05, show_default=True, help="Wrongly accepted.")
@click.option("--beta", type=float, default=0.05, show_default=True, help="Wrongly rejected.")
@json_option
def command(elo: float, draws: float, alpha: float, beta: float, as_json: bool) -> None:
    """Say how many matches it takes to see a difference of ELO.

    Once with a number of matches fixed beforehand, and once with the sequential test of 0 against
    ELO, which is sooner done where the bots are not just in between. Matches from one opening with
    the seats swapped need fewer than that.

    \b
    Example:
      league power 5 --draws 0.4
    """
    from league.ratings.sprt import Model, Sprt, fixed_length

    sigma = math.sqrt(1 - draws) / 2
    try:
        test = Sprt(0.0, abs(elo), alpha=alpha, beta=beta, model=Model.LOGISTIC)
        fixed = fixed_length(elo, sigma, alpha=alpha, beta=beta)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    lengths = {
        f"true difference {true:g}": round(test.expected_length(true, sigma))
        for true in (0.0, abs(elo) / 2, abs(elo), 2 * abs(elo))
    }
    if as_json:
        from league.interchange.documents.sequential_tests import Power

        print_json(Power(elo=elo, draws=draws, fixed=fixed, sequential=lengths))
        return
    click.echo(f"to see {abs(elo):g} Elo, {draws:.0%} draws, errors {alpha:g} and {beta:g}:")
    click.echo(f"  fixed beforehand              {fixed:>12,} matches")
    click.echo(f"  sequential test of 0 against {abs(elo):g}, on average:")
    for name, length in lengths.items():
        click.echo(f"    {name:<26}  {length:>12,} matches")
