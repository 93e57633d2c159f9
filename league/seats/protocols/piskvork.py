"""Gomocup's protocol: `piskvork:COMMAND` plays gomoku by the rules of `mnk`.

Source: P. Laštovička, Gomoku AI protocol (2005, with the changes up to 2023).
"""

import re
import time
from collections.abc import Sequence
from contextlib import suppress

from games.mnk import MnkGame
from games.support.errors import brief
from games.support.game import Game, State
from games.support.moves import WireMove
from league.model.records import BotVersion, Limits, ReportRecord, Termination
from league.seats.engine.engine_seat import EngineSeat
from league.seats.process.bot_process import ProcessLate
from league.seats.process.environment import NO_ENVIRONMENT, BotEnvironment
from league.seats.seat import MoveBudget, SeatFault
from league.seats.stopwatch import Stopwatch

CONNECT = 5

NO_LIMIT_MS = (1 << 31) - 1
"""The protocol's word for a match without a clock."""

MEMORY_SHARE = 0.75
"""The part of its memory that a brain is told of: many fill all of it with tables alone."""

EXACT = 1
"""The bit of `INFO rule` for rows of exactly five."""

PING_S = 0.02
PINGS = 100
"""How long a brain has to answer `ABOUT` after a move, and how often it is asked."""

OWN, OTHER = 1, 2
"""The owners of stones in a `BOARD`."""

_NO_ANSWERS = ("", "MESSAGE", "DEBUG")
_POINT = re.compile(r"(SUGGEST\s+)?([0-9]{1,3})\s*,\s*([0-9]{1,3})", re.IGNORECASE)


