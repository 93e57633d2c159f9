"""Matches that people play in browsers: each one has a thread, and there are only so many."""

import logging
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from queue import Empty, Queue
from threading import Lock, Thread
from typing import Any

from games.support.errors import GameError, MoveError
from games.support.game import CHANCE, State
from games.support.move_marks import Points
from league.match.session import Session, SessionMove
from league.model.errors import CheckError, LeagueError
from league.model.number_format import numbers, short_time
from league.render.play_page import board_data
from league.seats.seat import SeatFault, SeatKilled
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


@dataclass(frozen=True, slots=True)
class _Order:
    """A person's request, and the answer: '' or the error."""

    word: str
    text: str
    answer: "Future[str]" = field(default_factory=Future)


class HostedMatch:
    """A session in a thread of its own, which alone touches it; anybody reads `data`.

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
        self.revision = 0
        self._idle_s = idle_s
        self._orders: Queue[_Order] = Queue()
        self._wish = ""
        """A request that came while a bot was thinking: to resign, or to end."""
        self._plies: list[dict[str, Any]] = []
        self._positions: list[tuple[State, Points]] = [(session.state, ())]
        """The position after each ply, and the points of the move that led there."""
        self._used_ns = [0] * session.game.seats
        self._turn_s = time.monotonic()
        self._view: dict[str, Any] = {}
        self._publish("starting", f"Starting {session.bot or 'the match'}…")
        self._thread = Thread(target=self._run, daemon=True, name=f"play-{key}")

    def start(self) -> None:
        """Let the match begin."""
        self._thread.start()

    @property
    def is_alive(self) -> bool:
        """Whether its thread, and with it its bots, may be running."""
        return self._thread.is_alive()

    @property
    def is_over(self) -> bool:
        """Whether nothing can be played any more."""
        return bool(self._view["phase"] == "over")

    def data(self) -> dict[str, Any]:
        """Return all that a page shows now."""
        view, now_s = self._view, time.monotonic()
        return {**view, "since_s": 0.0 if view["phase"] == "over" else now_s - view["turn_s"]}

    def data_at(self, ply: int) -> dict[str, Any]:
        """Return the drawing after a ply, the last one if there are fewer."""
        positions = list(self._positions)
        at = min(ply, len(positions) - 1)
        return {**board_data(*positions[at], is_asked=False), "ply": at}

    def obey(self, word: str, text: str = "") -> "Future[str]":
        """Ask for a `move`, to `undo`, `resign` or `end`; the answer is '' or what was wrong."""
        order = _Order(word, text)
        phase = self._view["phase"]
        if phase == "over" or not self.is_alive:
            order.answer.set_result("" if word == "end" else "the match is over")
        elif phase == "person":
            self._orders.put(order)
        elif word in ("resign", "end"):
            self._wish = word
            self.session.interrupt()
            order.answer.set_result("")
        else:
            is_starting = phase == "starting"
            told = "the match is starting" if is_starting else f"{self.session.bot} is thinking"
            order.answer.set_result(told)
        return order.answer

    def end(self, wait_s: float = ENDING_S) -> None:
        """End the match and its bots, without a result if it is not over."""
        self.obey("end")
        self._thread.join(wait_s)

    def _run(self) -> None:
        session = self.session
        try:
            with session:
                while not session.is_over and not self._wish:
                    if session.is_persons_turn:
                        self._await_person()
                    else:
                        self._advance()
        except CheckError as error:
            failed = f"{session.bot} can't be started" if self.is_silent else str(error)
            self._publish("over", "Stopped, without a result." if self._wish else f"{failed}.")
        except SeatFault as fault:
            self._conclude(fault)
        except SeatKilled as killed:
            self._conclude(killed)
        except (MoveError, GameError) as error:
            self._publish("over", f"The match has no result: {error}")
        except Exception:
            logging.getLogger(__name__).exception("a match in the browser failed")
            self._publish("over", "The league failed at this; its terminal says how.")
        else:
            self._conclude(None)
        finally:
            self._refuse_rest()

    def _conclude(self, trouble: SeatFault | SeatKilled | None) -> None:
        """Say how the match ended."""
        session, bot = self.session, self.session.bot
        if self._wish == "resign":
            session.resign()
            self._publish("over", f"{self._resigned()} {session.result()}")
        elif self._wish:
            self._publish("over", "Stopped, without a result.")
        elif isinstance(trouble, SeatKilled):
            self._publish("over", f"{bot}: {trouble}; the match has no result.")
        elif trouble is not None:
            session.fail(trouble)
            detail = "" if self.is_silent else f": {trouble.detail}"
            told = f"{bot} loses by {trouble.termination}{detail}."
            self._publish("over", f"{told} {session.result()}")
        elif session.is_over:
            self._publish("over", session.result())

    def _resigned(self) -> str:
        end = self.session.end
        if self.session.bot or end is None:
            return "You resigned."
        return f"{self.session.game.seat_names[end.seat]} resigned."

    def _advance(self) -> None:
        """Let a bot or luck move."""
        session = self.session
        seat = session.state.to_move
        self._turn_s = time.monotonic()
        if seat != CHANCE:
            self._publish("bot", f"{session.bot} is thinking…")
        before = session.state
        made = session.step()
        self._add(before, made)

    def _await_person(self) -> None:
        """Do what the person asks for, until there is a move or the time is up."""
        session, begin_s = self.session, time.monotonic()
        self._turn_s = begin_s
        self._publish("person", self._turn_told())
        while True:
            try:
                left_s = begin_s + self._idle_s - time.monotonic()
                order = self._orders.get(timeout=max(0.0, left_s))
            except Empty:
                self._wish = "idle"
                return
            try:
                is_done, wrong = self._do(order)
            except (SeatFault, SeatKilled):
                order.answer.set_result("")
                raise
            if not is_done and not wrong:
                # Before the answer, which shows the newest view: the page then asks for no other.
                begin_s = self._turn_s = time.monotonic()
                self._publish("person", self._turn_told())
            order.answer.set_result(wrong)
            if is_done:
                return
            if session.is_over:
                return

    def _do(self, order: _Order) -> tuple[bool, str]:
        """Return whether the person's turn is over, and what was wrong."""
        session = self.session
        if order.word == "move":
            before, seat = session.state, session.state.to_move
            try:
                session.play(order.text)
            except MoveError as error:
                return False, str(error)
            wall_ns = int((time.monotonic() - self._turn_s) * 1e9)
            text = before.text(before.parse(order.text))
            self._add(before, SessionMove(seat, text, wall_ns))
            # The next to move is published before the answer, so that the answer shows it.
            if session.is_over:
                self._conclude(None)
            else:
                self._turn_s = time.monotonic()
                is_mine = session.is_persons_turn
                told = self._turn_told() if is_mine else f"{session.bot} is thinking…"
                self._publish("person" if is_mine else "bot", told)
            return True, ""
        if order.word == "undo":
            if not session.undo():
                return False, "there is no move of yours to take back"
            for ply in self._plies[session.plies :]:
                if ply["seat"] != CHANCE:
                    self._used_ns[ply["seat"]] -= ply["wall_ns"]
            del self._plies[session.plies :], self._positions[session.plies + 1 :]
            return False, ""
        self._wish = order.word
        self._conclude(None)
        return True, ""

    def _refuse_rest(self) -> None:
        while True:
            try:
                self._orders.get_nowait().answer.set_result("the match is over")
            except Empty:
                return

    def _turn_told(self) -> str:
        session = self.session
        told = session.state.status()
        if not session.bot:
            return f"{told}."
        # The rest of the status, such as a check or the score.
        return f"Your move{told.partition(' to move')[2]}."

    def _add(self, before: State, made: SessionMove) -> None:
        report = made.report
        text = report.text[:TEXT_SHOWN] if report and not self.is_silent else ""
        told = [numbers(report), text] if report else []
        if made.seat != CHANCE:
            self._used_ns[made.seat] += made.wall_ns
        self._plies.append(
            {
                "seat": made.seat,
                "text": made.text,
                "wall_ns": made.wall_ns,
                "took": short_time(made.wall_ns) if made.wall_ns else "",
                "told": ", ".join(filter(None, told)),
            }
        )
        points = before.marks(before.parse(made.text))
        self._positions.append((self.session.state, points))

    def _publish(self, phase: str, status: str) -> None:
        """Let pages see how the match stands."""
        session = self.session
        if self._wish == "idle" and phase == "over":
            status = f"Ended, without a result: no move for {self._idle_s / 60:g} minutes."
        last = self._plies[-1] if self._plies else None
        mover = session.state.to_move
        if self._view and self._view["phase"] == "over":
            return
        board = board_data(*self._positions[-1], is_asked=phase == "person")
        if phase == "over" and session.state.outcome() is None:
            # Nobody is to move any more, whatever the drawing says.
            board["position"] = ""
        self._view = {
            **board,
            "revision": self.revision + 1,
            "phase": phase,
            "status": status,
            "said": self._said(last),
            "told": last["told"] if last else "",
            "mover": None if phase in ("over", "starting") else mover,
            "plies": list(self._plies),
            "used_s": [each / 1e9 for each in self._used_ns],
            "turn_s": self._turn_s,
            "limit_s": session.limits.move_s if phase == "bot" else None,
            "can_undo": phase == "person" and session.can_undo,
            "has_result": phase == "over" and session.is_over,
            "results": session.results() if phase == "over" and session.is_over else None,
            "log": self._log() if phase == "over" else "",
        }
        self.revision += 1

    def _said(self, last: dict[str, Any] | None) -> str:
        if last is None:
            return ""
        if last["seat"] == CHANCE:
            return f"Luck draws {last['text']}."
        session = self.session
        name = session.game.seat_names[last["seat"]]
        if session.bot:
            name = "You" if last["seat"] == session.seat else session.bot
        return f"{name}: {last['text']}."

    def _log(self) -> str:
        """Return the end of what a bot that failed wrote to its log."""
        end = self.session.end
        if end is None or not end.termination.is_fault or self.is_silent:
            return ""
        lines = [line for log in self.session.logs for line in log.strip().splitlines()]
        return "\n".join(lines[-LOG_LINES:])


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
        return [each for each in found[::-1] if each.owner == owner and not each.is_over]

    def close(self) -> None:
        """End all matches and their bots."""
        with self._lock:
            self._is_closed = True
            found = [each for each in self._matches.values() if each.is_alive]
        for each in found:
            each.obey("end")
        for each in found:
            each.end()
