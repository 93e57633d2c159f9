"""The caller of a request: a person, by a cookie, a personal token or a proxy's header."""

import hmac
import secrets
from dataclasses import dataclass
from hashlib import sha256

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from league.hosting.accounts import sign_ins, tokens
from league.hosting.model.people import Person
from league.hosting.web.hosted import Hosted
from league.render.template import ROOT
from league.web.access import cookie_in
from league.web.forms import is_same
from league.web.json_response import failure, is_api, path_below

SIGN_IN, FORM = "league-person", "league-form"
"""The cookies of a sign-in, and of forms that people send before they sign in."""


@dataclass(slots=True)
class Caller:
    """The caller of a request.

    `sign_in` is the token of the sign-in, '' without one. `form_key` is the secret of this browser
    from which the token of its forms is made. `is_program` tells that a personal token came with
    the request.
    """

    address: str
    person: Person | None = None
    sign_in: str = ""
    form_key: str = ""
    has_form_key: bool = False
    is_program: bool = False
    is_form_shown: bool = False

    def form_token(self) -> str:
        """Return a token that forms of this browser send: each time another one.

        Pages are compressed, and the same secret in each could be guessed from their lengths.
        """
        self.is_form_shown = True
        self.form_key = self.form_key or secrets.token_urlsafe(32)
        return self._signed(secrets.token_hex(8))

    def is_form_token(self, given: str) -> bool:
        """Whether a form of this browser got that token."""
        return self.has_form_key and is_same(given, self._signed(given[:16]))

    def _signed(self, drawn: str) -> str:
        key, told = self.form_key.encode("utf-8", "replace"), drawn.encode("utf-8", "replace")
        return drawn + hmac.new(key, b"form " + told, sha256).hexdigest()


class Callers:
    """Finds out who asks, and puts the `Person` or None into `request.state.person`.

    `request.state.caller` says the rest. A personal token counts for the API alone.
    """

    def __init__(self, app: ASGIApp, hosted: Hosted) -> None:
        self._app = app
        self._hosted = hosted

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on with the person who sends it."""
        if scope["type"] != "http" or path_below(scope).startswith("/static/"):
            await self._app(scope, receive, send)
            return
        request = Request(scope)
        bearer = _bearer(request) if is_api(path_below(scope)) else ""
        caller = await self._caller(request, bearer)
        if bearer and caller.person is None:
            text = "this personal token is unknown, revoked or expired: make a new one at /me"
            refusal = failure(text, 401, {"WWW-Authenticate": "Bearer"})
            await refusal(scope, receive, send)
            return
        scope.setdefault("state", {}).update(person=caller.person, caller=caller)
        before = cookie_of(request, FORM)

        async def send_marked(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                if caller.person is not None:
                    headers.setdefault("Cache-Control", "private, no-cache")
                headers.add_vary_header("Cookie")
                if caller.is_form_shown and not caller.sign_in and caller.form_key != before:
                    made = Response()
                    set_cookie(made, request, FORM, caller.form_key)
                    headers.append("Set-Cookie", made.headers["Set-Cookie"])
            await send(message)

        await self._app(scope, receive, send_marked)

    async def _caller(self, request: Request, bearer: str) -> Caller:
        caller = Caller(self._hosted.proxies.origin(request.scope))
        store = self._hosted.store
        if bearer:
            caller.is_program = True
            caller.person = await run_in_threadpool(tokens.owner_of, store, bearer)
            return caller
        caller.form_key = cookie_of(request, FORM)[:100]
        if login := self._hosted.proxies.login(request):
            found = await run_in_threadpool(store.people.by_login, login)
            caller.person = found if found is not None and found.is_active else None
        elif token := cookie_of(request, SIGN_IN)[:100]:
            caller.person = await run_in_threadpool(sign_ins.signed_in, store, token)
            if caller.person is not None:
                caller.sign_in = caller.form_key = token
        caller.has_form_key = bool(caller.form_key)
        return caller


def cookie_name(request: Request, name: str) -> str:
    """Return the name of a cookie; over https one that no other host of the site can set."""
    return f"__Host-{name}" if request.scope["scheme"] == "https" else name


def cookie_of(request: Request, name: str) -> str:
    """Return the value of a cookie of ours, '' if a request has none."""
    return cookie_in(request.headers, cookie_name(request, name))


def set_cookie(
    answer: Response, request: Request, name: str, value: str, max_age: int | None = None
) -> None:
    """Add a cookie that scripts can't read, and that pages of other sites do not send."""
    is_secure = request.scope["scheme"] == "https"
    answer.set_cookie(
        cookie_name(request, name),
        value,
        max_age=max_age,
        # A name with __Host- is for the whole host.
        path="/" if is_secure else ROOT.get() or "/",
        secure=is_secure,
        httponly=True,
        samesite="lax",
    )


def _bearer(request: Request) -> str:
    """Return the personal token of a request, '' for none."""
    kind, _, given = request.headers.get("authorization", "").partition(" ")
    found = given.strip()
    return found if kind.lower() == "bearer" and found.startswith(tokens.PREFIX) else ""
