"""Limits on connections: how many may be open, and how long each may take.

They hold for any client: one that leaves hundreds of connections half open, sends a form or reads
an answer a byte at a time, does not block others.
"""

import asyncio
import logging
import resource
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from typing import Any, ClassVar

import h11
from anyio import CancelScope
from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse
from starlette.types import Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

HEADER_S = 10.0
"""Longest time for the head of a request, from the connection or the previous answer on."""

BODY_S, BODY_RATE, BODY_MOST_S = 10.0, 1000, 300.0
"""A body may take `BODY_S`, and a second more for each `BODY_RATE` bytes; in all `BODY_MOST_S`."""

WRITE_S = 30.0
"""Longest time that an answer waits for a client that does not read."""

HEADER_MAX = 32 * 1024
"""The most bytes of a request's head."""

CONNECTIONS_MAX = 1000

SOURCE_SHARE = 2
"""The connections from one address may be one of so many parts of all: a class may share it."""

RESERVED = 192
"""File descriptors kept for databases, files and connections just accepted."""

READS = ("GET", "HEAD")
"""Requests whose answer nobody needs once the client has gone."""

_FULL, _CROWDED = b"503 Service Unavailable", b"429 Too Many Requests"

_REFUSAL = b"HTTP/1.1 %s\r\ncontent-length: 0\r\nretry-after: 10\r\nconnection: close\r\n\r\n"

_SAID_AGAIN_S = 600.0

SourceOf = Callable[[Mapping[str, Any]], str]
"""Returns whose connections count together by the scope of a request, '' if that is not known.

Before the head of a request has come, the scope has the `client` and no `headers`.
"""


def _unknown(scope: Mapping[str, Any]) -> str:
    return ""


def connections_max() -> int:
    """Return how many connections may be open: fewer where the system allows few descriptors."""
    descriptors = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    if descriptors == resource.RLIM_INFINITY:
        return CONNECTIONS_MAX
    return max(16, min(CONNECTIONS_MAX, descriptors - RESERVED))


