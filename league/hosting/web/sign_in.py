"""Signing in and out, setting a password, and the page of one's own account."""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from league.hosting.accounts import audit, invitations, sign_ins, tokens
from league.hosting.accounts.digests import digest_of
from league.hosting.accounts.passwords import LONGEST, SHORTEST
from league.hosting.model.errors import LockedError, PeopleError, SignInError
from league.hosting.model.people import Person
from league.hosting.web.callers import SIGN_IN, Caller, cookie_of, set_cookie
from league.hosting.web.forms import posted
from league.hosting.web.hosted import Hosted
from league.hosting.web.oidc import BEGUN_S, Begun
from league.model.clock import now
from league.model.errors import LeagueError, UnknownRowError
from league.render.template import ROOT, render
from league.web.json_response import JsonResponse, failure
from league.web.page_route import Audience, PageRoute

BEGUN = "league-oidc"
"""The cookie of a sign-in that has begun at a provider."""

_UNKNOWN = (
    "the provider knows you, but this league does not: ask the organiser to add you with the "
    "email address that the provider has"
)


def routes(hosted: Hosted) -> list[PageRoute]:
    """Return the addresses of accounts."""
    pages = _Pages(hosted)
    return [
        PageRoute("/sign-in", pages.ask, Audience.EVERYBODY, methods=["GET"]),
        PageRoute("/sign-in", pages.sign_in, Audience.EVERYBODY, methods=["POST"]),
        PageRoute("/sign-in/provider", pages.to_provider, Audience.EVERYBODY, methods=["GET"]),
        PageRoute(
            "/sign-in/provider/back", pages.from_provider, Audience.EVERYBODY, methods=["GET"]
        ),
        PageRoute("/sign-out", pages.sign_out, Audience.EVERYBODY, methods=["POST"]),
        PageRoute("/invitation/{token}", pages.invited, Audience.EVERYBODY, methods=["GET"]),
        PageRoute("/invitation/{token}", pages.accept, Audience.EVERYBODY, methods=["POST"]),
        PageRoute("/me", pages.me, Audience.PEOPLE, methods=["GET"]),
        PageRoute("/me", pages.change, Audience.PEOPLE, methods=["POST"]),
        PageRoute("/me/data.json", pages.data, Audience.PEOPLE, methods=["GET"]),
        PageRoute("/api/me", pages.own, Audience.PEOPLE, methods=["GET"]),
    ]


@dataclass(frozen=True, slots=True)
class _Told:
    """The message at the top of a page."""

    wrong: str = ""
    done: str = ""
    token: str = ""


