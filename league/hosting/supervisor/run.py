"""Hosting a league: one supervisor with its processes, until it is told to end."""

import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import Any

from league.execution.listener import listening
from league.hosting.api.health import fault_of
from league.hosting.api.people import OWN_URL_KEY
from league.hosting.model.services import PARTS
from league.hosting.store.host_store import HostStore, open_host_store
from league.hosting.supervisor.backups import Backups
from league.hosting.supervisor.events import Events, log_to
from league.hosting.supervisor.mailer import Mailer
from league.hosting.supervisor.options import HostOptions
from league.hosting.supervisor.part import PROGRAM
from league.hosting.supervisor.play import play_socket
from league.hosting.supervisor.supervisor import Process, Supervisor
from league.hosting.supervisor.upkeep import DiskWatch, Upkeep
from league.hosting.supervisor.web import LISTENS, provider_of, proxies_of, service_of
from league.model.errors import DatabaseError, SetupError
from league.model.records import Isolation
from league.platform import become_subreaper, end_strays, forbid_tracing
from league.seats.process.isolation import why_no_sandbox
from league.seats.process.launch import python_path
from league.seats.process.orphans import end_orphans
from league.store.migration import upgrade_database

TICK_S = 1.0
"""Interval at which the supervisor looks at its processes."""

LOCK_TICKS = 30
"""After so many looks it checks that the lock is still its own."""

_SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


def refuse_unsafe(isolation: Isolation) -> None:
    """Raise `SetupError` unless bots at this level can be left alone with the machine."""
    if isolation is Isolation.SANDBOX and (reason := why_no_sandbox()):
        raise SetupError(
            f"bots of strangers need the sandbox, which does not work here: {reason}; "
            "--unsafe-isolation hosts without it"
        )


class _Children:
    """Starts the processes of a host."""

    def __init__(self, options: HostOptions, listeners: Mapping[str, socket.socket]) -> None:
        self._options = options
        self._listeners = listeners

    def start(self, name: str) -> Process:
        """Start a process, in a session of its own: Ctrl-C is for the supervisor alone."""
        found = self._listeners.get(name)
        listener = -1 if found is None else found.fileno()
        process = subprocess.Popen(  # noqa: S603 (this project's own process)
            [sys.executable, "-P", "-m", PROGRAM, name],
            stdin=subprocess.PIPE,
            stdout=sys.stderr,
            pass_fds=[] if found is None else [listener],
            start_new_session=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(python_path())},
        )
        # Not as arguments, which everybody on this machine can read: the database may be a URL
        # with a password.
        told = f"{os.getpid()} {listener}\n{self._options.to_json()}\n"
        if process.stdin is not None:
            # One that dies at once is seen by the next look.
            with suppress(BrokenPipeError), process.stdin as given:
                given.write(told.encode())
        return process


class HostRun:
    """A host that runs in this process, with all that it keeps going."""

    def __init__(self, store: HostStore, options: HostOptions, events: Events) -> None:
        self._store = store
        self._options = options
        self._events = events
        self._ending = threading.Event()
        self._is_hurried = False
        self._is_ready = False

    def run(self) -> bool:
        """Host until a signal comes; return whether all processes ended in time."""
        options, events = self._options, self._events
        with ExitStack() as stack:
            listener = stack.enter_context(listening(options.host, options.port))
            check_lock = stack.enter_context(self._store.services.host_lock())
            stack.enter_context(self._signals())
            backups = self._backups()
            mailer = stack.enter_context(Mailer(self._store, events))
            become_subreaper()
            forbid_tracing()
            end_orphans()
            self._store.services.forget()
            place, plays = stack.enter_context(play_socket())
            listeners = {"web": listener, "play": plays}
            children = _Children(replace(options, play=place), listeners)

            def sweep() -> None:
                end_strays(list(supervisor.pids.values()))
                end_orphans()

            supervisor = Supervisor(
                PARTS,
                children.start,
                self._beats,
                events,
                sweep=sweep,
            )

            def known() -> Mapping[str, Any]:
                found: dict[str, Any] = {"restarts": supervisor.restarts}
                if backups is not None and backups.last_at is not None:
                    found["backup_at"] = backups.last_at
                if mailer.trouble:
                    found["mail"] = mailer.trouble
                return found

            disk = DiskWatch(self._store, Path(options.logs), events)
            upkeep = Upkeep(self._store, disk, events, known)
            link = service_of(options, "").link(listener.getsockname()[1])
            self._store.settings.set(OWN_URL_KEY, link)
            ticks = 0
            while not self._ending.is_set():
                supervisor.look()
                upkeep.look()
                if backups is not None:
                    backups.look()
                self._say_ready(link)
                ticks += 1
                if ticks % LOCK_TICKS == 0:
                    with suppress(DatabaseError):
                        check_lock()
                self._ending.wait(TICK_S)
            events("ending", "ending: matches in play are played again later")
            ended = supervisor.end(0.0 if self._is_hurried else options.grace_s)
            if backups is not None:
                backups.finish()
            events("ended well", "the host has ended")
            return ended

    def _backups(self) -> Backups | None:
        options = self._options
        if not options.backups:
            return None
        return Backups(
            self._store,
            Path(options.backups),
            self._events,
            every_s=options.backup_every_s,
            keep=options.keep,
        )

    def _beats(self) -> Mapping[str, int] | None:
        try:
            return {each.name: each.beat_at for each in self._store.services.all()}
        except DatabaseError:
            return None

    def _say_ready(self, link: str) -> None:
        if self._is_ready:
            return
        with suppress(DatabaseError):
            services = self._store.services.all()
            listens = any(each.state.get(LISTENS) for each in services)
            if listens and not fault_of(services):
                self._is_ready = True
                self._events("ready", f"{link}  (Ctrl-C ends)")

    @contextmanager
    def _signals(self) -> Iterator[None]:
        """End at the first signal in peace, and at the second at once."""

        def end(number: int, frame: FrameType | None) -> None:
            self._is_hurried = self._ending.is_set()
            self._ending.set()

        before = {number: signal.signal(number, end) for number in _SIGNALS}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


def host(options: HostOptions) -> bool:
    """Host a league until a signal comes; return whether all processes ended in time.

    Raises `SetupError` where the sandbox does not work, or another process hosts the league, and
    `DatabaseError` for a database that can't be used. An older one is brought up to date, with a
    backup beside it.
    """
    refuse_unsafe(options.isolation)
    # Check here: the web process would fail at these again and again.
    service_of(options, "")
    proxies_of(options)
    provider_of(options)
    events = Events(as_json=options.is_json_log)
    end_log = log_to(Path(options.logs), "host", as_json=options.is_json_log)
    try:
        done = upgrade_database(options.target)
        if done.before != done.after:
            kept = f"; the database as it was: {done.backup}" if done.backup else ""
            events("upgraded", f"database revision {done.before} -> {done.after}{kept}")
        if options.isolation is not Isolation.SANDBOX:
            events("warning", "warning: bots are not in the sandbox and can harm this machine")
        with open_host_store(options.target) as store:
            if store.seasons.get() is None:
                raise SetupError("no season yet: 'league host init --game GAME' makes one")
            return HostRun(store, options, events).run()
    finally:
        end_log()
