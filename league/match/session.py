"""People and bots at one board."""

import os
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import compress
from typing import Self

from games.support.errors import MoveError
from games.support.game import CHANCE, Game, Move, State
from games.support.moves import (
    WireMove,
    decode_move,
    draw_move,
    encode_move,
    line_of,
    read_move,
)
from games.support.view import View, asked_about
from league.match.play import chance_of
from league.match.scores import places_to_show, scores_after_fault, scores_of
from league.match.seeds import seed_of
from league.model.errors import CheckError
from league.model.number_format import half_points, ordinal
from league.model.records import (
    BotVersion,
    Limits,
    MatchRecord,
    MoveRecord,
    ReportRecord,
    Termination,
)
from league.seats.bot_specs import make_seat
from league.seats.process.environment import BotEnvironment
from league.seats.seat import MoveBudget, SeatFault, SeatKilled, SeatUnavailable


@dataclass(frozen=True, slots=True)
class SessionMove:
    """A move that a bot made in `wall_ns`, or luck in the seat `CHANCE`; `text` is as written.

    In a game with secrets, `text` is what the person sees of it, '' for nothing.
    """

    seat: int
    text: str
    wall_ns: int = 0
    report: ReportRecord | None = None


@dataclass(frozen=True, slots=True)
class SessionEnd:
    """Why a session ended before its rules said so: `seat` resigned or failed, and how."""

    seat: int
    termination: Termination
    detail: str


