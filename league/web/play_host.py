"""Matches that people play in browsers: each one has a thread, and there are only so many."""

import logging
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field, replace
from enum import StrEnum
from queue import Empty, Queue
from threading import Lock, Thread

from games.support.errors import GameError, MoveError
from games.support.game import CHANCE, State
from games.support.view import View
from league.match.session import Session, SessionMove
from league.model.errors import CheckError, LeagueError
from league.model.number_format import numbers
from league.render.play_page import Phase, PlayBoard, PlayPly, PlayView
from league.seats.seat import SeatFault, SeatKilled, SeatUnavailable
from league.web.play_settings import PlaySettings

IDLE_S = 600.0
"""Longest time for a person's move; after it the match and its bots end."""

KEPT = 50
"""Number of finished matches that stay available."""

ENDING_S = 2.0
"""Longest time to wait for the bots of an ending match."""

LOG_LINES = 12
TEXT_SHOWN = 80


class FullError(LeagueError):
    """As many matches are in play as there may be."""


class OrderKind(StrEnum):
    """What a person asks for."""

    MOVE = "move"
    UNDO = "undo"
    RESIGN = "resign"
    END = "end"


_LEAVING = (OrderKind.RESIGN, OrderKind.END)
"""The orders that end the match, and are taken at any time."""


@dataclass(frozen=True, slots=True)
class _Order:
    """A person's request, and the answer: '' or the error."""

    kind: OrderKind
    text: str
    answer: "Future[str]" = field(default_factory=Future)


