"""Games with secrets: what a seat may know of a position, and moves that several choose together.

A game whose seats do not all see everything has positions of the class `HiddenState`, and says so
by `Game.has_secrets`. A bot of such a game is given a `View`, made of plain values alone: nothing
else of the match is in its process.
"""

from abc import abstractmethod
from collections.abc import Hashable, Sequence
from copy import copy
from random import Random
from typing import Any, NamedTuple, NoReturn, Self

from games.support.errors import GameError
from games.support.game import CHANCE, Game, Move, State
from games.support.moves import WireMove

Events = tuple[str, ...]
"""All that a seat, or the public, has seen of a match since its start, in order."""


class Sight(NamedTuple):
    """What somebody sees of a position, in plain values: all that crosses to a bot's process.

    `moves` are the moves to choose from with their texts, () for a seat that does not choose now.
    """

    to_move: int
    events: Events
    moves: tuple[tuple[Move, str], ...] = ()
    drawing: str = ""
    board: tuple[str, ...] = ()
    result: tuple[float, ...] | None = None


class View(State):
    """What `seat` may know of a position; None for the public.

    `events` are its own and the public ones since the start of the match, so that two views are
    equal if no seat can tell them apart. `legal_moves()` is empty for a seat that does not choose
    now. Moves are numbers or texts.
    """

    __slots__ = ("_texts", "events", "game", "seat", "sight", "to_move")

    seat: int | None
    events: Events
    sight: Sight

    def __init__(self, game: Game, seat: int | None, sight: Sight) -> None:
        self.game, self.seat, self.sight = game, seat, sight
        self.to_move, self.events, self._texts = sight.to_move, sight.events, dict(sight.moves)

    def legal_moves(self) -> tuple[Move, ...]:
        """List the moves of the seat; () if it does not choose now."""
        return tuple(self._texts)

    def play(self, move: Move) -> NoReturn:
        """Raise `GameError`: what follows depends on what the seat does not know."""
        raise GameError(
            f"{self.game.title} hides a part of the position, so that nobody knows what follows a "
            "move: view.sample(random) gives a whole position that agrees with the view",
            self.game.spec,
        )

    def sample(self, random: Random) -> State:
        """Return a position that agrees with the view, where the game can draw one.

        Each position that the seat can't rule out may be drawn. Raises `GameError`.
        """
        return self.game.sample(self, random)

    def outcome(self) -> tuple[float, ...] | None:
        """Return one utility per seat when the match is over, else None."""
        return self.sight.result

    def key(self) -> Hashable:
        """Return the seat and what it has seen: an information set."""
        return self.seat, self.to_move, self.events

    def render(self) -> str:
        """Draw what the seat sees."""
        return self.sight.drawing

    def cells(self) -> tuple[str, ...]:
        """Return the board as the seat sees it."""
        return self.sight.board

    def text(self, move: Move) -> str:
        """Write a legal move in the game's usual notation."""
        return self._texts[move]


class HiddenState(State):
    """A position of which a seat may see less than all.

    Its own methods tell the whole truth; `view` tells what `events`, `drawn` and `board_of` say.
    Moves are numbers, or texts that `text` returns as they are.
    """

    __slots__ = ()

    @abstractmethod
    def events(self, seat: int | None) -> Events:
        """Tell what `seat`, or the public, has seen since the start, in order.

        Whatever the seat knows must be among it, and nothing else may be.
        """

    def drawn(self, seat: int | None) -> str:
        """Draw what `seat`, or the public, sees; by default its events, one in a line."""
        return "\n".join(self.events(seat)) or "nothing is known yet"

    def board_of(self, seat: int | None) -> tuple[str, ...]:
        """Return the rows of the board as `seat` sees it; () (the default) without a board."""
        return ()

    def view(self, seat: int | None) -> View:
        """Return what `seat` may know, None what the public may."""
        outcome, to_move = self.outcome(), self.to_move
        moves: tuple[tuple[Move, str], ...] = ()
        if seat is not None and outcome is None and seat in self.movers():
            to_move = seat
            moves = tuple((move, self.text_for(seat, move)) for move in self.choices(seat))
        sight = Sight(
            to_move=to_move,
            events=self.events(seat),
            moves=moves,
            drawing=self.drawn(seat),
            board=self.board_of(seat),
            result=outcome,
        )
        return View(self.game, seat, sight)

    def choices(self, seat: int) -> Sequence[Move]:
        """List the legal moves of one of `movers()`."""
        return self.legal_moves()

    def text_for(self, seat: int, move: Move) -> str:
        """Write a move of one of `movers()`; by default as `text` does."""
        return self.text(move)


class TogetherState(HiddenState):
    """A position in which seats choose at the same time, without seeing what the others choose.

    A match goes through it in order of seats, and each choice is sealed: `play` keeps it in
    `sealed` until all have chosen, and then the rules apply all of them as one. So the order can't
    matter, and a record is a list of moves like any other.
    """

    __slots__ = ("sealed",)

    sealed: tuple[Move, ...]
    """The choices that have been made in this step; nobody sees them."""

    @property
    @abstractmethod
    def choosers(self) -> tuple[int, ...]:
        """The seats that choose in this step, in order; (`CHANCE`,) if luck does."""

    @abstractmethod
    def choices(self, seat: int) -> Sequence[Move]:
        """List the legal moves of a seat that chooses; it may not depend on `sealed`."""

    @abstractmethod
    def together(self, moves: tuple[Move, ...]) -> Self:
        """Return the position after one move of each of `choosers`, applied as one."""

    @property
    def to_move(self) -> int:  # type: ignore[override]  # computed
        """The first seat that has yet to choose."""
        return self.choosers[len(self.sealed)]

    def movers(self) -> tuple[int, ...]:
        """List the seats that have yet to choose."""
        return () if self.to_move == CHANCE else self.choosers[len(self.sealed) :]

    def legal_moves(self) -> Sequence[Move]:
        """List the choices of the first seat that has yet to choose."""
        return self.choices(self.to_move)

    def play(self, move: Move) -> Self:
        """Seal a choice, or apply all of them if it is the last one."""
        moves = (*self.sealed, move)
        if len(moves) == len(self.choosers):
            return self.together(moves)
        twin: Any = copy(self)
        twin.sealed = moves
        return twin  # type: ignore[no-any-return]


def asked_about(
    state: State, seat: int, history: Sequence[WireMove]
) -> tuple[State, Sequence[WireMove]]:
    """Return the position and the moves that a seat is told of when it is asked to move.

    In a game with secrets that is its view, and no move.
    """
    return (state.view(seat), ()) if state.game.has_secrets else (state, history)
