"""The intake: receives uploads, and lets checkers try them out, fairly by team."""

import json
import logging
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import NamedTuple

from league.hosting.model.errors import RefusedUploadError
from league.hosting.model.people import Person, TeamStanding
from league.hosting.model.season import (
    Season,
    SeasonSettings,
    Submission,
    SubmissionState,
    UploadRefusal,
)
from league.hosting.season import practice
from league.hosting.season.checking import Checking, ClaimLostError, DisturbedError
from league.hosting.season.languages import PYTHON, language_fault
from league.hosting.season.room import shortage
from league.hosting.season.servers import SUFFIX, address_in, options_for, server_fault
from league.hosting.season.uploads import UploadSettings, file_name_of
from league.hosting.store.host_store import HostStore
from league.hosting.store.submissions import CLOSED, Verdict
from league.model.clock import now_ms
from league.model.errors import UnavailableError
from league.model.number_format import short_bytes
from league.model.records import Isolation
from league.seats.process.isolation import require
from league.seats.process.launch import python_path
from league.seats.server.options import ADDRESSES, PUBLIC

NAME = "intake"
"""The name of the intake among the processes of the host; its checkers are `intake-1` and so on."""

CRASHES_MAX = 2
"""After so many crashes of the checker a submission is not tried again."""

CRASHED = (
    "refused: the league's checker ended twice while it tried this submission, so it is not tried "
    "again. If your bot needs very much memory, or kills processes, change that. If the league was "
    "restarted meanwhile, submit it again."
)

SILENT_MS = 60_000
"""A checker without a sign of life for so long is dead."""

CHECK_S = 900.0
"""A check that takes longer is stopped, and its submission refused: others wait for the checker."""

MATCH_S = 1800.0
"""A match of a challenge that takes longer is stopped, and counts as a crash of the checker."""

TOO_LONG = (
    "refused: its check took more than {:g} minutes and was stopped, because others wait. Let your "
    "bot start and move faster."
)

TOO_MUCH = "refused: its check needs more memory than the league's checker may have"

TICK_S = 0.5
RENEW_S = 5.0
RESTART_S = 2.0

PROGRAM = "league.hosting.season.checker"
"""The module that a checker's process runs."""

_log = logging.getLogger(__name__)


class Admission(NamedTuple):
    """The permission to submit now, with the numbers of team and person, and the settings."""

    team: int
    person: int
    settings: SeasonSettings


def check_upload(
    store: HostStore, season: Season | None, person: Person | None, at_ms: int
) -> Admission:
    """Return whose submission would be received now; raise `RefusedUploadError`.

    The upload itself is not needed, so that nobody sends one in vain.
    """
    if person is None or not person.is_active:
        raise RefusedUploadError("sign in to submit a bot", UploadRefusal.NOT_ALLOWED)
    if person.team is None:
        raise RefusedUploadError(
            "you belong to no team: ask the organiser to add you to one", UploadRefusal.NOT_ALLOWED
        )
    if season is None:
        raise RefusedUploadError("no season is open", UploadRefusal.CLOSED)
    closes_at = season.settings.closes_at
    if closes_at is not None and at_ms >= closes_at * 1000:
        when = datetime.fromtimestamp(closes_at, UTC)
        raise RefusedUploadError(
            f"submissions closed at {when:%Y-%m-%d %H:%M} UTC", UploadRefusal.CLOSED
        )
    if reason := shortage(store):
        raise RefusedUploadError(reason, UploadRefusal.CLOSED)
    if not season.takes_submissions:
        raise RefusedUploadError(CLOSED, UploadRefusal.CLOSED)
    team = store.people.team(person.team)
    if team.standing in (TeamStanding.WITHDRAWN, TeamStanding.DISQUALIFIED):
        told = f" ({team.standing_reason})" if team.standing_reason else ""
        raise RefusedUploadError(
            f"team {team.name!r} is {team.standing}{told}: only the organiser can reinstate it",
            UploadRefusal.NOT_ALLOWED,
        )
    return Admission(person.team, person.id, season.settings)


def check_size(settings: SeasonSettings, size: int) -> None:
    """Raise `RefusedUploadError` for an upload of more bytes than the season takes, or none."""
    if size > settings.upload_bytes:
        raise too_large(settings)
    if not size:
        raise RefusedUploadError("the upload is empty", UploadRefusal.UNSUITABLE)


def too_large(settings: SeasonSettings) -> RefusedUploadError:
    """Return the refusal of an upload of more bytes than the season takes."""
    most = short_bytes(settings.upload_bytes)
    return RefusedUploadError(f"the upload has more than {most}", UploadRefusal.TOO_LARGE)


