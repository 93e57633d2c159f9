"""Pages that follow a tournament in play: one look at the database a second for all of them."""

import asyncio
from collections.abc import AsyncIterator

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import StreamingResponse
from starlette.routing import Route

from league.errors import LeagueError
from league.pages.rendering import render
from league.store import Store
from league.web.views import live_values

LOOK_S = 1.0


class Watch:
    """Tells when the database has changed; all streams share it."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._state: object = None
        self._count = 0
        self._next = 0.0
        self._lock = asyncio.Lock()
        self._pages: dict[int, tuple[int, str, bool]] = {}

    async def page(self, tournament: int) -> tuple[int, str, bool]:
        """Return the newest drawing of a tournament, its number, and whether it is the last."""
        async with self._lock:
            now = asyncio.get_running_loop().time()
            if now >= self._next:
                state = await run_in_threadpool(self._store.state)
                self._next = now + LOOK_S
                if state != self._state:
                    self._state, self._count = state, self._count + 1
            kept = self._pages.get(tournament)
            if kept is None or kept[0] != self._count:
                kept = (self._count, *await run_in_threadpool(_drawn, self._store, tournament))
                self._pages[tournament] = kept
            return kept


def routes() -> list[Route]:
    """Return the addresses of the streams."""
    return [Route("/tournaments/{number:int}/events", _events)]


def _drawn(store: Store, tournament: int) -> tuple[str, bool]:
    values = live_values(store, store.tournament(tournament))
    return render("_live.html", **values), not values["is_in_play"]


async def _events(request: Request) -> StreamingResponse:
    watch: Watch = request.app.state.watch
    number = request.path_params["number"]
    await watch.page(number)
    return StreamingResponse(
        _stream(request, watch, number),
        media_type="text/event-stream",
        headers={"Cache-Control": "no-store"},
    )


async def _stream(request: Request, watch: Watch, number: int) -> AsyncIterator[str]:
    sent = 0
    while not await request.is_disconnected():
        try:
            count, drawing, is_last = await watch.page(number)
        except LeagueError:
            return
        if count != sent:
            sent = count
            yield _event("page", drawing)
        if is_last:
            yield _event("end", "")
            return
        await asyncio.sleep(LOOK_S / 2)


def _event(name: str, text: str) -> str:
    data = "".join(f"data: {line}\n" for line in text.split("\n"))
    return f"event: {name}\n{data}\n"
