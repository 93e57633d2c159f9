"""The base of games for two seats on a rectangular board: notation and status."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import ClassVar, Generic, TypeVar, cast

from games.support.errors import OptionError, PositionError
from games.support.game import Game, State

FEN_HELP = "the first position, as boards are written in a line; empty for the usual one"
"""The help of the option `fen`."""

WON = ((1.0, -1.0), (-1.0, 1.0))
"""The utilities by the seat that won."""

DRAWN = (0.0, 0.0)
_LENGTHS = {3: "three", 4: "four", 5: "five", 6: "six"}

S = TypeVar("S", bound=State)


class BoardGame(Game, Generic[S]):
    """Rules whose positions are written as a board and the mover; `S` is the type of its states.

    A game declares the option `fen` itself, so that it comes last. `signs` are the movers' words.
    """

    signs: ClassVar[str]
    fen: str

    def __post_init__(self) -> None:
        if not self.fen:
            return
        try:
            self.read(self.fen)
        except PositionError as error:
            raise OptionError(f"option fen: {error}", "fen") from None

    @property
    def position_help(self) -> str:
        """The signs of both seats."""
        first, second = self.seat_names
        return (
            "state.cells()[row][column] is the cell, row 0 at the top: "
            f"'X' {first}, 'O' {second}, '.' free"
        )

    def initial(self) -> S:
        """Return the first position of the rules, or that of the option `fen`."""
        return self.read(self.fen) if self.fen else self.start()

    def position(self, text: str) -> S:
        """Read rows from the top and the mover, as `fen` writes them, or moves from the start.

        Raises `PositionError` for an unreachable position, or `MoveError`.
        """
        words = text.split()
        if words and ("/" in words[0] or words[1:2] in ([self.signs[0]], [self.signs[1]])):
            return self.read(text)
        return cast(S, super().position(text))

    @abstractmethod
    def start(self) -> S:
        """Return the first position of the rules."""

    @abstractmethod
    def read(self, text: str) -> S:
        """Read the output of `State.fen`; raise `PositionError`."""


def signed(names: Sequence[str], signs: Sequence[str]) -> list[str]:
    """Write each seat's name with its sign in drawings: `Red (X)`."""
    return [f"{name} ({sign})" for name, sign in zip(names, signs, strict=True)]


def status(state: State, names: Sequence[str]) -> str:
    """Say who of `names` moves or won, or `draw`."""
    outcome = state.outcome()
    if outcome is None:
        return f"{names[state.to_move]} to move"
    first, second = outcome
    return "draw" if first == second else f"{names[first < second]} won"


def row_status(state: State, length: int) -> str:
    """Say who moves, who won by how long a row, or that the board is full without one."""
    told, outcome = status(state, state.game.seat_names), state.outcome()
    if outcome is None:
        return told
    if outcome == DRAWN:
        return f"{told}: board full"
    return f"{told} by {_LENGTHS.get(length, length)} in a row"