def receive(  # noqa: PLR0913 (an upload, and when it came)
    store: HostStore,
    season: Season | None,
    person: Person | None,
    file_name: str,
    data: bytes,
    settings: Mapping[str, str],
    at_ms: int,
) -> Submission:
    """Keep an upload, to be checked later; it is on the disk when this returns.

    `settings` are those of a `Submission`. Raises `RefusedUploadError`.
    """
    admitted = check_upload(store, season, person, at_ms)
    allowed = admitted.settings
    check_size(allowed, len(data))
    name = file_name_of(file_name)
    if name.endswith(".py") and (fault := language_fault(frozenset({PYTHON}), allowed.languages)):
        raise RefusedUploadError(fault, UploadRefusal.UNSUITABLE)
    upload = UploadSettings.read(settings)
    if name.endswith(SUFFIX):
        address = address_in(data)
        if fault := server_fault(allowed.web_servers, address, {ADDRESSES: PUBLIC}):
            raise RefusedUploadError(fault, UploadRefusal.UNSUITABLE)
        options_for(allowed.web_servers, upload.options)
        # It is checked at home by its address.
        upload = replace(upload, source=address)
    how = upload.to_dict()
    return store.submissions.receive(
        admitted.team,
        admitted.person,
        name,
        data,
        how,
        at_ms,
        a_day=allowed.submissions_per_day,
    )


def work_once(
    store: HostStore,
    season: Season,
    *,
    worker: str = NAME,
    isolation: Isolation = Isolation.SANDBOX,
) -> Submission | None:
    """Check the submission whose turn it is, and return it as it is then; None if none waits.

    Raises `UnavailableError` if the database can't be reached; the submission waits again then.
    """
    claimed = store.submissions.claim_next(worker)
    if claimed is None:
        return None
    try:
        _check(store, season.settings, claimed, isolation)
    except ClaimLostError:
        _log.warning("submission %d is checked by another checker now", claimed.id)
    except DisturbedError as error:
        _log.warning("submission %d is tried again: %s", claimed.id, error)
        store.submissions.requeue([worker], most=CRASHES_MAX, message=CRASHED)
    except UnavailableError:
        _release(store, claimed)
        raise
    except MemoryError:
        refused = Verdict(state=SubmissionState.REFUSED, message=TOO_MUCH, log=TOO_MUCH)
        store.submissions.decide(claimed.id, refused, attempt=claimed.attempts)
    except Exception:
        _log.exception("the check of submission %d failed", claimed.id)
        store.submissions.requeue([worker], most=CRASHES_MAX, message=CRASHED)
    return store.submissions.get(claimed.id)


def _check(
    store: HostStore, settings: SeasonSettings, claimed: Submission, isolation: Isolation
) -> None:
    def tell(state: SubmissionState) -> bool:
        return store.submissions.advance(claimed, state)

    verdict = Checking(store, settings, claimed, isolation, tell).verdict()
    if not store.submissions.decide(claimed.id, verdict, attempt=claimed.attempts):
        raise ClaimLostError


def _release(store: HostStore, claimed: Submission) -> None:
    """Let a submission wait again; if that fails too, its claim runs out."""
    with suppress(UnavailableError):
        store.submissions.release(claimed)


@dataclass(slots=True)
class _Checker:
    """A checker's process, and since when it has its submission; `None` for none."""

    name: str
    process: "subprocess.Popen[bytes]"
    started_s: float


def serve(
    store: HostStore,
    *,
    name: str = NAME,
    checkers: int = 1,
    isolation: Isolation = Isolation.SANDBOX,
    beat: Callable[[dict[str, object]], None] = lambda state: None,
    ending: threading.Event | None = None,
) -> None:
    """Check submissions until `ending` is set, or SIGTERM or Ctrl-C comes.

    Each of the `checkers` is a process of its own: one that dies is replaced, and its submission
    tried again. `beat` hears about twice a second how many wait and are being checked. Of several
    intakes of one database, each needs another `name`. Raises `SetupError` if the isolation does
    not work here.
    """
    require(isolation)
    end = ending or threading.Event()
    previous = {}
    if threading.current_thread() is threading.main_thread():
        for each in (signal.SIGTERM, signal.SIGINT):
            previous[each] = signal.signal(each, lambda *_: end.set())
    intake = _Intake(store, name, checkers, isolation)
    try:
        intake.run(end, beat)
    finally:
        intake.stop()
        for each, handler in previous.items():
            signal.signal(each, handler)


