"""A person and bots at one board."""

from dataclasses import dataclass
from typing import Self

from games.support.errors import MoveError
from games.support.game import CHANCE, Game, Move, State
from games.support.moves import WireMove, decode_move, draw_move, encode_move
from league.match.play import chance_of
from league.match.scores import scores_of
from league.match.seeds import seed_of
from league.model.errors import CheckError
from league.model.records import BotVersion, Limits, ReportRecord, Termination
from league.seats.bot_specs import make_seat
from league.seats.process.environment import BotEnvironment
from league.seats.seat import MoveBudget, SeatFault, SeatKilled


@dataclass(frozen=True, slots=True)
class SessionMove:
    """A move that a bot made in `wall_ns`, or luck in the seat `CHANCE`; `text` is as written."""

    seat: int
    text: str
    wall_ns: int = 0
    report: ReportRecord | None = None


class Session:
    """A match between a person and a bot, which takes every other seat.

    Used as a context manager, it starts the bot's processes and ends them. `state` is the position.
    Bots and luck move by `step`, the person by `play`. Raises `SeatFault` if the bot fails.

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
        version: BotVersion,
        seat: int,
        limits: Limits,
        environment: BotEnvironment,
        *,
        seed: int,
    ) -> None:
        self.game = game
        self.seat = seat
        self.limits = limits
        self.bot = version.name
        self.state: State = game.initial()
        self._seed = seed
        self._luck = chance_of(seed)
        self._history: list[WireMove] = []
        self._before: list[tuple[State, int]] = []
        """Where each of the person's moves was made: the position, and the plies before it."""
        self._bots = {
            number: make_seat(version, limits, environment)
            for number in range(game.seats)
            if number != seat
        }

    def __enter__(self) -> Self:
        """Start the bots; raise `CheckError` if they can't be."""
        try:
            for bot in self._bots.values():
                bot.start()
            self._tell_bots()
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
    def is_over(self) -> bool:
        """Whether the match has ended, or has as many plies as it may have."""
        return self.state.outcome() is not None or len(self._history) >= self.limits.max_plies

    @property
    def plies(self) -> int:
        """The number of moves made, those that were taken back not counted."""
        return len(self._history)

    @property
    def is_persons_turn(self) -> bool:
        """Whether the person is to move."""
        return self.state.to_move == self.seat

    @property
    def logs(self) -> list[str]:
        """What each bot wrote to its log."""
        return [bot.log for bot in self._bots.values()]

    def play(self, move: str) -> None:
        """Make the person's move, as the game writes it; raise `MoveError` if it is not legal."""
        if self.is_over or not self.is_persons_turn:
            raise MoveError("it is not your move", move)
        found = self.state.parse(move)
        self._before.append((self.state, len(self._history)))
        self._make(found)

    def step(self) -> SessionMove:
        """Let the bot to move make its move, or luck, and return it."""
        number = self.state.to_move
        if number == CHANCE:
            move = draw_move(self.state, self._luck)
            made = SessionMove(CHANCE, self.state.text(move))
        else:
            budget = MoveBudget.of(self.limits, self.game.seats)
            answer = self._bots[number].ask(self.state, self._history, budget)
            try:
                move = decode_move(self.state, answer.wire)
            except MoveError as error:
                raise SeatFault(Termination.ILLEGAL_MOVE, f"answered an {error}") from None
            text = self.state.text(move)
            made = SessionMove(number, text, answer.wall_ns, answer.report)
        self._make(move)
        return made

    def undo(self) -> bool:
        """Take back the person's last move and what followed; return whether there was one."""
        if not self._before:
            return False
        self.state, plies = self._before.pop()
        del self._history[plies:]
        self._tell_bots()
        return True

    def result(self) -> str:
        """Say how the match ended, to the person."""
        placing = self.state.placing()
        if placing is None:
            return f"A draw: not over after {self.limits.max_plies} plies."
        scores = scores_of(placing, self.game.sides)
        mine = scores[self.seat]
        if mine == max(scores):
            return "A draw." if mine == min(scores) else "You won."
        return f"{self.bot} won."

    def stop(self) -> None:
        """End the bots."""
        for bot in self._bots.values():
            bot.stop()

    def _tell_bots(self) -> None:
        """Tell the bots of a match that stands where this one does."""
        for number, bot in self._bots.items():
            bot.new_match(self.game, number, seed_of(self._seed, number), self._history)

    def _make(self, move: Move) -> None:
        self._history.append(encode_move(self.state, move))
        self.state = self.state.play(move)
