"""`league tournament`: change a tournament, or watch it."""

import click

from league.cli.lazy_group import LazyGroup

SECTIONS = {
    "Commands": {
        "watch": "Watch a running tournament from another terminal.",
        "join": "Add bots to a tournament, also while it runs.",
        "withdraw": "Take a bot out of a tournament; its results stay.",
        "extend": "Make a tournament longer, even a finished one.",
        "pause": "Stop a tournament after the matches in play.",
        "cancel": "End a tournament for good; its results stay.",
    }
}


@click.group("tournament", cls=LazyGroup, package=__name__, sections=SECTIONS)
def command() -> None:
    """Watch, pause, extend or cancel a tournament; add or remove bots.

    \b
    Examples:
      league tournament watch 3
      league tournament join 3 newcomer
    """
