"""Chess engines: the Universal Chess Interface.

Source: Stefan Meyer-Kahlen, Description of the universal chess interface, 2006.
"""

from collections.abc import Sequence
from contextlib import suppress
from copy import copy
from dataclasses import dataclass
from typing import ClassVar

from games.chess.rules import Chess, ChessState, line_in_uci
from games.support.errors import MoveError, brief
from games.support.game import Game, State
from games.support.moves import WireMove, decode_move, encode_move
from league.model.records import BotVersion, Limits, ReportRecord, Termination
from league.seats.engine.engine_seat import EngineSeat
from league.seats.engine.uci_info import SearchInfo
from league.seats.engine.uci_options import EngineOption, read_identity, read_option, setting
from league.seats.process.bot_process import Aside, ProcessLate
from league.seats.process.environment import NO_ENVIRONMENT, BotEnvironment
from league.seats.seat import MoveBudget, SeatAnswer, SeatFault, SeatKilled
from league.seats.stopwatch import Stopwatch

_CHESS960 = "UCI_Chess960"
_PONDER = "Ponder"
SYNCHRONISED = 20
"""Number of first questions that come after an `isready`, even to a well-behaved engine.

This costs an instant mover a tenth of its speed, so that later only those engines pay that have
written something between an answer and the next question.
"""

_NO_MOVE = ("(none)", "0000", "none", "null")