class HostedMatch:
    """A session in a thread of its own: the match's thread.

    That thread alone plays. It replaces `view` at every change, and takes orders from a queue. Any
    other thread reads `view`, calls `obey` and `end`, and uses of the session only what never
    changes (`game`, `bot`, `seat`, `limits`), `interrupt`, and once the view is over, `record`.

    The kernel ends a bot with the thread that started it: the threads of a pool come and go. If it
    `is_silent`, its bot's texts, log and the details of its faults are not shown.
    """

    def __init__(
        self,
        key: str,
        owner: str,
        settings: PlaySettings,
        session: Session,
        idle_s: float,
        *,
        is_silent: bool = False,
    ) -> None:
        self.key, self.owner, self.settings, self.session = key, owner, settings, session
        self.is_silent = is_silent
        self.began_s = time.time()
        self._idle_s = idle_s
        self._orders: Queue[_Order] = Queue()
        self._obeyed: _Order | None = None
        """The order that is being carried out; the next view answers it."""
        self._plies: tuple[PlayPly, ...] = ()
        self.view = self._seen(1, Phase.STARTING, f"Starting {session.bot or 'the match'}…")
        self._thread = Thread(target=self._run, daemon=True, name=f"play-{key}")

    # The other threads.

    def start(self) -> None:
        """Let the match begin."""
        self._thread.start()

    @property
    def is_alive(self) -> bool:
        """Whether its thread, and with it its bots, may be running."""
        return self._thread.is_alive()

    def obey(self, kind: OrderKind, text: str = "") -> "Future[str]":
        """Ask for something; the answer is '' or what was wrong, once `view` shows it."""
        order = _Order(kind, text)
        is_busy = self.view.phase in (Phase.STARTING, Phase.BOT)
        if is_busy and kind not in _LEAVING:
            order.answer.set_result(self._busy_told())
            return order.answer
        self._orders.put(order)
        if is_busy:
            self.session.interrupt()
        if self.view.is_over:
            # Its thread may have looked for orders for the last time.
            self._refuse_rest()
        return order.answer

    def end(self, wait_s: float = ENDING_S) -> None:
        """End the match and its bots, without a result if it is not over."""
        self.obey(OrderKind.END)
        self._thread.join(wait_s)

    # The match's thread.

    def _run(self) -> None:
        session = self.session
        try:
            with session:
                while not self.view.is_over:
                    if session.is_over:
                        self._publish(Phase.OVER, session.result())
                    elif session.is_persons_turn:
                        self._await_person()
                    else:
                        self._advance()
        except (CheckError, SeatFault, SeatKilled, SeatUnavailable) as trouble:
            self._conclude(trouble)
        except (MoveError, GameError) as error:
            self._publish(Phase.OVER, f"The match has no result: {error}")
        except Exception:
            logging.getLogger(__name__).exception("a match in the browser failed")
            self._publish(Phase.OVER, "The league failed at this; its terminal says how.")
        finally:
            self._refuse_rest()

    def _await_person(self) -> None:
        """Do what the person asks for, until that changes something or the time is up."""
        self._publish(Phase.PERSON, self._turn_told())
        end_s = time.monotonic() + self._idle_s
        while True:
            try:
                order = self._orders.get(timeout=max(0.0, end_s - time.monotonic()))
            except Empty:
                idle = f"no move for {self._idle_s / 60:g} minutes"
                self._publish(Phase.OVER, f"Ended, without a result: {idle}.")
                return
            self._obeyed = order
            wrong = self._do(order)
            if not wrong:
                return
            self._answer(wrong)

    def _do(self, order: _Order) -> str:
        """Do what a person asks for in their turn; return what was wrong."""
        session = self.session
        before = session.state
        match order.kind:
            case OrderKind.MOVE:
                try:
                    session.play(order.text)
                except MoveError as error:
                    return str(error)
                wall_ns = int((time.monotonic() - self.view.turn_s) * 1e9)
                text = before.text(before.parse(order.text))
                self._add(before, SessionMove(before.to_move, text, wall_ns))
            case OrderKind.UNDO:
                if not session.undo():
                    return "there is no move of yours to take back"
                self._plies = self._plies[: session.plies]
            case kind:
                self._leave(kind)
        return ""

    def _advance(self) -> None:
        """Let a bot or luck move, unless the person leaves."""
        session, before = self.session, self.session.state
        if before.to_move != CHANCE:
            self._publish(Phase.BOT, f"{session.bot} is thinking…")
            if self._has_left():
                return
        self._add(before, session.step())

    def _has_left(self) -> bool:
        """Do what came while a bot was busy: leave, and refuse all else."""
        for order in self._waiting():
            if order.kind in _LEAVING:
                self._leave(order.kind)
                order.answer.set_result("")
                return True
            order.answer.set_result(self._busy_told())
        return False

    def _leave(self, kind: OrderKind) -> None:
        """End the match as the person asks."""
        session = self.session
        if kind is OrderKind.END:
            self._publish(Phase.OVER, "Stopped, without a result.")
            return
        mover = max(0, session.state.to_move)
        session.resign()
        name = "You" if session.bot else session.game.seat_names[mover]
        self._publish(Phase.OVER, f"{name} resigned. {session.result()}")

    def _conclude(self, trouble: CheckError | SeatFault | SeatKilled | SeatUnavailable) -> None:
        """Say how a bot ended the match, unless it was killed because the person left."""
        session, bot = self.session, self.session.bot
        if self._has_left():
            return
        if isinstance(trouble, CheckError):
            status = f"{bot} can't be started." if self.is_silent else f"{trouble}."
        elif isinstance(trouble, SeatKilled | SeatUnavailable):
            why = f"{bot} can't go on" if self.is_silent else f"{bot}: {trouble}"
            status = f"{why}; the match has no result."
        else:
            session.fail(trouble)
            detail = "" if self.is_silent else f": {trouble.detail}"
            status = f"{bot} loses by {trouble.termination}{detail}. {session.result()}"
        self._publish(Phase.OVER, status)

    def _add(self, before: State, made: SessionMove) -> None:
        report = made.report
        text = report.text[:TEXT_SHOWN] if report and not self.is_silent else ""
        told = ", ".join(filter(None, [numbers(report), text])) if report else ""
        # What the person sees of a move in a game with secrets is no move.
        points = () if isinstance(before, View) else before.marks(before.parse(made.text))
        ply = PlayPly(made.seat, made.text, made.wall_ns, told, self.session.state, points)
        self._plies = (*self._plies, ply)

    def _publish(self, phase: Phase, status: str) -> None:
        """Let other threads see how the match stands, and answer the order that led there."""
        if not self.view.is_over:
            self.view = self._seen(self.view.revision + 1, phase, status)
        self._answer("")

    def _answer(self, wrong: str) -> None:
        if self._obeyed:
            self._obeyed.answer.set_result(wrong)
            self._obeyed = None

    def _seen(self, revision: int, phase: Phase, status: str) -> PlayView:
        session, plies = self.session, self._plies
        state, is_over = session.state, phase is Phase.OVER
        board = PlayBoard.after(plies, session.game, is_asked=phase is Phase.PERSON)
        if is_over and state.outcome() is None:
            # Nobody is to move any more, whatever the drawing says.
            board = replace(board, position="")
        return PlayView(
            revision=revision,
            phase=phase,
            status=status,
            board=board,
            plies=plies,
            said=self._said(plies[-1]) if plies else "",
            mover=None if is_over or phase is Phase.STARTING else state.to_move,
            used_s=tuple(
                sum(ply.wall_ns for ply in plies if ply.seat == seat) / 1e9
                for seat in range(session.game.seats)
            ),
            turn_s=time.monotonic(),
            limit_s=session.limits.move_s if phase is Phase.BOT else None,
            can_undo=phase is Phase.PERSON and session.can_undo,
            results=tuple(session.results()) if is_over and session.is_over else None,
            log=self._log() if is_over else "",
        )

    def _turn_told(self) -> str:
        session = self.session
        told = session.state.status()
        if not session.bot:
            return f"{told}."
        # The rest of the status, such as a check or the score.
        return f"Your move{told.partition(' to move')[2]}."

    def _said(self, last: PlayPly) -> str:
        if last.seat == CHANCE:
            return f"Luck draws {last.text}."
        session = self.session
        name = session.game.seat_names[last.seat]
        if session.bot:
            name = "You" if last.seat == session.seat else session.bot
        return f"{name}: {last.text}."

    def _log(self) -> str:
        """Return the end of what a bot that failed wrote to its log."""
        end = self.session.end
        if end is None or not end.termination.is_fault or self.is_silent:
            return ""
        lines = [line for log in self.session.logs for line in log.strip().splitlines()]
        return "\n".join(lines[-LOG_LINES:])

    # Any thread.

    def _busy_told(self) -> str:
        """Say why nobody may move now."""
        is_starting = self.view.phase is Phase.STARTING
        return "the match is starting" if is_starting else f"{self.session.bot} is thinking"

    def _waiting(self) -> Iterator[_Order]:
        with suppress(Empty):
            while True:
                yield self._orders.get_nowait()

    def _refuse_rest(self) -> None:
        for order in self._waiting():
            is_done = order.kind is OrderKind.END
            order.answer.set_result("" if is_done else "the match is over")


