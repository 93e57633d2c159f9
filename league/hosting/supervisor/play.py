"""The play process of a host: bots play there against people, whom the web process names."""

import logging
import os
import socket
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from league.execution.listener import ACCEPTED_AT_ONCE
from league.hosting.store.host_store import HostStore, open_host_store
from league.hosting.supervisor.options import HostOptions
from league.hosting.supervisor.web import name_of, service_of
from league.hosting.web.hosted import Hosted
from league.hosting.web.play_app import make_play_app
from league.web.connections import bounded, connections_max
from league.web.play_host import PlayHost
from league.web.server import serve_app

_log = logging.getLogger("league.hosting.supervisor")


@contextmanager
def play_socket() -> Iterator[tuple[str, socket.socket]]:
    """Make a socket that listens in a folder of its own, which only this user can open."""
    with tempfile.TemporaryDirectory(prefix="league-play-") as folder:
        place = str(Path(folder) / "socket")
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(place)
            listener.listen(ACCEPTED_AT_ONCE)
            yield place, listener


def serve(
    store: HostStore,
    options: HostOptions,
    listener: socket.socket,
    beat: Callable[[Mapping[str, Any] | None], None],
) -> None:
    """Answer until SIGTERM; all matches end then."""
    hosted = Hosted(store, play=options.play, beat=lambda: beat(None))
    # The season's setting says how many matches there may be, with each request.
    host = PlayHost(0)
    access = service_of(options, "").access

    async def begin() -> None:
        _log.info("plays for people, process %d", os.getpid())

    with open_host_store(options.target, read_only=True, remembers=True) as pages:
        serve_app(
            make_play_app(pages, name_of(store), hosted, host, access, str(options.isolation)),
            listener,
            bounded(connections_max()),
            tell=lambda text: _log.warning("%s", text),
            begin=begin,
            host=host,
        )
