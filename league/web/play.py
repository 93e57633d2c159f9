"""The pages on which people play against a bot, or against each other at one screen.

They exist with `league serve --play`, and in the process `play` of a hosted league. No match is
stored.
"""

import asyncio
import hmac
import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from hashlib import sha256

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from games.support.errors import InputError, UnknownNameError
from games.support.game import Game
from games.support.specs import GAMES, find_game
from league.analysis.replay import Replay
from league.interchange.export_matches import configured
from league.match.own_texts import with_own_texts
from league.model.clock import now
from league.model.records import Limits, MatchKey
from league.render.data_uri import picture
from league.render.game_look import title_of
from league.render.page_parts import script_data
from league.render.play_page import is_played_upwards, is_pressed_by_column
from league.render.template import ROOT
from league.store.rows import BotRef, MatchRow
from league.store.store import StoreReader
from league.web.access import cookie_in
from league.web.forms import fields, is_same
from league.web.html_response import drawn
from league.web.page_route import Audience, PageRoute
from league.web.page_source import store_of
from league.web.play_host import FullError, HostedMatch, OrderKind, PlayHost
from league.web.play_settings import (
    FIRST_GAME,
    LIMITS,
    TWO_PEOPLE,
    USUAL,
    game_in,
    opponents_in,
    session_for,
    settings_in,
    text_of,
    usual_opponent,
)
from league.web.query import number_of

COOKIE = "league-play"

WAIT_S = 20.0
"""Longest time that an answer waits for a bot's move; the page then asks again."""

LOOK_S = 0.04

