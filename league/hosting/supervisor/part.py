"""A process of the host, started by the supervisor.

    python -m league.hosting.supervisor.part NAME

It gets on its input a line with the supervisor's process ID and the descriptor of the socket where
it listens (-1 for none), and a line with the options. SIGTERM ends it.
"""

import logging
import signal
import socket
import sys
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from league.hosting.store.host_store import HostStore, open_host_store
from league.hosting.supervisor.events import log_to
from league.hosting.supervisor.heartbeat import ServiceHeartbeat
from league.hosting.supervisor.options import HostOptions
from league.platform import become_subreaper, die_with, forbid_tracing

PROGRAM = "league.hosting.supervisor.part"
"""The module that a process of the host runs."""

_log = logging.getLogger("league.hosting.supervisor")


@dataclass(frozen=True, slots=True, kw_only=True)
class Duty:
    """The tools of a process; it ends soon after `ending` is set."""

    store: HostStore
    options: HostOptions
    heartbeat: ServiceHeartbeat
    ending: threading.Event
    listener: int


def _serve_web(duty: Duty) -> None:
    from league.hosting.supervisor.web import serve  # noqa: PLC0415 (each process loads only what it needs)

    with socket.socket(fileno=duty.listener) as listener:
        serve(duty.store, duty.options, listener, duty.heartbeat.beat)


def _serve_intake(duty: Duty) -> None:
    from league.hosting.season.intake import serve  # noqa: PLC0415

    serve(
        duty.store,
        checkers=duty.options.checkers,
        isolation=duty.options.isolation,
        beat=duty.heartbeat.beat,
        ending=duty.ending,
    )


def _serve_season(duty: Duty) -> None:
    from league.hosting.season.director import DirectorOptions, serve  # noqa: PLC0415
    from league.hosting.season.room import shortage  # noqa: PLC0415
    from league.tournament.run_options import RunOptions  # noqa: PLC0415

    run = RunOptions(
        workers=duty.options.workers,
        executor=duty.options.executor,
        tell=lambda text: _log.warning("%s", text),
    )
    options = DirectorOptions(
        run=run,
        isolation=duty.options.isolation,
        beat=duty.heartbeat.beat,
        hindrance=lambda: shortage(duty.store),
        is_over=duty.ending.is_set,
    )
    serve(duty.store, options)


def _serve_play(duty: Duty) -> None:
    from league.hosting.supervisor.play import serve  # noqa: PLC0415

    with socket.socket(fileno=duty.listener) as listener:
        serve(duty.store, duty.options, listener, duty.heartbeat.beat)


WORK: Mapping[str, Callable[[Duty], None]] = {
    "web": _serve_web,
    "intake": _serve_intake,
    "season": _serve_season,
    "play": _serve_play,
}
"""The work of each process by its name."""


def main(name: str) -> int:
    """Do the work of a process until it is told to end; return its status."""
    ending = threading.Event()

    def end(number: int, frame: FrameType | None) -> None:
        # Only once: a second one would interrupt what the first one has begun to put in order.
        if not ending.is_set():
            ending.set()
            raise KeyboardInterrupt

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, end)
    parent, listener = map(int, sys.stdin.readline().split())
    options = HostOptions.from_json(sys.stdin.readline())
    die_with(parent)
    become_subreaper()
    forbid_tracing()
    log_to(Path(options.logs), name, as_json=options.is_json_log)
    try:
        with (
            suppress(KeyboardInterrupt),
            open_host_store(options.target) as store,
            ServiceHeartbeat(store, name) as heartbeat,
        ):
            duty = Duty(
                store=store, options=options, heartbeat=heartbeat, ending=ending, listener=listener
            )
            WORK[name](duty)
    except Exception:
        _log.exception("%s failed", name)
        raise
    return 0 if ending.is_set() else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
