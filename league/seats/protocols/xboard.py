"""The Chess Engine Communication Protocol of xboard: `xboard:COMMAND` plays chess.

Source: T. Mann and H. G. Muller, Chess Engine Communication Protocol, version 2 (2009).
"""

import re
import time
from collections import deque
from collections.abc import Sequence

from games.support.errors import MoveError, brief
from games.support.game import Game, Move, State
from games.support.moves import WireMove, decode_move, encode_move
from league.model.records import BotVersion, Limits, ReportRecord, Termination
from league.model.time_control import Period
from league.seats.engine.engine_seat import EngineSeat
from league.seats.engine.uci_options import EngineOption
from league.seats.engine.xboard_features import XboardFeatures
from league.seats.engine.xboard_thinking import KEPT_CHARACTERS, KEPT_LINES, report_of
from league.seats.process.bot_process import ProcessLate
from league.seats.process.environment import NO_ENVIRONMENT, BotEnvironment
from league.seats.seat import MoveBudget, SeatFault
from league.seats.time_management import move_time_s

SILENCE_S = 5.0
"""An engine that has said nothing for so long after its start sends no features: version 1."""

QUIET_S = 0.02
"""An engine without `ping` that wrote nothing for so long is done with the last match."""

_MOVE = re.compile(r"(?:move|[0-9]+\. \.\.\.)\s+(\S+)")
_RESIGNATION = re.compile(r"(?:(?:computer|tellics) )?resigns?\b", re.IGNORECASE)
_CLAIM = re.compile(r"(?:result\s+)?(1-0|0-1|1/2-1/2)\b", re.IGNORECASE)
_LOSSES = ("0-1", "1-0")
_REFUSAL = re.compile(r"illegal move", re.IGNORECASE)


