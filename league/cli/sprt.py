"""`league sprt`."""

from typing import Any

import click

from league.cli.console import print_answer, usage_errors
from league.cli.options import json_option
from league.cli.sprt_options import sprt_options

TEST_OPTIONS = ("elo0", "elo1", "model", "alpha", "beta")


@click.command("sprt")
@click.option(
    "--counts",
    "text",
    required=True,
    metavar="N,N,...",
    help="W,L,D, or LL,LD,WL,DD,WD,WW, or the 5 counts that 'league run' shows.",
)
@sprt_options(*TEST_OPTIONS)
@json_option
def command(text: str, as_json: bool, **test: Any) -> None:
    """Test two Elo differences against counted results (SPRT).

    The counts are the first bot's wins, losses and draws. Better: count its encounters of two
    matches from one opening, because seats and openings then even out: both lost, lost and drawn,
    won and lost, both drawn, won and drawn, both won. 'league run' shows five such counts, because
    won and lost gives as many points as both drawn. The bayesian model takes wins, losses and draws
    only.

    Options and defaults are those of 'league run --format sprt'. A test that favours elo1 does not
    show that the difference is at least elo1: look at the interval.

    \b
    Examples:
      league sprt --counts 36433,36027,68692 --elo1 2
      league sprt --counts 223,9863,20279,1000,10037,246 --elo0 0.5 --elo1 2.5
      league sprt --counts 3,20,60,25,5
    """
    from league.api.league import League

    words = [word.strip() for word in text.strip(" []").split(",")]
    if len(words) not in (3, 5, 6) or not all(word.isascii() and word.isdigit() for word in words):
        raise click.BadParameter(
            f"{text!r}: write W,L,D or LL,LD,WL,DD,WD,WW or the 5 counts of 'league run', "
            "whole numbers",
            param_hint="'--counts'",
        )
    with usage_errors():
        found = League.sprt(*map(int, words), **test)
    print_answer(found, as_json)
