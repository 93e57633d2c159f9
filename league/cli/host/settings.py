"""`league host settings`."""

import click

from league.cli.options import db_option, json_option


@click.command("settings")
@click.argument("changes", nargs=-1, metavar="[KEY=VALUE]...")
@click.option("--yes", is_flag=True, help="Do not ask before another game.")
@db_option
@json_option
def command(changes: tuple[str, ...], yes: bool, db: str, as_json: bool) -> None:
    """Show the settings of the season, or change some.

    Either all changes are made or none. A running host applies them at once; changes to the game's
    limits apply from the next leg. The game can change until a submission is accepted.

    \b
    Examples:
      league host settings
      league host settings closes=2026-12-20T23:59 freeze=2d
      league host settings 'marks=plays: 1 point; first: 3 points'
    """
    from league.api.host import Host
    from league.cli.console import confirm, print_answer
    from league.cli.host.words import read_words
    from league.store.store import open_store

    words = read_words(changes)
    with open_store(db) as store:
        host = Host(store)
        if (undone := host.game_change(words)) and not yes:
            confirm(f"{undone[:1].upper()}{undone[1:]}. Change the game?")
        if words:
            host.change_settings(words)
        print_answer(host.settings(), as_json)
