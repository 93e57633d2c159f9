"""The personal tokens of a user for hosted leagues: a file of the user's own, or variables."""

import json
import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self
from urllib.parse import urlsplit

from league.model.errors import SetupError

URL_VARIABLE, TOKEN_VARIABLE = "BOTLEAGUE_URL", "BOTLEAGUE_TOKEN"


@dataclass(frozen=True, slots=True)
class Login:
    """The address of a league and the token that belongs to it, which no other host gets."""

    url: str
    token: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Logins:
    """All tokens by address, and the address that was logged in to last, '' for none."""

    newest: str = ""
    tokens: Mapping[str, str] = field(default_factory=dict, repr=False)

    @classmethod
    def read(cls) -> Self:
        """Read the user's file; raise `SetupError` if it can't be read."""
        path = logins_path()
        try:
            told = json.loads(path.read_text(encoding="utf-8"))
            tokens = {str(url): str(token) for url, token in told["tokens"].items()}
            return cls(str(told["newest"]), tokens)
        except FileNotFoundError:
            return cls()
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise SetupError(
                f"the tokens in {str(path)!r} can't be read ({error}): remove the file, and run "
                "'league login URL' again"
            ) from None

    def keep(self, login: Login) -> None:
        """Write the file with one more token, readable by its user alone; raise `SetupError`."""
        path = logins_path()
        told = {"newest": login.url, "tokens": {**self.tokens, login.url: login.token}}
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            # The file is made with mode 0600, and a reader never sees half of it.
            with tempfile.NamedTemporaryFile("w", dir=path.parent, delete=False) as file:
                json.dump(told, file, indent=2)
            Path(file.name).replace(path)
        except OSError as error:
            raise SetupError(f"can't write {str(path)!r}: {error.strerror}") from None


def logins_path() -> Path:
    """Return the file of the tokens: `$XDG_CONFIG_HOME/botleague/logins.json`."""
    base = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return Path(base) / "botleague" / "logins.json"


def chosen_login(url: str | None) -> Login:
    """Return the login for a league: the one at `url`, of the variables, or the newest.

    Raises `SetupError` if there is none.
    """
    of_variables = os.environ.get(URL_VARIABLE, "")
    token = os.environ.get(TOKEN_VARIABLE, "").strip()
    if token and not of_variables:
        raise SetupError(f"{TOKEN_VARIABLE} is set: set {URL_VARIABLE} too, to which it belongs")
    kept = Logins.read()
    wanted = url or of_variables or kept.newest
    if not wanted:
        raise SetupError(
            "no hosted league is known: run 'league login URL' first, or in CI set "
            f"{URL_VARIABLE} and {TOKEN_VARIABLE}"
        )
    chosen = read_url(wanted)
    if token and read_url(of_variables) == chosen:
        return Login(chosen, token)
    if chosen not in kept.tokens:
        raise SetupError(
            f"no token for {chosen}: run 'league login {chosen}' first, or in CI set "
            f"{URL_VARIABLE} and {TOKEN_VARIABLE}"
        )
    return Login(chosen, kept.tokens[chosen])


def read_url(text: str) -> str:
    """Return the address of a league in one form; raise `SetupError` for one that is none.

    >>> read_url("HTTPS://Games.example.org/league/")
    'https://games.example.org/league'
    """
    try:
        parts = urlsplit(text.strip())
        port = f":{parts.port}" if parts.port is not None else ""
        is_web = parts.scheme in ("http", "https") and bool(parts.hostname)
        is_plain = parts.username is None and not parts.query and not parts.fragment
    except ValueError:
        is_web = is_plain = False
    if not (is_web and is_plain and text.isprintable() and " " not in text.strip()):
        raise SetupError(
            f"{text!r} is not the address of a league: expected one like https://games.example.org"
        )
    host = parts.hostname or ""
    netloc = f"[{host}]" if ":" in host else host
    return f"{parts.scheme}://{netloc}{port}{parts.path.rstrip('/')}"