class Session:
    """A match between a person and a bot, which takes every other seat.

    Without a bot, people at one board take all seats in turn. Used as a context manager, it starts
    the bot's processes and ends them. `state` is the position, in a game with secrets what the
    person to move sees of it. Bots and luck move by `step`, people by `play`. Raises `SeatFault` if
    the bot fails. A bot is suspended while others move.

    >>> from league import League
    >>> with League(":memory:").play("tictactoe", "minimax", move_time=5) as session:
    ...     session.play("b2")
    ...     reply = session.step()
    >>> reply.seat
    1
    """

    def __init__(
        self,
        game: Game,
        version: BotVersion | None,
        seat: int,
        limits: Limits,
        environment: BotEnvironment,
        *,
        seed: int,
    ) -> None:
        self.game = game
        self.seat = seat
        self.limits = limits
        self.version = version
        self.bot = version.name if version else ""
        self._position: State = game.initial()
        self.end: SessionEnd | None = None
        self._seed = seed
        self._luck = chance_of(seed)
        self._history: list[WireMove] = []
        self._moves: list[MoveRecord] = []
        self._begin_ns = time.monotonic_ns()
        self._before: list[tuple[State, int]] = []
        """The position before each move of a person, and the number of plies before it."""
        self._idle_bots = environment.idle_bots
        self._bots = {
            number: make_seat(version, limits, environment)
            for number in range(game.seats)
            if version and number != seat
        }

    def __enter__(self) -> Self:
        """Start the bots; raise `CheckError` if they can't be."""
        try:
            for bot in self._bots.values():
                bot.start()
            self._tell_bots()
        except SeatUnavailable as error:
            self.stop()
            raise CheckError(str(error), self.bot) from None
        except (SeatFault, SeatKilled) as fault:
            self.stop()
            raise CheckError(f"{self.bot!r} {fault}", self.bot) from None
        except OSError as error:
            self.stop()
            raise CheckError(f"{self.bot!r} can't be started: {error}", self.bot) from None
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()

    @property
    def state(self) -> State:
        """The position as the person sees it; all of it once the match is over."""
        if self.is_over:
            return self._position
        return self._position.view(self.seat if self._bots else max(0, self._position.to_move))

    @property
    def _max_plies(self) -> int:
        return self.limits.max_plies or self.game.max_plies

    @property
    def is_over(self) -> bool:
        """Whether the match has ended, or has as many plies as it may have."""
        return (
            self.end is not None
            or self._position.outcome() is not None
            or len(self._history) >= self._max_plies
        )

    @property
    def plies(self) -> int:
        """The number of moves made, those that were taken back not counted."""
        return len(self._history)

    @property
    def is_persons_turn(self) -> bool:
        """Whether a person is to move."""
        return self._position.to_move >= 0 and self._position.to_move not in self._bots

    @property
    def can_undo(self) -> bool:
        """Whether a person has made a move that can be taken back."""
        return bool(self._before) and not self.game.has_secrets

    @property
    def logs(self) -> list[str]:
        """Return the log of each bot."""
        return [bot.log for bot in self._bots.values()]

    def play(self, move: str) -> None:
        """Make a person's move, as the game writes it.

        Raises `MoveError` if it is not legal, with the game's own reason where it has one.
        """
        if self.is_over or not self.is_persons_turn:
            raise MoveError("it is not your move", move)
        # By what the person sees: a reason for a refusal may tell more.
        found = read_move(self.state, move)
        self._before.append((self._position, len(self._history)))
        self._make(found, time.monotonic_ns() - self._begin_ns)

    def step(self) -> SessionMove:
        """Let the bot to move make its move, or luck, and return it.

        Moves in a row of which the person sees nothing are one: how many they are is a secret.
        """
        made = self._step()
        while (
            self.game.has_secrets
            and not made.text
            and not self.is_over
            and self._position.to_move == made.seat
        ):
            after = self._step()
            made = replace(after, wall_ns=made.wall_ns + after.wall_ns)
        return made

    def _step(self) -> SessionMove:
        """Let the bot to move make one move, or luck."""
        number = self._position.to_move
        if number == CHANCE:
            move = draw_move(self._position, self._luck)
            made = SessionMove(CHANCE, self._position.text(move))
            made = self._as_seen(made, partial(self._make, move, 0))
        else:
            budget = MoveBudget.of(self.limits, self.game.seats)
            told = asked_about(self._position, number, self._history)
            answer = self._bots[number].ask(*told, budget)
            self._rest()
            try:
                move = decode_move(self._position, answer.wire)
            except MoveError as error:
                raise SeatFault(Termination.ILLEGAL_MOVE, f"answered an {error}") from None
            text = self._position.text(move)
            made = SessionMove(number, text, answer.wall_ns, answer.report)
            make = partial(self._make, move, answer.wall_ns, answer.report)
            made = self._as_seen(made, make)
        return made

    def _as_seen(self, made: SessionMove, make: Callable[[], None]) -> SessionMove:
        """Make a move, and return what the person sees of it."""
        before = self.state
        make()
        if not isinstance(before, View):
            return made
        seen = self._position.view(self.seat)
        news = seen.events[len(before.events) :] if isinstance(seen, View) else ()
        return replace(made, text="; ".join(news), report=None)

    def resign(self) -> None:
        """Let the person resign; of several at one board, the one to move."""
        seat = self.seat if self._bots else max(0, self._position.to_move)
        self.end = SessionEnd(seat, Termination.RESIGNATION, "resigned")

    def fail(self, fault: SeatFault) -> None:
        """End the match by the fault of the bot to move, or of one that was told of an undo."""
        mover = self._position.to_move
        seat = mover if mover in self._bots else min(self._bots)
        self.end = SessionEnd(seat, fault.termination, fault.detail)

    def interrupt(self) -> None:
        """Kill the bots from another thread than that which waits for them in `step`.

        That one gets `SeatKilled` or `SeatFault`, and still has to `stop` them.
        """
        for bot in self._bots.values():
            with suppress(OSError):
                if leader := bot.leader:
                    os.kill(leader, signal.SIGKILL)

    def undo(self) -> bool:
        """Take back a person's last move and what followed; return whether there was one.

        In a game with secrets none is: what was seen meanwhile can't be forgotten.
        """
        if not self.can_undo:
            return False
        self._position, plies = self._before.pop()
        del self._history[plies:], self._moves[plies:]
        self._begin_ns = time.monotonic_ns()
        self._tell_bots()
        return True

    def result(self) -> str:
        """Say how the match ended, to the person."""
        if self.end is None and self._position.placing() is None:
            return f"A draw: not over after {self._max_plies} plies."
        scores = self.scores()
        if max(scores) == min(scores):
            return f"A draw{self._how(' draw')}."
        if self._bots and not self.places():
            winner = "You" if scores[self.seat] == max(scores) else self.bot
        else:
            named = zip(self._names(), scores, strict=True)
            winner = " and ".join(name for name, score in named if score == max(scores))
        return f"{winner} won{self._how(' won')}.{self._others_told()}"

    def _names(self) -> list[str]:
        """Return who has each seat, to the person."""
        if not self._bots:
            return list(self.game.seat_names)
        return [
            "You" if seat == self.seat else f"{self.bot} ({name})"
            for seat, name in enumerate(self.game.seat_names)
        ]

    def _others_told(self) -> str:
        """Say which places those have who did not win, where there are more than two sides."""
        places = self.places() if self.end is None else ()
        told = [
            f"{' and '.join(compress(self._names(), (each == place for each in places)))}"
            f" came {ordinal(place)}"
            for place in sorted({*places} - {1})
        ]
        return f" {', '.join(told)}." if told else ""

    def places(self) -> tuple[int, ...]:
        """Return the place of each seat of a match that is over; () with two sides."""
        return places_to_show(self.scores(), self.game.sides)

    def results(self) -> list[str]:
        """Write the place of each seat, or its points with two sides."""
        places = map(ordinal, self.places())
        return list(places) or [half_points(score) for score in self.scores()]

    def _how(self, verb: str) -> str:
        """Return what the game says of an ending by its rules, to follow `verb`."""
        if self.end is not None or self._position.outcome() is None:
            return ""
        told = self._position.status()
        _, found, rest = f" {told}".partition(verb)
        return rest if found else f": {told}"

    def scores(self) -> tuple[float, ...]:
        """Return the points of a match that is over, by seat."""
        if self.end is not None:
            return scores_after_fault(
                self._position, [self.end.seat], self.end.termination, is_asked=True
            )
        placing = self._position.placing()
        return scores_of(placing or (0.0,) * self.game.seats, self.game.sides)

    def record(self) -> MatchRecord:
        """Return the record of a match that is over; a person's version is 0."""
        has_rules = self._position.outcome() is not None
        detail = "" if has_rules else f"not over after {self._max_plies} plies: a draw"
        end = self.end
        termination = Termination.RULES if has_rules else Termination.MOVE_LIMIT
        return MatchRecord(
            game=self.game.spec,
            versions=tuple(
                self.version.id if self.version and seat in self._bots else 0
                for seat in range(self.game.seats)
            ),
            seed=self._seed,
            opening=(),
            moves=tuple(self._moves),
            scores=self.scores(),
            termination=end.termination if end else termination,
            utilities=None if end else self._position.outcome(),
            fault_seat=end.seat if end else None,
            detail=end.detail if end else detail,
            notation=line_of(self.game.initial(), self._history),
        )

    def stop(self) -> None:
        """End the bots."""
        for bot in self._bots.values():
            bot.rest()
            bot.stop()

    def _tell_bots(self) -> None:
        """Tell the bots of a match that stands where this one does."""
        for number, bot in self._bots.items():
            bot.new_match(self.game, number, seed_of(self._seed, number), self._history)
        self._rest()

    def _rest(self) -> None:
        """Suspend the bots: a person takes minutes, in which a bot may not compute."""
        if self._idle_bots is not None and not self.limits.may_ponder:
            self._idle_bots.freeze_all_but(None)

    def _make(self, move: Move, wall_ns: int, report: ReportRecord | None = None) -> None:
        wire = encode_move(self._position, move)
        self._history.append(wire)
        self._moves.append(MoveRecord(wire, wall_ns=wall_ns, report=report))
        self._position = self._position.play(move)
        self._begin_ns = time.monotonic_ns()