class UciSeat(EngineSeat):
    """A chess engine that speaks UCI."""

    plays: ClassVar[str] = "chess"
    interrupt: ClassVar[str] = "stop"
    farewell: ClassVar[str] = "quit"

    def __init__(
        self, version: BotVersion, limits: Limits, environment: BotEnvironment = NO_ENVIRONMENT
    ) -> None:
        super().__init__(version, limits, environment)
        self._offered: dict[str, EngineOption] = {}
        self._is_960 = False
        self._wants_960 = False
        self._where = PositionLine()
        self._info = SearchInfo()
        self._aside = Aside(b"info ", self._hear)
        self._go: tuple[MoveBudget, str] | None = None
        self._is_ready = True
        self._is_stray = False
        self._questions = 0
        self._can_ponder = False
        self._expected = ""
        self._guess: Guess | None = None
        self._owed = 0
        """Number of answers to come that belong to stopped searches."""

    @classmethod
    def refusal(cls, game: Game, limits: Limits) -> str:
        """Refuse other games than chess, and searches without a limit."""
        if not isinstance(game, Chess):
            return f"uci plays chess alone, not {game.spec}"
        if limits.is_free:
            return "uci engines need a limit: a time, a depth or nodes"
        return ""

    def greet(self, end: int) -> None:
        """Read the engine's options and set the registered ones."""
        self._offered = {}
        self._is_stray, self._questions = False, 0
        self._guess, self._owed = None, 0
        self.say("uci\n", end)
        try:
            while (line := self.listen(end)) != "uciok":
                self.keep_identity(**read_identity(line))
                option = read_option(line)
                if option is not None:
                    self._offered[option.name.casefold()] = option
        except ProcessLate:
            text = (
                f"did not answer 'uci' with 'uciok' within {self._start_limit}: "
                "is it an engine that speaks UCI, and as it is called?"
            )
            raise SeatFault(Termination.TIME_FORFEIT, text) from None
        chess960 = self._offered.get(_CHESS960.casefold())
        self._is_960 = chess960 is not None and chess960.default == "true"
        for option, value in self.chosen(self._offered, self.version.options):
            self.say(setting(option, value), end)
        # Under depth or nodes alone, what was found while waiting would make moves depend on luck.
        self._can_ponder = self._limits.may_ponder and self._limits.is_timed
        self._can_ponder = self._can_ponder and _PONDER.casefold() in self._offered
        if self._can_ponder:
            self._running().hold_more_output()
            if _PONDER.casefold() not in map(str.casefold, self.version.options):
                self.say(f"setoption name {_PONDER} value true\n", end)
        self._await_ready(end)

    def lack(self, game: Game) -> str:
        """Say so if the engine does not offer Chess960, and `game` needs it."""
        is_960 = game.values["chess960"] or game.values["start"] is not None
        if is_960 and _CHESS960.casefold() not in self._offered:
            return f"offers no option {_CHESS960}, which {game.spec} needs"
        return ""

    def set_up(self, game: Game, seat: int, seed: int, opening: Sequence[WireMove]) -> None:
        """Store the initial position; raise `SeatFault` if the engine lacks Chess960."""
        first = game.initial()
        if not isinstance(first, ChessState):
            raise SeatFault(Termination.CRASH, self.refusal(game, self._limits))
        self._wants_960 = first.board.chess960
        if lack := self.lack(game):
            raise SeatFault(Termination.CRASH, lack)
        self._where = PositionLine(first)

    def prepare(self, end: int) -> None:
        """Start a new match with its castling rules."""
        self.rest()
        if self._wants_960 is not self._is_960:
            self._is_960 = self._wants_960
            self.say(f"setoption name {_CHESS960} value {str(self._is_960).lower()}\n", end)
        self.say("ucinewgame\n", end)
        self._await_ready(end)

    def question(self, state: State, history: Sequence[WireMove], budget: MoveBudget) -> str:
        """Return the position and the search limits.

        Output after the last answer, or before `readyok`, does not answer this request.
        """
        guess, self._guess = self._guess, None
        self._info.clear()
        self._expected = ""
        if guess is not None and guess.is_hit(history):
            self._where, self._is_ready = guess.where, True
            return "ponderhit\n"
        if guess is None:
            self._is_stray = self._running().forget_lines() or self._is_stray
        else:
            self._owed += 1
        self._questions += 1
        self._is_ready = self._questions > SYNCHRONISED and not self._is_stray
        if self._go is None or self._go[0] is not budget:
            self._go = (budget, go_line(budget))
        ready = "" if self._is_ready else "isready\n"
        stop = "" if guess is None else "stop\n"
        return f"{stop}{self._where.at(history)}\n{ready}{self._go[1]}\n"

    def listen(self, end: int | Stopwatch) -> str:
        """Return the next line that is not `info` on the search in progress; keep that."""
        while True:
            line = self.listen_raw(end).strip()
            if not (line.startswith((b"info ", b"info\t")) and self._is_ready) or self._owed:
                return line.decode("utf-8", "replace")
            self._info.add(line)

    def _line(self, end: int | Stopwatch, aside: Aside | None = None) -> bytes:
        """Return the next line, of a search in progress the next that is not `info`."""
        return super()._line(end, self._aside if self._is_ready and not self._owed else aside)

    def _hear(self, line: bytes) -> None:
        """Keep a line of a search in progress."""
        self.keep_line(line)
        self._info.add(line)

    def heard(self, state: State, line: str) -> WireMove | None:
        """Return the move of `bestmove`."""
        if self._owed and line.startswith("bestmove"):
            self._owed -= 1
            return None
        if not self._is_ready:
            self._is_ready = line == "readyok"
            self._is_stray = self._is_stray or not (self._is_ready or self._owed)
            return None
        if self._owed or not line.startswith("bestmove"):
            return None
        _, text, *rest = [*line.split(), ""]
        if rest[:1] == ["ponder"]:
            self._expected = rest[1]
        try:
            move: int = state.decode(text)
        except MoveError as error:
            raise SeatFault(Termination.ILLEGAL_MOVE, _told(text, state, error)) from None
        return move

    def ask(self, state: State, history: Sequence[WireMove], budget: MoveBudget) -> SeatAnswer:
        """Request a move as every seat does, then let the engine ponder if it may."""
        answer = super().ask(state, history, budget)
        if self._can_ponder and self._expected:
            # The answer stands, whatever becomes of the engine now: the next question will tell.
            with suppress(ProcessLate, SeatFault, SeatKilled, MoveError):
                self._ponder(state, history, budget, answer)
        return answer

    def rest(self) -> None:
        """Stop pondering: the match is over."""
        if self._guess is not None:
            self._guess, self._owed = None, self._owed + 1
            with suppress(ProcessLate, SeatFault, SeatKilled):
                self.say("stop\n", self._start_end())

    def _ponder(
        self, state: State, history: Sequence[WireMove], budget: MoveBudget, answer: SeatAnswer
    ) -> None:
        """Let the engine search the position after the reply that it expects."""
        move = decode_move(state, answer.wire)
        after = state.play(move)
        if after.outcome() is not None:
            return
        reply = after.decode(self._expected)
        last = after.play(reply)
        if last.outcome() is not None:
            return
        moves = (encode_move(state, move), encode_move(after, reply))
        guess = Guess(copy(self._where), len(history) + 2, moves)
        line = guess.where.at([*history, *moves])
        later = go_line(after_move(budget, answer.wall_ns / 1e9), is_pondering=True)
        self.say(f"{line}\n{later}\n", self._start_end())
        self._guess = guess

    def report(self) -> ReportRecord | None:
        """Return the engine's report on its last move."""
        return self._info.report()

    def _await_ready(self, end: int) -> None:
        self.say("isready\n", end)
        is_ready = False
        while not is_ready or self._owed:
            line = self.listen(end)
            is_ready = is_ready or line == "readyok"
            if self._owed and line.startswith("bestmove"):
                self._owed -= 1


