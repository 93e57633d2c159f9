"""What a tournament format is: a pure function from a field and its results to encounters."""

import math
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from league.ratings.elo_difference import Counts


@dataclass(frozen=True, slots=True, order=True)
class Encounter:
    """The matches between the same entrants from the same opening, every seat rotated.

    `stage` counts from 0; `opening` is an index into the tournament's openings, where the same
    index is the same opening; `entrants` are positions in the tournament's list, in the seats of
    the first match. All three together are unique in a tournament.
    """

    stage: int
    opening: int
    entrants: tuple[int, ...]

    def __str__(self) -> str:
        names = ", ".join(map(str, self.entrants))
        return f"the encounter of entrants {names} from opening {self.opening}, stage {self.stage},"

    def rotation(self, number: int) -> tuple[int, ...]:
        """Return the entrants by seat in the match of that rotation, 0 to seats - 1."""
        return self.entrants[number:] + self.entrants[:number]


@dataclass(frozen=True, slots=True)
class EncounterResult:
    """What became of an encounter.

    `scores[rotation][k]` are the points, 0 to 1, of `encounter.entrants[k]` in the match of that
    rotation, whichever seat it had there.
    """

    encounter: Encounter
    scores: tuple[tuple[float, ...], ...]

    @property
    def points(self) -> tuple[float, ...]:
        """The points of each of the encounter's entrants in all its matches together."""
        return tuple(math.fsum(column) for column in zip(*self.scores, strict=True))

    @property
    def matches(self) -> Iterator[tuple[tuple[int, ...], tuple[float, ...]]]:
        """The entrants and their points of each match, both by seat."""
        for number, scores in enumerate(self.scores):
            yield self.encounter.rotation(number), scores[number:] + scores[:number]


@dataclass(frozen=True, slots=True)
class BracketTie:
    """Entrants that meet in a round, counted from 0, and how it stands between them.

    `points` go with `entrants`, none before the first encounter. `through` are those who go on
    where the others don't, none while that is open.
    """

    round: int
    entrants: tuple[int, ...]
    points: tuple[float, ...] = ()
    through: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class SprtProgress:
    """How a sequential test stands.

    `path` are log-likelihood ratios, each after so many of what is counted, from the first to that
    of `counts`; the test ends at one of the two `bounds`. `state` says in a word what it decides.
    """

    state: str
    counts: Counts
    bounds: tuple[float, float]
    path: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """Who takes part, and in what.

    `entrants` is how many there are: a bot that joins takes the next position, and `withdrawn` are
    the positions of those that play no more. `joined[k]` is the first stage that entrant `k` was
    there for, 0 for those beyond its end. `seats` and `sides` are the game's; without `sides` every
    seat is for itself. What one of the `rounds` is, each format says.
    """

    entrants: int
    seats: int
    rounds: int
    seed: int
    withdrawn: tuple[int, ...] = ()
    joined: tuple[int, ...] = ()
    sides: tuple[int, ...] = ()

    @property
    def present(self) -> tuple[int, ...]:
        """The positions of those that still play, in order."""
        gone = set(self.withdrawn)
        return tuple(entrant for entrant in range(self.entrants) if entrant not in gone)

    def joined_at(self, entrant: int) -> int:
        """Return the first stage that an entrant was there for."""
        return self.joined[entrant] if entrant < len(self.joined) else 0


class Format:
    """A base for formats: override `stage`; the rest has working defaults.

    Options are dataclass fields declared by `games.option`. A module of this folder hands out its
    class as `FORMAT`.
    """

    name: ClassVar[str]
    """What a user calls it on the command line; the module's name."""

    title: ClassVar[str]
    help: ClassVar[str]
    """What it does, in one line."""

    lag: ClassVar[int | None] = 1
    """How many stages may be in play at once: stage k is made from the results of stages up to
    k - lag. None where no results are needed, and all stages can be known beforehand."""

    is_open: ClassVar[bool] = True
    """Whether a bot may join when the tournament has begun."""

    is_extensible: ClassVar[bool] = True
    """Whether more rounds may be asked for later; they leave earlier stages as they are."""

    has_rounds: ClassVar[bool] = True
    """Whether a stage is what players call a round."""

    def check(self, field: Field) -> None:
        """Raise `ValueError` with a reason where entrants, seats or options don't fit."""
        if field.entrants < field.seats:
            raise ValueError(f"{field.entrants} entrants can't fill {field.seats} seats")

    def stage(
        self, number: int, field: Field, results: Collection[EncounterResult]
    ) -> list[Encounter]:
        """Return the encounters of stage `number` in the order to play; none ends the tournament.

        The same for the same arguments, in whatever order the `results` come; those of stages that
        this one does not wait for change nothing. Where `lag` is None, a field with more entrants
        gets all that a smaller one gets, and more.
        """
        raise NotImplementedError(f"{type(self).__name__} does not override stage")

    def planned(self, field: Field) -> int | None:
        """Return how many encounters there will be if nobody withdraws; None where not known."""
        return None

    def default_rounds(self, entrants: int) -> int:
        """Return how many rounds are held where a user asks for no number."""
        return 1

    def expected(self, field: Field, results: Collection[EncounterResult]) -> float | None:
        """Guess from the results how many encounters there will be, where `planned` is None."""
        return None

    def verdict(
        self, field: Field, results: Collection[EncounterResult], names: Sequence[str]
    ) -> str:
        """Return the one line that the format itself concludes, '' where there is none (yet).

        `names` are the entrants' by position.
        """
        return ""

    def trial(self, results: Collection[EncounterResult]) -> SprtProgress | None:
        """Return how the test stands that ends it; None where there is none, or no result."""
        return None

    def ties(self, field: Field, results: Collection[EncounterResult]) -> list[BracketTie]:
        """Return who met whom in each round, where rounds are not simply stages."""
        return []


def before(results: Collection[EncounterResult], stage: int) -> list[EncounterResult]:
    """Return the results of stages before `stage`, in the order of their encounters."""
    return in_order(result for result in results if result.encounter.stage < stage)


def in_order(results: Iterable[EncounterResult]) -> list[EncounterResult]:
    """Return results in the order of their encounters."""
    # Comparing what tells encounters apart is much quicker than comparing results.
    return sorted(
        results,
        key=lambda each: (each.encounter.stage, each.encounter.opening, each.encounter.entrants),
    )
