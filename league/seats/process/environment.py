"""A bot process's environment: visible files and start slots."""

import fcntl
import os
import tempfile
import threading
import weakref
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from games.support.local_modules import local_modules
from league.seats.language_model.call_book import CallBook
from league.seats.process.idle_bots import IdleBots


@dataclass(frozen=True, slots=True, kw_only=True)
class BotEnvironment:
    """The files that bots on this machine may see, and how many may start at once.

    `hidden` is the league's database and all files whose names begin with its name. `readable` are
    files and folders that every bot needs: those of a user's own game. `scratch` is the
    parent of their scratch folders, None for the system's. `slots` limits concurrent starts, None
    for no limit. `idle_bots` are all bots of one worker, None to suspend none. If it
    `allows_namespaces` and the kernel does too, bots within limits get one each. `groups` is the
    control group in which each bot gets one, None for no groups. A bot is tied to `core`, None for
    those of this process. If it `watches_files`, Python bots tell which files they read that are
    not theirs; if it `counts_nodes`, what their searches walk. The communication with engines goes
    to `engine_log`, None for no such file, and the calls of language models are kept in `calls`.
    `store` is the league's database for workers, a file or URL.
    """

    hidden: tuple[Path, ...] = ()
    readable: tuple[Path, ...] = ()
    scratch: Path | None = None
    slots: "StartSlots | None" = None
    idle_bots: IdleBots | None = None
    allows_namespaces: bool = True
    groups: Path | None = None
    core: int | None = None
    watches_files: bool = False
    counts_nodes: bool = False
    engine_log: Path | None = None
    calls: CallBook | None = None
    store: str = ""

    @classmethod
    def of(
        cls, database: Path | None, games: Sequence[str], scratch: Path | None = None
    ) -> "BotEnvironment":
        """Return the environment for bots that play `games` (specs) for a league in `database`."""
        hidden = () if database is None else (database.resolve(),)
        readable = tuple(path for game in games for path in files_of_game(game))
        return cls(hidden=hidden, readable=readable, scratch=scratch)

    @contextmanager
    def start_slot(self) -> Iterator[None]:
        """Hold a slot for starting a bot, if slots are limited."""
        if self.slots is None:
            yield
            return
        with self.slots.one():
            yield


NO_ENVIRONMENT = BotEnvironment()
"""Nothing to hide, nothing to read, and no limit on starts."""


class StartSlots:
    """At most `count` concurrent starts among all processes that share a file.

    These are those forked from this one, and those that inherit `descriptor`.

    Slots are record locks, which the kernel releases when their holder dies; a semaphore would lose
    a slot with each killed worker.
    """

    def __init__(self, count: int, descriptor: int | None = None) -> None:
        self._file: IO[bytes] = (
            tempfile.TemporaryFile()  # noqa: SIM115 (as long as the object)
            if descriptor is None
            else os.fdopen(descriptor, "r+b")
        )
        self.count = count
        self._turn = threading.Lock()
        weakref.finalize(self, self._file.close)

    @property
    def descriptor(self) -> int:
        """The descriptor of the shared file."""
        return self._file.fileno()

    @contextmanager
    def one(self) -> Iterator[None]:
        """Hold a slot, waiting for a free one."""
        # Record locks belong to the process, so its threads must take turns.
        with self._turn:
            place = self._lock()
            try:
                yield
            finally:
                fcntl.lockf(self._file, fcntl.LOCK_UN, 1, place)

    def _lock(self) -> int:
        for place in range(self.count):
            try:
                fcntl.lockf(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, place)
            except OSError:
                continue
            return place
        place = threading.get_native_id() % self.count
        fcntl.lockf(self._file, fcntl.LOCK_EX, 1, place)
        return place


def files_of_game(spec: str) -> tuple[Path, ...]:
    """List the files that a game's spec names, and the modules that its own file imports.

    A game that is a package has its folder, with the data in it. Nothing else beside a game is its
    own: the league's backups, tokens and bots may be there.
    """
    name, _, options = spec.partition("?")
    values = [option.partition("=")[2] for option in options.split("&")]
    own, *named = map(Path, [name.rpartition(":")[0] or name, *values])
    files = [path for path in named if path.is_absolute() and path.is_file()]
    if own.is_absolute() and own.is_file():
        files += [own.parent] if own.name == "__init__.py" else local_modules(own)
    return tuple(files)
