"""What a game must offer: `Game` (the rules with their options) and `State` (a position)."""

import dataclasses
import hashlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol, Self, TypeVar

from games.support.drawing import draw_lines
from games.support.errors import MoveError, OptionError, UnknownNameError, brief, listed
from games.support.kernel import Kernel
from games.support.options import Option, join_options, options_of, parse_options

Move = Any
"""A small int, or any hashable value."""

_State = TypeVar("_State", bound="State")

CHANCE = -1
"""The value of `State.to_move` where dice or cards, not a seat, move next."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """A named estimate of a position's worth for one seat.

    `function(state, seat)` answers within [`low`, `high`] for positions that are not over.
    `scale` is what one unit of terminal utility is worth in the same unit, so that a search can
    compare the two. The game's utility bounds times `scale` lie outside [`low`, `high`], so that
    only a line to the end proves a win.
    """

    name: str
    help: str
    function: "Callable[[Any, int], float]"
    low: float
    high: float
    scale: float


class State(ABC):
    """An immutable, hashable position.

    Two states are equal when their games and their keys are. The attributes are read, never
    assigned, outside the game's own module: plain slots are twice as fast as locked ones, and
    search lives on that.
    """

    __slots__ = ()

    game: "Game"
    to_move: int
    """The seat whose move it is; `CHANCE` where luck decides. Meaningless once the match ended."""

    @abstractmethod
    def legal_moves(self) -> Sequence[Move]:
        """List the distinct legal moves in a fixed order; never empty before the outcome.

        Where luck moves, its moves. What it gives after the outcome is undefined: ask `outcome`
        first.
        """

    @abstractmethod
    def play(self, move: Move) -> Self:
        """Return the position after a legal `move`; what an illegal one gives is undefined."""

    @abstractmethod
    def outcome(self) -> tuple[float, ...] | None:
        """Return one utility per seat when the match is over, else None."""

    @abstractmethod
    def key(self) -> Hashable:
        """Return the exact identity of the position, with who moves in it.

        Whatever the rest of the match can depend on is part of it: in a game where repetition
        draws, the positions that may come again too.
        """

    @abstractmethod
    def render(self) -> str:
        """Draw the position as plain text, at most 80 columns wide."""

    def svg(self) -> str:
        """Draw the position as a stand-alone SVG document that reads well on light and dark.

        By default the lines of `render`.
        """
        return draw_lines(self.game.title, self.render())

    def marks(self, move: Move) -> tuple[tuple[int, int], ...]:
        """Return the points of `svg()` that a legal `move` goes through, in the drawing's units.

        Two where something goes from one place to another, one where it is put down; none, as by
        default, where the drawing shows no such places.
        """
        return ()

    def material(self) -> tuple[str, ...]:
        """Describe each seat's material in a few words; () where the game has none."""
        return ()

    def placing(self) -> tuple[float, ...] | None:
        """Return what a league ranks the seats by, more being better; None before the end.

        The utilities, unless the game keeps a score besides who won.
        """
        return self.outcome()

    def chance(self) -> tuple[tuple[Move, float], ...]:
        """List the moves of luck with their probabilities; empty where a seat moves."""
        return ()

    def order(self, moves: Sequence[Move]) -> Sequence[Move]:
        """Sort `moves` for a search, most promising first."""
        return moves

    def noisy_moves(self) -> Sequence[Move]:
        """List the moves that a search should not stop before (captures, say)."""
        return ()

    def null(self) -> "State | None":
        """Return the position as if the mover had passed, None where that makes no sense.

        For searches that cut where even passing would be good enough; not a move of the match.
        """
        return None

    def symmetries(self) -> Iterable[tuple[Hashable, Callable[[Move], Move]]]:
        """Yield, for each symmetric position, its key and how a move here reads there.

        The rules and the evaluations must treat it alike: a search takes one's value for the
        other's.
        """
        return ()

    def text(self, move: Move) -> str:
        """Write a legal `move` in the notation people use for the game."""
        return str(move)

    def is_legal(self, move: Move) -> bool:
        """Whether `move` is one of the legal moves."""
        return move in self.legal_moves()

    def fen(self) -> str:
        """Write the position in the notation that engines of the game read, '' where none is."""
        return ""

    def code(self, move: Move) -> str:
        """Write a legal `move` as engines of the game do, where that is not what people write."""
        return self.text(move)

    def decode(self, text: str) -> Move:
        """Read a move that an engine wrote; raise `MoveError` unless it is legal here."""
        return self.parse(text)

    def parse(self, text: str) -> Move:
        """Read a move that a person wrote; raise `MoveError` unless it is legal here."""
        if self.outcome() is not None:
            raise MoveError(f"illegal move {brief(text)}: the match is over", text)
        wanted = text.strip().lower()
        legal = [(self.text(move), move) for move in self.legal_moves()]
        for written, move in legal:
            if written.lower() == wanted:
                return move
        known = listed([written for written, _ in legal])
        raise MoveError(f"illegal move {brief(text)} (legal: {known})", text)

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self.key() == other.key() and self.game == other.game

    def __hash__(self) -> int:
        return hash(self.key())

    def __repr__(self) -> str:
        return f"<{self.game.spec} to_move={self.to_move} key={self.key()!r}>"


