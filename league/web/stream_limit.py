"""Limits on the pages that are kept up to date at once."""

from collections import Counter

from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

STREAMS_MAX = 200
"""A stream holds a connection for as long as its page is open."""

PERSON_MAX = 8
"""The most streams of a person: all windows of a browser share one."""

SOURCE_SHARE = 5
"""The streams of visitors from one address may be one of so many parts of all."""

STREAM = b"text/event-stream"

RETRY_S = 30


class _Refused(Exception):
    """There are as many streams as may be."""


class StreamLimit:
    """Refuses streams beyond some numbers; pages without one can be read as ever.

    Beyond `most` of all the status is 503. Beyond `person_most` of a person it is 429, and for
    people who have not signed in beyond a share of all from one address: a class that has signed in
    may share an address.
    """

    def __init__(
        self, app: ASGIApp, most: int = STREAMS_MAX, person_most: int = PERSON_MAX
    ) -> None:
        self._app = app
        self._most = most
        self._person_most = person_most
        self._source_most = max(person_most, most // SOURCE_SHARE)
        self._open: Counter[int | str] = Counter()
        """Number of open streams by visitor: a person's number, or an address."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and count it if its answer is a stream."""
        visitor: int | str | None = None
        refusal: Response | None = None

        async def send_counted(message: Message) -> None:
            nonlocal visitor, refusal
            if message["type"] == "http.response.start" and _is_stream(message):
                refusal = self._refusal(asking := _visitor(scope))
                if refusal is not None:
                    raise _Refused
                visitor = asking
                self._open[visitor] += 1
            await send(message)

        try:
            await self._app(scope, receive, send_counted)
        except* _Refused:
            if refusal is not None:
                await refusal(scope, receive, send)
        finally:
            if visitor is not None:
                self._open[visitor] -= 1
                if not self._open[visitor]:
                    del self._open[visitor]

    def _refusal(self, visitor: int | str) -> Response | None:
        """Return why a visitor may have no more streams, None if they may."""
        most = self._person_most if isinstance(visitor, int) else self._source_most
        if visitor != "" and self._open[visitor] >= most:
            whose = "you have" if isinstance(visitor, int) else "your address has"
            return _answer(429, f"{whose} {most} live pages open: close some of them")
        if self._open.total() >= self._most:
            return _answer(503, f"{self._most} live pages are open: try again later")
        return None


def _answer(status: int, text: str) -> Response:
    headers = {"Retry-After": str(RETRY_S), "Cache-Control": "no-store"}
    return PlainTextResponse(f"{text}\n", status, headers)


def _visitor(scope: Scope) -> int | str:
    """Return who asks: a person by number, anybody else by address, '' if that is not known."""
    state = scope.get("state", {})
    person = state.get("person")
    source: str = state.get("source", "")
    return source if person is None else int(person.id)


def _is_stream(message: Message) -> bool:
    return any(
        name.lower() == b"content-type" and value.startswith(STREAM)
        for name, value in message["headers"]
    )