class _Pages:
    """The endpoints, over the accounts of one league."""

    def __init__(self, hosted: Hosted) -> None:
        self._hosted = hosted
        self._store = hosted.store
        self._actions: dict[str, Callable[[Caller, Person, dict[str, str]], _Told]] = {
            "end": self._end,
            "end-all": self._end_all,
            "token": self._token,
            "revoke": self._revoke,
            "ask-deletion": self._ask_deletion,
            "keep": self._keep,
        }

    async def ask(self, request: Request) -> Response:
        """Show the form to sign in."""
        if request.state.person is not None:
            return _led(_next(request.query_params.get("next", "")))
        return self._sign_in_page(request, _next(request.query_params.get("next", "")))

    async def sign_in(self, request: Request) -> Response:
        """Sign in by a login and a password."""
        given = await posted(request)
        login, after = given.get("login", "")[:200], _next(given.get("next", ""))
        address = request.state.caller.address
        try:
            token = await run_in_threadpool(
                sign_ins.sign_in, self._store, login, given.get("password", ""), address
            )
        except SignInError as error:
            return self._sign_in_page(request, after, login=login, error=error)
        return await self._let_in(request, token, after)

    async def to_provider(self, request: Request) -> Response:
        """Lead to the provider of OpenID Connect."""
        provider, after = self._hosted.provider, _next(request.query_params.get("next", ""))
        if provider is None:
            raise HTTPException(404)
        try:
            address, begun = await run_in_threadpool(provider.begin, _callback(request), after)
        except LeagueError as error:
            return self._sign_in_page(request, after, error=error)
        answer = RedirectResponse(address, 303)
        packed = urlsafe_b64encode(json.dumps(begun.values()).encode()).decode()
        set_cookie(answer, request, BEGUN, packed, max_age=BEGUN_S)
        return _unstored(answer)

    async def from_provider(self, request: Request) -> Response:
        """Sign in whom the provider vouches for."""
        provider = self._hosted.provider
        if provider is None:
            raise HTTPException(404)
        begun = Begun.read(_unpacked(cookie_of(request, BEGUN)))
        try:
            if begun is None:
                raise SignInError("this sign-in took too long, or began elsewhere: try again")
            query = request.scope["query_string"].decode("latin-1")
            callback = _callback(request)
            identity = await run_in_threadpool(
                provider.finish, f"{callback}?{query}", callback, begun
            )
            token = await run_in_threadpool(
                self._known_by, identity.subject, identity.email, request.state.caller.address
            )
        except LeagueError as error:
            answer = self._sign_in_page(request, "/", error=error)
        else:
            answer = await self._let_in(request, token, _next(begun.next))
        set_cookie(answer, request, BEGUN, "", max_age=0)
        return answer

    def _known_by(self, subject: str, email: str, address: str) -> str:
        """Return the token of a sign-in of the person whom a provider knows as that."""
        person = self._store.people.by_subject(subject)
        if (
            person is None
            and (person := self._store.people.claim_by_email(email, subject)) is not None
        ):
            about = f"person {person.id}"
            audit.note(self._store, person, "bound to provider", about, address=address)
        if person is None or not person.is_active:
            audit.note(self._store, None, "sign-in failed", detail="provider", address=address)
            raise SignInError(_UNKNOWN)
        return sign_ins.begin(self._store, person, address, "OpenID Connect")

    async def sign_out(self, request: Request) -> Response:
        """End the sign-in of this browser."""
        await posted(request)
        if request.state.caller.sign_in:
            await run_in_threadpool(sign_ins.sign_out, self._store, request.state.caller.sign_in)
        answer = _led("/")
        set_cookie(answer, request, SIGN_IN, "", max_age=0)
        return answer

    async def invited(self, request: Request) -> Response:
        """Show the form on which an invited person sets a password; the link stays good."""
        return await self._invitation_page(request, "")

    async def accept(self, request: Request) -> Response:
        """Set the password of an invited person, and lead them to what they do here."""
        given, token = await posted(request), request.path_params["token"]
        password, address = given.get("password", ""), request.state.caller.address
        if password != given.get("again", ""):
            return await self._invitation_page(request, "the two passwords differ")
        try:
            person = await run_in_threadpool(
                invitations.accept, self._store, token, password, address
            )
        except PeopleError as error:
            return await self._invitation_page(request, str(error))
        signed = await run_in_threadpool(sign_ins.begin, self._store, person, address, "invitation")
        after = "/organise" if person.is_organiser else "/submit" if person.team else "/me"
        return await self._let_in(request, signed, after)

    async def me(self, request: Request) -> Response:
        """Show one's own account."""
        if request.state.person is None:
            return _led("/sign-in?next=/me")
        return await self._own_page(request, _Told())

    async def change(self, request: Request) -> Response:
        """Change what is asked for of one's own account."""
        given, person = await posted(request), self._signed_in(request)
        caller, word = request.state.caller, given.get("do", "")
        if word == "password":
            return await self._change_password(request, person, given)
        if word not in self._actions:
            raise HTTPException(400)
        try:
            told = await run_in_threadpool(self._actions[word], caller, person, given)
        except PeopleError as error:
            told = _Told(wrong=str(error))
        if word == "end-all":
            answer = _led("/sign-in")
            set_cookie(answer, request, SIGN_IN, "", max_age=0)
            return answer
        return await self._own_page(request, told)

    async def data(self, request: Request) -> Response:
        """Return all that is stored about the person who asks."""
        person: Person | None = request.state.person
        if person is None:
            return _led("/sign-in?next=/me")
        found = await run_in_threadpool(self._data, person)
        headers = {"Content-Disposition": 'attachment; filename="my-data.json"'}
        return _unstored(JsonResponse(found, headers=headers))

    async def own(self, request: Request) -> Response:
        """Say to a program whose token it has."""
        person: Person | None = request.state.person
        if person is None:
            text = "nobody has signed in: send 'Authorization: Bearer blp_…' with a personal token"
            return failure(text, 401, {"WWW-Authenticate": "Bearer"})
        team = await run_in_threadpool(self._team_of, person)
        return _unstored(
            JsonResponse({"login": person.login, "role": person.role, "team": team or None})
        )

    def _signed_in(self, request: Request) -> Person:
        person: Person | None = request.state.person
        if person is None:
            raise HTTPException(403)
        return person

    async def _change_password(
        self, request: Request, person: Person, given: dict[str, str]
    ) -> Response:
        after = given.get("password", "")
        if after != given.get("again", ""):
            return await self._own_page(request, _Told(wrong="the two passwords differ"))
        try:
            token = await run_in_threadpool(
                sign_ins.change_password,
                self._store,
                person,
                given.get("before", ""),
                after,
                request.state.caller.address,
            )
        except (SignInError, PeopleError) as error:
            return await self._own_page(request, _Told(wrong=str(error)), _status(error))
        return await self._let_in(request, token, "/me?done=password")

    def _end(self, caller: Caller, person: Person, given: dict[str, str]) -> _Told:
        if self._store.sign_ins.end(given.get("key", ""), person.id):
            about = f"person {person.id}"
            audit.note(self._store, person, "ended sign-in", about, address=caller.address)
        return _Told(done="That browser is signed out.")

    def _end_all(self, caller: Caller, person: Person, given: dict[str, str]) -> _Told:
        self._store.sign_ins.end_all(person.id)
        about = f"person {person.id}"
        audit.note(self._store, person, "ended all sign-ins", about, address=caller.address)
        return _Told()

    def _token(self, caller: Caller, person: Person, given: dict[str, str]) -> _Told:
        days, label = given.get("days", "90"), given.get("label", "")
        if not (days.isascii() and days.isdigit() and len(days) < 5):
            raise PeopleError("days: expected a whole number")
        made = tokens.new_token(self._store, person, label, int(days), caller.address)
        return _Told(token=made)

    def _revoke(self, caller: Caller, person: Person, given: dict[str, str]) -> _Told:
        number = given.get("number", "")
        if number.isascii() and number.isdigit() and len(number) < 16:
            tokens.revoke(self._store, person, int(number), caller.address)
        return _Told(done="That token is revoked.")

    def _ask_deletion(self, caller: Caller, person: Person, given: dict[str, str]) -> _Told:
        self._store.people.update(person.id, deletion_asked_at=now())
        about = f"person {person.id}"
        audit.note(self._store, person, "asked for deletion", about, address=caller.address)
        return _Told(done="The organiser sees that you ask to be deleted.")

    def _keep(self, caller: Caller, person: Person, given: dict[str, str]) -> _Told:
        self._store.people.update(person.id, deletion_asked_at=None)
        about = f"person {person.id}"
        audit.note(self._store, person, "took deletion back", about, address=caller.address)
        return _Told(done="Your account stays.")

    def _data(self, person: Person) -> dict[str, Any]:
        at = now()
        held = self._store.sign_ins.of_person(person.id, at=at, idle_s=sign_ins.IDLE_S)
        entries = self._store.sign_ins.audit(100_000, person=person.id)
        return {
            "person": {
                **asdict(person),
                "team": self._team_of(person) or None,
                "provider": self._store.people.subject_of(person.id),
            },
            "sign_ins": [_without(asdict(each), "key") for each in held],
            "tokens": [asdict(each) for each in self._store.sign_ins.personal_tokens(person.id)],
            "submissions": self._store.people.sent_by(person.id),
            "audit": [_told_to(person, asdict(each)) for each in entries],
        }

    def _team_of(self, person: Person) -> str:
        if person.team is None:
            return ""
        try:
            return self._store.people.team(person.team).name
        except UnknownRowError:
            return ""

    async def _let_in(self, request: Request, token: str, after: str) -> Response:
        """Give the browser a new sign-in, and end the one that it had."""
        if request.state.caller.sign_in:
            await run_in_threadpool(sign_ins.sign_out, self._store, request.state.caller.sign_in)
        answer = _led(after)
        set_cookie(answer, request, SIGN_IN, token, max_age=sign_ins.ABSOLUTE_S)
        return answer

    def _sign_in_page(
        self, request: Request, after: str, *, login: str = "", error: LeagueError | None = None
    ) -> Response:
        provider = self._hosted.provider
        status, headers = (200, {}) if error is None else (_status(error), _retry(error))
        text = render(
            "sign_in.html",
            league=request.app.state.name,
            wrong="" if error is None else _sentence(str(error)),
            login=login,
            next=after,
            provider=None if provider is None else provider.name,
        )
        return _unstored(HTMLResponse(text, status, headers))

    async def _invitation_page(self, request: Request, wrong: str) -> Response:
        token = request.path_params["token"]
        person = await run_in_threadpool(invitations.invited, self._store, token)
        team = "" if person is None else await run_in_threadpool(self._team_of, person)
        text = render(
            "invitation.html",
            league=request.app.state.name,
            invited=person,
            team=team,
            wrong=_sentence(wrong),
            over=_sentence(invitations.OVER),
            shortest=SHORTEST,
            longest=LONGEST,
        )
        status = 404 if person is None else 400 if wrong else 200
        return _unstored(HTMLResponse(text, status))

    async def _own_page(self, request: Request, told: _Told, status: int = 0) -> Response:
        # Read again: a form may have changed it just now.
        caller = request.state.caller

        def drawn() -> str:
            person = self._store.people.get(request.state.person.id)
            at = now()
            return render(
                "me.html",
                league=request.app.state.name,
                me=person,
                team=self._team_of(person),
                sign_ins=self._store.sign_ins.of_person(person.id, at=at, idle_s=sign_ins.IDLE_S),
                here=digest_of(caller.sign_in) if caller.sign_in else "",
                tokens=[
                    each
                    for each in self._store.sign_ins.personal_tokens(person.id)
                    if each.revoked_at is None and (each.expires_at or at + 1) > at
                ],
                wrong=_sentence(told.wrong),
                done=told.done or _DONE.get(request.query_params.get("done", ""), ""),
                made=told.token,
                shortest=SHORTEST,
                longest=LONGEST,
                days_max=tokens.DAYS_MAX,
            )

        text = await run_in_threadpool(drawn)
        return _unstored(HTMLResponse(text, status or (400 if told.wrong else 200)))


