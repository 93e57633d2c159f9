"""`league host status`."""

import click

from league.cli.options import db_option, json_option


@click.command("status")
@db_option
@json_option
def command(db: str, as_json: bool) -> int:
    """Show the season, the queue, the processes and the machine.

    The exit code is 1 if a process has failed, no match can be played, or no 'league host' is
    running.

    \b
    Example:
      league host status
    """
    from league.api.host import Host
    from league.cli.console import print_answer
    from league.store.store import open_store

    with open_store(db, read_only=True) as store:
        found = Host(store).status()
        print_answer(found, as_json)
    return 1 if found.value.fault or found.value.trouble else 0
