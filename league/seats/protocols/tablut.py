"""The Tablut challenge of the University of Bologna: `tablut:COMMAND` starts one of its players.

Source: the competition's server (A. Piretti and A. Galassi, TablutCompetition, 2018 to 2024).
"""

import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from bots.support.bot import TEXT_MAX
from games.support.errors import MoveError, brief
from games.support.game import Game, State
from games.support.moves import WireMove, encode_move
from games.tablut.rules import Tablut, TablutState
from league.model.records import BotVersion, Limits, Termination
from league.seats.engine import tablut_relay
from league.seats.engine.engine_seat import EngineSeat
from league.seats.process.bot_process import ProcessLate
from league.seats.process.environment import NO_ENVIRONMENT, BotEnvironment
from league.seats.process.launch import BotCommand, homes_of
from league.seats.seat import MoveBudget, SeatFault

PORTS = {"WHITE": 5800, "BLACK": 5801}

USUAL_WORDS = ("{ROLE}", "{seconds}", "{host}")
"""The arguments that the competition gives to a player whose command has none of its own."""

_RULES = ("first", "escape", "armed")
"""The options that change the rules which all players know."""

_PAWNS = {"K": "KING", "W": "WHITE", "B": "BLACK", "+": "THRONE", "~": "EMPTY", ".": "EMPTY"}


class TablutSeat(EngineSeat):
    """A player of the challenge, behind a relay that is its server."""

    plays = "tablut"

    def __init__(
        self, version: BotVersion, limits: Limits, environment: BotEnvironment = NO_ENVIRONMENT
    ) -> None:
        super().__init__(version, limits, environment)
        self._words: Sequence[str] = ()
        self._role = ""
        self._positions: list[TablutState] = []
        self._sent = 0
        """How many of the positions are behind the player."""

    @classmethod
    def refusal(cls, game: Game, limits: Limits) -> str:
        """Refuse other games, other rules, and limits without a time for each move."""
        if not isinstance(game, Tablut):
            return f"the Tablut challenge plays tablut, not {game.spec}"
        usual = {each.name: each.default for each in game.options}
        if changed := [name for name in _RULES if game.values[name] != usual[name]]:
            return f"players of the Tablut challenge don't know the option {changed[0]!r}"
        if limits.move_s is None:
            return "the Tablut challenge knows no limit but a time for each move"
        return ""

    def command(self, program: Path, words: Sequence[str], folder: Path) -> BotCommand:
        """Return the command of the relay, which is to start the player."""
        player = super().command(program, words, folder)
        asks = any("{port}" in word or _filled(word, "", 1) != word for word in words)
        self._words = [*player.words, *(() if asks else USUAL_WORDS)]
        relay = Path(tablut_relay.__file__)
        needed = [relay, Path(sys.prefix), Path(sys.base_prefix), *homes_of(str(program))]
        return replace(
            player,
            words=[sys.executable, "-I", "-S", "-B", str(relay)],
            readable=[*player.readable, *needed],
        )

    def greet(self, end: int) -> None:
        """Wait until the relay runs; the player itself starts with each match."""
        if options := self.version.options:
            told = f"takes no option {next(iter(options))!r}: write it into the command"
            raise SeatFault(Termination.CRASH, told)
        self._hear_relay(end)

    def set_up(self, game: Game, seat: int, seed: int, opening: Sequence[WireMove]) -> None:
        """Store the first position and the player's colour."""
        first = game.initial()
        if not isinstance(first, TablutState):
            raise SeatFault(Termination.CRASH, self.refusal(game, self._limits))
        self._role = game.seat_names[seat].upper()
        self._positions, self._sent = [first], 0

    def prepare(self, end: int) -> None:
        """Start the player, and wait until it has connected and sent its name."""
        # The server counts in whole seconds.
        seconds = max(1, int(self._limits.move_s or 0))
        words = [_filled(word, self._role, seconds) for word in self._words]
        self._tell({"words": words, "port": PORTS[self._role]}, end)
        try:
            while "name" not in self._hear_relay(end):
                pass
        except ProcessLate:
            told = (
                f"did not connect to {tablut_relay.HOST}:{PORTS[self._role]} and send its name "
                f"within {self._start_limit}"
            )
            raise SeatFault(Termination.TIME_FORFEIT, told) from None

    def question(self, state: State, history: Sequence[WireMove], budget: MoveBudget) -> str:
        """Return the positions since the last question: after its own move, and now.

        The first position that either player of the challenge gets is one with White to move: Black
        gets the one before his first.
        """
        self._running().forget_lines()
        for wire in history[len(self._positions) - 1 :]:
            self._positions.append(self._positions[-1].play(int(wire)))
        count = len(self._positions)
        begin = self._sent or max(0, count - (2 if self._role == "BLACK" else 1))
        self._sent = count
        lines = ({"state": server_state(each)} for each in self._positions[begin:])
        return "".join(f"{json.dumps(line)}\n" for line in lines)

    def heard(self, state: State, line: str) -> WireMove | None:
        """Return the move of an action; raise `SeatFault` if there is none in it."""
        text = self._message(line).get("action")
        if text is None:
            return None
        try:
            action = json.loads(text)
            places = f"{action['from']}-{action['to']}".lower()
        except (ValueError, RecursionError, TypeError, KeyError):
            told = f"answered {brief(text)} instead of a move"
            raise SeatFault(Termination.ILLEGAL_MOVE, told) from None
        try:
            return encode_move(state, state.parse(places))
        except MoveError as error:
            raise SeatFault(Termination.ILLEGAL_MOVE, f"answered an {error}") from None

    def _tell(self, message: dict[str, object], end: int) -> None:
        self.say(f"{json.dumps(message)}\n", end)

    def _hear_relay(self, end: int) -> dict[str, str]:
        return self._message(self.listen(end))

    def _message(self, line: str) -> dict[str, str]:
        """Read a line of the relay; raise `SeatFault` if the player is gone."""
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            message = None
        if not isinstance(message, dict):
            # The player has the same output, should it look for it.
            raise SeatFault(Termination.CRASH, f"wrote {brief(line)} to the league's own pipe")
        if "fault" in message:
            raise SeatFault(Termination.CRASH, str(message["fault"])[:TEXT_MAX])
        return {str(key): str(value) for key, value in message.items()}


def server_state(state: TablutState) -> dict[str, object]:
    """Return a position as the server sends it: the rows from the top, and whose turn it is."""
    board = [[_PAWNS[sign] for sign in row] for row in state.cells()]
    return {"board": board, "turn": "WHITE" if state.is_white else "BLACK"}


def _filled(word: str, role: str, seconds: int) -> str:
    """Return a word of the command with what its names stand for, but for the port."""
    told = {
        "{role}": role.lower(),
        "{Role}": role.capitalize(),
        "{ROLE}": role,
        "{seconds}": str(seconds),
        "{host}": tablut_relay.HOST,
    }
    for name, value in told.items():
        word = word.replace(name, value)
    return word


SEAT = TablutSeat
