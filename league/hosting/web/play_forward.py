"""Play pages of a hosted league: the web checks the sign-in, and another process plays.

The web process never runs a bot. It forwards requests below /play to the process `play`, which
listens at a socket in a folder that only this user can open.
"""

import asyncio
from http.client import HTTPException as AnswerError
from http.client import parse_headers
from io import BytesIO

from starlette.requests import Request
from starlette.responses import Response

from league.hosting.model.season import Season, SeasonState
from league.hosting.web.host_of import season_of
from league.hosting.web.hosted import Hosted
from league.hosting.web.viewer import Viewer, hosted_viewer
from league.web.error_page import error_answer
from league.web.forms import whole_body
from league.web.page_route import Audience, PageRoute

PERSON = "x-league-person"
"""The header with the number of the person who asks; only this module sends it."""

_SENT = ("accept", "content-type", "cookie", "if-none-match")
"""The headers of a request that the play pages read."""

_RETURNED = ("content-type", "content-disposition", "cache-control", "location", "set-cookie")

ANSWER_MAX = 16 << 20
ANSWER_S = 60.0
"""Longest wait for an answer: longer than a page waits for the move of a bot."""

_STATES = (SeasonState.OPEN, SeasonState.PAUSED, SeasonState.PUBLISHED)


def may_play(hosted: Hosted, viewer: Viewer, season: Season | None) -> bool:
    """Whether a viewer may play in the browser now: not from the closing time to the results."""
    return (
        bool(hosted.play)
        and viewer.person is not None
        and season is not None
        and season.settings.play_sessions > 0
        and season.state in _STATES
        and (season.takes_submissions or season.state is SeasonState.PUBLISHED)
    )


def routes(hosted: Hosted) -> list[PageRoute]:
    """Return the addresses of the play pages."""

    async def forward(request: Request) -> Response:
        viewer = hosted_viewer(request)
        if not may_play(hosted, viewer, season_of(request)) or viewer.person is None:
            return error_answer(request.scope, 404, "Nobody can play in the browser now.")
        try:
            return await asyncio.wait_for(_answer(request, hosted.play, viewer.person.id), ANSWER_S)
        except (OSError, TimeoutError, AnswerError, ValueError, asyncio.IncompleteReadError):
            text = "The process for matches in the browser does not answer: try again in a minute."
            return error_answer(request.scope, 503, text, headers={"Cache-Control": "no-store"})

    return [
        PageRoute("/play", forward, Audience.PEOPLE, methods=["GET", "POST"]),
        PageRoute("/play/{key}", forward, Audience.PEOPLE, methods=["GET", "POST"]),
        PageRoute("/play/{key}/{name}", forward, Audience.PEOPLE, methods=["GET"]),
    ]


async def _answer(request: Request, place: str, person: int) -> Response:
    body = await whole_body(request)
    reader, writer = await asyncio.open_unix_connection(place)
    try:
        writer.write(_head(request, person, len(body)) + body)
        await writer.drain()
        # Of HTTP/1.0: the end of the connection is that of the answer.
        found = await _read_all(reader)
    finally:
        writer.close()
    return _response(found)


def _head(request: Request, person: int, size: int) -> bytes:
    path: bytes = request.scope["raw_path"]
    query: bytes = request.scope["query_string"]
    target = path + (b"?" + query if query else b"")
    sent = {name: request.headers[name] for name in _SENT if name in request.headers}
    sent |= {"host": "localhost", PERSON: str(person), "content-length": str(size)}
    lines = [f"{name}: {value}\r\n".encode("latin-1") for name, value in sent.items()]
    return request.method.encode() + b" " + target + b" HTTP/1.0\r\n" + b"".join(lines) + b"\r\n"


async def _read_all(reader: asyncio.StreamReader) -> bytes:
    found = bytearray()
    while part := await reader.read(1 << 16):
        found += part
        if len(found) > ANSWER_MAX:
            raise ValueError("the answer is too long")
    return bytes(found)


def _response(found: bytes) -> Response:
    source = BytesIO(found)
    words = source.readline().split(b" ")
    headers = parse_headers(source)
    answer = Response(source.read(), int(words[1]))
    answer.raw_headers += [
        (name.encode(), value.encode("latin-1"))
        for name in _RETURNED
        for value in headers.get_all(name, [])
    ]
    return answer