FILES = {"pgn": "PGN", "json": "JSON"}
"""The formats of downloads, with their labels."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayTerms:
    """The terms on which a request may play.

    `owner` has the matches, '' for whoever has the cookie; an owner has one match at a time. `game`
    is the only game, '' for any, and `rivals` are the only bots, None for all. Texts and logs of
    bots other than `own` are not shown; None shows all. Versions of bots are read from `bots`, None
    for the store of the request; each bot gets `memory_mb`, None for the usual. At most `most`
    matches are in play, None for as many as before.
    """

    owner: str = ""
    game: str = ""
    rivals: frozenset[str] | None = None
    own: str | None = None
    bots: StoreReader | None = None
    isolation: str = "auto"
    memory_mb: int | None = None
    most: int | None = None


OPEN = PlayTerms()
"""Everybody who reaches the league plays everything."""

TermsOf = Callable[[Request], PlayTerms]


def routes(host: PlayHost, terms_of: TermsOf = lambda request: OPEN) -> list[PageRoute]:
    """Return the addresses of the pages; `terms_of` may raise `InputError`."""
    pages = _Pages(host, terms_of)
    return [
        PageRoute("/play", pages.choose, Audience.PEOPLE, methods=["GET"]),
        PageRoute("/play", pages.begin, Audience.PEOPLE, methods=["POST"]),
        PageRoute("/play/{key}", pages.match, Audience.PEOPLE, methods=["GET"]),
        PageRoute("/play/{key}", pages.obey, Audience.PEOPLE, methods=["POST"]),
        PageRoute("/play/{key}/position", pages.position, Audience.PEOPLE, methods=["GET"]),
        *(
            PageRoute(f"/play/{{key}}/{name}", pages.file, Audience.PEOPLE, methods=["GET"])
            for name in FILES
        ),
    ]


class _Pages:
    """The endpoints, over the matches of one server."""

    def __init__(self, host: PlayHost, terms_of: TermsOf) -> None:
        self._host = host
        self._terms_of = terms_of

    async def choose(self, request: Request) -> Response:
        """Show what can be played."""
        terms = await self._terms(request)
        owner = terms.owner or _cookie(request) or secrets.token_urlsafe(24)
        given = {name: value for name, value in request.query_params.items() if len(value) < 500}
        text = await run_in_threadpool(self._form, request, terms, owner, given, "")
        answer = HTMLResponse(text)
        if terms.owner:
            return _unstored(answer)
        path, is_secure = ROOT.get() or "/", request.scope["scheme"] == "https"
        answer.set_cookie(
            COOKIE, owner, path=path, secure=is_secure, httponly=True, samesite="strict"
        )
        return _unstored(answer)

    async def begin(self, request: Request) -> Response:
        """Begin a match, and lead to it."""
        terms = await self._terms(request)
        owner, given = await self._form_of(request, terms)
        try:
            match = await run_in_threadpool(self._begun, store_of(request), terms, owner, given)
        except InputError as error:
            status = 503 if isinstance(error, FullError) else 400
            told = str(error).partition("\n")[0]
            form = (request, terms, owner, given, told, status == 400)
            text = await run_in_threadpool(self._form, *form)
            return _unstored(HTMLResponse(text, status))
        return RedirectResponse(f"{ROOT.get()}/play/{match.key}", 303)

    async def match(self, request: Request) -> Response:
        """Show a match of this browser."""
        match = await self._match(request)
        return _unstored(HTMLResponse(await run_in_threadpool(self._page, request, match, "")))

    async def obey(self, request: Request) -> Response:
        """Do what the person asks for; tell how the match stands then."""
        _, given = await self._form_of(request, await self._terms(request))
        match = await self._match(request)
        word = given.get("do", "")
        if word not in list(OrderKind):
            raise HTTPException(400)
        wrong = await asyncio.wrap_future(match.obey(OrderKind(word), given.get("text", "")))
        if "application/json" in request.headers.get("accept", ""):
            return _unstored(JSONResponse({**match.view.data(), "wrong": wrong}))
        if wrong:
            text = await run_in_threadpool(self._page, request, match, wrong)
            return _unstored(HTMLResponse(text, 400))
        path = "/play" if word == OrderKind.END else f"/play/{match.key}"
        return RedirectResponse(f"{ROOT.get()}{path}", 303)

    async def position(self, request: Request) -> Response:
        """Tell how a match stands, as soon as that is no longer the `known` revision.

        With a `ply`, draw what the board was then.
        """
        match = await self._match(request)
        if "ply" in request.query_params:
            ply = number_of(request, "ply", 0)
            drawn_at = partial(match.view.data_at, ply, match.session.game)
            return _unstored(JSONResponse(await run_in_threadpool(drawn_at)))
        known, end_s = request.query_params.get("known", ""), time.monotonic() + WAIT_S
        while str(match.view.revision) == known and time.monotonic() < end_s:
            if await request.is_disconnected():
                break
            await asyncio.sleep(LOOK_S)
        return _unstored(JSONResponse(match.view.data()))

    async def file(self, request: Request) -> Response:
        """Return a match that is over as a file."""
        match, name = await self._match(request), request.url.path.rpartition("/")[2]
        if name not in _offered(match):
            raise HTTPException(404)
        export = configured(name, {})
        body = await run_in_threadpool(export.text, replay_of(match))
        place = f"{match.session.game.name}{export.suffix}"
        headers = {"Content-Disposition": f'attachment; filename="{place}"'}
        return _unstored(Response(body, media_type=export.media_type, headers=headers))

    async def _terms(self, request: Request) -> PlayTerms:
        found = await run_in_threadpool(self._terms_of, request)
        if found.most is not None:
            self._host.most = found.most
        return found

    async def _match(self, request: Request) -> HostedMatch:
        terms = await self._terms(request)
        found = self._host.find(request.path_params["key"], terms.owner or _cookie(request))
        if found is None:
            raise HTTPException(404)
        return found

    async def _form_of(self, request: Request, terms: PlayTerms) -> tuple[str, dict[str, str]]:
        """Return who sends a form and what is in it; raise `HTTPException` unless a page did.

        `Guard` refuses what a browser says comes from elsewhere. The cookie is not sent from
        another site, but from another port of this host; the token is only on pages, which no
        other origin can read.
        """
        owner = terms.owner or _cookie(request)
        given = await fields(request)
        if not owner or not is_same(given.get("token", ""), self._token(owner)):
            raise HTTPException(403)
        return owner, given

    def _token(self, owner: str) -> str:
        return hmac.new(self._host.secret, owner.encode(), sha256).hexdigest()

    def _begun(
        self, store: StoreReader, terms: PlayTerms, owner: str, given: Mapping[str, str]
    ) -> HostedMatch:
        settings = settings_in(store, {**given, "game": terms.game} if terms.game else given)
        rival = settings.against
        if rival != TWO_PEOPLE and terms.rivals is not None and rival not in terms.rivals:
            raise UnknownNameError("opponent", rival, terms.rivals)
        if terms.owner:
            for each in self._host.in_play(owner):
                each.end()
        before = self._host.find(given.get("from", ""), owner)
        if before is not None:
            before.end()
        return self._host.begin(
            owner,
            settings,
            lambda: session_for(terms.bots or store, settings, terms.isolation, terms.memory_mb),
            is_silent=terms.own not in (None, rival),
        )

    def _form(
        self,
        request: Request,
        terms: PlayTerms,
        owner: str,
        given: Mapping[str, str],
        wrong: str,
        is_open: bool = False,
    ) -> str:
        store = store_of(request)
        try:
            forced = {"game": terms.game} if terms.game else {}
            game = game_in(store, {"game": _usual_game(store), **given, **forced})
        except InputError as error:
            wrong, is_open = wrong or str(error).partition("\n")[0], True
            game = find_game(terms.game or FIRST_GAME)
        name, initial = game.spec.partition("?")[0], game.initial()
        opponents = [
            each
            for each in opponents_in(store, game)
            if terms.rivals is None or each.bot.name in terms.rivals
        ]
        values = {each.name: given.get(f"option.{each.name}", "") for each in game.options}
        return drawn(
            request,
            "play.html",
            games=_games(store, terms.game),
            game=game,
            name=name,
            first=initial.to_move,
            board=picture(initial.svg()),
            colours=game.seat_colours,
            bots=opponents,
            against=given.get("against"),
            opponent=given.get("against", usual_opponent(opponents)),
            seat=given.get("seat", "0"),
            limits=LIMITS,
            limit=given.get("limit", USUAL),
            options=[(each, values[each.name] or text_of(game, each)) for each in game.options],
            wrong=wrong,
            is_open=is_open,
            token=self._token(owner),
            mine=[(each, _names(each)) for each in self._host.in_play(owner)],
            idle_minutes=self._host.idle_s / 60,
            most=self._host.most,
        )

    def _page(self, request: Request, match: HostedMatch, wrong: str) -> str:
        game, session, view = match.session.game, match.session, match.view
        frame = {
            "column": is_pressed_by_column(game),
            "is_turned": is_played_upwards(game) and bool(session.bot) and session.seat == 1,
        }
        return drawn(
            request,
            "play_match.html",
            match=match,
            game=game,
            session=session,
            view=view,
            script=script_data({**frame, **view.data()}),
            board=picture(view.board.board),
            names=_names(match),
            colours=game.seat_colours,
            files=_offered(match) or _files(game),
            wrong=wrong,
            token=self._token(match.owner),
            limit=LIMITS[match.settings.limit][0],
            idle_minutes=self._host.idle_s / 60,
            can_turn='class="turns"' in view.board.board,
        )


def replay_of(match: HostedMatch) -> Replay:
    """Return a match that is over as a replay, for exports."""
    record = match.session.record()
    if match.is_silent:
        record = with_own_texts(record, ())
    row = MatchRow(
        id=0,
        tournament_id=0,
        key=MatchKey(0, 0),
        game=record.game,
        versions=tuple(BotRef(0, name, 1) for name in _names(match)),
        scores=record.scores,
        termination=record.termination,
        fault_seat=record.fault_seat,
        utilities=record.utilities,
        stand_ins=None,
        plies=len(record.moves),
        wall_ms=sum(each.wall_ns for each in record.moves) // 1_000_000,
        finished_at=now(),
    )
    limits = match.session.limits if match.session.bot else Limits()
    return Replay(row=row, record=record, limits=limits)


def _names(match: HostedMatch) -> tuple[str, ...]:
    """Return who has each seat."""
    session = match.session
    if not session.bot:
        return session.game.seat_names
    return tuple(
        "You" if seat == session.seat else session.bot for seat in range(session.game.seats)
    )


def _offered(match: HostedMatch) -> dict[str, str]:
    return _files(match.session.game) if match.view.results is not None else {}


def _files(game: Game) -> dict[str, str]:
    return {name: text for name, text in FILES.items() if not configured(name, {}).refusal(game)}


def _usual_game(store: StoreReader) -> str:
    """Return the game of ours with the most matches."""
    played = [each for each in store.totals.games_played() if each in GAMES.names()]
    return max(played, key=lambda each: _matches_of(store, each), default=FIRST_GAME)


def _matches_of(store: StoreReader, game: str) -> int:
    return sum(store.totals.columns(game=game).counts)


def _games(store: StoreReader, only: str) -> list[tuple[str, str, str]]:
    """List the games, or the `only` one: the spec, the title, and the first position."""
    played = [each for each in store.totals.games_played() if each not in GAMES.names()]
    return [
        (spec, title_of(spec), drawing)
        for spec in ((only,) if only else (*GAMES.names(), *played))
        if (drawing := _first_position(spec))
    ]


@lru_cache(maxsize=64)
def _first_position(spec: str) -> str:
    try:
        return picture(find_game(spec).initial().svg())
    except InputError:
        return ""


def _cookie(request: Request) -> str:
    """Return what this browser is known by, '' if it is not."""
    return cookie_in(request.headers, COOKIE)[:100]


def _unstored(answer: Response) -> Response:
    answer.headers["Cache-Control"] = "no-store"
    return answer
