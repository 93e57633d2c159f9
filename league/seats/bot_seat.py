"""The base classes of seats, of processes here and servers elsewhere."""

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Sequence
from dataclasses import replace
from enum import Enum
from typing import ClassVar

from games.support.game import Game, State
from games.support.moves import WireMove
from league.model.records import BotVersion, Limits
from league.seats.process.environment import NO_ENVIRONMENT, BotEnvironment
from league.seats.seat import MoveBudget, SeatAnswer

IDENTITY_MAX = 200
"""Number of characters of its name and of its author's to keep."""


TOLD_LINES = 40
"""Number of lines of a conversation that a log keeps."""


class BotKind(Enum):
    """How a bot plays: in Python, as a program of a protocol, as a server, or as a model there."""

    PYTHON = "python"
    PROGRAM = "program"
    SERVER = "server"
    MODEL = "model"


class BotSeat(ABC):
    """The seat of a version under limits."""

    kind: ClassVar[BotKind]

    is_elsewhere: ClassVar[bool] = False
    """Whether it computes on no core of this machine, and so beside any other seat."""

    usual_start_s: ClassVar[float] = 10.0
    """The limit of a start and of a preparation, in seconds, if none is given."""

    def __init__(
        self, version: BotVersion, limits: Limits, environment: BotEnvironment = NO_ENVIRONMENT
    ) -> None:
        self.version = version
        self._limits = limits
        self._environment = environment
        self.strays = 0
        """Number of the bot's lines that were ignored because they were no messages."""
        self.opened: list[str] = []
        """The files that a watched bot has read and that are not its own."""
        self.note = ""
        """What its author should know about how the bot was loaded."""

    @classmethod
    def start_limit_s(cls, limits: Limits) -> float:
        """Return the seconds that a bot of this kind has to start, and again for each match."""
        return cls.usual_start_s if limits.start_s is None else limits.start_s

    @property
    def pid(self) -> int | None:
        """The process ID of the bot; None while it does not run, or runs elsewhere."""
        return None

    @property
    def leader(self) -> int | None:
        """The ID of the bot's first process; None like `pid`."""
        return None

    @property
    def log(self) -> str:
        """The tail of the bot's log in this match."""
        return self.output

    @property
    @abstractmethod
    def output(self) -> str:
        """The tail of what the bot printed in this match."""

    @abstractmethod
    def start(self) -> int:
        """Start the bot unless it runs; raise `SeatFault` if it fails or takes too long."""

    @abstractmethod
    def new_match(self, game: Game, seat: int, seed: int, opening: Sequence[WireMove]) -> None:
        """Announce a new match; raise `SeatFault` if the bot fails."""

    @abstractmethod
    def ask(self, state: State, history: Sequence[WireMove], budget: MoveBudget) -> SeatAnswer:
        """Request a move after `history`; raise `SeatFault` if none comes, `SeatKilled`."""

    @abstractmethod
    def stop(self) -> None:
        """End the bot; it can be started again."""

    def see_end(self, state: State) -> None:
        """Take note of the last position of a match, as the seat may see it."""
        return

    def rest(self) -> None:
        """Let the bot compute no more: the match is over."""
        return

    def leaves(self, wait_s: float) -> bool:
        """Close the bot's input; return whether it exits within `wait_s` seconds."""
        return True

    @property
    def _start_limit(self) -> str:
        """The limit of a start in words, with the option that changes it."""
        return f"{self.start_limit_s(self._limits):g} s (see --start-time)"


class ProtocolSeat(BotSeat):
    """A bot that is not in Python; each protocol is a subclass, named at the head of its spec."""

    plays: ClassVar[str] = ""
    """The spec of the only game of the protocol; '' if it has several."""

    carries_views: ClassVar[bool] = False
    """Whether it can say what a seat sees in a game with secrets."""

    @classmethod
    def refusal(cls, game: Game, limits: Limits) -> str:
        """Return why the protocol can't play `game` under `limits`; '' if it can."""
        return ""

    def lack(self, game: Game) -> str:
        """Return what the bot, once started, lacks for playing `game`; '' for nothing."""
        return ""

    def keep_identity(self, *, title: str = "", author: str = "") -> None:
        """Keep what the bot tells of itself with its version, where it tells anything."""
        version = self.version
        self.version = replace(
            version,
            title=_kept(title) or version.title,
            author=_kept(author) or version.author,
        )


class ElsewhereSeat(ProtocolSeat):
    """A bot that computes elsewhere; its log is the end of the conversation with it."""

    is_elsewhere = True
    carries_views = True

    def __init__(
        self, version: BotVersion, limits: Limits, environment: BotEnvironment = NO_ENVIRONMENT
    ) -> None:
        super().__init__(version, limits, environment)
        self._talk: deque[str] = deque(maxlen=TOLD_LINES)

    @property
    def log(self) -> str:
        """The last lines of the conversation."""
        return "\n".join(self._talk)

    @property
    def output(self) -> str:
        """Nothing: what the bot prints stays there."""
        return ""


def _kept(text: str) -> str:
    # A database may refuse other characters.
    return "".join(filter(str.isprintable, text))[:IDENTITY_MAX]
