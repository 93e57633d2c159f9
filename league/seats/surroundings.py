"""What a bot's process finds around it on this machine, whatever its tournament."""

import fcntl
import tempfile
import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The places that bots may see or not, and how many of them start at once.

    `hidden` is the league's database, with all files beside it whose names begin with its name.
    `readable` are files and folders that every bot needs, such as those of a user's own game.
    `scratch` is the folder to make their scratch folders in, None for the system's. `slots` is a
    file with a byte to lock for each bot that may start at the same time, None where any number
    may.
    """

    hidden: tuple[Path, ...] = ()
    readable: tuple[Path, ...] = ()
    scratch: Path | None = None
    slots: "StartSlots | None" = None


class StartSlots:
    """At most `count` starts at a time among all processes forked after this was made.

    The slots are record locks, which the kernel gives back when their holder dies, however that
    dies: a semaphore would lose a slot with each worker that is killed.
    """

    def __init__(self, count: int) -> None:
        self._file: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 (as long as the object)
        self._count = count
        self._turn = threading.Lock()
        weakref.finalize(self, self._file.close)

    @contextmanager
    def one(self) -> Iterator[None]:
        """Hold a slot, waiting until one is free."""
        # Record locks belong to the whole process, so its threads must take turns.
        with self._turn:
            place = self._lock()
            try:
                yield
            finally:
                fcntl.lockf(self._file, fcntl.LOCK_UN, 1, place)

    def _lock(self) -> int:
        for place in range(self._count):
            try:
                fcntl.lockf(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, place)
            except OSError:
                continue
            return place
        place = threading.get_native_id() % self._count
        fcntl.lockf(self._file, fcntl.LOCK_EX, 1, place)
        return place


class _Here:
    """The surroundings of this process's bots."""

    now = Surroundings()


def settle(surroundings: Surroundings) -> None:
    """Give the bots that this process starts from now on these surroundings."""
    _Here.now = surroundings


def current() -> Surroundings:
    """Return the surroundings of this process's bots."""
    return _Here.now


@contextmanager
def start_slot() -> Iterator[None]:
    """Hold one of the slots for starting a bot, where their number is limited."""
    slots = current().slots
    if slots is None:
        yield
        return
    with slots.one():
        yield


def files_of_game(spec: str) -> tuple[Path, ...]:
    """List what the rules of a game are read from: the folder of each file that its spec names."""
    name, _, options = spec.partition("?")
    texts = [name.rpartition(":")[0] or name]
    texts += [option.partition("=")[2] for option in options.split("&")]
    return tuple(Path(text).parent for text in texts if text[:1] == "/" and Path(text).is_file())