class BoundedProtocol(H11Protocol):
    """uvicorn's HTTP/1.1 protocol with limits on connections and times.

    If too many connections are open, in all or from one source, a new one replaces the connection
    that has waited longest for its client: for a request, or for the rest of a body. If all are
    busy, the new one is refused with status 503, or 429 for its source. The scope's state gets the
    `source` of a request.
    """

    most = CONNECTIONS_MAX
    source_most = CONNECTIONS_MAX // SOURCE_SHARE
    header_s = HEADER_S
    body_s, body_rate, body_most_s = BODY_S, BODY_RATE, BODY_MOST_S
    write_s = WRITE_S
    source_of: SourceOf = staticmethod(_unknown)
    sources: ClassVar[Counter[str]] = Counter()
    """Number of open connections by source."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._application, self.app = self.app, self._answer
        self._source = ""
        self._since_s = self.loop.time()
        self._timer: asyncio.TimerHandle | None = None
        self._write_timer: asyncio.TimerHandle | None = None
        self._received = 0
        self._is_late = False
        self._reading = CancelScope()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take a connection, or make room for it."""
        super().connection_made(transport)
        self._belong(self._peer)
        refusal = _CROWDED if self._is_crowded() else _FULL if self._is_full() else b""
        if refusal:
            transport.write(_REFUSAL % refusal)
            self._drop()
        else:
            self._wait_for_request()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the timers, and the answer if it only shows something."""
        for timer in (self._timer, self._write_timer):
            if timer is not None:
                timer.cancel()
        super().connection_lost(exc)
        self._reading.cancel()
        self._belong("")

    def data_received(self, data: bytes) -> None:
        """Count what the client sends."""
        self._received += len(data)
        super().data_received(data)

    def send_400_response(self, msg: str) -> None:
        """Refuse what is no HTTP; during or after an answer only end the connection."""
        if self.conn.our_state is h11.IDLE:
            super().send_400_response(msg)
        else:
            self._drop()

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        self._belong(self._peer)
        self._wait_for_request()
        super().on_response_complete()

    def pause_writing(self) -> None:
        """Wait for the client to read, for at most `write_s` seconds."""
        super().pause_writing()
        self._write_timer = self.loop.call_later(self.write_s, self._drop)

    def resume_writing(self) -> None:
        """Stop the timer: the client reads again."""
        super().resume_writing()
        if self._write_timer is not None:
            self._write_timer.cancel()

    @property
    def is_idle(self) -> bool:
        """Whether no request is being answered."""
        return self.cycle is None or self.cycle.response_complete

    @property
    def is_sending(self) -> bool:
        """Whether the client still sends the body of a request."""
        return not self.is_idle and self.cycle.more_body

    @property
    def _waited_from_s(self) -> float:
        """The time from which the client has kept us waiting; what it has sent counts for it."""
        return self._since_s + self.is_sending * self._received / self.body_rate

    @property
    def _peer(self) -> str:
        """The source that the connection alone tells; a proxy's tells none."""
        return self.source_of({"type": "http", "client": self.client, "headers": []})

    def _belong(self, source: str) -> None:
        """Count this connection for a source, '' for none."""
        if self._source:
            self.sources[self._source] -= 1
            if not self.sources[self._source]:
                del self.sources[self._source]
        # A request may begin after its connection has ended.
        self._source = source if self in self.connections else ""
        if self._source:
            self.sources[self._source] += 1

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Have the application answer a request, if its source has not too many."""
        cycle = self.cycle
        self._belong(self.source_of(scope))
        scope["state"]["source"] = self._source
        if self._is_crowded():
            text = "Too many connections from your address are open: try again in a moment.\n"
            headers = {"Retry-After": "10", "Connection": "close"}
            await PlainTextResponse(text, 429, headers)(scope, receive, send)
            return
        if cycle.more_body:
            self._wait_for_body()

        async def receive_in_time() -> Message:
            message: Message = await receive()
            if not self._is_late:
                return message
            if cycle.response_started:
                return {"type": "http.disconnect"}
            raise HTTPException(408)

        self._reading = CancelScope()
        if self not in self.connections:
            self._reading.cancel()
        try:
            # The server does what a form asks for, even if nobody waits for the answer.
            with self._reading if scope["method"] in READS else nullcontext():
                await self._application(scope, receive_in_time, send)
        except Exception:
            # The application has logged it, and answered where it could.
            if not cycle.response_started:
                raise

    def _wait_for_request(self) -> None:
        self._is_late = False
        self._wait(self.header_s, self._give_up)

    def _wait_for_body(self) -> None:
        self._received = 0
        self._wait(self.body_s, self._check_body)

    def _wait(self, wait_s: float, then: Callable[[], None]) -> None:
        self._since_s = self.loop.time()
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self.loop.call_later(wait_s, then)

    def _give_up(self) -> None:
        if self.is_idle:
            self._drop()

    def _check_body(self) -> None:
        """Let a client send on that is fast enough; else the application reads no more of it."""
        if not self.is_sending:
            return
        now_s = self.loop.time()
        end_s = self._since_s + self.body_most_s
        # While nothing is read, the application is slow and not the client.
        begin_s = now_s if self.flow.read_paused else self._since_s
        due_s = min(end_s, max(begin_s, self._waited_from_s) + self.body_s)
        if now_s < due_s:
            self._timer = self.loop.call_at(due_s, self._check_body)
            return
        self._is_late = True
        self.cycle.keep_alive = False
        self.cycle.message_event.set()

    def _is_crowded(self) -> bool:
        """Whether its source has too many connections, none of which can go."""
        is_over = bool(self._source) and self.sources[self._source] > self.source_most
        return is_over and not self._make_room(self._source)

    def _is_full(self) -> bool:
        """Whether there are too many connections, none of which can go."""
        return len(self.connections) > self.most and not self._make_room()

    def _make_room(self, source: str = "") -> bool:
        """End a connection that waits for its client, of a source or any; whether there is one."""
        waiting = [
            each
            for each in self.connections
            if isinstance(each, BoundedProtocol)
            and each is not self
            and (each.is_idle or each.is_sending)
            and (not source or each._source == source)
        ]
        if not waiting:
            return False
        min(waiting, key=lambda each: each._waited_from_s)._drop()
        return True

    def _drop(self) -> None:
        # At once: `connection_lost` comes only after others were accepted.
        self.connections.discard(self)
        self._belong("")
        if self.transport.get_write_buffer_size():
            self.transport.abort()
        else:
            self.transport.close()


def bounded(most: int, source_of: SourceOf = _unknown) -> type[BoundedProtocol]:
    """Return the protocol with at most so many connections."""
    bounds = {"most": most, "source_most": max(1, most // SOURCE_SHARE)}
    own = {"source_of": staticmethod(source_of), "sources": Counter()}
    return type("BoundedProtocol", (BoundedProtocol,), {**bounds, **own})


def say_once(tell: Callable[[str], None]) -> None:
    """Report failures to accept connections only once in ten minutes.

    asyncio would log a traceback for each failure: megabytes a second.
    """
    loop = asyncio.get_running_loop()
    said_s = -_SAID_AGAIN_S

    def handle(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        nonlocal said_s
        if "socket.accept()" not in context.get("message", ""):
            loop.default_exception_handler(context)
        elif loop.time() - said_s >= _SAID_AGAIN_S:
            said_s = loop.time()
            tell(f"warning: no connection can be accepted for now: {context.get('exception')}")

    loop.set_exception_handler(handle)
    # Each bad request would be a line too.
    logging.getLogger("uvicorn.error").setLevel(logging.ERROR)
