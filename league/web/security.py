"""What every answer of the dashboard keeps to, and whom it answers at all."""

import hmac
from collections.abc import Sequence
from http.cookies import SimpleCookie
from urllib.parse import parse_qs

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from league.web.json_response import failure, is_api

LOOPBACK = ("localhost", "127.0.0.1", "[::1]")

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
"""Nothing from another host, nothing in line: a name that is markup can't do anything."""

COOKIE = "league-token"


class Guard:
    """Answers requests for known hosts alone, and with strict headers.

    A page elsewhere may have its own name point here (DNS rebinding): its requests name a host that
    is not among `hosts`, and are refused. With a `token`, a browser must have come by the link
    that carries it once.
    """

    def __init__(self, app: ASGIApp, hosts: Sequence[str], token: str = "") -> None:
        self._app = app
        self._hosts = frozenset(host.lower() for host in hosts)
        self._token = token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse, or pass the request on and add the headers to its answer."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.setdefault("Content-Security-Policy", POLICY)
                headers["X-Content-Type-Options"] = "nosniff"
                headers["Referrer-Policy"] = "no-referrer"
                headers["Cross-Origin-Resource-Policy"] = "same-origin"
            await send(message)

        refusal = self._refusal(scope)
        await (refusal or self._app)(scope, receive, send_guarded)

    def _refusal(self, scope: Scope) -> ASGIApp | None:
        headers = Headers(scope=scope)
        if _name_of(headers.get("host", "")) not in self._hosts:
            return _refused(scope, "This league is not at that address.", 421)
        if not self._token:
            return None
        query = parse_qs(scope["query_string"].decode("latin-1"))
        if any(self._is_token(given) for given in query.get("token", [])):
            answer = RedirectResponse(scope["path"], 303)
            answer.set_cookie(COOKIE, self._token, httponly=True, samesite="strict")
            return answer
        cookies = SimpleCookie(headers.get("cookie", ""))
        if COOKIE in cookies and self._is_token(cookies[COOKIE].value):
            return None
        return _refused(scope, "Open the link that 'league serve' printed.", 403)

    def _is_token(self, given: str) -> bool:
        return hmac.compare_digest(given.encode(), self._token.encode())


def _refused(scope: Scope, text: str, status: int) -> Response:
    if is_api(scope["path"]):
        return failure(text, status)
    return PlainTextResponse(f"{text}\n", status)


def _name_of(host: str) -> str:
    """Return a Host header without its port."""
    name, _, port = host.rpartition(":")
    return (name if port.isdigit() and name else host).lower()
