"""Limits on connections: how many may be open, and how long each may take.

They hold for any client: one that leaves hundreds of connections half open, or reads an answer a
byte at a time, does not block others.
"""

import asyncio
import logging
import resource
from collections.abc import Callable
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

HEADER_S = 10.0
"""Longest time for the head of a request, from the connection or the previous answer on."""

WRITE_S = 30.0
"""Longest time that an answer waits for a client that does not read."""

HEADER_MAX = 32 * 1024
"""The most bytes of a request's head."""

ACCEPTED_AT_ONCE = 32
"""Number of connections that may be accepted before the first can be refused."""

CONNECTIONS_MAX = 1000

RESERVED = 192
"""File descriptors kept for databases, files and connections just accepted."""

_FULL = (
    b"HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\nretry-after: 10\r\n"
    b"connection: close\r\n\r\n"
)

_SAID_AGAIN_S = 600.0


def connections_max() -> int:
    """Return how many connections may be open: fewer where the system allows few descriptors."""
    descriptors = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    if descriptors == resource.RLIM_INFINITY:
        return CONNECTIONS_MAX
    return max(16, min(CONNECTIONS_MAX, descriptors - RESERVED))


class BoundedProtocol(H11Protocol):
    """uvicorn's HTTP/1.1 protocol with limits on connections and times.

    If too many connections are open, a new one replaces the connection that has been idle longest.
    If none is idle, the new one is refused with status 503.
    """

    most = CONNECTIONS_MAX
    header_s = HEADER_S
    write_s = WRITE_S

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._since_s = self.loop.time()
        self._timer: asyncio.TimerHandle | None = None
        self._write_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take a connection, or make room for it."""
        super().connection_made(transport)
        if len(self.connections) > self.most and not self._make_room():
            transport.write(_FULL)
            self._drop()
            return
        self._wait_for_request()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the timers."""
        for timer in (self._timer, self._write_timer):
            if timer is not None:
                timer.cancel()
        super().connection_lost(exc)

    def on_response_complete(self) -> None:
        """Wait for the next request."""
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
    def is_waiting(self) -> bool:
        """Whether no request is being answered."""
        return self.cycle is None or self.cycle.response_complete

    def _wait_for_request(self) -> None:
        self._since_s = self.loop.time()
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self.loop.call_later(self.header_s, self._give_up)

    def _give_up(self) -> None:
        if self.is_waiting:
            self._drop()

    def _make_room(self) -> bool:
        waiting = [
            each
            for each in self.connections
            if isinstance(each, BoundedProtocol) and each is not self and each.is_waiting
        ]
        if not waiting:
            return False
        min(waiting, key=lambda each: each._since_s)._drop()
        return True

    def _drop(self) -> None:
        # At once: `connection_lost` comes only after others were accepted.
        self.connections.discard(self)
        if self.transport.get_write_buffer_size():
            self.transport.abort()
        else:
            self.transport.close()


def bounded(most: int) -> type[BoundedProtocol]:
    """Return the protocol with at most so many connections."""
    return type("BoundedProtocol", (BoundedProtocol,), {"most": most})


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
