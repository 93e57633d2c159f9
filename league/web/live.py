"""A tournament's page, and the stream that follows it: one look at the database for all of them."""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator
from dataclasses import KW_ONLY, dataclass, field

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response, StreamingResponse
from starlette.routing import Route

from league.analysis.follow import Follower, FollowUpdate
from league.analysis.standings import crosstable, standings
from league.model.errors import LeagueError
from league.model.records import MatchKey
from league.render.template import render
from league.render.tournament_page import draw_boards, draw_body, draw_head
from league.store.store import Store
from league.tournament.live_board import MatchInPlay, matches_in_play
from league.tournament.settings import settings_of

LOOK_S = 1.0
SHARE = 4
"""A page whose drawing takes so long is drawn again after so many times as long, not sooner."""

PAGE_S, STREAM_S = 0.02, 0.5
"""How long a look may read what is new: for a page somebody waits."""

NEWEST = 8
"""How many matches are listed."""

FOLLOWED_MAX = 16
"""How many tournaments are remembered with what was read of them."""


Seen = tuple[tuple[MatchKey, int], ...]
"""Which matches are in play, and after how many plies."""


@dataclass(slots=True)
class _Page:
    """What is known and drawn of one tournament; the parts are in the order of the page."""

    follower: Follower
    _: KW_ONLY
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    look: FollowUpdate | None = None
    seen: Seen = ()
    change: int = -1
    boards_due_s: float = 0.0
    body_due_s: float = 0.0
    parts: dict[str, str] = field(default_factory=lambda: {"head": "", "boards": "", "body": ""})


@dataclass(frozen=True, slots=True)
class LivePage:
    """A tournament and what is drawn of it, by part; each part changes with its mark."""

    look: FollowUpdate
    parts: dict[str, str]
    marks: dict[str, object]


class TournamentWatch:
    """Draws tournaments when the database has changed; all pages and streams share it."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._state: object = None
        self._change = 0
        self._due_s = 0.0
        self._lock = asyncio.Lock()
        self._pages: OrderedDict[int, _Page] = OrderedDict()

    async def drawing(self, tournament: int, budget_s: float) -> LivePage:
        """Return the newest drawing of a tournament, for which reading takes no longer than that.

        Raises `LeagueError`.
        """
        change = await self._changes()
        page = self._pages.setdefault(tournament, _Page(Follower(self._store, tournament)))
        self._pages.move_to_end(tournament)
        while len(self._pages) > FOLLOWED_MAX:
            self._pages.popitem(last=False)
        async with page.lock:
            has_runner = await self._draw_boards(page, tournament)
            look = await self._draw_body(page, change, has_runner, budget_s)
        # The time since a move is drawn too, and changes nothing: the page counts it by itself.
        return LivePage(look, dict(page.parts), {**page.parts, "boards": page.seen})

    async def _changes(self) -> int:
        """Return a number that grows when the database changes."""
        async with self._lock:
            now_s = _now_s()
            if now_s >= self._due_s:
                state = await run_in_threadpool(self._store.state)
                self._due_s = now_s + LOOK_S
                if state != self._state:
                    self._state, self._change = state, self._change + 1
            return self._change

    async def _draw_boards(self, page: _Page, tournament: int) -> bool:
        """Draw what is in play once a second; return whether somebody runs the tournament."""
        if page.look is not None and _now_s() < page.boards_due_s:
            return page.look.is_in_play
        has_runner, matches = await run_in_threadpool(_in_play, self._store, tournament)
        page.parts["boards"] = await run_in_threadpool(draw_boards, matches)
        page.seen = tuple((each.key, each.plies) for each in matches)
        page.boards_due_s = _now_s() + LOOK_S
        return has_runner

    async def _draw_body(
        self, page: _Page, change: int, has_runner: bool, budget_s: float
    ) -> FollowUpdate:
        """Draw the rest where something has changed, and it is not too soon."""
        before, begin_s = page.look, _now_s()
        if before is not None and before.is_read:
            is_same = (page.change, before.is_in_play) == (change, has_runner)
            if is_same or begin_s < page.body_due_s:
                return before
        look = await run_in_threadpool(page.follower.look, budget_s)
        if before is not None and not before.is_read and not look.is_read:
            # Nothing is drawn between the beginning and all.
            return before
        page.parts |= await run_in_threadpool(_drawn, self._store, look)
        page.look, page.change = look, change
        page.body_due_s = begin_s + SHARE * (_now_s() - begin_s)
        return look


def _now_s() -> float:
    return asyncio.get_running_loop().time()


def _in_play(store: Store, tournament: int) -> tuple[bool, list[MatchInPlay]]:
    return store.is_in_play(tournament), matches_in_play(store, tournament)


def _drawn(store: Store, look: FollowUpdate) -> dict[str, str]:
    row = look.row
    table = standings(store, row.config.game, row.id)
    _, cells = crosstable(store, row.config.game, row.id)
    matches = store.matches(tournament=row.id, limit=NEWEST)
    return {"head": draw_head(look, table.says), "body": draw_body(look, table, cells, matches)}


async def _tournament(request: Request) -> Response:
    store: Store = request.app.state.store
    drawing = await request.app.state.watch.drawing(request.path_params["number"], PAGE_S)
    row = drawing.look.row
    settings = await run_in_threadpool(settings_of, store, row)
    values = {"league": request.app.state.name, "row": row, "settings": settings}
    return HTMLResponse(render("tournament.html", parts=drawing.parts, **values))


async def _events(request: Request) -> StreamingResponse:
    watch: TournamentWatch = request.app.state.watch
    number = request.path_params["number"]
    await watch.drawing(number, PAGE_S)
    return StreamingResponse(
        _stream(request, watch, number),
        media_type="text/event-stream",
        headers={"Cache-Control": "no-store"},
    )


async def _stream(request: Request, watch: TournamentWatch, number: int) -> AsyncIterator[str]:
    sent: dict[str, object] = {}
    while not await request.is_disconnected():
        try:
            drawing = await watch.drawing(number, STREAM_S)
        except LeagueError:
            return
        for name, text in drawing.parts.items():
            if name not in sent or sent[name] != drawing.marks[name]:
                yield _event(name, text)
        sent = drawing.marks
        if drawing.look.is_read and not drawing.look.is_in_play:
            yield _event("end", "")
            return
        await asyncio.sleep(LOOK_S / 2)


def _event(name: str, text: str) -> str:
    data = "".join(f"data: {line}\n" for line in text.split("\n"))
    return f"event: {name}\n{data}\n"


ROUTES = [
    Route("/tournaments/{number:int}", _tournament),
    Route("/tournaments/{number:int}/events", _events),
]
