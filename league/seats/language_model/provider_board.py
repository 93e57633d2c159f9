"""What the processes of one run share of a provider: its free calls, its waits, and its end."""

import fcntl
import json
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path

from league.seats.seat import SeatUnavailable

LOOK_S = 0.1
"""Interval between looks for the end of calls during a wait."""

SLOT_WAIT_S = 0.02
"""Interval between looks for a call that has ended."""

TELL_S = 3.0
"""Shorter waits are not worth a line."""

_PREFIX = "calls-"
_ENDED, _WAIT = "ended", "wait"


class ProviderBoard:
    """What a run knows of the provider at an address: at most `at_once` calls of it are open.

    All processes with the same `folder` share it; with None there is neither a limit nor an end.
    """

    def __init__(self, folder: Path | None, url: str, at_once: int) -> None:
        self._run, self._at_once = folder, at_once
        self._folder = folder
        if folder is not None:
            self._folder = folder / f"{_PREFIX}{sha256(url.encode()).hexdigest()[:16]}"
            self._folder.mkdir(mode=0o700, exist_ok=True)

    def end(self, reason: str) -> None:
        """Let nobody in this run ask the provider again."""
        if self._folder is not None:
            _write(self._folder / _ENDED, reason)

    def require_open(self) -> None:
        """Raise `SeatUnavailable` with the reason if the provider is not to be asked any more."""
        for folder in (self._run, self._folder):
            if folder is not None and (reason := _read(folder / _ENDED)):
                raise SeatUnavailable(reason)

    def wait(self, wait_s: float, text: str) -> None:
        """Wait before the provider is asked again; `text` says why. Raises `SeatUnavailable`."""
        end_s = time.monotonic() + wait_s
        if self._folder is not None and wait_s >= TELL_S:
            _write(self._folder / _WAIT, json.dumps([end_s, text]))
        while (left_s := end_s - time.monotonic()) > 0:
            self.require_open()
            time.sleep(min(LOOK_S, left_s))

    @contextmanager
    def slot(self) -> Iterator[None]:
        """Hold one of the calls that may be open; wait for a free one. Raises `SeatUnavailable`."""
        if self._folder is None:
            yield
            return
        while (held := self._free_slot(self._folder)) is None:
            self.require_open()
            time.sleep(SLOT_WAIT_S)
        try:
            self.require_open()
            yield
        finally:
            os.close(held)

    def _free_slot(self, folder: Path) -> int | None:
        found = (_locked(folder / str(place)) for place in range(self._at_once))
        return next((held for held in found if held is not None), None)


class RunBoard:
    """The boards of all providers of a run, for its runner; without a `folder` there are none."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder
        self._told_until_s: dict[Path, float] = {}

    def end_calls(self, reason: str) -> None:
        """Let nobody begin another call; those that are open go on."""
        if self._folder is not None:
            _write(self._folder / _ENDED, reason)

    def open_calls(self) -> int:
        """Count the calls that are open now."""
        if self._folder is None:
            return 0
        held = [_locked(path) for path in self._folder.glob(f"{_PREFIX}*/[0-9]*")]
        free = [each for each in held if each is not None]
        for descriptor in free:
            os.close(descriptor)
        return len(held) - len(free)

    def new_waits(self) -> Iterator[str]:
        """Yield why providers are waited for; of waits at the same time the first one alone."""
        for path in self._folder.glob(f"{_PREFIX}*/{_WAIT}") if self._folder else ():
            end_s, text = json.loads(_read(path))
            now_s = time.monotonic()
            if self._told_until_s.get(path, 0.0) <= now_s < end_s:
                self._told_until_s[path] = end_s
                yield text


def _locked(path: Path) -> int | None:
    """Lock a file and return its descriptor; None if another process holds it."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        # The kernel releases it with its holder, which may be killed.
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        return None
    return descriptor


def _write(path: Path, text: str) -> None:
    # Others may read and write it at any time, seats in threads of this process too: all find one
    # text or another, and it is whole.
    fresh = path.with_name(f"{path.name}.{threading.get_native_id()}")
    fresh.write_text(text, encoding="utf-8")
    fresh.replace(path)


def _read(path: Path) -> str:
    with suppress(FileNotFoundError):
        return path.read_text(encoding="utf-8")
    return ""
