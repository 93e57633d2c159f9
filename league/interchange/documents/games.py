"""Games, and the counts of their lines of play."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

from msgspec import UNSET, UnsetType

from games.support.errors import GameError
from games.support.specs import find_game
from league.interchange.documents.document import Count, Document, Id, Scalar, about

if TYPE_CHECKING:
    from games.openspiel.rules import Entry
    from games.support import game as rules

Sides = Annotated[list[Count], about("by seat: seats of one side win together")]
HasChance = Annotated[bool, about("whether there is luck in it")]


class Game(Document):
    """A game with its options and evaluations."""

    game: Annotated[str, about("its name with its options")]
    title: str
    seats: Id
    seat_names: list[str]
    sides: Sides
    chance: HasChance
    options: dict[str, Scalar]
    evaluations: list[str]


class ListedGame(Document):
    """A game in the list: as it is shown alone, or its name and why it can't be played here."""

    game: str
    title: str | UnsetType = UNSET
    seats: Id | UnsetType = UNSET
    seat_names: list[str] | UnsetType = UNSET
    sides: Sides | UnsetType = UNSET
    chance: HasChance | UnsetType = UNSET
    options: dict[str, Scalar] | UnsetType = UNSET
    evaluations: list[str] | UnsetType = UNSET
    why_not: str | UnsetType = UNSET


def game_document(game: "rules.Game") -> Game:
    """Return a game with its options and evaluations."""
    return Game.of(
        game,
        game=game.spec,
        seat_names=list(game.seat_names),
        sides=list(game.sides),
        chance=game.has_chance,
        options=game.values,
        evaluations=[each.name for each in game.evaluations],
    )


def game_documents(names: Sequence[str]) -> list[ListedGame]:
    """List games, those that can be played here first; of the others it says why not."""
    found, missing = [], []
    for name in names:
        try:
            found.append(ListedGame.of(game_document(find_game(name)), why_not=UNSET))
        except GameError as error:
            missing.append(ListedGame(game=name, why_not=str(error)))
    return [*found, *missing]


class OpenSpielGame(Document):
    """A game of OpenSpiel."""

    game: str
    title: str
    seats: Annotated[tuple[int, int], about("the least and the most")]
    chance: bool
    playable: bool
    why_not: Annotated[str, about("empty where it can be played here")]


class AllGames(Document):
    """The games of `league games --all`."""

    games: list[ListedGame]
    openspiel: Annotated[list[OpenSpielGame] | None, about("null where the package is missing")]


def openspiel_document(entry: "Entry") -> OpenSpielGame:
    """Return a game of OpenSpiel."""
    return OpenSpielGame.of(
        entry, game=entry.name, chance=entry.has_chance, playable=entry.is_playable
    )


class PerftCount(Document):
    """How many lines of play have a length."""

    depth: Annotated[Id, about("in plies")]
    lines: Count


class Perft(Document):
    """How many lines of play a game has, by their length."""

    game: str
    position: Annotated[str | None, about("as it was given, null for the first")]
    counts: list[PerftCount]
    divide: (
        Annotated[dict[str, Count], about("those of the greatest depth, by first move")] | UnsetType
    ) = UNSET


def perft_document(
    game: str, position: str | None, counts: Sequence[int], divided: dict[str, int] | None
) -> Perft:
    """Return counts by depth from 1, and those of the first moves where they are given."""
    return Perft(
        game=game,
        position=position,
        counts=[PerftCount(depth=depth, lines=lines) for depth, lines in enumerate(counts, 1)],
        divide=UNSET if divided is None else divided,
    )
