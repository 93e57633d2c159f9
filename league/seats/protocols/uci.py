"""Chess engines: the Universal Chess Interface.

Source: Stefan Meyer-Kahlen, Description of the universal chess interface, 2006.
"""

from collections.abc import Sequence
from typing import ClassVar

from games.chess.rules import Chess, ChessState
from games.support.errors import MoveError, brief
from games.support.game import Game, State
from games.support.moves import WireMove
from league.model.records import BotVersion, Limits, ReportRecord, Termination
from league.seats.engine.engine_seat import EngineSeat
from league.seats.engine.uci_info import SearchInfo
from league.seats.engine.uci_options import EngineOption, OptionRefused, read_option, setting
from league.seats.process.bot_process import ProcessLate
from league.seats.process.environment import NO_ENVIRONMENT, BotEnvironment
from league.seats.seat import MoveBudget, SeatFault

_CHESS960 = "UCI_Chess960"
SYNCHRONISED = 20
"""How many of an engine's first questions come after an `isready`, even if it is well-behaved.

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
        self._asked: State | None = None
        self._go: tuple[MoveBudget, str] | None = None
        self._is_ready = True
        self._is_stray = False
        self._questions = 0

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
        self.say("uci\n", end)
        try:
            while (line := self.listen(end)).strip() != "uciok":
                option = read_option(line)
                if option is not None:
                    self._offered[option.name.casefold()] = option
        except ProcessLate:
            text = (
                f"did not answer 'uci' with 'uciok' within {self._limits.start_s:g} s: "
                "is it an engine that speaks UCI, and as it is called?"
            )
            raise SeatFault(Termination.TIME_FORFEIT, text) from None
        chess960 = self._offered.get(_CHESS960.casefold())
        self._is_960 = chess960 is not None and chess960.default == "true"
        for name, value in self.version.options.items():
            try:
                self.say(setting(self._offered, name, value), end)
            except OptionRefused as refused:
                raise SeatFault(Termination.CRASH, str(refused)) from None
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
        if self._wants_960 is not self._is_960:
            self._is_960 = self._wants_960
            self.say(f"setoption name {_CHESS960} value {str(self._is_960).lower()}\n", end)
        self.say("ucinewgame\n", end)
        self._await_ready(end)

    def question(self, state: State, history: Sequence[WireMove], budget: MoveBudget) -> str:
        """Return the position and the search limits.

        Output after the last answer, or before `readyok`, does not answer this request.
        """
        self._is_stray = self._running().forget_lines() or self._is_stray
        self._questions += 1
        self._is_ready = self._questions > SYNCHRONISED and not self._is_stray
        self._asked = state
        self._info = SearchInfo()
        if self._go is None or self._go[0] is not budget:
            self._go = (budget, go_line(budget))
        ready = "" if self._is_ready else "isready\n"
        return f"{self._where.at(state, history)}\n{ready}{self._go[1]}\n"

    def heard(self, state: State, line: str) -> WireMove | None:
        """Process `info`; return the move of `bestmove`."""
        if not self._is_ready:
            self._is_ready = line.strip() == "readyok"
            self._is_stray = self._is_stray or not self._is_ready
            return None
        if not line.startswith("bestmove"):
            if line.startswith("info "):
                self._info.add(line)
            return None
        text = line[8:].strip().partition(" ")[0]
        try:
            move: int = state.decode(text)
        except MoveError as error:
            raise SeatFault(Termination.ILLEGAL_MOVE, _told(text, state, error)) from None
        return move

    def report(self) -> ReportRecord | None:
        """Return the engine's report on its last move."""
        return self._info.report(self._asked) if self._asked is not None else None

    def _await_ready(self, end: int) -> None:
        self.say("isready\n", end)
        while self.listen(end).strip() != "readyok":
            pass


class PositionLine:
    """The `position` line: a position and the moves since.

    It has as few moves as possible, but all that can still be repeated, so that engines see
    repetitions.
    """

    def __init__(self, first: ChessState | None = None) -> None:
        self._text = "position startpos"
        self._known = self._root_ply = self._asked_ply = 0
        self._asked = first
        if first is not None and (first.game.fen or first.game.start is not None):
            self._text = f"position fen {first.fen()}"
        self._has_moves = False

    def at(self, state: State, history: Sequence[WireMove]) -> str:
        """Return the line for `state` after `history`; plies must not decrease."""
        if not isinstance(state, ChessState):
            # Unreachable: `refusal` excludes other games.
            raise TypeError(f"expected a position of chess, not a {type(state).__name__}")
        ply = len(history)
        since = ply - state.reversible()
        if since == ply > self._root_ply:
            self._begin(ply, state)
        elif since >= self._asked_ply > self._root_ply and self._asked is not None:
            # The last irreversible move came after the last request.
            self._begin(self._asked_ply, self._asked)
        news = [state.code(move) for move in history[self._known :]]
        if news:
            self._text += " " + " ".join(news if self._has_moves else ["moves", *news])
            self._has_moves = True
        self._known = self._asked_ply = ply
        self._asked = state
        return self._text

    def _begin(self, ply: int, state: ChessState) -> None:
        self._text, self._has_moves = f"position fen {state.fen()}", False
        self._root_ply = self._known = ply


def go_line(budget: MoveBudget) -> str:
    """Return the `go` line with every limit of the budget."""
    words = ["go"]
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
