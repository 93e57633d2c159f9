"""`league db`: take care of the file that holds the league."""

import click

from league.cli.lazy_group import LazyGroup

SECTIONS = {
    "Commands": {
        "backup": "Copy the database to FILE, even while a tournament runs.",
        "verify": "Replay every stored match by the rules, and list every fault.",
        "upgrade": "Bring an older botleague's database up to date.",
        "recover": "Save the readable part of a damaged database to a new file.",
    }
}


@click.group("db", cls=LazyGroup, package=__name__, sections=SECTIONS)
def command() -> None:
    """Back up, verify, upgrade or recover the database.

    \b
    Examples:
      league db backup league-monday.db
      league db verify
    """
