"""`league push`."""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from league.cli.console import note, print_json, usage_errors
from league.cli.options import json_option, pairs

if TYPE_CHECKING:
    from league.hosting.api.remote import Remote

LOOK_S = 1.0
"""Interval between questions about the state of a submission."""

AWAY_S = 60.0
"""For so long the league may be out of reach meanwhile."""


@click.command("push")
@click.argument("path", metavar="FILE|FOLDER|ZIP|ADDRESS")
@click.option("--as", "attribute", metavar="CLASS", help="Name of the bot's class or function.")
@click.option("--option", "options", multiple=True, metavar="K=V", help="An option of the bot.")
@click.option("--url", help="The league's address [BOTLEAGUE_URL, or the last login].")
@click.option(
    "--wait/--no-wait",
    default=True,
    show_default=True,
    help="Wait until the bot plays or is refused.",
)
@json_option
def command(
    path: str,
    attribute: str | None,
    options: tuple[str, ...],
    url: str | None,
    wait: bool,
    as_json: bool,
) -> None:
    """Submit a bot to a hosted league, and follow its check.

    Takes a Python file with the modules beside it that it imports, a folder or a zip, as 'league
    register' does, or the address of a web server if the season takes those. Shows the progress of
    the submission until it plays or is refused. The exit code is 0 if it plays, 1 if it is refused,
    and 2 for wrong usage. A refusal comes with the text of the check.

    'league login URL' stores the address and the token. In CI, set BOTLEAGUE_URL and
    BOTLEAGUE_TOKEN.

    \b
    Examples:
      league push mine.py
      league push mine/ --as MyBot --option depth=4
      league push mine.zip --no-wait --json
      league push https://example.org/bot
    """
    from league.hosting.api.logins import chosen_login
    from league.hosting.api.remote import Remote
    from league.hosting.season.packing import packed
    from league.hosting.season.uploads import OPTION

    with usage_errors():
        login = chosen_login(url)
    upload = packed(Path(path), path)
    settings = {f"{OPTION}{name}": value for name, value in pairs(options).items()}
    settings["source"] = path
    if attribute:
        settings["class"] = attribute
    if upload.own:
        settings["file"] = upload.own
    remote = Remote(login)
    found = remote.submit(upload, settings)
    _tell(found, as_json)
    if wait:
        found = _followed(remote, found, as_json)
    _finish(found, as_json)


def _followed(remote: "Remote", found: dict[str, Any], as_json: bool) -> dict[str, Any]:
    """Return the submission once it is decided; say each state once."""
    from league.hosting.model.errors import RemoteError
    from league.hosting.model.season import SubmissionState

    heard_s = time.monotonic()
    while not SubmissionState(found["state"]).is_decided:
        time.sleep(LOOK_S)
        before = found["state"]
        try:
            found = remote.submission(found["id"])
        except RemoteError as error:
            if (error.status and error.status < 500) or time.monotonic() - heard_s > AWAY_S:
                note(f"the league has your bot: it is submission {found['id']}")
                raise
            continue
        heard_s = time.monotonic()
        if found["state"] != before:
            _tell(found, as_json)
    return found


def _tell(found: dict[str, Any], as_json: bool) -> None:
    from games.support.printable import printable
    from league.hosting.model.season import SubmissionState

    if as_json:
        return
    state, more = found["state"], ""
    if state == SubmissionState.RECEIVED:
        more = f": submission {found['id']}, {found['file_name']}, {found['size']} bytes"
    elif state == SubmissionState.PLAYING:
        more = f" as {found['version']}"
    click.echo(printable(f"{state}{more}"))


def _finish(found: dict[str, Any], as_json: bool) -> None:
    """Print the document, and raise `CheckError` if the submission does not play."""
    from league.hosting.model.season import SubmissionState
    from league.model.errors import CheckError

    if as_json:
        print_json(found)
    is_turned_down = found["state"] == SubmissionState.REPLACED and not found["version"]
    if found["state"] == SubmissionState.REFUSED or is_turned_down:
        number = found["id"]
        raise CheckError(f"submission {number} does not play:\n{found['message']}", str(number))
    if not as_json and found["message"]:
        note(str(found["message"]))
