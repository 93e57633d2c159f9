"""`league register`."""

from pathlib import Path

import click

from league.cli.check import show_checked
from league.cli.console import note, print_json
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
    games: tuple[str, ...],
    options: tuple[str, ...],
    folder: str | None,
    no_check: bool,
    isolation: str,
    db: str,
    as_json: bool,
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
    from league.registration.register import register
    from league.seats.process.isolation import resolve
    from league.store.store import open_store

    level, _ = resolve(isolation)
    end_strays_at_last()
    with open_store(db, create=True) as store:
        version, is_new, found = register(
            store,
            name,
            spec,
            options=pairs(options),
            games=games,
            is_checked=not no_check,
            folder=Path(folder) if folder is not None else None,
            isolation=level,
        )
    if as_json:
        from league.interchange.documents.bots import Registered

        print_json(Registered.of(version, is_new=is_new))
        return
    show_checked(found)
    if is_new:
        click.echo(f"registered {version.name} (version {version.number})")
    else:
        note(f"{version.name} is registered already, unchanged (version {version.number})")
