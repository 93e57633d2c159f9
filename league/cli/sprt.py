"""`league sprt`."""

from typing import Any

import click

from league.cli.console import print_answer, usage_errors
from league.cli.options import json_option

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
def command(text: str, as_json: bool, **test: Any) -> None:
    """Say what counted results prove: a sequential probability ratio test.

    The counts are the first bot's wins, losses and draws; better, because the seats and the opening
    even out, its encounters of two matches from one opening: both lost, lost and drawn, won and
    lost, both drawn, won and drawn, both won.

    \b
    Examples:
      league sprt --counts 36433,36027,68692
      league sprt --counts 223,9863,20279,1000,10037,246 --elo0 0.5 --elo1 2.5
    """
    from league.api.league import League

    words = [word.strip() for word in text.split(",")]
    if len(words) not in (3, 6) or not all(word.isascii() and word.isdigit() for word in words):
        raise click.BadParameter(
            f"{text!r}: write W,L,D or LL,LD,WL,DD,WD,WW, whole numbers", param_hint="'--counts'"
        )
    with usage_errors():
        found = League.sprt(*map(int, words), **test)
    print_answer(found, as_json)
