"""Keep a run going: wait for its database, hold its lock, back it up."""

import inspect
import logging
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, TypeVar, cast

from league.model.errors import DatabaseError, SetupError, UnavailableError
from league.model.records import MatchKey
from league.store.database import Queries
from league.store.journal import Journal, Matches
from league.store.runner_lock import CheckLock
from league.store.soundness import back_up, check_sound
from league.store.store import Store
from league.tournament.run_options import RunOptions

log = logging.getLogger("league.tournament.runner")

FIRST_WAIT_S, LONGEST_WAIT_S = 0.1, 5.0
"""The pauses between two tries; each is twice as long as the one before."""

Found = TypeVar("Found")


class Caretaker:
    """Keeps a run's database usable over months: patience, its lock, backups.

    `store` is the store whose tables wait while the database is locked or unreachable. Meanwhile
    the matches that `unsaved` returns are in a journal. After `options.patience_s`, or an
    interrupt, nothing waits any more. Raises `DatabaseError` if the database is damaged.
    """

    def __init__(self, store: Store, tournament: int, options: RunOptions) -> None:
        if store.path is None and options.backup_every_s is not None:
            raise SetupError("only a database file can be copied: back up a server with pg_dump")
        self.plain_store = store
        self.store = cast(Store, _Patient(self, store))
        self.unsaved: Callable[[], Matches] = lambda: ()
        self._tournament = tournament
        self.options = options
        self._check_lock: CheckLock = lambda: None
        self._is_impatient = self._is_interrupted = False
        self._backed_up_s = time.monotonic()
        self.call(check_sound, store)
        self._journal = Journal(store, self.store.tournaments.get(tournament))

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the lock of the tournament; raise `SetupError` if another process has it."""
        with ExitStack() as stack:
            lock = self.plain_store.tournaments.runner_lock
            self._check_lock = self.call(lambda: stack.enter_context(lock(self._tournament)))
            yield

    def save(self, matches: Matches) -> None:
        """Store finished matches."""
        self.store.matches.save_packed(self._tournament, matches)
        self._journal.remove()

    def replay(self, is_planned: Callable[[MatchKey], bool]) -> int:
        """Store the journal of an earlier run, and return how many matches were new.

        A run that was killed leaves a journal of stored matches, which may be void by now.
        """
        is_void = partial(self.store.voids.is_void, self._tournament)
        matches = [
            (key, match)
            for key, match in self._journal.read()
            if is_planned(key) and not is_void(key, match.data)
        ]
        added = self.store.matches.save_packed(self._tournament, matches) if matches else 0
        self._journal.remove()
        if added:
            self._tell(f"stored {added} matches that an earlier run had finished")
        return added

    def look(self) -> None:
        """Hold the lock and make a backup when one is due; raise `SetupError` for a lost lock."""
        self.call(self._check_lock)
        every_s = self.options.backup_every_s
        if every_s is None or time.monotonic() - self._backed_up_s < every_s:
            return
        path = backup_of(self.plain_store)
        try:
            back_up(self.plain_store, path, replaces=True)
        except (DatabaseError, OSError) as error:
            # The run itself may go on, and the last backup is as it was.
            self._tell(f"no backup was made: {error}")
        self._backed_up_s = time.monotonic()

    def call(self, function: Callable[..., Found], *values: Any, **named: Any) -> Found:
        """Call a method of the store until the database takes it."""
        try:
            return self._call(partial(function, *values, **named))
        except KeyboardInterrupt:
            self._is_impatient = self._is_interrupted = True
            raise

    def _call(self, function: Callable[[], Found]) -> Found:
        begin_s, wait_s, is_waiting = time.monotonic(), FIRST_WAIT_S, False
        while True:
            try:
                if is_waiting:
                    # A server that was away has ended our session, and another may run now.
                    self._check_lock()
                found = function()
                if is_waiting:
                    self._tell("the database is back: the run goes on")
                return found
            except UnavailableError as error:
                if self._is_impatient or time.monotonic() - begin_s >= self.options.patience_s:
                    self._is_impatient = True
                    raise self._given_up(error) from None
                if not is_waiting:
                    is_waiting = True
                    self._keep()
                    patience_min = self.options.patience_s / 60
                    self._tell(f"waiting for up to {patience_min:.3g} min: {error.reason}")
                time.sleep(wait_s)
                wait_s = min(2 * wait_s, LONGEST_WAIT_S)

    def _keep(self) -> int:
        """Write the journal and return how many matches are in it."""
        matches = self.unsaved()
        if not matches:
            return 0
        try:
            return self._journal.write(matches)
        except OSError as error:
            self._tell(f"can't write {str(self._journal.path)!r}: {error.strerror}")
            return 0

    def _given_up(self, error: UnavailableError) -> BaseException:
        kept = self._keep()
        after = f" ({kept} finished matches are in {str(self._journal.path)!r})" if kept else ""
        if self._is_interrupted:
            self._tell(f"{error.reason}{after}")
            return KeyboardInterrupt()
        advice = f"'league resume {self._tournament}' continues"
        return UnavailableError(f"{error.reason}{after}", error.url, advice)

    def _tell(self, text: str) -> None:
        log.warning("tournament %d: %s", self._tournament, text)
        with suppress(OSError):
            self.options.tell(text)


def backup_of(store: Store) -> Path:
    """Return where the backups of a run are, each in place of the one before."""
    path = store.path or Path()
    return path.with_name(f"{path.name}.backup")


class _Patient:
    """A store or one of its tables, whose methods are called by a caretaker."""

    def __init__(self, caretaker: Caretaker, part: Store | Queries) -> None:
        self._caretaker = caretaker
        self._part = part

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._part, name)
        if isinstance(found, Queries):
            return _Patient(self._caretaker, found)
        # A generator that has yielded rows can't start again.
        is_plain = inspect.ismethod(found) and not inspect.isgeneratorfunction(found)
        return partial(self._caretaker.call, found) if is_plain else found