class PositionLine:
    """The `position` line: the first position and all moves since, as chess programs send it."""

    def __init__(self, first: ChessState | None = None) -> None:
        self._text = "position startpos"
        if first is not None and (first.game.fen or first.game.start is not None):
            self._text = f"position fen {first.fen()}"
        self._known = 0

    def at(self, history: Sequence[WireMove]) -> str:
        """Return the line after `history`, which has more moves at each call."""
        if news := history[self._known :]:
            self._text += (" " if self._known else " moves ") + line_in_uci(news)
            self._known = len(history)
        return self._text


@dataclass(frozen=True, slots=True)
class Guess:
    """The position that an engine ponders about: `ply` plies, the last two of them `moves`."""

    where: PositionLine
    ply: int
    moves: tuple[WireMove, WireMove]

    def is_hit(self, history: Sequence[WireMove]) -> bool:
        """Whether the match went as expected."""
        return len(history) == self.ply and tuple(history[-2:]) == self.moves


def after_move(budget: MoveBudget, wall_s: float) -> MoveBudget:
    """Return the budget of a seat's next move, as far as it is known after one of `wall_s`."""
    if budget.clock is None:
        return budget
    clock = budget.clock.after(wall_s)
    left_s, increments_s = list(budget.left_s), list(budget.increments_s)
    left_s[budget.seat], increments_s[budget.seat] = clock.left_s, clock.period.increment_s
    return budget._replace(
        left_s=tuple(left_s),
        increments_s=tuple(increments_s),
        clock=clock,
    )


def go_line(budget: MoveBudget, *, is_pondering: bool = False) -> str:
    """Return the `go` line with every limit of the budget."""
    words = ["go", "ponder"] if is_pondering else ["go"]
    if budget.left_s:
        for name, left_s in zip(("wtime", "btime"), budget.left_s, strict=True):
            words += [name, _milliseconds(left_s)]
        if any(budget.increments_s):
            for name, increment_s in zip(("winc", "binc"), budget.increments_s, strict=True):
                words += [name, _milliseconds(increment_s)]
        if budget.moves_to_go is not None:
            words += ["movestogo", str(budget.moves_to_go)]
    if budget.move_s is not None and not budget.is_by_clock:
        words += ["movetime", _milliseconds(budget.move_s)]
    if budget.depth is not None:
        words += ["depth", str(budget.depth)]
    if budget.nodes is not None:
        words += ["nodes", str(budget.nodes)]
    return " ".join(words)


def _milliseconds(seconds: float) -> str:
    # Never 0, which engines take for no time or for no limit.
    return str(max(1, int(seconds * 1000)))


def _told(text: str, state: State, error: MoveError) -> str:
    if not text:
        return "answered 'bestmove' without a move"
    if text.lower() in _NO_MOVE:
        return f"answered that it has no move ({brief(text)}) in {state.fen()}, which is not over"
    return f"answered an {error}"


SEAT = UciSeat
