"""`league login`."""

import sys
from pathlib import Path

import click

from league.cli.console import note


@click.command("login")
@click.argument("url")
@click.option("--token-file", metavar="FILE", help="Read the token from FILE; - is standard input.")
def command(url: str, token_file: str | None) -> None:
    """Keep a personal token for the hosted league at URL.

    Create the token on your own page of that league. The command asks for it, or reads it from
    standard input if that is not a terminal. It tests the token and stores it in a configuration
    file that only you can read. 'league push' sends the token only to this address.

    In CI set BOTLEAGUE_URL and BOTLEAGUE_TOKEN instead.

    \b
    Examples:
      league login https://games.example.org
      league login https://games.example.org --token-file token.txt
    """
    from games.support.printable import printable
    from league.hosting.api.logins import Login, Logins, read_url
    from league.hosting.api.remote import Remote
    from league.model.errors import SetupError

    address = read_url(url)
    if address.startswith("http://"):
        note("warning: without https everybody on the way can read the token")
    token = _token(token_file)
    if not token or not token.isascii() or not token.isprintable() or " " in token:
        raise SetupError("that is not a token: expected one line, as the league showed it")
    login = Login(address, token)
    person = Remote(login).me()
    Logins.read().keep(login)
    team = f", team {person['team']}" if person.get("team") else ""
    click.echo(printable(f"logged in to {address} as {person.get('login', 'somebody')}{team}"))


def _token(path: str | None) -> str:
    """Return the token of a file, the standard input or a prompt."""
    from league.model.errors import SetupError

    if path is None and sys.stdin.isatty():
        return str(click.prompt("Personal token", hide_input=True)).strip()
    try:
        if path in (None, "-"):
            return sys.stdin.readline(1000).strip()
        return Path(str(path)).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise SetupError(f"can't read the token from {path!r}: {error}") from None