class _Intake:
    """The checkers of an intake. This process checks nothing, so that nothing stops its beat."""

    def __init__(self, store: HostStore, name: str, checkers: int, isolation: Isolation) -> None:
        self._store = store
        self._name = name
        self._names = [f"{name}-{number + 1}" for number in range(checkers)]
        self._isolation = isolation
        self._checkers: dict[str, _Checker] = {}
        self._checked: dict[str, tuple[object, float]] = {}
        """By checker, what it has, and since when."""

    def run(self, end: threading.Event, beat: Callable[[dict[str, object]], None]) -> None:
        """Keep the checkers alive until the end."""
        renewed_s = 0.0
        first = True
        while not end.is_set():
            try:
                if first:
                    self._requeue(self._left_behind())
                    first = False
                self._tend()
                if time.monotonic() - renewed_s > RENEW_S:
                    self._renew()
                    renewed_s = time.monotonic()
                waiting = self._store.submissions.waiting()
                beat({str(state): count for state, count in waiting.items()})
            except UnavailableError as error:
                _log.warning("%s", error)
            end.wait(TICK_S)

    def stop(self) -> None:
        """End the checkers; what they were checking waits, as if nobody had taken it."""
        for each in self._checkers.values():
            each.process.kill()
        for each in self._checkers.values():
            each.process.wait()
        with suppress(UnavailableError):
            self._store.submissions.release_all(self._names)
            self._store.challenges.release(self._names)

    def _left_behind(self) -> list[str]:
        """List the checkers that died with an earlier intake of this name, which may have had more.

        Their heartbeats don't tell: the clock may have been set back since.
        """
        claims = (*self._store.submissions.claims(), *self._store.challenges.claims())
        workers = {worker for worker, _, _ in claims}
        return [each for each in workers if each.rpartition("-")[0] == self._name]

    def _tend(self) -> None:
        """Start checkers that are missing; requeue what those had that died."""
        for name in self._names:
            known = self._checkers.get(name)
            if known is not None and known.process.poll() is None:
                continue
            if known is not None:
                status = known.process.returncode
                if self._requeue([name]):
                    _log.warning("checker %s ended with status %s in a check", name, status)
                if time.monotonic() - known.started_s < RESTART_S:
                    continue
            self._checkers[name] = self._start(name)

    def _renew(self) -> None:
        """Tell that the checkers live, stop those that hang, and requeue what the silent had."""
        now_s, at_ms = time.monotonic(), now_ms()
        claims: dict[str, tuple[object, ...]] = {
            worker: (kind, *claim)
            for kind, found in (
                ("submission", self._store.submissions.claims()),
                ("challenge", self._store.challenges.claims()),
            )
            for worker, *claim in found
        }
        for name in self._names:
            claim = claims.get(name)
            before, since_s = self._checked.get(name, (None, now_s))
            if claim is None:
                self._checked.pop(name, None)
            elif claim != before:
                self._checked[name] = (claim, now_s)
            elif now_s - since_s > (CHECK_S if claim[0] == "submission" else MATCH_S):
                self._end_check(name)
        self._store.submissions.renew(self._names, at_ms)
        self._store.submissions.requeue(
            before_ms=at_ms - SILENT_MS, most=CRASHES_MAX, message=CRASHED
        )

    def _end_check(self, name: str) -> None:
        """Stop a checker whose check takes too long, and refuse the submission if it has one."""
        _log.warning("checker %s is stopped: its check takes too long", name)
        process = self._checkers[name].process
        process.kill()
        process.wait()
        self._store.submissions.requeue([name], most=1, message=TOO_LONG.format(CHECK_S / 60))

    def _requeue(self, names: list[str]) -> int:
        """Let what checkers had wait again; return how much that was."""
        checks = self._store.submissions.requeue(names, most=CRASHES_MAX, message=CRASHED)
        return checks + self._store.challenges.requeue(
            names, most=CRASHES_MAX, message=practice.CRASHED
        )

    def _start(self, name: str) -> _Checker:
        process = subprocess.Popen(  # noqa: S603 (our own module)
            [sys.executable, "-P", "-m", PROGRAM],
            stdin=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(python_path())},
        )
        # Not as arguments: a database's URL may hold a password, which everybody could read there.
        told = {
            "target": self._store.target,
            "worker": name,
            "isolation": self._isolation,
            "parent": os.getpid(),
        }
        assert process.stdin is not None  # noqa: S101 (a pipe, as asked for)
        with suppress(BrokenPipeError):
            process.stdin.write(json.dumps(told).encode())
        with suppress(BrokenPipeError):
            process.stdin.close()
        return _Checker(name, process, time.monotonic())
