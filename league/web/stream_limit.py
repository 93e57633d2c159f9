"""A limit on the pages that are kept up to date at once."""

from starlette.types import ASGIApp, Message, Receive, Scope, Send

STREAMS_MAX = 200
"""A stream holds a connection for as long as its page is open."""

STREAM = b"text/event-stream"

RETRY_S = 30


class _Refused(Exception):
    """There are as many streams as may be."""


class StreamLimit:
    """Refuses streams beyond a number with status 503; pages without one can be read as ever."""

    def __init__(self, app: ASGIApp, most: int = STREAMS_MAX) -> None:
        self._app = app
        self._most = most
        self._open = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and count it if its answer is a stream."""
        is_counted = False

        async def send_counted(message: Message) -> None:
            nonlocal is_counted
            if message["type"] == "http.response.start" and _is_stream(message):
                if self._open >= self._most:
                    raise _Refused
                self._open += 1
                is_counted = True
            await send(message)

        try:
            await self._app(scope, receive, send_counted)
        except* _Refused:
            headers = [(b"retry-after", b"%d" % RETRY_S), (b"cache-control", b"no-store")]
            await send({"type": "http.response.start", "status": 503, "headers": headers})
            await send({"type": "http.response.body", "body": b""})
        finally:
            self._open -= is_counted


def _is_stream(message: Message) -> bool:
    return any(
        name.lower() == b"content-type" and value.startswith(STREAM)
        for name, value in message["headers"]
    )
