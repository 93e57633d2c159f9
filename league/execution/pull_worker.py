"""A machine that fetches matches of a run elsewhere, plays them, and hands in the results."""

import threading
import time
import uuid
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

from games.support.counts import counted
from games.support.printable import printable
from league.execution.fitness import version_here
from league.execution.local_pool import LocalPool, scratch_folder
from league.execution.pool import JobsLost, PoolBroken
from league.execution.pull_client import NoRunner, PullAddress, PullClient, PullEnded, RunOver
from league.execution.pull_messages import (
    Alive,
    Answer,
    Ask,
    Hand,
    Machine,
    Offer,
)
from league.execution.pull_packages import Leases, Package, Packages
from league.execution.speed import nodes_per_s
from league.platform import core_numbers
from league.seats.process.cgroup import bot_groups
from league.seats.process.environment import BotEnvironment

ALIVE_S = 3.0
"""Interval at which the worker shows that it is alive, a tenth of a lease."""

LOOK_S = 0.1
"""Longest time until the worker sees new matches, or a request to stop."""

TELL_S = 60.0
"""Interval between lines about the matches that were played."""

GOODBYE_S = 2.0
"""Longest wait to tell the runner that this machine leaves, if there are no results to send."""

END_S = 1.0
"""Longest wait for the threads at the end."""

