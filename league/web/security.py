"""The guard before the application: hosts, token, and headers of every answer."""

from collections.abc import MutableMapping, Sequence
from typing import Any
from urllib.parse import parse_qs, parse_qsl, quote, urlencode

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from league.render.template import ROOT, render
from league.web.access import COOKIE, Access, host_name
from league.web.json_response import failure, is_api, path_below

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
"""No other host and nothing inline, so that a name with markup can do no harm."""

OPEN = ("/static/",)
"""Paths that are the same in every league and need no token."""

DIRECT = ("/feed.atom",)
"""Addresses for programs: the token may stay in them."""

READS = ("GET", "HEAD", "OPTIONS")

REMEMBERED_S = 90 * 24 * 3600
"""Time that a browser keeps the token."""

FORM_MAX = 4096
"""The most bytes of the form with a pasted token."""


class Guard:
    """Middleware that refuses unknown hosts and missing tokens, and adds strict headers.

    Checking the host stops DNS rebinding: another site can point its own name here, but its
    requests carry that name. A browser sends the token once, by a link or a form, and then as a
    cookie; a program sends it as `Authorization: Bearer`.
    """

    def __init__(self, app: ASGIApp, access: Access) -> None:
        self._app = app
        self._access = access

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
                # Not 'no-referrer': forms would then come from the origin 'null'.
                headers["Referrer-Policy"] = "same-origin"
                headers["Cross-Origin-Resource-Policy"] = "same-origin"
            await send(message)

        ROOT.set(self._access.root)
        self._place(scope)
        answer = await self._answer(scope, receive)
        await (answer or self._app)(scope, receive, send_guarded)

    def _place(self, scope: MutableMapping[str, Any]) -> None:
        """Make the path begin with the root, whether or not a proxy has cut it off."""
        root = self._access.root
        raw = scope.get("raw_path") or quote(scope["path"]).encode()
        if root and not f"{scope['path']}/".startswith(f"{root}/"):
            scope["path"], raw = root + scope["path"], root.encode() + raw
        scope["root_path"], scope["raw_path"] = root, raw
        if self._access.is_secure:
            # Redirects lead back to the public address; the proxy itself speaks http with us.
            scope["scheme"] = "https"

    async def _answer(self, scope: Scope, receive: Receive) -> ASGIApp | None:
        """Return an answer that is not the application's, None for its own."""
        headers = Headers(scope=scope)
        local = (scope.get("server") or ("", None))[0]
        if not self._access.is_known(headers.get("host", ""), local):
            text = "This league is not at that address: 'league serve --allow-host' adds a name."
            return _refused(scope, text, 421)
        if scope["method"] not in READS and not self._is_own_page(headers):
            return _refused(scope, "Another site's page may not do this.", 403)
        path = path_below(scope)
        if not path:
            return RedirectResponse(_address(scope, _query(scope), slash="/"), 307)
        is_shown = path.startswith(OPEN)
        if not self._access.token or is_shown or self._access.has_token(headers):
            return self._redirect(scope) if _given(scope) and self._access.token else None
        if any(map(self._access.is_token, _given(scope))):
            return self._redirect(scope)
        if scope["method"] == "POST" and await self._is_pasted(receive):
            return self._remembered(_address(scope, _query(scope)))
        return _unknown(scope)

    def _is_own_page(self, headers: Headers) -> bool:
        """Whether a request that may change something comes from a page of ours, or from none."""
        if (site := headers.get("sec-fetch-site")) is not None:
            return site in ("same-origin", "none")
        if (origin := headers.get("origin")) is None:
            return True
        netloc = origin.partition("://")[2].lower()
        return netloc == headers["host"].lower() or host_name(netloc) in self._access.hosts

    def _redirect(self, scope: MutableMapping[str, Any]) -> Response | None:
        """Take the token out of an address, and remember one that fits as a cookie."""
        query = [each for each in _query(scope) if each[0] != "token"]
        path = path_below(scope)
        if is_api(path) or path in DIRECT:
            scope["query_string"] = urlencode(query).encode()
            return None
        if any(map(self._access.is_token, _given(scope))):
            return self._remembered(_address(scope, query))
        return RedirectResponse(_address(scope, query), 303)

    def _remembered(self, address: str) -> Response:
        answer = RedirectResponse(address, 303)
        answer.set_cookie(
            COOKIE,
            self._access.token,
            max_age=REMEMBERED_S,
            path=self._access.root or "/",
            secure=self._access.is_secure,
            httponly=True,
            samesite="lax",
        )
        return answer

    async def _is_pasted(self, receive: Receive) -> bool:
        """Whether the body of a request is the form with the token."""
        try:
            body = await _body(receive)
        except HTTPException:
            # It took too long.
            return False
        given = parse_qs(body.decode("latin-1")).get("token", [])
        return any(self._access.is_token(each.strip()) for each in given)


async def _body(receive: Receive) -> bytes:
    """Return the body of a request, nothing of one that is too long."""
    body, is_whole = b"", False
    while not is_whole and len(body) <= FORM_MAX:
        message = await receive()
        part: bytes = message.get("body", b"")
        body += part
        is_whole = not message.get("more_body")
    return body if len(body) <= FORM_MAX else b""


def _query(scope: Scope) -> list[tuple[str, str]]:
    return parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)


def _given(scope: Scope) -> list[str]:
    """Return the tokens in an address."""
    return [value for name, value in _query(scope) if name == "token"]


def _address(scope: Scope, query: Sequence[tuple[str, str]], slash: str = "") -> str:
    """Return the path of a request with this query, as an address on the same host.

    Two slashes at its beginning, or one and a backslash, would lead to another host.
    """
    path = scope["raw_path"].decode("latin-1").lstrip("/\\")
    path = quote(f"/{path}{slash}", safe="/%:@!$&'()*+,;=~")
    return path + (f"?{urlencode(query)}" if query else "")


def _unknown(scope: Scope) -> Response:
    """Refuse whoever brings no token, and tell how to bring it."""
    path = path_below(scope)
    if is_api(path) or path in DIRECT:
        text = (
            "the token lacks: 'league serve' printed it, send it as 'Authorization: Bearer TOKEN'"
        )
        return failure(text, 401, {"WWW-Authenticate": "Bearer"})
    is_wrong = scope["method"] == "POST" or bool(_given(scope))
    return HTMLResponse(render("token.html", is_wrong=is_wrong), 403, {"Cache-Control": "no-store"})


def _refused(scope: Scope, text: str, status: int) -> Response:
    if is_api(path_below(scope)):
        return failure(text, status)
    return PlainTextResponse(f"{text}\n", status)
