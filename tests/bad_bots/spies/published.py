"""What the league itself writes and serves: its files, its pages, its API and its streams."""

import re
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

SCRATCH = "scratch"
"""The part of the league's folder in which its bots have their temporary folders."""

WAIT_S = 60.0
PATHS = (
    *("", "bots", "matches", "tournaments", "tournaments/1/live", "api/matches"),
    *(f"tournaments/1/live/0/{rotation}" for rotation in (0, 1)),
    *(f"{kind}/{match}" for kind in ("matches", "api/matches") for match in (1, 2)),
    *(f"events?topic={topic}" for topic in ("tournament/1", "match/1/0/0", "match/1/0/1")),
)
_MATCH = re.compile(rb"/live/0/\d|/matches/\d")
"""A match of the tournament, in play or over."""


def league_files(folder: Path) -> Iterator[bytes]:
    """Yield the database with what belongs to it, the log and the cache of sources."""
    for path in folder.rglob("*"):
        if path.is_file() and SCRATCH not in path.parts:
            yield path.read_bytes()


def pages(link: str) -> Iterator[bytes]:
    """Yield all that is told of the first tournament; `link` ends with a slash."""
    while not _MATCH.search(page := _read(f"{link}tournaments/1")):
        time.sleep(0.05)
    yield page
    for path in PATHS:
        with suppress(urllib.error.HTTPError):
            yield _read(f"{link}{path}")


def _read(address: str) -> bytes:
    """Return an answer, of a stream the first event."""
    with urllib.request.urlopen(address, timeout=WAIT_S) as answer:  # noqa: S310 (our own)
        if answer.headers.get_content_type() != "text/event-stream":
            return bytes(answer.read())
        data = b""
        while b"\ndata: " not in data and (more := answer.read1(1 << 16)):
            data += more
        return data
