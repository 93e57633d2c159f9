"""The game contract: `Game` (the rules with their options) and `State` (a position)."""

import dataclasses
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, Self, TypeVar

from games.support.drawing import draw_lines
from games.support.errors import (
    GameError,
    MoveError,
    OptionError,
    UnknownNameError,
    brief,
    no_legal_move,
)
from games.support.look import Look
from games.support.options import Option, join_options, options_of, parse_options
from games.support.seat_colours import colours_of

if TYPE_CHECKING:
    from games.support.kernel import Kernel, Packing

Move = Any
"""A small int, or any hashable value."""

_State = TypeVar("_State", bound="State")

CHANCE = -1
"""The value of `State.to_move` at chance nodes, where dice or cards move next."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """A named estimate of a position's value for one seat.

    `function(state, seat)` returns a value within [`low`, `high`] for unfinished positions. `scale`
    is the value of one unit of terminal utility, so that a search can compare the two. The game's
    utility bounds times `scale` lie outside [`low`, `high`], so that only a line to the end proves
    a win. `likely` is the value at which the seat wins about 73 of 100 matches; None (the default)
    stands for a twentieth of `high`.
    """

    name: str
    help: str
    function: "Callable[[Any, int], float]"
    low: float
    high: float
    scale: float
    likely: float | None = None


class State(ABC):
    """An immutable, hashable position.

    Two states are equal if their games and keys are. Only the game's own module assigns attributes:
    plain slots are twice as fast as locked ones, which searches depend on. The position that a
    user's bot is given refuses assignments by that bot.
    """

    __slots__ = ()

    game: "Game"
    to_move: int
    """The seat to move; `CHANCE` if luck moves. Meaningless once the match has ended."""

    @abstractmethod
    def legal_moves(self) -> Sequence[Move]:
        """List the distinct legal moves in a fixed order; never empty before the outcome.

        At a chance node, luck's moves. Undefined after the outcome: ask `outcome` first.
        """

    @abstractmethod
    def play(self, move: Move) -> Self:
        """Return the position after a legal `move`; undefined for an illegal one."""

    @abstractmethod
    def outcome(self) -> tuple[float, ...] | None:
        """Return one utility per seat when the match is over, else None."""

    @abstractmethod
    def key(self) -> Hashable:
        """Return the exact identity of the position, mover included.

        It covers everything that the rest of the match can depend on: in a game where repetition
        draws, also the positions that may recur.
        """

    @abstractmethod
    def render(self) -> str:
        """Draw the position as plain text, at most 80 columns wide."""

    def cells(self) -> tuple[str, ...]:
        """Return the board's rows from the top, one sign for each cell: `cells()[row][column]`.

        `Game.position_help` says what the signs stand for; () (the default) without a board.
        """
        return ()

    def svg(self) -> str:
        """Draw the position as stand-alone SVG for light and dark; by default `render`'s text."""
        return draw_lines(self.game.title, self.render())

    def marks(self, move: Move) -> tuple[tuple[int, int], ...]:
        """Return the points of `svg()` that a legal `move` goes through, in the drawing's units.

        Two for a move from one place to another, one for a placement, none (the default) if the
        drawing shows no such places.
        """
        return ()

    def material(self) -> tuple[str, ...]:
        """Describe each seat's material in a few words; () if the game has none."""
        return ()

    def movers(self) -> tuple[int, ...]:
        """List the seats that choose now: the one to move, several where they choose together."""
        return () if self.to_move == CHANCE else (self.to_move,)

    def view(self, seat: int | None) -> "State":
        """Return what a seat may know of the position, None for the public.

        The position itself (the default) in games in which everybody sees everything; else a
        `games.support.view.View`.
        """
        return self

    def status(self) -> str:
        """Say who moves, or how the match ended: 'Red to move', 'Yellow won', 'draw'."""
        outcome, names = self.outcome(), self.game.seat_names
        if outcome is None:
            return f"{'luck' if self.to_move == CHANCE else names[self.to_move]} to move"
        best = max(outcome)
        winners = [name for name, each in zip(names, outcome, strict=True) if each == best]
        return "draw" if len(winners) == len(names) else f"{' and '.join(winners)} won"

    def placing(self) -> tuple[float, ...] | None:
        """Return the scores by which a league ranks the seats, best highest; None before the end.

        The utilities, unless the game keeps a score besides who won.
        """
        return self.outcome()

    def chance(self) -> tuple[tuple[Move, float], ...]:
        """List luck's moves with their probabilities; empty if a seat moves."""
        return ()

    def order(self, moves: Sequence[Move]) -> Sequence[Move]:
        """Sort `moves` for a search, most promising first."""
        return moves

    def noisy_moves(self) -> Sequence[Move]:
        """List the moves that a search should not stop before, such as captures."""
        return ()

    def null(self) -> "State | None":
        """Return the position after a pass, for null-move pruning; None if it makes no sense."""
        return None

    def symmetries(self) -> Iterable[tuple[Hashable, Callable[[Move], Move]]]:
        """Yield, for each symmetric position, its key and a map of moves from here to there.

        The rules and evaluations must be symmetric: a search uses one position's value for the
        other.
        """
        return ()

    def text(self, move: Move) -> str:
        """Write a legal `move` in the game's usual notation."""
        return str(move)

    def stand_in(self, seat: int) -> Move | None:
        """Return the legal move that is played for a seat whose bot fails to move.

        None (the default) if its fault ends the match, which it loses. It may depend on what the
        seat knows alone. Where many seats play, a game returns the move that leaves the others
        their match: to fold, to go straight on.
        """
        return None

    def can_win(self, seat: int) -> bool:
        """Whether any series of legal moves lets a seat win; asked when another has no time left.

        True (the default) unless the rules draw such a match.
        """
        return True

    def move_number(self) -> int | None:
        """Return the number of the next move in the game's notation; None if it has none."""
        return None

    def quiet_plies(self) -> int | None:
        """Return how many plies ago a move was last one that nothing undoes; None if not counted.

        In chess, that is a capture or a move of a pawn.
        """
        return None

    def refusal(self, move: Move) -> str:
        """Name a `move` that is not legal as people do, and say why: `column 4: it is full`.

        '' (the default) for a value that stands for no move of the game.
        """
        return ""

    def is_legal(self, move: Move) -> bool:
        """Whether `move` is one of the legal moves."""
        return move in self.legal_moves()

    def fen(self) -> str:
        """Write the position in the notation of the game's engines, '' if there is none."""
        return ""

    def code(self, move: Move) -> str:
        """Write a legal `move` as the game's engines do, if not as people do."""
        return self.text(move)

    def decode(self, text: str) -> Move:
        """Read an engine's move; raise `MoveError` unless it is legal here."""
        return self.parse(text)

    def parse(self, text: str) -> Move:
        """Read a person's move; raise `MoveError` unless it is legal here."""
        if self.outcome() is not None:
            raise MoveError(f"illegal move {brief(text)}: the match is over", text)
        wanted = text.strip().lower()
        legal = [(self.text(move), move) for move in self.legal_moves()]
        for written, move in legal:
            if written.lower() == wanted:
                return move
        raise no_legal_move(text, [written for written, _ in legal])

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, State)
            and other.__class__ is self.__class__
            and self.key() == other.key()
            and self.game == other.game
        )

    def __hash__(self) -> int:
        return hash(self.key())

    def __repr__(self) -> str:
        return f"<{self.game.spec} to_move={self.to_move} key={self.key()!r}>"


