"""The HTTP server at which pull workers fetch matches and hand in results."""

import asyncio
import hmac
import socket
import ssl
import threading
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import msgspec
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from league.execution.pull_machines import PullRefused
from league.execution.pull_messages import (
    ASK_BYTES,
    RESULTS_BYTES,
    Alive,
    Ask,
    AskFiles,
    Hand,
    Message,
    Offer,
    decode,
    encode,
)
from league.execution.pull_pool import PullPool
from league.model.errors import SetupError

POLL_S = 20.0
"""Longest time that a request for matches waits for some: proxies often end one after a minute."""

BODY_S = 60.0
"""Longest time that a request may take to arrive."""

CONNECTIONS_MAX = 2000
"""The most connections at a time."""

END_S = 1.0
"""Longest time to wait for the last answers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PullAccess:
    """The `token` that workers have to know, and the files of TLS, None for plain HTTP."""

    token: str
    certificate: Path | None = None
    key: Path | None = None

    def check(self) -> None:
        """Raise `SetupError` if the certificate can't be used."""
        if self.certificate is None:
            return
        try:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(self.certificate, self.key)
        except (OSError, ValueError) as error:
            raise SetupError(
                f"can't use the certificate {str(self.certificate)!r}: {error}"
            ) from None

    def allows(self, header: str) -> bool:
        """Whether an Authorization header has the token."""
        kind, _, given = header.partition(" ")
        is_same = hmac.compare_digest(given.strip().encode(), self.token.encode())
        return kind.lower() == "bearer" and is_same


def serving(pool: PullPool, access: PullAccess, listener: socket.socket) -> PullPool:
    """Return a pool that is served until its end; `listener` stays open."""
    pool.on_end = PullServer(pool, access, listener).close
    return pool


class PullServer:
    """Serves a pool in a thread until it is closed; `listener` stays open."""

    def __init__(self, pool: PullPool, access: PullAccess, listener: socket.socket) -> None:
        self._pool, self._access = pool, access
        self._loop: asyncio.AbstractEventLoop | None = None
        self._news = asyncio.Event()
        routes = [
            Route("/batch", self._answering(Ask, self._offer), methods=["POST"]),
            Route("/results", self._answering(Hand, _at_once(pool.take)), methods=["POST"]),
            Route("/alive", self._answering(Alive, _at_once(pool.keep)), methods=["POST"]),
            Route("/files", self._answering(AskFiles, _at_once(pool.files)), methods=["POST"]),
        ]
        config = uvicorn.Config(
            Starlette(routes=routes),
            ssl_certfile=access.certificate,
            ssl_keyfile=access.key,
            lifespan="off",
            log_config=None,
            # Else each connection of another protocol brings a line.
            log_level="error",
            access_log=False,
            server_header=False,
            limit_concurrency=CONNECTIONS_MAX,
            timeout_keep_alive=75,
        )
        self._server = uvicorn.Server(config)
        pool.on_news = self._tell_news
        # The server closes what it gets, and the next pool of this run needs the address again.
        sockets = [listener.dup()]
        self._thread = threading.Thread(
            target=self._server.run, args=(sockets,), name="pull-server", daemon=True
        )
        self._thread.start()

    def close(self) -> None:
        """Answer the waiting requests, and end the thread."""
        self._server.should_exit = True
        self._thread.join(END_S)
        # A connection of TLS waits for the other side to close it, too.
        self._server.force_exit = True
        self._thread.join(END_S)

    def _tell_news(self) -> None:
        """Wake the requests that wait for matches; called from any thread."""
        loop = self._loop
        if loop is not None:
            # It may end in between.
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(self._news.set)

    async def _offer(self, ask: Ask, request: Request) -> msgspec.Struct:
        """Return batches as soon as there are some, or none after `POLL_S`."""
        # Before the first request nobody waits for news.
        self._loop = asyncio.get_running_loop()
        end_s = time.monotonic() + POLL_S
        while True:
            self._news.clear()
            if await request.is_disconnected():
                return Offer()
            offer = self._pool.offer(ask)
            left_s = end_s - time.monotonic()
            is_done = offer.batches or offer.dropped or self._pool.is_over
            if is_done or left_s <= 0:
                return offer
            with suppress(TimeoutError):
                await asyncio.wait_for(self._news.wait(), left_s)

    def _answering(
        self, kind: type[Message], answer: Callable[[Message, Request], Awaitable[msgspec.Struct]]
    ) -> Callable[[Request], Awaitable[Response]]:
        """Return the endpoint that answers messages of a kind."""
        most = RESULTS_BYTES if kind is Hand else ASK_BYTES

        async def endpoint(request: Request) -> Response:
            if not self._access.allows(request.headers.get("authorization", "")):
                return PlainTextResponse("wrong token", 401)
            try:
                body = await asyncio.wait_for(_body(request, most), BODY_S)
                if body is None:
                    return PlainTextResponse(f"more than {most:,} bytes", 413)
                found = await answer(decode(body, kind), request)
            except PullRefused as refused:
                return PlainTextResponse(str(refused), 409)
            except (ValueError, TimeoutError) as error:
                return PlainTextResponse(str(error), 400)
            return Response(encode(found), media_type="application/msgpack")

        return endpoint


def _at_once(
    answer: Callable[[Message], msgspec.Struct],
) -> Callable[[Message, Request], Awaitable[msgspec.Struct]]:
    """Return what answers without waiting."""

    async def answered(message: Message, request: Request) -> msgspec.Struct:
        return answer(message)

    return answered


async def _body(request: Request, most: int) -> bytes | None:
    """Return a request's body, None for a larger one."""
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > most:
            return None
    return bytes(body)
