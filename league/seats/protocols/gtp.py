"""The Go Text Protocol: `gtp:COMMAND` plays Go by OpenSpiel's rules.

Source: G. Farnebäck, Specification of the Go Text Protocol, version 2, draft 2 (2002).
"""

import re
from collections.abc import Iterator, Sequence
from difflib import get_close_matches

from games.support.errors import brief
from games.support.game import Game, State
from games.support.moves import WireMove
from league.model.records import BotVersion, Limits, Termination
from league.model.time_control import Period
from league.seats.engine.engine_seat import EngineSeat
from league.seats.process.bot_process import ProcessLate
from league.seats.process.environment import NO_ENVIRONMENT, BotEnvironment
from league.seats.seat import MoveBudget, SeatFault
from league.seats.time_management import move_time_s

GAME = "openspiel:go"

_LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
_COLOURS = "bw"
_REPLY = re.compile(r"([=?])([0-9]{0,9})\s*(.*)")
_VERTEX = re.compile(r"([A-Z])([0-9]{1,2})")


class GtpSeat(EngineSeat):
    """A Go program that speaks GTP; numbered commands match answers to them."""

    plays = GAME
    farewell = "quit"

    def __init__(
        self, version: BotVersion, limits: Limits, environment: BotEnvironment = NO_ENVIRONMENT
    ) -> None:
        super().__init__(version, limits, environment)
        self._count = 0
        self._known: frozenset[str] = frozenset()
        self._setup: list[str] = []
        self._size = 0
        self._told = 0
        self._period: Period
        self._plays: dict[int, str] = {}
        self._asked = 0

    @classmethod
    def refusal(cls, game: Game, limits: Limits) -> str:
        """Refuse other games than Go, handicap games, and limits without time."""
        if game.name != GAME:
            return f"GTP plays Go alone ({GAME}), not {game.spec}"
        if game.values["handicap"]:
            return "no handicap is told by GTP here"
        if limits.move_s is None and not limits.time:
            return "GTP knows no limit but time"
        return ""

    def greet(self, end: int) -> None:
        """Check the protocol's version and run the options as commands: `level=3` is `level 3`."""
        version = self._call("protocol_version", end)
        if version != "2":
            text = f"speaks version {brief(version)} of GTP: expected 2"
            raise SeatFault(Termination.CRASH, text)
        self._known = frozenset(self._call("list_commands", end).split())
        for name, value in self.version.options.items():
            if name not in self._known:
                close = get_close_matches(name, self._known, n=1)
                near = f" (did you mean {close[0]!r}?)" if close else ""
                raise SeatFault(Termination.CRASH, f"knows no command {name!r}{near}")
            self._call(f"{name} {value}", end)

    def set_up(self, game: Game, seat: int, seed: int, opening: Sequence[WireMove]) -> None:
        """Store the board size, the komi and the time."""
        size, komi = game.values["board_size"], game.values["komi"]
        self._size = size if isinstance(size, int) else 0
        self._setup = [f"boardsize {size}", f"komi {komi}", "clear_board"]
        control, move_s = self._limits.control, self._limits.move_s
        self._period = Period(move_s or 0.0, moves=1)
        if control is not None and move_s is None:
            self._period = control.periods[0]
        if "time_settings" in self._known:
            self._setup.append(_time_settings(self._period))
        self._told = 0

    def prepare(self, end: int) -> None:
        """Set up the board."""
        for command in self._setup:
            self._call(command, end)

    def question(self, state: State, history: Sequence[WireMove], budget: MoveBudget) -> str:
        """Return the moves since the last request, the clock, and `genmove`."""
        self._plays = {}
        lines = []
        for ply, wire in enumerate(history[self._told :], self._told):
            command = f"play {_COLOURS[ply % 2]} {vertex(wire, self._size)}"
            lines.append(self._numbered(command))
            self._plays[self._count] = command
        mine = _COLOURS[state.to_move]
        lines += map(self._numbered, self._clocks(mine, budget))
        lines.append(self._numbered(f"genmove {mine}"))
        self._asked = self._count
        # The program plays its answer on its own board.
        self._told = len(history) + 1
        return "".join(lines)

    def heard(self, state: State, line: str) -> WireMove | None:
        """Return the `genmove` answer; raise `SeatFault` if it resigns or rejects a legal move."""
        found = _REPLY.match(line)
        if found is None or not found[2]:
            return None
        sign, number, text = found[1], int(found[2]), found[3].strip()
        if sign == "?" and number in self._plays:
            told = f"refused {self._plays[number]!r}, which is legal here: {brief(text)}"
            raise SeatFault(Termination.ILLEGAL_MOVE, told)
        if number != self._asked:
            return None
        if sign == "?":
            raise SeatFault(Termination.ILLEGAL_MOVE, f"answered {brief(text)} instead of a move")
        if text.lower() == "resign":
            raise SeatFault(Termination.RESIGNATION, "resigned")
        move = move_of(text, self._size)
        if move is None:
            told = f"answered {brief(text)}, which is no point of a board of {self._size}"
            raise SeatFault(Termination.ILLEGAL_MOVE, told)
        if not state.is_legal(move):
            raise SeatFault(Termination.ILLEGAL_MOVE, f"answered an illegal move {brief(text)}")
        return move

    def _clocks(self, mine: str, budget: MoveBudget) -> Iterator[str]:
        """Yield the commands that tell the time, and a new period's rules."""
        if (clock := budget.clock) is None or budget.move_s is not None:
            left, stones = move_time_s(budget) or 0.0, 1
        else:
            left, stones = clock.left_s, clock.moves_to_go or 0
            if self._period != clock.period and "time_settings" in self._known:
                yield _time_settings(clock.period)
            self._period = clock.period
        if "time_left" in self._known:
            yield f"time_left {mine} {_seconds(left)} {stones}"

    def _numbered(self, command: str) -> str:
        self._count += 1
        return f"{self._count} {command}\n"

    def _call(self, command: str, end: int) -> str:
        """Run a command and return its answer; raise `SeatFault` if it fails."""
        self.say(self._numbered(command), end)
        try:
            while (found := _REPLY.match(self.listen(end))) is None or found[2] != str(self._count):
                pass
            lines = [found[3]]
            while line := self.listen(end):
                lines.append(line)
        except ProcessLate:
            text = f"did not answer {command!r} within {self._start_limit}"
            raise SeatFault(Termination.TIME_FORFEIT, text) from None
        text = "\n".join(lines).strip()
        if found[1] == "?":
            raise SeatFault(Termination.CRASH, f"refused {command!r}: {brief(text)}")
        return text


def vertex(move: WireMove, size: int) -> str:
    """Format a move of OpenSpiel's Go as a point, `D4`, or `pass`."""
    if not isinstance(move, int) or move == size * size:
        return "pass"
    return f"{_LETTERS[move % size]}{move // size + 1}"


def move_of(text: str, size: int) -> int | None:
    """Parse the output of `vertex`, ignoring case; None if it is no point of the board."""
    wanted = text.upper()
    if wanted == "PASS":
        return size * size
    found = _VERTEX.fullmatch(wanted)
    column, row = (_LETTERS.find(found[1]), int(found[2]) - 1) if found else (-1, -1)
    return row * size + column if 0 <= column < size and 0 <= row < size else None


def _time_settings(period: Period) -> str:
    """Return the time command: the time for all moves, or for a number of them.

    GTP has no increments; `time_left` includes them before each move.
    """
    base = _seconds(period.base_s)
    return f"time_settings 0 {base} {period.moves}" if period.moves else f"time_settings {base} 0 0"


def _seconds(seconds: float) -> int:
    # GTP has only whole seconds, and 0 would mean no time at all.
    return max(1, int(seconds))


SEAT = GtpSeat
