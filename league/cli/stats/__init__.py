"""`league stats`."""

import click

from league.cli.console import print_some
from league.cli.lazy_group import LazyGroup
from league.cli.options import db_option, json_option, pool_options

SECTIONS = {
    "More statistics": {
        "versus": "Compare two bots: score by seat, ending and opening.",
        "health": "Show each bot's forfeits, time, speed and depth.",
        "cost": "Show the calls, tokens and cost of language models.",
        "calibration": "Show whether one number describes each bot.",
    }
}


@click.group(
    "stats",
    cls=LazyGroup,
    package=__name__,
    sections=SECTIONS,
    invoke_without_command=True,
    subcommand_metavar="[COMMAND [ARGS]...]",
)
@pool_options
@db_option
@json_option
@click.pass_context
def command(
    context: click.Context, game: str | None, tournament: int | None, db: str, as_json: bool
) -> None:
    """Show draws, first-seat score, lengths, endings, openings, cycles.

    In a cycle each bot beats the next and the last beats the first. Each of these leads is
    significant in a sign test over encounters at 95%.

    \b
    Examples:
      league stats --game connectfour
      league stats versus deep plain
    """
    if context.invoked_subcommand is not None:
        _refuse_options(context)
        return
    from league.api.league import League

    with League(db, read_only=True) as league:
        found = league.stats(game, tournament=tournament)
    print_some(found, as_json)


def _refuse_options(context: click.Context) -> None:
    for option in context.command.params:
        if context.get_parameter_source(str(option.name)) is click.core.ParameterSource.COMMANDLINE:
            name = context.invoked_subcommand
            raise click.UsageError(f"give {option.opts[0]} after {name!r}, not before it")