class PiskvorkSeat(EngineSeat):
    """A brain of Gomocup."""

    farewell = "END"

    def __init__(
        self, version: BotVersion, limits: Limits, environment: BotEnvironment = NO_ENVIRONMENT
    ) -> None:
        super().__init__(version, limits, environment)
        self._columns = self._rows = 0
        self._start_line = ""
        self._started = ""
        """The line that made the brain's board; '' if it has none."""
        self._infos: list[str] = []
        self._stones: list[int] = []
        """The points of the stones on the brain's board, in the order of the moves."""
        self._told = 0
        self._unasked = 0
        """How many lines may be answered by `UNKNOWN` without harm."""
        self._said = ""
        self._has_moved = False
        """Whether the brain has moved since it last answered `ABOUT`."""
        self._pings = 0
        """How many `ABOUT` it may still answer."""

    @classmethod
    def refusal(cls, game: Game, limits: Limits) -> str:
        """Refuse other games, rows of other than five, swaps, and limits without time."""
        if not isinstance(game, MnkGame):
            return f"piskvork's protocol plays gomoku alone ({MnkGame.name}), not {game.spec}"
        if game.connect != CONNECT:
            return f"piskvork's protocol knows only rows of {CONNECT}, not {game.spec}"
        if game.swap:
            return "piskvork's protocol knows no swap of the first stone"
        if not limits.is_timed:
            return "piskvork's protocol knows no limit but time"
        return ""

    def greet(self, end: int) -> None:
        """Ask the brain about itself, which it must answer by a line."""
        self._started, self._has_moved = "", False
        self._ask("ABOUT", end)

    def set_up(self, game: Game, seat: int, seed: int, opening: Sequence[WireMove]) -> None:
        """Store the board's size, the rule, the limits and the stones of the first position."""
        if not isinstance(game, MnkGame):
            raise SeatFault(Termination.CRASH, self.refusal(game, self._limits))
        self._columns, self._rows = columns, rows = game.columns, game.rows
        is_square = columns == rows
        self._start_line = f"START {columns}" if is_square else f"RECTSTART {columns},{rows}"
        self._infos = _infos(self._limits, 0 if game.overline else EXACT)
        self._infos += [f"INFO {name} {value}" for name, value in self.version.options.items()]
        self._stones = _first_stones(game)
        self._told = 0

    def prepare(self, end: int) -> None:
        """Make an empty board, and tell the brain the limits."""
        self.await_rest(None)
        if self._started == self._start_line:
            if _word(self._ask("RESTART", end)) != "OK":
                # The command is optional.
                self.stop()
                self.start()
        elif self._started:
            self.stop()
            self.start()
        if not self._started:
            answer = self._ask(self._start_line, end)
            if _word(answer) != "OK":
                told = f"answered {brief(answer)} to {self._start_line!r}: does it know this size?"
                raise SeatFault(Termination.CRASH, told)
            self._started = self._start_line
        self.say("".join(f"{line}\n" for line in self._infos), end)

    def question(self, state: State, history: Sequence[WireMove], budget: MoveBudget) -> str:
        """Return the time left, and the opponent's move or the whole board."""
        news = [int(move) for move in history[self._told :]]
        is_board = len(self._stones) + len(news) > 1 and (not self._told or len(news) != 1)
        self._stones += news
        # The brain puts its answer on its own board.
        self._told = len(history) + 1
        self._said = ""
        lines = [f"INFO time_left {_ms(budget.left_s[budget.seat])}"] if budget.left_s else []
        # Some brains answer what they do not know of INFO.
        self._unasked = len(lines) + len(self._infos)
        if is_board:
            count = len(self._stones)
            lines.append("BOARD")
            for at, move in enumerate(self._stones):
                owner = OWN if (count - at) % 2 == 0 else OTHER
                lines.append(f"{self._point(move)},{owner}")
            lines.append("DONE")
        elif self._stones:
            lines.append(f"TURN {self._point(self._stones[-1])}")
        else:
            lines.append("BEGIN")
        return "".join(f"{line}\n" for line in lines)

    def heard(self, state: State, line: str) -> WireMove | None:
        """Return the point that a line names; raise `SeatFault` for an error and for no point."""
        if found := _POINT.fullmatch(line):
            if found[1]:
                # A brain that reads nothing has no time more than its clock.
                self.say(f"PLAY {found[2]},{found[3]}\n", time.monotonic_ns())
                return None
            return self._move(state, int(found[2]), int(found[3]))
        word = _word(line)
        if word == "MESSAGE":
            self._said = line[len(word) :].strip()
        elif word == "UNKNOWN" and self._unasked:
            self._unasked -= 1
        elif word in ("UNKNOWN", "ERROR"):
            raise SeatFault(Termination.ILLEGAL_MOVE, f"answered {brief(line)} instead of a move")
        elif word not in ("", "OK", "DEBUG") and self._pings:
            self._pings -= 1
        elif word not in ("", "OK", "DEBUG"):
            self.strays += 1
        return None

    def await_rest(self, watch: Stopwatch | None) -> None:
        """Wait until the brain reads commands again.

        Some brains write their move before they have stopped to think, and until then drop what
        they read.
        """
        for _ in range(PINGS if self._has_moved else 0):
            end = time.monotonic_ns() + int(PING_S * 1e9)
            self._pings += 1
            with suppress(ProcessLate):
                self.say("ABOUT\n", end)
                while _word(self.listen(end)) in _NO_ANSWERS:
                    pass
                self._pings -= 1
                break
            if watch is not None:
                watch.look()
        self._has_moved = False
        self._running().forget_lines()

    def report(self) -> ReportRecord | None:
        """Return the brain's last message."""
        return ReportRecord(text=self._said) if self._said else None

    def _move(self, state: State, x: int, y: int) -> int:
        move = y * self._columns + x
        if not (x < self._columns and y < self._rows):
            told = f"answered '{x},{y}', which is no point of {self._columns} x {self._rows}"
            raise SeatFault(Termination.ILLEGAL_MOVE, told)
        if not state.is_legal(move):
            told = f"answered '{x},{y}', which is {state.refusal(move)}"
            raise SeatFault(Termination.ILLEGAL_MOVE, told)
        self._stones.append(move)
        self._has_moved = True
        return move

    def _point(self, move: int) -> str:
        return f"{move % self._columns},{move // self._columns}"

    def _ask(self, line: str, end: int) -> str:
        """Return the answer to a line, which is no message; raise `SeatFault` if none comes."""
        self.say(f"{line}\n", end)
        try:
            while _word(answer := self.listen(end)) in _NO_ANSWERS:
                pass
        except ProcessLate:
            text = f"did not answer {line!r} within {self._start_limit}"
            raise SeatFault(Termination.TIME_FORFEIT, text) from None
        return answer


def _word(line: str) -> str:
    """Return a line's first word in upper case; '' for an empty line."""
    return next(iter(line.split(None, 1)), "").upper()


def _infos(limits: Limits, rule: int) -> list[str]:
    """Return the lines that tell a brain the limits: times in ms, memory in bytes, 0 for none."""
    control = limits.control
    # `time_left` has the truth: this is for brains that believe in one number.
    match_ms = _ms(max(period.base_s for period in control.periods)) if control else 0
    turn_ms = match_ms if limits.move_s is None else _ms(limits.move_s)
    told = {
        "timeout_turn": turn_ms,
        "timeout_match": match_ms,
        "max_memory": int((limits.memory_mb or 0) * MEMORY_SHARE) << 20,
        "game_type": 1,
        "rule": rule,
    }
    if not control:
        told["time_left"] = NO_LIMIT_MS
    return [f"INFO {key} {value}" for key, value in told.items()]


def _first_stones(game: MnkGame) -> list[int]:
    """Return the stones of the first position by turns, so that the last is the opponent's."""
    state = game.initial()
    first, second = (game.board.moves_of(state.stones(seat)) for seat in (0, 1))
    by_turns = [move for pair in zip(first, second, strict=False) for move in pair]
    return by_turns + list(first[len(second) :])


def _ms(seconds: float) -> int:
    # 0 stands for no limit, or for no time to think at all.
    return max(1, int(seconds * 1000))


SEAT = PiskvorkSeat
