"""A hosted league over HTTP, with a personal token."""

import json
import urllib.request
from collections.abc import Mapping
from http.client import HTTPException, HTTPMessage
from typing import IO, Any, NoReturn
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlencode

from league.hosting.api.logins import Login
from league.hosting.model.errors import RemoteError
from league.hosting.season.packing import Packed

TIMEOUT_S = 60.0

ANSWER_MAX = 4 << 20
"""No answer of a league has more bytes."""


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """Follows no redirect: the token is for one address alone."""

    def redirect_request(
        self,
        req: urllib.request.Request,
        fp: IO[bytes],
        code: int,
        msg: str,
        headers: HTTPMessage,
        newurl: str,
    ) -> NoReturn:
        """Refuse."""
        raise RemoteError(
            f"{req.full_url} redirects to {newurl}: your token is not sent there; "
            "run 'league login' with that address if it is right",
            code,
        )


class Remote:
    """A hosted league; every method raises `RemoteError`."""

    def __init__(self, login: Login) -> None:
        self._login = login
        # With the system's certificates, which are checked, and the proxies of the environment.
        self._opener = urllib.request.build_opener(_NoRedirects)

    @property
    def url(self) -> str:
        """The address."""
        return self._login.url

    def me(self) -> dict[str, Any]:
        """Return who the token belongs to."""
        return self._asked("/api/me")

    def submit(self, packed: Packed, settings: Mapping[str, str]) -> dict[str, Any]:
        """Submit a bot, and return the submission."""
        headers = {
            "Content-Type": "application/octet-stream",
            "X-File-Name": quote(packed.file_name),
        }
        query = f"?{urlencode(settings)}" if settings else ""
        return self._asked(f"/api/submissions{query}", packed.data, headers)

    def submission(self, number: int) -> dict[str, Any]:
        """Return a submission."""
        return self._asked(f"/api/submissions/{number}")

    def challenge(self, rival: str) -> dict[str, Any]:
        """Challenge a bot, and return the challenge."""
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        return self._asked("/api/challenges", urlencode({"bot": rival}).encode(), headers)

    def challenge_at(self, number: int) -> dict[str, Any]:
        """Return a challenge with its matches so far."""
        return self._asked(f"/api/challenges/{number}")

    def _asked(
        self, path: str, data: bytes | None = None, headers: Mapping[str, str] | None = None
    ) -> dict[str, Any]:
        request = urllib.request.Request(  # noqa: S310 (http or https, as `read_url` checked)
            f"{self.url}{path}",
            data,
            {"Accept": "application/json", **(headers or {})},
        )
        # Unlike an ordinary header, it is not sent on to another host.
        request.add_unredirected_header("Authorization", f"Bearer {self._login.token}")
        try:
            with self._opener.open(request, timeout=TIMEOUT_S) as answer:
                return self._object(answer.read(ANSWER_MAX))
        except HTTPError as error:
            with error:
                raise self._refusal(error) from None
        except URLError as error:
            raise RemoteError(f"can't reach {self.url}: {error.reason}") from None
        except (OSError, HTTPException) as error:
            raise RemoteError(f"the connection to {self.url} broke: {error}") from None

    def _object(self, body: bytes) -> dict[str, Any]:
        try:
            found = json.loads(body)
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, dict):
            raise RemoteError(f"{self.url} is not a hosted league: its answer is not a JSON object")
        return found

    def _refusal(self, error: HTTPError) -> RemoteError:
        try:
            told = str(self._object(error.read(ANSWER_MAX))["error"])
        except (RemoteError, KeyError, OSError, HTTPException):
            told = f"it answers with status {error.code}"
            if error.code == 404:
                told += ": is this the address of a hosted league?"
        if error.code == 401:
            told += f" ('league login {self.url}' keeps a new token)"
        return RemoteError(f"{self.url}: {told}", error.code)
