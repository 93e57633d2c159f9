"""The matches that a statistic is about: a game's, a tournament's, or each game's in turn."""

import click

from league.cli.options import F


def pool_options(function: F) -> F:
    """Add `--game` and `--tournament`."""
    one = click.option("--tournament", type=int, help="One tournament only.")(function)
    return click.option("--game", help="One game only.")(one)
