"""Phantom tic-tac-toe: nobody sees the other seat's stones until a square turns out to be taken."""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from games.support.board_game import DRAWN, WON
from games.support.game import Game
from games.support.view import Events, HiddenState, View

Try = tuple[int, int, bool]
"""A seat, the square that it tried, and whether that was taken."""

_LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
_SQUARES = tuple(f"{'abc'[square % 3]}{3 - square // 3}" for square in range(9))
_TAKEN = " is taken"


class PhantomState(HiddenState):
    """All that was tried so far; a seat that tries a taken square tries again."""

    __slots__ = ("game", "to_move", "tries")

    game: "PhantomTicTacToe"
    tries: tuple[Try, ...]

    def __init__(self, game: "PhantomTicTacToe", tries: tuple[Try, ...], to_move: int) -> None:
        self.game, self.tries, self.to_move = game, tries, to_move

    def squares(self, seat: int) -> frozenset[int]:
        """Return the squares with a stone of a seat."""
        return frozenset(
            square for mover, square, taken in self.tries if mover == seat and not taken
        )

    def legal_moves(self) -> tuple[int, ...]:
        """List the squares that the mover has not tried, 0 to 8, row by row from the top left."""
        tried = {square for mover, square, _ in self.tries if mover == self.to_move}
        return tuple(square for square in range(9) if square not in tried)

    def play(self, move: int) -> "PhantomState":
        """Try a square."""
        is_taken = move in self.squares(1 - self.to_move)
        next_seat = self.to_move if is_taken else 1 - self.to_move
        return PhantomState(self.game, (*self.tries, (self.to_move, move, is_taken)), next_seat)

    def outcome(self) -> tuple[float, ...] | None:
        """Return the utilities once there is a row or the board is full."""
        for seat in (0, 1):
            if any(self.squares(seat).issuperset(line) for line in _LINES):
                return WON[seat]
        is_full = len(self.squares(0)) + len(self.squares(1)) == 9
        return DRAWN if is_full else None

    def key(self) -> tuple[Try, ...]:
        """Return all that was tried: what a seat knows depends on it."""
        return self.tries

    def text(self, move: int) -> str:
        """Write the square as column and row: a3 is the top left, c1 the last."""
        return _SQUARES[move]

    def events(self, seat: int | None) -> Events:
        """Tell a seat what it tried, and whether that was taken; the public nothing."""
        return tuple(
            _SQUARES[square] + _TAKEN * taken
            for mover, square, taken in self.tries
            if mover == seat
        )

    def render(self) -> str:
        """Draw the board with X for the first seat and O for the second."""
        return "\n".join(self.cells())

    def cells(self) -> tuple[str, ...]:
        """Return the rows from the top: `X` the first seat, `O` the second, `.` free."""
        return _rows(self.squares(0), self.squares(1), ".")

    def drawn(self, seat: int | None) -> str:
        """Draw the board as a seat knows it, `?` for what it has not tried."""
        return "\n".join(self.board_of(seat))

    def board_of(self, seat: int | None) -> tuple[str, ...]:
        """Return the rows from the top, `?` for what a seat has not tried."""
        known = [
            frozenset(
                square
                for mover, square, taken in self.tries
                if mover == seat and (mover == owner) != taken
            )
            for owner in (0, 1)
        ]
        return _rows(known[0], known[1], "?")


def _rows(first: frozenset[int], second: frozenset[int], free: str) -> tuple[str, ...]:
    signs = "".join("X" if each in first else "O" if each in second else free for each in range(9))
    return signs[:3], signs[3:6], signs[6:]


@dataclass(frozen=True)
class PhantomTicTacToe(Game):
    """The rules of phantom tic-tac-toe."""

    name = "phantom_tictactoe"
    title = "Phantom tic-tac-toe"
    summary = (
        "Three in a row win, but nobody sees the other seat's stones. A seat that tries a taken "
        "square learns that it is taken, and tries another one."
    )
    opening_plies = 0
    has_secrets = True

    @property
    def seat_names(self) -> tuple[str, ...]:
        """The signs; X begins."""
        return ("X", "O")

    @property
    def position_help(self) -> str:
        """The board as a seat knows it."""
        return (
            "state.cells()[row][column] is what you know of a cell, row 0 at the top: 'X' or 'O', "
            "'?' not tried, in a whole position '.' free; state.events are your tries: 'b2', or "
            "'b2 is taken'"
        )

    def initial(self) -> PhantomState:
        """Return the empty board, X to move."""
        return PhantomState(self, (), 0)

    def sample(self, view: View, random: Random) -> PhantomState:
        """Draw what the other seat may have tried, in an order that agrees with the view."""
        assert view.seat is not None  # noqa: S101 (the public has nothing to search)
        while True:
            state = self._drawn(view, random)
            if state is not None:
                return state

    def _drawn(self, view: View, random: Random) -> PhantomState | None:
        """Draw the other seat's tries; None if the view's events can't follow."""
        own: Iterator[str] = iter(view.events)
        state, left = self.initial(), len(view.events)
        while left or state.to_move != view.seat:
            if state.outcome() is not None:
                return None
            if state.to_move != view.seat:
                state = state.play(random.choice(state.legal_moves()))
                continue
            event = next(own)
            left -= 1
            state = state.play(_SQUARES.index(event[:2]))
            if state.tries[-1][2] != event.endswith(_TAKEN):
                return None
        return state if state.outcome() is None else None


GAME = PhantomTicTacToe()
