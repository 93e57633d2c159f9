"""`league power`."""

import click

from league.cli.console import print_answer, usage_errors
from league.cli.options import json_option


@click.command("power")
@click.argument("elo", type=float)
@click.option(
    "--model",
    type=click.Choice(["normalized", "logistic"]),
    default="normalized",
    show_default=True,
    help="The unit of ELO.",
)
@click.option(
    "--draws",
    type=click.FloatRange(0, 1, max_open=True),
    default=0.3,
    show_default=True,
    help="Share of draws; matters for logistic Elo.",
)
@click.option(
    "--alpha", type=float, default=0.05, show_default=True, help="Rate of false positives."
)
@click.option(
    "--beta", type=float, default=0.05, show_default=True, help="Rate of false negatives."
)
@click.option(
    "--batch",
    type=click.IntRange(min=1),
    default=16,
    show_default=True,
    help="Encounters between two looks at the sequential test, as in 'run --format sprt'.",
)
@json_option
def command(
    elo: float, model: str, draws: float, alpha: float, beta: float, batch: int, as_json: bool
) -> None:
    """Estimate how many matches it takes to detect a difference of ELO.

    The first answer is for a number of matches fixed beforehand. The second is for a sequential
    test of 0 against ELO, which ends earlier unless the true difference lies between the two.
    Encounters (two matches from one opening with the seats swapped) need fewer matches.

    \b
    Examples:
      league power 5
      league power 5 --model logistic --draws 0.4
    """
    from league.api.league import League

    with usage_errors():
        found = League.power(elo, model=model, draws=draws, alpha=alpha, beta=beta, batch=batch)
    print_answer(found, as_json)