_DONE = {"password": "Your password is changed. All other browsers are signed out."}


def _next(text: str) -> str:
    """Return the address below the dashboard's to lead to, '/' for one that leads elsewhere.

    >>> _next("/bots?q=a"), _next("//evil.example"), _next("https://evil.example")
    ('/bots?q=a', '/', '/')
    """
    is_own = text.startswith("/") and not text.startswith(("//", "/\\")) and len(text) < 1000
    return text if is_own and text.isascii() and text.isprintable() and " " not in text else "/"


def _led(path: str) -> Response:
    return _unstored(RedirectResponse(f"{ROOT.get()}{path}", 303))


def _callback(request: Request) -> str:
    """Return the address to which a provider sends browsers back."""
    return f"{request.url.scheme}://{request.headers['host']}{ROOT.get()}/sign-in/provider/back"


def _unpacked(text: str) -> object:
    try:
        return json.loads(urlsafe_b64decode(text.encode()))
    except (ValueError, RecursionError):
        return None


def _status(error: LeagueError) -> int:
    if isinstance(error, LockedError):
        return 429
    if isinstance(error, SignInError):
        return 403
    return 400 if isinstance(error, PeopleError) else 503


def _retry(error: LeagueError) -> dict[str, str]:
    return {"Retry-After": str(error.wait_s)} if isinstance(error, LockedError) else {}


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}." if text else ""


def _without(values: dict[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in values.items() if key != name}


def _told_to(person: Person, entry: dict[str, Any]) -> dict[str, Any]:
    """Return an entry of the audit log as its subject may see it: without another's data."""
    if entry["actor"] in (person.login, "host"):
        return entry
    return {**entry, "actor": "organiser", "address": ""}


def _unstored(answer: Response) -> Response:
    answer.headers["Cache-Control"] = "no-store"
    return answer