LIVE_MAX = 200
"""The most live matches in a request."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkOptions:
    """The machine's `name`, its number of `workers`, and what bots must not see.

    Workers are tied to cores of their own if `is_pinned`.
    """

    name: str
    workers: int
    is_pinned: bool = True
    hidden: tuple[Path, ...] = ()


class PullWorker:
    """Plays matches of the runner at an address until `stop` is called.

    One thread fetches batches, one hands in results, and this one plays them in a `LocalPool`.
    `tell` gets a line for each thing that the user should know.
    """

    def __init__(
        self, address: PullAddress, options: WorkOptions, tell: Callable[[str], None]
    ) -> None:
        self._options, self._tell = options, _told_once(tell)
        self._machine = Machine(
            uuid.uuid4().hex, options.name, version_here(), options.workers, nodes_per_s()
        )
        self._leases = Leases()
        self._closing = threading.Event()
        self._over = threading.Event()
        self._fetching, self._sending = (
            PullClient(address, self._tell, self._closing, self._over) for _ in range(2)
        )
        self._arrived: SimpleQueue[Package] = SimpleQueue()
        self._outbox: SimpleQueue[Hand | Alive] = SimpleQueue()
        self._dropped: SimpleQueue[str] = SimpleQueue()
        self._fault: Exception | None = None
        self._said = ""
        self._stops = 0
        self._is_left = threading.Event()
        self._unsent: set[str] = set()
        self._pool: LocalPool | None = None
        self._pool_of: tuple[str, int] | None = None
        self._waiting: deque[Package] = deque()
        self._playing: dict[Future[Any], Package] = {}
        self.played = 0
        """The number of matches that were played so far."""

    @property
    def is_busy(self) -> bool:
        """Whether matches are in play that were not given up."""
        return bool(self._playing) and self._stops < 2

    def stop(self) -> None:
        """Finish the matches in play and leave; the second time, leave at once.

        It may be called from a signal handler.
        """
        self._stops += 1

    def run(self) -> None:
        """Play until this is stopped, or the run is over and another one is not waited for.

        Raises `SetupError` if the runner refuses this machine or is out of reach for too long, and
        `InputError` if this machine lacks something that the matches need.
        """
        with scratch_folder() as scratch, bot_groups() as groups, self._threads(scratch):
            environment = BotEnvironment(
                scratch=scratch, hidden=self._options.hidden, groups=groups
            )
            told_s = time.monotonic()
            try:
                while not (self._fault or self._is_done()):
                    self._accept(environment)
                    self._play_on()
                    self._drop_lost()
                    if time.monotonic() - told_s > TELL_S:
                        told_s = time.monotonic()
                        self._tell(f"played {counted(self.played, 'match')} so far")
            finally:
                if self._pool is not None:
                    self._pool.end()
        if isinstance(self._fault, RunOver):
            self._tell(str(self._fault))
        elif self._fault is not None:
            raise self._fault

    @contextmanager
    def _threads(self, scratch: Path) -> Iterator[None]:
        """Fetch and send until the end; then tell the runner that this machine leaves."""
        works = (self._fetching, lambda: self._fetch(scratch)), (self._sending, self._send)
        threads = [threading.Thread(target=self._guarded, args=each, daemon=True) for each in works]
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            reason = "it was stopped" if self._fault is None else str(self._fault)
            self._outbox.put(Alive(self._machine, leaving=reason[:2000]))
            begin_s = time.monotonic()
            # It is sent after the last results, for which a runner out of reach is waited for.
            while not (isinstance(self._fault, NoRunner) or self._is_left.wait(LOOK_S)):
                waited_s = time.monotonic() - begin_s
                is_wanted = self._unsent and self._stops < 2
                if self._over.is_set() or (not is_wanted and waited_s > GOODBYE_S):
                    break
            self._closing.set()
            for client, thread in zip((self._fetching, self._sending), threads, strict=True):
                client.interrupt()
                thread.join(END_S)

    def _guarded(self, client: PullClient, work: Callable[[], None]) -> None:
        try:
            with closing(client), suppress(PullEnded):
                work()
        except Exception as error:
            # The main thread raises it.
            self._fault = error

    def _fetch(self, scratch: Path) -> None:
        """Ask for batches whenever there is room, in a thread of its own."""
        packages = Packages(self._machine, self._fetching, self._leases, scratch)
        number = 0
        while not self._stops and self._fault is None:
            room = 2 * self._options.workers - len(self._leases.now())
            if room <= 0:
                with self._leases.changed:
                    self._leases.changed.wait(LOOK_S)
                continue
            number += 1
            ask = Ask(self._machine, self._leases.now(), number=number, room=room)
            offer = self._fetching.post("batch", ask, Offer)
            self._hear(offer)
            if offer.is_over:
                self._over.set()
            else:
                self._over.clear()
            leases = [batch.lease for batch in offer.batches]
            if self._stops:
                self._give_back(leases)
                return
            self._leases.add(leases)
            for batch in offer.batches:
                self._arrived.put(packages.package(batch))
            if not offer.batches:
                # A runner that ends answers at once.
                self._closing.wait(LOOK_S)

    def _send(self) -> None:
        """Hand in results and show signs of life, in a thread of its own."""
        while True:
            try:
                message: Hand | Alive = self._outbox.get(timeout=ALIVE_S)
            except Empty:
                message = Alive(self._machine, live=self._live())
            message.held = self._leases.now()
            is_hand = isinstance(message, Hand)
            answer = self._sending.post("results" if is_hand else "alive", message, Answer)
            if isinstance(message, Hand):
                self._unsent.discard(message.lease)
            self._leases.drop([message.lease] if isinstance(message, Hand) else message.returned)
            self._hear(answer)
            if isinstance(message, Alive) and message.leaving:
                self._is_left.set()
                return

    def _live(self) -> list[str]:
        pool = self._pool
        if pool is None:
            return []
        with suppress(OSError):
            return [each.packed().decode() for each in pool.live_matches()[:LIVE_MAX]]
        return []

    def _hear(self, answer: Answer) -> None:
        for lease in answer.dropped:
            self._dropped.put(lease)
        if answer.says != self._said:
            self._said = answer.says
            if answer.says:
                self._tell(f"no matches for this machine: {printable(answer.says)}")

    def _is_done(self) -> bool:
        """Whether this machine was stopped, and has nothing more to play."""
        if not self._stops:
            return False
        if self._stops == 1:
            for future in [each for each in self._playing if self._withdraw(each)]:
                self._waiting.append(self._playing.pop(future))
        else:
            self._waiting.extend(self._playing.values())
            self._playing.clear()
        self._give_back([package.lease for package in self._waiting])
        self._waiting.clear()
        return not self._playing

    def _withdraw(self, future: Future[Any]) -> bool:
        return self._pool is not None and self._pool.withdraw(future)

    def _give_back(self, leases: Sequence[str]) -> None:
        if leases:
            self._outbox.put(Alive(self._machine, returned=list(leases)))

    def _accept(self, environment: BotEnvironment) -> None:
        """Submit what has arrived; another game waits until the pool of the last one is idle."""
        with suppress(Empty):
            if self._pool is None:
                self._waiting.append(self._arrived.get(timeout=LOOK_S))
            while True:
                self._waiting.append(self._arrived.get_nowait())
        while self._waiting and not self._stops:
            package = self._waiting[0]
            wanted = package.game, package.cores_each
            if self._pool is None or self._pool_of != wanted:
                if self._playing:
                    return
                self._open_pool(wanted, environment)
            pool = self._pool
            if pool is None:
                return
            self._waiting.popleft()
            try:
                self._playing[pool.submit(package.jobs)] = package
            except PoolBroken as broken:
                self._lose_all(package, broken)

    def _open_pool(self, wanted: tuple[str, int], environment: BotEnvironment) -> None:
        if self._pool is not None:
            self._pool.end()
        game, cores_each = wanted
        own = BotEnvironment.of(None, [game])
        self._pool = LocalPool(
            max(1, self._options.workers // cores_each),
            cores_each=cores_each if self._options.is_pinned else 0,
            starts=len(core_numbers()),
            environment=replace(environment, readable=own.readable),
            log=None,
        )
        self._pool_of = wanted

    def _play_on(self) -> None:
        pool = self._pool
        if pool is None:
            return
        try:
            done = pool.done(LOOK_S)
        except PoolBroken as broken:
            self._lose_all(None, broken)
            return
        for future in done:
            package = self._playing.pop(future, None)
            if package is None:
                continue
            hand = Hand(self._machine, lease=package.lease)
            try:
                hand.results = pool.results(future)
                self.played += len(hand.results)
            except JobsLost as lost:
                hand.lost, hand.hung_at = str(lost), lost.hung_at
            self._hand_in(hand)

    def _hand_in(self, hand: Hand) -> None:
        self._unsent.add(hand.lease)
        self._outbox.put(hand)

    def _lose_all(self, package: Package | None, reason: Exception) -> None:
        """Report everything in play as lost, and let the next batch open another pool."""
        lost = [*self._playing.values(), *([package] if package else ())]
        self._playing.clear()
        for each in lost:
            self._hand_in(Hand(self._machine, lease=each.lease, lost=str(reason)))
        if self._pool is not None:
            self._pool.end()
            self._pool = None

    def _drop_lost(self) -> None:
        """Forget batches whose lease is over; end the pool if nothing else is in play."""
        over = set()
        with suppress(Empty):
            while True:
                over.add(self._dropped.get_nowait())
        if not over:
            return
        self._leases.drop(sorted(over))
        self._waiting = deque(each for each in self._waiting if each.lease not in over)
        lost = [future for future, package in self._playing.items() if package.lease in over]
        for future in lost:
            self._withdraw(future)
            del self._playing[future]
        if lost and not self._playing and self._pool is not None:
            self._pool.end()
            self._pool = None


def _told_once(tell: Callable[[str], None]) -> Callable[[str], None]:
    """Return what tells a line unless it was the last one: two threads miss the same runner."""
    lock = threading.Lock()
    last = ""

    def told(text: str) -> None:
        nonlocal last
        with lock:
            if text != last:
                last = text
                tell(text)

    return told