class Tablebase(Protocol):
    """Open endgame tables."""

    def probe(self, state: Any) -> tuple[float, ...] | None:
        """Return the utilities by seat of best play from `state`; None if unknown."""


@dataclass(frozen=True)
class Game(ABC):
    """The rules of one game with their options, which are the fields declared by `option`.

    Each module of this folder exports an instance with the defaults as `GAME`.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    summary: ClassVar[str] = ""
    """The rules in two sentences; options are named in braces."""
    opening_plies: ClassVar[int] = 2
    """Number of random plies that make matches differ without deciding them."""
    payoff_unit: ClassVar[str] = ""
    """What utilities count, in the plural ("chips"); '' where they only say who won."""
    sends_boards: ClassVar[bool] = True
    """Whether engines get boards (`State.fen`); false where they leave out a past that matters."""
    needs: ClassVar[str] = ""
    """The missing package that the game needs; '' if nothing is missing."""
    look: ClassVar[Look] = Look()
    """The look of a position's text on a terminal with colours."""

    # Set by `named` on games found by reference; no fields, so that authors of games can ignore
    # them.
    origin = ""
    _defaults: ClassVar[Mapping[str, object]] = {}
    _source = ""

    def named(self, origin: str, source: str = "") -> Self:
        """Return the game with the spec name `origin`, its current options as defaults.

        `source` is the game's source text, for `digest`.
        """
        twin = copy(self)
        for name, value in (("origin", origin), ("_defaults", self.values), ("_source", source)):
            object.__setattr__(twin, name, value)
        return twin

    @property
    def digest(self) -> str:
        """The digest of texts outside this project that the rules depend on; '' for none."""
        return digest_of(self._source)

    @property
    def source(self) -> str:
        """The text of the file that the rules are in, if it is a user's own; else ''."""
        return self._source

    @property
    def utility_bounds(self) -> tuple[float, float]:
        """The least and the greatest utility, at which a search can stop."""
        return (-1.0, 1.0)

    @property
    def max_plies(self) -> int:
        """The plies, luck's among them, after which a match is drawn unless its limits say more."""
        return 1000

    @property
    def random_plies(self) -> int:
        """The usual number of random plies at the start: moves that all know would tell secrets."""
        return 0 if self.has_secrets else self.opening_plies

    @property
    def plays_on(self) -> bool:
        """Whether a match goes on if a bot fails, by moves that the game makes (`stand_in`)."""
        return type(self.initial()).stand_in is not State.stand_in

    @property
    def has_chance(self) -> bool:
        """Whether the game has chance nodes."""
        return False

    @property
    def has_secrets(self) -> bool:
        """Whether a seat may see less than all: its positions are `HiddenState`s then."""
        return False

    @property
    def shows_all(self) -> bool:
        """Whether everybody sees all that has happened, and so may watch a match that is played.

        True without secrets; a game whose only secrets are what others choose in the same step may
        say so.
        """
        return not self.has_secrets

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
        """The usual name of each seat ('White'), for boards and tables."""
        return tuple(f"seat {seat}" for seat in range(self.seats))

    @property
    def seat_colours(self) -> tuple[str, ...]:
        """The colour of each seat's pieces, by seat, each one of `SEAT_COLOURS`.

        By default a seat that is named after a colour has that one.
        """
        return colours_of(self.seat_names)

    @property
    def position_help(self) -> str:
        """Return one or two lines that tell bot authors how to read a position."""
        return "state.render() draws the position as text"

    @property
    def evaluations(self) -> tuple[Evaluation, ...]:
        """The named evaluations; the first is the default."""
        return ()

    def kernel(self) -> "Kernel | None":
        """Return the rules for the compiled search.

        None without the extra `fast`, without a kernel, or if the kernel does not support the
        options.
        """
        return None

    def packing(self) -> "Packing | None":
        """Return how the kernel packs positions, without the extra `fast`.

        A compiled search starts sooner with it. None (the default) leaves it to `kernel`.
        """
        return None

    @abstractmethod
    def initial(self) -> State:
        """Return the first position of a match."""

    def sample(self, view: Any, random: Random) -> State:
        """Return a position that agrees with a view; raise `GameError` if the game can't draw one.

        Each position that the view's seat can't rule out may be drawn.
        """
        raise GameError(f"{self.title} can't draw a position that agrees with a view", self.spec)

    def solved_score(self, state: State, utility: float, plies: int | None) -> float:
        """Return the usual score of a solved position, for the seat to move; by default `utility`.

        `utility` is the result of best play, `plies` the number of moves to it.
        """
        return utility

    def tablebase(
        self, path: str, *, pieces: int | None = None, ignores_fifty: bool = False
    ) -> Tablebase | None:
        """Open the endgame tables in the folders `path`, separated by ':'.

        They decide positions with at most `pieces` pieces, None for all that they have. If it
        `ignores_fifty`, a win counts that the fifty-move rule of chess would prevent. None for a
        game without such tables. Raises `GameError` if the folders have none that can be
        read.
        """
        return None

    def position(self, text: str) -> State:
        """Return the position of a text, by default of the moves that lead there.

        Moves are separated by spaces (`4 4 3`), or joined if each is one character (`443`). Raises
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
    def rules_text(self) -> str:
        """The rules in two sentences, with these options; '' if the game has none."""
        return self.summary.format_map(self.values)

    @property
    def spec(self) -> str:
        """The canonical text of this game with its options: `connectfour?columns=8`."""
        values = self.values
        chosen = {
            each.name: values[each.name]
            for each in self.options
            if values[each.name] != self._defaults.get(each.name, each.default)
        }
        head = self.origin or self.name
        return f"{head}?{join_options(chosen, '&')}" if chosen else head

    def with_options(self, given: "dict[str, str]") -> Self:
        """Return the same game under other options; raise `OptionError` if they don't fit."""
        if not given:
            return self
        parsed = parse_options(self.options, given, f"game {self.name}")
        other = dataclasses.replace(self, **parsed)
        for name in ("origin", "_defaults", "_source"):
            object.__setattr__(other, name, getattr(self, name))
        return other

    def starting_at(self, fen: str) -> Self:
        """Return the same game with the first position `fen`, '' for the usual one.

        `fen` is an option in the notation of `State.fen`. Raises `OptionError` if there is no such
        option, or the text is no position.
        """
        if "fen" not in self.values:
            raise OptionError(f"game {self.name!r} can't begin at a position given as text", "fen")
        return self.with_options({"fen": fen})

    def evaluation(self, name: str) -> Evaluation:
        """Return the evaluation of that name ('' for the game's first, 'null' for constant 0)."""
        if name == "null" or (name == "" and not self.evaluations):
            return NULL
        for each in self.evaluations:
            if name in ("", each.name):
                return each
        known = ["null", *(each.name for each in self.evaluations)]
        raise UnknownNameError(f"evaluation of {self.name}", name, known)


def digest_of(text: str) -> str:
    """Return a short digest of a text, '' of none."""
    if not text:
        return ""
    # Each bot's process would take 3 ms to import it, and few games have such a text.
    from hashlib import blake2b  # noqa: PLC0415

    return blake2b(text.encode(), digest_size=8).hexdigest()


def play_texts(state: _State, texts: str) -> _State:
    """Play moves in people's notation; raise `MoveError` with the ply and the wrong text."""
    for ply, word in enumerate(split_texts(state, texts), 1):
        try:
            state = state.play(state.parse(word))
        except MoveError as error:
            raise MoveError(f"ply {ply}: {error}", word) from None
    return state


def split_texts(state: State, texts: str) -> list[str]:
    """Split moves separated by spaces, or joined if each is one character."""
    words = texts.split()
    if len(words) == 1 and not _is_move(state, words[0]) and _is_move(state, words[0][0]):
        return list(words[0])
    return words


def texts_of(state: State, moves: Iterable[Move]) -> tuple[str, ...]:
    """Write a sequence of legal moves as people do."""
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