class XboardSeat(EngineSeat):
    """A chess engine that speaks xboard's protocol, in `force` mode except for each `go`."""

    plays = "chess"
    interrupt = "?"
    farewell = "quit"

    def __init__(
        self, version: BotVersion, limits: Limits, environment: BotEnvironment = NO_ENVIRONMENT
    ) -> None:
        super().__init__(version, limits, environment)
        self._features = XboardFeatures()
        self._is_used = False
        self._setup = ""
        self._period: Period | None = None
        self._pings = 0
        self._is_ready = False
        self._thoughts: deque[str] = deque(maxlen=KEPT_LINES)
        self._state: State
        self._asked: State
        self._told = 0

    @classmethod
    def refusal(cls, game: Game, limits: Limits) -> str:
        """Refuse Chess960, other games, and limits that the protocol can't express."""
        if game.name != "chess":
            return f"xboard engines play chess alone, not {game.spec}"
        if game.values["chess960"] or game.values["start"] is not None:
            return "xboard engines play no Chess960 here: uci engines do"
        if limits.move_s is None and not limits.time and limits.plies(game.seats) is None:
            return "xboard engines need a limit of time or depth"
        return ""

    def greet(self, end: int) -> None:
        """Read the features and set the options, validated against the engine's."""
        self._features, self._is_used = XboardFeatures(), False
        self.say("xboard\nprotover 2\n", end)
        # Version 1 engines send no features, and others are slow on a busy machine.
        now = time.monotonic_ns()
        patience = now + min(int(SILENCE_S * 1e9), (end - now) // 2)
        while not self._features["done"]:
            is_waiting = self._features.is_waiting
            try:
                line = self.listen(end if is_waiting else patience)
            except ProcessLate:
                if is_waiting:
                    raise
                break
            if line.startswith(("feature ", "feature\t")):
                self.say("".join(self._features.add(line)), end)
        self.keep_identity(title=self._features.own_name)
        options = self.chosen(self._features.options, self.version.options)
        self.say("".join(_setting(*each) for each in options), end)

    def new_match(self, game: Game, seat: int, seed: int, opening: Sequence[WireMove]) -> None:
        """Announce a new match; restart an engine that can't play a second one."""
        if self._is_used and not self._features["reuse"]:
            self.stop()
            self.start()
        super().new_match(game, seat, seed, opening)
        self._is_used = True

    def lack(self, game: Game) -> str:
        """Say so if the engine can't set up the first position of `game`."""
        if game.values["fen"] and not self._features["setboard"]:
            return f"knows no 'setboard', which {game.spec} needs"
        return ""

    def set_up(self, game: Game, seat: int, seed: int, opening: Sequence[WireMove]) -> None:
        """Store the initial position and the limits."""
        fen = game.values["fen"]
        if lack := self.lack(game):
            raise SeatFault(Termination.CRASH, lack)
        lines = ["new", "easy", "post", "force"]
        if fen:
            lines.append(f"setboard {fen}")
        if self._limits.move_s is not None:
            lines.append(_pace(self._limits.move_s, bool(self._limits.time)))
        depth = self._limits.plies(game.seats)
        if depth is not None:
            lines.append(f"sd {depth}")
        self._setup = "".join(f"{line}\n" for line in lines)
        self._period = None
        self._state, self._told = game.initial(), 0

    def prepare(self, end: int) -> None:
        """Begin the match, and wait until the engine is ready if it can say so."""
        self.say(self._setup + self._ping(), end)
        while not self._is_ready:
            self._hear_pong(self.listen(end))
        if self._is_used and not self._features["ping"]:
            self._settle(end)

    def _settle(self, end: int) -> None:
        """Ignore what the engine writes until it has read everything and is quiet."""
        while time.monotonic_ns() < end:
            try:
                self.listen(min(end, time.monotonic_ns() + int(QUIET_S * 1e9)))
            except ProcessLate:
                if not self._running().has_unread:
                    return
        raise ProcessLate

    def question(self, state: State, history: Sequence[WireMove], budget: MoveBudget) -> str:
        """Return the moves since the last request, the clocks, and `go`.

        Output before `pong` does not answer this request.
        """
        self._running().forget_lines()
        self._thoughts.clear()
        self._asked = state
        lines = ["force", *self._news(history), *self._clocks(state.to_move, budget)]
        return "".join(f"{line}\n" for line in lines) + self._ping() + "go\n"

    def heard(self, state: State, line: str) -> WireMove | None:
        """Process one line; return the move.

        Raises `SeatFault` if the engine resigns, claims a false result, or rejects a legal move.
        """
        if _REFUSAL.match(line):
            raise SeatFault(Termination.ILLEGAL_MOVE, f"refused a legal move: {brief(line)}")
        if not self._is_ready:
            self._hear_pong(line)
        elif found := _MOVE.match(line):
            return self._answer(state, found[1])
        elif _RESIGNATION.match(line):
            raise SeatFault(Termination.RESIGNATION, "resigned")
        elif found := _CLAIM.match(line):
            if found[1] == _LOSSES[state.to_move]:
                raise SeatFault(Termination.RESIGNATION, f"resigned: {brief(line)}")
            told = f"claimed {brief(line)}, and the match is not over"
            raise SeatFault(Termination.ILLEGAL_MOVE, told)
        else:
            self._thoughts.append(line[:KEPT_CHARACTERS])
        return None

    def report(self) -> ReportRecord | None:
        """Return the engine's report on its last move."""
        return report_of(self._asked, self._thoughts)

    def _answer(self, state: State, text: str) -> WireMove:
        try:
            move = _read(state, text)
        except MoveError as error:
            raise SeatFault(Termination.ILLEGAL_MOVE, f"answered an {error}") from None
        # The engine has already played it on its board.
        self._state = state.play(move)
        self._told += 1
        return encode_move(state, move)

    def _news(self, history: Sequence[WireMove]) -> list[str]:
        """Return the lines for the moves that the engine has not seen."""
        lines = []
        for wire in history[self._told :]:
            move = decode_move(self._state, wire)
            lines.append(self._written(self._state, move))
            self._state = self._state.play(move)
        self._told = len(history)
        return lines

    def _written(self, state: State, move: Move) -> str:
        text = state.text(move) if self._features["san"] else state.code(move)
        return f"usermove {text}" if self._features["usermove"] else text

    def _clocks(self, seat: int, budget: MoveBudget) -> list[str]:
        pace = move_time_s(budget)
        if pace is None:
            return []
        lines, clock = [], budget.clock
        if clock is not None and budget.move_s is None:
            if self._period != clock.period:
                self._period = clock.period
                # Section 11: during a match, a level has the moves and the time that are left.
                lines.append(_level(clock.moves_to_go or 0, clock.left_s, self._period.increment_s))
            mine, theirs = budget.left_s[seat], budget.left_s[1 - seat]
        else:
            mine = theirs = pace
        if self._features["time"]:
            lines += [f"time {_hundredths(mine)}", f"otim {_hundredths(theirs)}"]
        return lines

    def _ping(self) -> str:
        """Return a `ping` line if the engine supports it, and reset readiness."""
        self._is_ready = not self._features["ping"]
        self._pings += 1
        return "" if self._is_ready else f"ping {self._pings}\n"

    def _hear_pong(self, line: str) -> None:
        self._is_ready = line.split() == ["pong", str(self._pings)]


def _setting(option: EngineOption, value: str) -> str:
    """Return the line that sets an option."""
    if option.name in ("memory", "cores"):
        return f"{option.name} {value}\n"
    if option.kind == "check":
        value = str(int(value == "true"))
    return f"option {option.name}" + (f"={value}\n" if value else "\n")


def _read(state: State, text: str) -> Move:
    """Parse squares or algebraic notation; raise `MoveError` unless the move is legal."""
    try:
        return state.decode(text)
    except MoveError:
        return state.parse(text)


def _pace(move_s: float, has_clock: bool) -> str:
    """Return the line for a fixed time per move.

    `st` knows only whole seconds and no clock. Below a second, or if a clock may allow less, each
    move is its own session, in which `time` gives the hundredths.
    """
    return f"st {int(move_s)}" if move_s >= 1 and not has_clock else _level(1, move_s, 0)


def _level(moves: int, base_s: float, increment_s: float) -> str:
    # Some engines take a session of zero time for an endless one.
    minutes, seconds = divmod(max(1, int(base_s)), 60)
    return f"level {moves} {minutes}:{seconds:02} {increment_s:g}"


def _hundredths(seconds: float) -> int:
    return max(1, int(seconds * 100))


SEAT = XboardSeat
