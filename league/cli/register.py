"""`league register`."""

from typing import Any

import click

from league.cli.console import note, print_answer
from league.cli.options import db_option, isolation_option, json_option, pairs
from league.cli.play_tournament import end_strays_at_last


@click.command("register")
@click.argument("name")
@click.argument("spec")
@click.option("--game", "games", multiple=True, help="A game it plays (repeat); none means any.")
@click.option("--option", "options", multiple=True, metavar="K=V", help="An option of the bot.")
@click.option("--folder", type=click.Path(), help="Where a command runs; else here.")
@click.option("--no-check", is_flag=True, help="Do not try the bot out first.")
@isolation_option
@db_option
@json_option
def command(
    name: str,
    spec: str,
    options: tuple[str, ...],
    no_check: bool,
    db: str,
    as_json: bool,
    **how: Any,
) -> None:
    """Register a bot under NAME, or a new version of it.

    SPEC is a built-in bot (see 'league bots --catalogue'), a Python file, a module, or a protocol
    with a command line. A Python file needs no more than a function choose(state, clock); its text
    is kept in the league, with that of the modules beside it that it imports: later changes count
    when you register it again.

    \b
    Examples:
      league register deep iterative:depth=6
      league register mine mine.py --game connectfour
      league register tuned mine.py:MyBot --option width=3
      league register monte exec:'node bot.js' --folder bots --game connectfour
    """
    from league.api.league import League
    from league.render.text.registration import trial_line

    end_strays_at_last()
    with League(db) as league:
        found = league.register(name, spec, options=pairs(options), check=not no_check, **how)
    if not as_json:
        for trial in found.value.checks:
            note(trial_line(trial))
    if as_json or found.value.is_new:
        print_answer(found, as_json)
    else:
        note(str(found))
