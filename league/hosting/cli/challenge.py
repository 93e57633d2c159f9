"""`league challenge`."""

import time
from typing import TYPE_CHECKING, Any

import click

from league.cli.console import note, print_json, usage_errors
from league.cli.options import json_option

if TYPE_CHECKING:
    from league.hosting.api.remote import Remote

LOOK_S = 1.0
"""Interval between questions about the state of a challenge."""

AWAY_S = 60.0
"""For so long the league may be out of reach meanwhile."""


@click.command("challenge")
@click.argument("bot")
@click.option("--url", help="The league; else BOTLEAGUE_URL, or that of the last login.")
@click.option(
    "--wait/--no-wait", default=True, show_default=True, help="Follow it until it is played."
)
@json_option
def command(bot: str, url: str | None, wait: bool, as_json: bool) -> None:
    """Let your bot play two unrated matches against BOT in a hosted league.

    BOT is a house bot or the bot of another team. Your newest version plays once in each seat,
    with the limits of the season. The matches count for nothing; your team alone sees them. They
    begin when no submission waits for its check.

    The exit code is 0 if they are played, 1 if not, and 2 for wrong usage. 'league login URL'
    keeps the token, as for 'league push'.

    \b
    Examples:
      league challenge greedy
      league challenge rooks --no-wait
      league challenge rooks --json
    """
    from league.hosting.api.logins import chosen_login
    from league.hosting.api.remote import Remote
    from league.model.errors import SetupError

    with usage_errors():
        login = chosen_login(url)
    if not bot.strip():
        raise SetupError("'' is no name of a bot: expected one that plays in the season")
    remote = Remote(login)
    found = remote.challenge(bot)
    _tell(f"{found['state']}: challenge {found['id']} against {found['rival']}", as_json)
    if wait:
        found = _followed(remote, found, as_json)
    _finish(found, as_json)


def _followed(remote: "Remote", found: dict[str, Any], as_json: bool) -> dict[str, Any]:
    """Return the challenge once it is decided; print each match once."""
    from league.hosting.model.errors import RemoteError
    from league.hosting.model.season import ChallengeState

    heard_s, told = time.monotonic(), 0
    while True:
        for match in found["matches"][told:]:
            _tell(_line(remote.url, found, match), as_json)
        told = len(found["matches"])
        if ChallengeState(found["state"]).is_decided:
            return found
        time.sleep(LOOK_S)
        try:
            found = remote.challenge_at(found["id"])
        except RemoteError as error:
            if (error.status and error.status < 500) or time.monotonic() - heard_s > AWAY_S:
                note(f"the league goes on with challenge {found['id']}")
                raise
            continue
        heard_s = time.monotonic()


def _line(url: str, found: dict[str, Any], match: dict[str, Any]) -> str:
    """Return one line about a match: who won, how it ended, and where its replay is."""
    points = match["points"]
    word = "won" if points == 1 else "lost" if points == 0 else "drawn"
    how = f"{match['plies']} plies, {match['termination']}"
    place = f"{url}/challenges/{found['id']}/{match['number']}"
    return f"match {match['number']}, seat {match['seat']}: {word} ({how})  {place}"


def _tell(text: str, as_json: bool) -> None:
    from games.support.printable import printable

    if not as_json:
        click.echo(printable(text))


def _finish(found: dict[str, Any], as_json: bool) -> None:
    """Print the document or the score; raise `SetupError` if the matches are not played."""
    from league.hosting.model.season import ChallengeState
    from league.model.errors import SetupError

    if as_json:
        print_json(found)
    if found["state"] == ChallengeState.FAILED:
        raise SetupError(f"challenge {found['id']} failed: {found['message']}")
    if found["state"] == ChallengeState.PLAYED:
        matches = found["matches"]
        score = sum(each["points"] for each in matches)
        sides = f"{found['version']} against {found['rival_version']}"
        _tell(f"{score:g} of {len(matches)} points: {sides}", as_json)
