"""The stream of changes: one for all windows of a browser, of all topics that they show."""

import asyncio
import json
import re
import zlib
from collections.abc import AsyncIterator
from typing import Any

from starlette.requests import Request
from starlette.responses import StreamingResponse

from league.model.clock import now_ms
from league.model.errors import LeagueError
from league.model.records import MatchKey
from league.web.page_route import Audience, PageRoute
from league.web.page_source import page_source_of
from league.web.watching import Drawn, Watched

LOOK_S = 0.5
MATCH_LOOK_S = 0.05
"""Interval between a stream's looks for changes in a match."""

STREAM_S = 0.5
"""Longest time for a look to read new results."""

SILENCE_S = 15.0
"""A stream without changes says so after this time, or a proxy would end it."""

TOPICS_MAX = 24
"""Maximum number of topics of a stream: more than the windows that anybody looks at."""

# No zeros before it: a topic has one name, or a stream could look at the same one many times.
_NUMBER = r"(0|[1-9][0-9]{0,14})"
_TOPIC = re.compile(rf"(?:tournament/{_NUMBER}|match/{_NUMBER}/{_NUMBER}/{_NUMBER})", re.ASCII)
_WISH = re.compile(r"([a-z0-9/]{1,80})(?:~([0-9a-f.]{0,40}))?", re.ASCII)

HEADERS = {
    "Cache-Control": "no-store, no-transform",
    # nginx keeps an answer back until it is long enough, unless told not to.
    "X-Accel-Buffering": "no",
    "Vary": "Accept-Encoding",
}


def topic_of(tournament: int, key: MatchKey | None = None) -> str:
    """Return the name of a tournament's topic, or of a match of it."""
    if key is None:
        return f"tournament/{tournament}"
    return f"match/{tournament}/{key.encounter}/{key.rotation}"


def _watch(request: Request, topic: str) -> Watched | None:
    """Return what a topic is about; None for no topic."""
    found = _TOPIC.fullmatch(topic)
    if found is None:
        return None
    tournament, of_match, encounter, rotation = found.groups()
    if tournament is not None:
        watched: Watched = page_source_of(request).tournaments.of(int(tournament))
        return watched
    key = MatchKey(int(encounter), int(rotation))
    match: Watched = page_source_of(request).matches.of((int(of_match), key))
    return match


async def _events(request: Request) -> StreamingResponse:
    """Stream the changes of `?topic=NAME~VERSION`, as often as there are topics."""
    wishes: dict[str, str] = {}
    for text in request.query_params.getlist("topic")[:TOPICS_MAX]:
        if found := _WISH.fullmatch(text):
            wishes[found[1]] = found[2] or ""
    # A browser that lost the connection says what it has: newer than what the address says.
    for text in request.headers.get("last-event-id", "").split(" "):
        if (found := _WISH.fullmatch(text)) and found[1] in wishes:
            wishes[found[1]] = found[2] or ""
    headers = dict(HEADERS)
    body: AsyncIterator[bytes] = _stream(request, wishes)
    if "gzip" in request.headers.get("accept-encoding", ""):
        headers["Content-Encoding"] = "gzip"
        body = _packed(body)
    return StreamingResponse(body, media_type="text/event-stream", headers=headers)


async def _stream(request: Request, versions: dict[str, str]) -> AsyncIterator[bytes]:
    topics = {name: _watch(request, name) for name in versions}
    pause_s = MATCH_LOOK_S if any(name.startswith("match/") for name in topics) else LOOK_S
    # At once, so that whoever asks knows that the stream is there.
    yield b": hello\n\n"
    silence_s = 0.0
    while topics and not await request.is_disconnected():
        is_silent = True
        for name in list(topics):
            look = await _look(topics[name])
            event = _event_of(name, versions, look)
            if event is not None:
                is_silent = False
                yield event
            if look is None or look.is_over:
                del topics[name]
        silence_s = silence_s + pause_s if is_silent else 0.0
        if silence_s > SILENCE_S:
            silence_s = 0.0
            yield b": silence\n\n"
        await asyncio.sleep(pause_s)


async def _look(topic: Watched | None) -> Drawn | None:
    if topic is None:
        return None
    try:
        return await topic.look(STREAM_S)
    except LeagueError:
        return None


def _event_of(name: str, versions: dict[str, str], look: Drawn | None) -> bytes | None:
    """Return the event of a topic's changes, None without any; keep `versions` up to date."""
    data: dict[str, Any] = {"topic": name, "now": now_ms()}
    if look is None:
        data["over"] = True
    else:
        changes = look.drawing.since(versions[name])
        if not changes and not look.is_over:
            return None
        versions[name] = data["version"] = look.drawing.version
        data["parts"] = changes
        data["over"] = look.is_over
    known = " ".join(f"{topic}~{version}" for topic, version in versions.items())
    # JSON has no line breaks, which would end the event's data.
    return f"id: {known}\ndata: {json.dumps(data, separators=(',', ':'))}\n\n".encode()


async def _packed(events: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """Compress a stream so that each event can be read as soon as it arrives."""
    packer = zlib.compressobj(6, zlib.DEFLATED, 31)
    async for event in events:
        yield packer.compress(event) + packer.flush(zlib.Z_SYNC_FLUSH)
    yield packer.flush()


ROUTES = [PageRoute("/events", _events, Audience.RESULTS)]
