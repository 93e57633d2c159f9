"""Games, and the counts of their lines of play."""

from collections.abc import Sequence
from typing import Annotated

from msgspec import UNSET, UnsetType

from games.support.errors import GameError
from games.support.specs import find_game
from league.interchange.documents.document import Count, Document, Id, Scalar, about, taken

HasChance = Annotated[bool, taken("has_chance", "whether it has chance events")]
Sides = Annotated[list[Count], about("by seat: seats of one side win together")]


class Game(Document):
    """A game with its options and evaluations."""

    game: Annotated[str, taken("spec", "its name with its options")]
    title: str
    seats: Id
    seat_names: list[str]
    sides: Sides
    chance: HasChance
    options: Annotated[dict[str, Scalar], taken("values")]
    evaluations: Annotated[list[str], taken(lambda game: [each.name for each in game.evaluations])]


class ListedGame(Document):
    """A game in the list: as it is shown alone, or its name and why it can't be played here."""

    game: str
    title: str | UnsetType = UNSET
    seats: Id | UnsetType = UNSET
    seat_names: list[str] | UnsetType = UNSET
    sides: Sides | UnsetType = UNSET
    chance: Annotated[bool, about("whether it has chance events")] | UnsetType = UNSET
    options: dict[str, Scalar] | UnsetType = UNSET
    evaluations: list[str] | UnsetType = UNSET
    why_not: str | UnsetType = UNSET


def game_documents(names: Sequence[str]) -> list[ListedGame]:
    """List games, those that can be played here first; of the others it says why not."""
    found, missing = [], []
    for name in names:
        try:
            found.append(ListedGame.of(Game.of(find_game(name)), why_not=UNSET))
        except GameError as error:
            missing.append(ListedGame(game=name, why_not=str(error)))
    return [*found, *missing]


class OpenSpielGame(Document):
    """A game of OpenSpiel."""

    game: Annotated[str, taken("name")]
    title: str
    seats: Annotated[tuple[int, int], about("minimum and maximum")]
    chance: HasChance
    playable: Annotated[bool, taken("is_playable")]
    why_not: Annotated[str, about("empty if it can be played here")]


class AllGames(Document):
    """The games of `league games --all`."""

    games: list[ListedGame]
    openspiel: Annotated[list[OpenSpielGame] | None, about("null if the package is missing")]


class PerftCount(Document):
    """The number of lines of play of a length."""

    depth: Annotated[Id, about("in plies")]
    lines: Count


class Perft(Document):
    """The numbers of lines of play of a game, by length."""

    game: str
    position: Annotated[str | None, about("as entered, null for the first")]
    counts: list[PerftCount]
    divide: Annotated[dict[str, Count] | UnsetType, about("the longest, by first move")] = UNSET