class PlayHost:
    """The matches that are played in browsers, at most `most` at a time.

    A match belongs to the browser that began it, known by `owner`. `secret` makes its tokens.
    """

    def __init__(self, most: int, idle_s: float = IDLE_S) -> None:
        self.most, self.idle_s = most, idle_s
        self.secret = secrets.token_bytes(32)
        self._matches: OrderedDict[str, HostedMatch] = OrderedDict()
        self._lock = Lock()
        self._is_closed = False

    def begin(
        self,
        owner: str,
        settings: PlaySettings,
        make: Callable[[], Session],
        *,
        is_silent: bool = False,
    ) -> HostedMatch:
        """Begin a match; raise `FullError` if there is no room, or as `make` does."""
        with self._lock:
            if (
                self._is_closed
                or sum(each.is_alive for each in self._matches.values()) >= self.most
            ):
                raise FullError(
                    f"All {self.most} places are taken. End a match of yours, or try again later."
                )
            key, session = secrets.token_urlsafe(12), make()
            match = HostedMatch(key, owner, settings, session, self.idle_s, is_silent=is_silent)
            match.start()
            self._matches[match.key] = match
            over = [key for key, each in self._matches.items() if not each.is_alive]
            for key in over[: max(0, len(over) - KEPT)]:
                del self._matches[key]
            return match

    def find(self, key: str, owner: str) -> HostedMatch | None:
        """Return a match of that browser; None if it has none of that name."""
        found = self._matches.get(key)
        is_own = found is not None and secrets.compare_digest(found.owner.encode(), owner.encode())
        return found if is_own else None

    def in_play(self, owner: str) -> list[HostedMatch]:
        """List the matches of that browser that are not over, the newest first."""
        with self._lock:
            found = list(self._matches.values())
        return [each for each in found[::-1] if each.owner == owner and not each.view.is_over]

    def close(self) -> None:
        """End all matches and their bots."""
        with self._lock:
            self._is_closed = True
            found = [each for each in self._matches.values() if each.is_alive]
        for each in found:
            each.obey(OrderKind.END)
        for each in found:
            each.end()