class Tablebase(Protocol):
    """Open tables of endgames."""

    def probe(self, state: Any) -> tuple[float, ...] | None:
        """Return the utilities by seat that best play from `state` leads to; None if unknown."""


@dataclass(frozen=True)
class Game(ABC):
    """The rules of one game with their options, which are the fields declared by `option`.

    A module of this folder hands out an instance with the defaults as `GAME`.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    opening_plies: ClassVar[int] = 2
    """How many random plies make matches differ without deciding them."""
    needs: ClassVar[str] = ""
    """What must be installed before the game can be played; '' when nothing is missing."""

    # Set on the instances of games that are found by reference, by `named`; no fields, so that
    # whoever writes a game need not know of them.
    origin = ""
    _defaults: ClassVar[Mapping[str, object]] = {}
    _source = ""

    def named(self, origin: str, source: str = "") -> Self:
        """Return the game as specs name it by `origin`, its options as they are now by default.

        `source` is the text it is made of, for `digest`.
        """
        twin = copy(self)
        for name, value in (("origin", origin), ("_defaults", self.values), ("_source", source)):
            object.__setattr__(twin, name, value)
        return twin

    @property
    def digest(self) -> str:
        """The digest of the texts that the rules depend on besides this project; '' for none."""
        return digest_of(self._source)

    @property
    def utility_bounds(self) -> tuple[float, float]:
        """The least and the greatest utility: a search that finds one need look no further."""
        return (-1.0, 1.0)

    @property
    def has_chance(self) -> bool:
        """Whether luck moves anywhere in the game."""
        return False

    @property
    def sides(self) -> tuple[int, ...]:
        """The side of each seat, by seat; as many entries as seats."""
        return (0, 1)

    @property
    def seats(self) -> int:
        """The number of seats."""
        return len(self.sides)

    @property
    def seat_names(self) -> tuple[str, ...]:
        """What people call each seat ('White'), for boards and tables."""
        return tuple(f"seat {seat}" for seat in range(self.seats))

    @property
    def evaluations(self) -> tuple[Evaluation, ...]:
        """The named evaluations; the first is the one that a bot takes when none is named."""
        return ()

    def kernel(self) -> Kernel | None:
        """Return the rules as the compiled search wants them; None where there is no such search.

        There is none without the extra `fast`, nor for options that its kernel does not know.
        """
        return None

    @abstractmethod
    def initial(self) -> State:
        """Return the first position of a match."""

    def solved_score(self, state: State, utility: float, plies: int | None) -> float:
        """Return what people write for a solved position, from the view of who moves in it.

        `utility` is what best play leads to, `plies` in how many moves; by default the utility.
        """
        return utility

    def tablebase(self, path: str) -> Tablebase | None:
        """Open the tables of endgames in the folders `path`, separated by ':'.

        Returns None for a game without such tables. Raises `GameError` where the folders have none
        that can be read.
        """
        return None

    def position(self, text: str) -> State:
        """Return the position that people write as `text`; by default the moves that lead there.

        Moves stand apart (`4 4 3`), or together where each is one character (`443`). Raises
        `MoveError` with the ply, counted from 1, and the text that names no legal move there.
        """
        return play_texts(self.initial(), text)

    @property
    def options(self) -> tuple[Option, ...]:
        """The declared options, in order."""
        return options_of(type(self))

    @property
    def values(self) -> dict[str, object]:
        """The value of each option, in order."""
        return {each.name: getattr(self, each.name) for each in self.options}

    @property
    def spec(self) -> str:
        """The canonical text that names this game with its options: `connectfour?columns=8`."""
        values = self.values
        chosen = {
            each.name: values[each.name]
            for each in self.options
            if values[each.name] != self._defaults.get(each.name, each.default)
        }
        head = self.origin or self.name
        return f"{head}?{join_options(chosen, '&')}" if chosen else head

    def with_options(self, given: "dict[str, str]") -> Self:
        """Return the same game under other options; raise `OptionError` where they don't fit."""
        if not given:
            return self
        parsed = parse_options(self.options, given, f"game {self.name}")
        other = dataclasses.replace(self, **parsed)
        for name in ("origin", "_defaults", "_source"):
            object.__setattr__(other, name, getattr(self, name))
        return other

    def starting_at(self, fen: str) -> Self:
        """Return the same game with the first position `fen`, '' for the usual one.

        Games allow it by an option `fen`, a text as `State.fen` writes it. Raises `OptionError`
        where there is none, or the text is no position.
        """
        if "fen" not in self.values:
            raise OptionError(f"game {self.name!r} can't begin at a position given as text", "fen")
        return self.with_options({"fen": fen})

    def evaluation(self, name: str) -> Evaluation:
        """Return the evaluation of that name ('' for the game's first, 'null' for none at all)."""
        if name == "null" or (name == "" and not self.evaluations):
            return NULL
        for each in self.evaluations:
            if name in ("", each.name):
                return each
        known = ["null", *(each.name for each in self.evaluations)]
        raise UnknownNameError(f"evaluation of {self.name}", name, known)


def digest_of(text: str) -> str:
    """Return a short digest of a text, '' of none."""
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest() if text else ""


def play_texts(state: _State, texts: str) -> _State:
    """Play moves as people write them; raise `MoveError` with the ply and the text at fault."""
    for ply, word in enumerate(split_texts(state, texts), 1):
        try:
            state = state.play(state.parse(word))
        except MoveError as error:
            raise MoveError(f"ply {ply}: {error}", word) from None
    return state


def split_texts(state: State, texts: str) -> list[str]:
    """Split moves as people write them: apart, or together where each is one character."""
    words = texts.split()
    if len(words) == 1 and not _is_move(state, words[0]) and _is_move(state, words[0][0]):
        return list(words[0])
    return words


def texts_of(state: State, moves: Iterable[Move]) -> tuple[str, ...]:
    """Write legal moves that are played one after the other as people write them."""
    texts = []
    for move in moves:
        texts.append(state.text(move))
        state = state.play(move)
    return tuple(texts)


def _is_move(state: State, text: str) -> bool:
    try:
        state.parse(text)
    except MoveError:
        return False
    return True


def _nothing(state: State, seat: int) -> float:
    return 0


NULL = Evaluation("null", "every position that is not over is worth 0", _nothing, 0, 0, 1)
