"""`league sprt`."""

from typing import TYPE_CHECKING

import click

from league.cli.console import print_json
from league.cli.options import json_option

if TYPE_CHECKING:
    from league.ratings.elo_difference import Counts

MODELS = ("logistic", "normalized", "bayesian")


@click.command("sprt")
@click.option(
    "--counts", "text", required=True, metavar="N,N,...", help="W,L,D or LL,LD,WL,DD,WD,WW."
)
@click.option("--elo0", type=float, default=0.0, show_default=True, help="No better than this.")
@click.option("--elo1", type=float, default=2.0, show_default=True, help="As good as this.")
@click.option("--model", type=click.Choice(MODELS), default="normalized", show_default=True)
@click.option("--alpha", type=float, default=0.05, show_default=True, help="Wrongly accepted.")
@click.option("--beta", type=float, default=0.05, show_default=True, help="Wrongly rejected.")
@json_option
def command(
    text: str,
    elo0: float,
    elo1: float,
    model: str,
    alpha: float,
    beta: float,
    as_json: bool,
) -> None:
    """Say what counted results prove: a sequential probability ratio test.

    The counts are the first bot's wins, losses and draws; better, because the seats and the opening
    even out, its encounters of two matches from one opening: both lost, lost and drawn, won and
    lost, both drawn, won and drawn, both won.

    \b
    Examples:
      league sprt --counts 36433,36027,68692
      league sprt --counts 223,9863,20279,1000,10037,246 --elo0 0.5 --elo1 2.5
    """
    from league.ratings.elo_difference import difference
    from league.ratings.sprt import Model, Sprt

    counts = read_counts(text)
    try:
        test = Sprt(elo0, elo1, alpha=alpha, beta=beta, model=Model(model))
        llr, found = test.llr(counts), difference(counts)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    lower, upper = test.bounds
    state = test.state(counts)
    matches = counts.total * counts.matches_each
    if as_json:
        from league.interchange.documents.sequential_tests import SprtResult

        given = {"model": model, "elo0": elo0, "elo1": elo1, "matches": matches}
        bounds = {"lower": lower, "upper": upper, "state": str(state)}
        print_json(SprtResult.of(found, llr=llr, **bounds, **given))
        return
    click.echo(f"LLR    {llr:+.2f}  of {lower:.2f} to {upper:.2f}, {model} [{elo0:g}, {elo1:g}]")
    click.echo(f"state  {_STATES[state].format(elo0=f'{elo0:g}', elo1=f'{elo1:g}')}")
    click.echo(f"Elo    {found.elo:+.2f} ± {found.elo_error:.2f}")
    click.echo(f"nElo   {found.nelo:+.2f} ± {found.nelo_error:.2f}")
    click.echo(f"score  {found.score:.1%} of {matches:,} matches, LOS {found.los:.1%}")


_STATES = {
    "accepted": "accepted: at least {elo1} Elo, not {elo0}",
    "rejected": "rejected: no more than {elo0} Elo, not {elo1}",
    "undecided": "undecided: more matches are needed",
}


def read_counts(text: str) -> "Counts":
    """Read three or six counts with commas; raise a usage error for anything else."""
    from league.ratings.elo_difference import Counts

    words = [word.strip() for word in text.split(",")]
    if len(words) not in (3, 6) or not all(word.isascii() and word.isdigit() for word in words):
        raise click.BadParameter(
            f"{text!r}: write W,L,D or LL,LD,WL,DD,WD,WW, whole numbers", param_hint="'--counts'"
        )
    numbers = [int(word) for word in words]
    return Counts.of_matches(*numbers) if len(words) == 3 else Counts.of_encounters(*numbers)
