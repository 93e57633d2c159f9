"""The stream of changes, as a client hears it."""

import json
import urllib.request
import zlib
from collections.abc import Generator
from typing import Any
from urllib.parse import quote

from tests.waiting import PATIENCE_S


def text_of(address: str) -> str:
    """Return a page."""
    with urllib.request.urlopen(address, timeout=PATIENCE_S) as answer:  # noqa: S310 (our own)
        found: str = answer.read().decode()
    return found


def changes(
    link: str, *topics: str, known: str = "", is_packed: bool = False
) -> Generator[Any, None, None]:
    """Yield what a stream sends of some topics, until it ends.

    `known` is the identifier of the event that was heard last.
    """
    query = "&".join(f"topic={quote(topic)}" for topic in topics)
    request = urllib.request.Request(f"{link}/events?{query}")  # noqa: S310 (our own)
    if known:
        request.add_header("Last-Event-ID", known)
    if is_packed:
        request.add_header("Accept-Encoding", "gzip")
    with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:  # noqa: S310 (our own)
        assert answer.headers["X-Accel-Buffering"] == "no"
        unpack = zlib.decompressobj(31).decompress if is_packed else bytes
        assert (answer.headers["Content-Encoding"] == "gzip") is is_packed
        rest = b""
        while data := answer.read1(1 << 16):
            *whole, rest = (rest + unpack(data)).split(b"\n\n")
            for event in whole:
                lines = dict(line.split(": ", 1) for line in event.decode().split("\n"))
                if "data" in lines:
                    yield json.loads(lines["data"]) | {"id": lines["id"]}
