"""Whether the host is well, for monitors: `/healthz` and `/metrics`."""

import asyncio
import contextlib
import hmac
from collections.abc import AsyncIterator, Callable

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

from league.hosting.api.health import fault_of, metrics_text
from league.hosting.web.hosted import Hosted, hosted_of
from league.model.errors import DatabaseError
from league.web.access import LOOPBACK, host_name
from league.web.page_route import Audience, PageRoute

PATHS = ("/healthz", "/metrics")
"""Addresses that need no sign-in."""

BEAT_S = 1.0

METRICS = "text/plain; version=0.0.4; charset=utf-8"

_FRESH = {"Cache-Control": "no-store"}

_FORWARDED = ("forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip", "via")
"""Headers of a request that came through a proxy."""


def routes() -> list[PageRoute]:
    """Return the addresses for monitors."""
    return [
        PageRoute("/healthz", _healthz, Audience.EVERYBODY, checks_itself=True),
        PageRoute("/metrics", _metrics, Audience.EVERYBODY, checks_itself=True),
    ]


def beating(
    beat: Callable[[], None],
) -> "Callable[[Starlette], contextlib.AbstractAsyncContextManager[None]]":
    """Return a lifespan that calls `beat` every second, as long as the event loop turns."""

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        task = asyncio.create_task(_beat_on(beat))
        try:
            yield
        finally:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task

    return lifespan


async def _beat_on(beat: Callable[[], None]) -> None:
    while True:
        beat()
        await asyncio.sleep(BEAT_S)


async def _healthz(request: Request) -> Response:
    """Say whether all processes of the host are alive and the database answers."""
    try:
        reason = fault_of(await asyncio.to_thread(hosted_of(request).store.services.all))
    except DatabaseError:
        # Its text may name files or servers.
        reason = "the database does not answer"
    if reason:
        return JSONResponse({"status": "failing", "reason": reason}, 503, _FRESH)
    return JSONResponse({"status": "ok"}, 200, _FRESH)


async def _metrics(request: Request) -> Response:
    """Answer with the metrics, to those who may see them."""
    hosted = hosted_of(request)
    if not _may_see(request, hosted):
        text = "metrics are for this machine, or with 'Authorization: Bearer TOKEN' (see --help)\n"
        return PlainTextResponse(text, 403, _FRESH)
    try:
        text = await asyncio.to_thread(metrics_text, hosted.store)
    except DatabaseError:
        return PlainTextResponse("the database does not answer\n", 503, _FRESH)
    return PlainTextResponse(text, 200, {**_FRESH, "Content-Type": METRICS})


def _may_see(request: Request, hosted: Hosted) -> bool:
    """Whether a request brings the token of the metrics, or comes from this machine itself.

    A proxy on this machine makes all requests look as if they came from it: behind one, only the
    token counts.
    """
    kind, _, given = request.headers.get("authorization", "").partition(" ")
    token = hosted.metrics_token
    if token and kind.lower() == "bearer":
        return hmac.compare_digest(given.strip().encode(), token.encode())
    if hosted.is_behind_proxy or any(name in request.headers for name in _FORWARDED):
        return False
    client = "" if request.client is None else request.client.host
    is_here = client in ("::1", "127.0.0.1") or client.startswith("127.")
    return is_here and host_name(request.headers.get("host", "")) in LOOPBACK
