"""The Universal Game Interface: `ugi:COMMAND`, UCI for other games than chess.

Sources: the Universal Chess Interface (S. Meyer-Kahlen and R. Huber, 2000), and kz04px's
generalization in the runner cutegames and the specification UGI (2022).
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from games.support.errors import MoveError
from games.support.game import Game, State
from games.support.moves import WireMove, decode_move, encode_move
from league.model.records import BotVersion, Limits, ReportRecord, Termination
from league.seats.engine.engine_seat import EngineSeat
from league.seats.engine.uci_info import SearchInfo
from league.seats.engine.uci_options import EngineOption, read_identity, read_option, setting
from league.seats.process.bot_process import ProcessLate
from league.seats.process.environment import NO_ENVIRONMENT, BotEnvironment
from league.seats.report_parsing import legal_line
from league.seats.seat import MoveBudget, SeatFault

_NO_MOVES = ("", "(none)", "none", "null")


class UgiSeat(EngineSeat):
    """A program that speaks UGI."""

    interrupt = "stop"
    farewell = "quit"

    def __init__(
        self, version: BotVersion, limits: Limits, environment: BotEnvironment = NO_ENVIRONMENT
    ) -> None:
        super().__init__(version, limits, environment)
        self._offered: dict[str, EngineOption] = {}
        self._rules: dict[str, str] = {}
        self._rule_lines = ""
        self._is_ready = False
        self._info = SearchInfo()
        self._asked: State
        self._state: State
        self._codes: list[str] = []

    @classmethod
    def refusal(cls, game: Game, limits: Limits) -> str:
        """Refuse games without exactly two seats, games of chance, and searches without a limit."""
        if game.seats != 2:
            return f"UGI is for two seats, and {game.spec} has {game.seats}"
        if game.has_chance:
            return f"UGI knows no luck, and {game.spec} has some"
        if limits.is_free:
            return "UGI needs a limit to a search: by time, depth or nodes"
        return ""

    def greet(self, end: int) -> None:
        """Greet the program and set the options, validated against its own."""
        self._offered, self._rules = {}, {}
        self.say("ugi\n", end)
        while (line := self._reply("ugi", "ugiok", end)) != "ugiok":
            self.keep_identity(**read_identity(line))
            if option := read_option(line):
                self._offered[option.name.casefold()] = option
        self.say(f"{self._settings(self.version.options)}isready\n", end)
        self._wait("readyok", end)

    def set_up(self, game: Game, seat: int, seed: int, opening: Sequence[WireMove]) -> None:
        """Store the match; raise `SeatFault` if the program lacks one of its options.

        Game options are sent as engine options of the same name; those with default values may be
        missing.
        """
        usual = {each.name: each.default for each in game.options}
        rules = {name: _text(value) for name, value in game.values.items()}
        unknown = [
            name
            for name, value in game.values.items()
            # The initial position is part of every request.
            if value != usual[name] and name not in self._offered and name != "fen"
        ]
        if unknown:
            text = f"can't play {game.spec}: it offers no option {unknown[0]!r} to be told of it"
            raise SeatFault(Termination.CRASH, text)
        known = {name: value for name, value in rules.items() if name in self._offered}
        # Options never set are at their defaults.
        before = {name: self._rules.get(name, _text(usual[name])) for name in known}
        changed = {name: value for name, value in known.items() if value != before[name]}
        self._rule_lines = self._settings(changed)
        self._rules = {**self._rules, **changed}
        self._state = game.initial()
        self._codes = []

    def prepare(self, end: int) -> None:
        """Announce the new match and wait until the program is ready."""
        self.say(f"{self._rule_lines}uginewgame\nisready\n", end)
        self._wait("readyok", end)

    def question(self, state: State, history: Sequence[WireMove], budget: MoveBudget) -> str:
        """Return the position, `isready`, and `go`.

        Output before `readyok` is ignored: it may be a second answer to the last request.
        """
        self._is_ready = False
        self._info = SearchInfo()
        self._asked = state
        return f"{self._position(state, history)}\nisready\n{go_line(budget)}\n"

    def heard(self, state: State, line: str) -> WireMove | None:
        """Process one line; return the move of `bestmove`."""
        words = line.split(None, 2)
        first = words[0] if words else ""
        if first == "readyok":
            self._is_ready = True
        elif first == "info":
            self._info.add(line.encode())
        elif first == "bestmove" and self._is_ready:
            return _wire(state, words[1] if len(words) > 1 else "")
        return None

    def report(self) -> ReportRecord | None:
        """Return the program's report, with mates in its own moves: UGI counts plies."""
        report = self._info.report(self._line_of)
        if report is None or report.mate is None:
            return report
        plies = report.mate
        return replace(report, mate=(plies + 1) // 2 if plies > 0 else -(-plies // 2))

    def _line_of(self, texts: Sequence[str]) -> tuple[WireMove, ...]:
        return legal_line(self._asked, texts, lambda at, text: at.decode(text))

    def _settings(self, options: Mapping[str, str]) -> str:
        return "".join(setting(*each) for each in self.chosen(self._offered, options))

    def _position(self, state: State, history: Sequence[WireMove]) -> str:
        if state.game.sends_boards and (fen := state.fen()):
            return f"position fen {fen}"
        for wire in history[len(self._codes) :]:
            move = decode_move(self._state, wire)
            self._codes.append(self._state.code(move))
            self._state = self._state.play(move)
        board = state.game.values.get("fen")
        start = f"position fen {board}" if board else "position startpos"
        return " ".join([start, "moves", *self._codes]) if self._codes else start

    def _wait(self, word: str, end: int) -> None:
        while self._reply("isready", word, end) != word:
            pass

    def _reply(self, asked: str, word: str, end: int) -> str:
        try:
            return self.listen(end)
        except ProcessLate:
            text = (
                f"did not answer {asked!r} with {word!r} within {self._start_limit}: "
                "does it speak UGI?"
            )
            raise SeatFault(Termination.TIME_FORFEIT, text) from None


def go_line(budget: MoveBudget) -> str:
    """Return the `go` line with all limits of the budget; times in ms."""
    words = ["go"]
    if budget.left_s:
        first, second = (_ms(left) for left in budget.left_s)
        added = [_ms(each, 0) for each in budget.increments_s or (0, 0)]
        words.append(f"p1time {first} p2time {second} p1inc {added[0]} p2inc {added[1]}")
        if budget.moves_to_go is not None:
            words.append(f"movestogo {budget.moves_to_go}")
    if budget.move_s is not None and not budget.is_by_clock:
        words.append(f"movetime {_ms(budget.move_s)}")
    if budget.depth is not None:
        words.append(f"depth {budget.depth}")
    if budget.nodes is not None:
        words.append(f"nodes {budget.nodes}")
    return " ".join(words)


def _ms(seconds: float, least: int = 1) -> int:
    return max(least, int(seconds * 1000))


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _wire(state: State, text: str) -> WireMove:
    if text.lower() in _NO_MOVES:
        told = f"bestmove {text}".rstrip()
        raise SeatFault(Termination.ILLEGAL_MOVE, f"answered {told!r} instead of a move")
    try:
        return encode_move(state, state.decode(text))
    except MoveError as error:
        raise SeatFault(Termination.ILLEGAL_MOVE, f"answered an {error}") from None


SEAT = UgiSeat
