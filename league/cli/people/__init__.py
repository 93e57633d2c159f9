"""`league people`: the people of a hosted league."""

import click

from league.cli.lazy_group import LazyGroup

SECTIONS = {
    "Commands": {
        "add": "Add a person, and print the one-time link for them.",
        "import": "Add the people of a CSV file, all or none.",
        "list": "List the people with their teams.",
        "show": "Show what is stored about a person.",
        "link": "Print a new one-time link of a person.",
        "disable": "Keep a person from signing in; nothing is deleted.",
        "enable": "Let a disabled person sign in again.",
        "remove": "Delete a person and what is stored about them.",
        "rename-team": "Give a team and its bot another name.",
        "audit": "List the audit log: who did what, and when.",
    }
}


@click.group("people", cls=LazyGroup, package=__name__, sections=SECTIONS)
def command() -> None:
    """Add, list, invite and remove the people of a hosted league.

    \b
    Examples:
      league people add ada --team rooks
      league people import roster.csv --links links.csv
    """
