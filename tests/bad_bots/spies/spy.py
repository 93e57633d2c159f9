"""Searches for the token of the other seat, everywhere, and tells which ones it has found."""

import hashlib
import json
import os
import re
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import inside  # type: ignore[import-not-found]  # beside it
import outside  # type: ignore[import-not-found]  # beside it
import published  # type: ignore[import-not-found]  # beside it

from bots import Bot, Clock
from games import State

TOKEN = re.compile(rb"SECRET-[0-9a-f]{32}")

HEAD = "found: "


class Spy(Bot):
    """A bot that tries all searches before each move, and prints what each has found.

    `folder` is the league's, and `link` leads to its pages. The bot puts its own token where a
    careless bot may have it, so that each search has something to find.
    """

    def __init__(self, folder: str = "", link: str = "") -> None:
        place = Path(folder)
        self.mark = place.name
        self.searches: dict[str, Callable[[], Iterator[bytes]]] = {
            "objects": inside.objects,
            "frames": inside.frames,
            "memory": inside.memory,
            "descriptors": inside.descriptors,
            "processes": outside.processes,
            "memories": outside.memories,
            "shared": partial(outside.shared, self.mark),
            "temporary_files": partial(outside.temporary_files, place),
            "league_files": partial(published.league_files, place),
            "seeds": partial(outside.seeds, place),
            "pages": partial(published.pages, link),
        }
        self.kept: list[object] = []

    def choose(self, state: State, clock: Clock) -> object:
        """Search, then play the only move."""
        own = state.events[0]  # type: ignore[attr-defined]  # a view has them
        self.plant(own)
        found = {name: tokens(search) for name, search in self.searches.items()}
        print(HEAD + json.dumps(found))
        return state.legal_moves()[0]

    def plant(self, own: str) -> None:
        """Leave the token in a child, in shared memory, in a socket, a pipe and a file."""
        told, tells = os.pipe()
        os.write(tells, own.encode())
        name = socket.socket(socket.AF_UNIX)
        name.bind(f"\0{self.mark}{own}")
        waits = [sys.executable, "-S", "-c", "import sys; sys.stdin.read()", own]
        child = subprocess.Popen(waits, stdin=subprocess.PIPE)
        self.kept += [told, name, child]
        (outside.SHARED / f"{self.mark}-{os.getpid()}-{own[-8:]}").write_text(own)
        Path(os.environ["TMPDIR"], "note").write_text(own)


def brief(token: bytes) -> str:
    """Return a short name of a token, which does not tell it: what a bot prints is published."""
    return hashlib.blake2b(token, digest_size=4).hexdigest()


def tokens(search: Callable[[], Iterator[bytes]]) -> list[str]:
    """Return the short names of the tokens that a search finds until it fails."""
    found: set[bytes] = set()
    try:
        for data in search():
            found.update(TOKEN.findall(data))
    except Exception as error:
        print(f"{search}: {error!r}", file=sys.stderr)
    return sorted(map(brief, found))
