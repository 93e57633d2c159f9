"""The tournament format contract: a pure function from a field and its results to encounters."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, ClassVar

from league.model.tiebreak import Tiebreak
from league.model.tuned_parameter import EntrantOptions, TunedParameter
from league.ratings.elo_difference import Counts
from league.ratings.sprt import Sprt, SprtState

if TYPE_CHECKING:
    from league.formats.table import PointsTable, Unplayed
    from league.ratings.result_table import ResultColumns


class TableOrder(StrEnum):
    """The measure that orders a tournament's table."""

    POINTS = "points"
    """The format's places, if it has any, then points, then tie-breaks."""

    PLACES = "places"
    """The format's places alone; who is in the same place shares a rank."""

    PAYOFF = "payoff"
    """The mean payoff of a match, which the tournament's settings ask for."""

    RATING = "rating"
    """There is no table: the standings are by rating, as in a league."""


@dataclass(frozen=True, slots=True, order=True)
class Encounter:
    """The matches between the same entrants from the same opening, with every rotation of seats.

    `stage` counts from 0; `opening` is an index into the tournament's openings; `entrants` are
    positions in the tournament's list, in seat order of the first match. The three together are
    unique in a tournament. `options` are names and values, by entrant, that replace options of
    these bots; () if they play as they are.
    """

    stage: int
    opening: int
    entrants: tuple[int, ...]
    options: tuple[EntrantOptions, ...] = ()

    def __str__(self) -> str:
        names = ", ".join(map(str, self.entrants))
        return f"the encounter of entrants {names} from opening {self.opening}, stage {self.stage},"

    def rotation(self, number: int) -> tuple[int, ...]:
        """Return the entrants by seat in match `number` of the rotation, 0 to seats - 1."""
        return self.entrants[number:] + self.entrants[:number]

    def rotated_options(self, number: int) -> tuple[EntrantOptions, ...]:
        """Return the options by seat in match `number` of the rotation."""
        return self.options[number:] + self.options[:number]


@dataclass(frozen=True, slots=True)
class EncounterResult:
    """The points of an encounter.

    `scores[rotation][k]` are the points, 0 to 1, of `encounter.entrants[k]` in that rotation,
    whatever seat it had there. `repeated` are the rotations that repeat other matches of the
    tournament move for move. `wall_s` is how long its matches took together, 0 where unknown.
    """

    encounter: Encounter
    scores: tuple[tuple[float, ...], ...]
    repeated: frozenset[int] = frozenset()
    wall_s: float = 0.0

    @property
    def is_repeat(self) -> bool:
        """Whether all its matches repeat others, so that it proves nothing."""
        return len(self.repeated) == len(self.scores)

    @property
    def points(self) -> tuple[float, ...]:
        """Each entrant's points over all matches of the encounter."""
        return tuple(math.fsum(column) for column in zip(*self.scores, strict=True))

    @property
    def matches(self) -> Iterator[tuple[tuple[int, ...], tuple[float, ...]]]:
        """The entrants and points of each match, both by seat."""
        for number, scores in enumerate(self.scores):
            yield self.encounter.rotation(number), scores[number:] + scores[:number]


@dataclass(frozen=True, slots=True)
class BracketTie:
    """The entrants of one bracket tie, its round (from 0) and its score.

    `points` are in the order of `entrants`, empty before the first encounter. `through` are the
    entrants that advance, empty while that is open.
    """

    round: int
    entrants: tuple[int, ...]
    points: tuple[float, ...] = ()
    through: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class SprtProgress:
    """The state of a sequential test.

    `path` are log-likelihood ratios after increasing sample sizes, the last at `counts`; the test
    ends at one of its two bounds. `record` is what the first bot won, drew and lost of the matches
    that count, and `late` the number of matches that were in play at the decision and don't.
    `batch` is the number of encounters between two looks at the test.
    """

    state: SprtState
    counts: Counts
    test: Sprt
    path: tuple[tuple[float, float], ...]
    record: tuple[int, int, int] = (0, 0, 0)
    late: int = 0
    batch: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class ParameterPath:
    """How a parameter has moved.

    `value` is the best known, and in at least 95 of 100 cases the same tuning with other luck would
    be within `error` of it. `slope` is what one step up was worth on average, in Elo, and
    `slope_error` half of its 95% interval. `path` are values after so many comparisons.
    """

    parameter: TunedParameter
    value: float
    error: float
    slope: float
    slope_error: float
    path: tuple[tuple[int, float], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TuningProgress:
    """The state of a tournament that tunes parameters.

    `played` of the `planned` comparisons are over. Then comes the test of the tuned values against
    those at the start: `verdict` says in words what it has shown, '' before its first result.
    """

    paths: tuple[ParameterPath, ...]
    played: int
    planned: int
    verdict: str = ""
    is_gain: bool = False

    @property
    def values(self) -> dict[str, str]:
        """The tuned values, as options of the bot."""
        return {each.parameter.name: each.parameter.text(each.value) for each in self.paths}

    def says(self, bot: str) -> str:
        """Tell the values that a bot has, and whether it has gained."""
        values = ", ".join(f"{name}={value}" for name, value in self.values.items())
        played = f"{self.played:,} of {self.planned:,} comparisons"
        if self.verdict:
            return f"{self.verdict}; {bot} has {values} after {played}"
        return f"{played}: {bot} has {values}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """The entrants of a tournament and its size.

    `entrants` is their number: a bot that joins takes the next position, and `withdrawn` maps the
    positions that no longer play to the first stage that they miss. `joined[k]` is the first stage
    of entrant `k`, 0 beyond its end.
    `seats` and `sides` are the game's; without `sides` each seat plays for itself. Each format
    defines what one of the `rounds` is. With `is_for_best` only the best bot is asked for.
    `starting_ratings` are believed beforehand, in Elo by position, 0 beyond their end. `parameters`
    are those of the first entrant that are tuned.
    """

    entrants: int
    seats: int
    rounds: int
    seed: int
    withdrawn: Mapping[int, int] = field(default_factory=dict)
    joined: tuple[int, ...] = ()
    sides: tuple[int, ...] = ()
    is_for_best: bool = False
    starting_ratings: tuple[float, ...] = ()
    parameters: tuple[TunedParameter, ...] = ()

    @property
    def present(self) -> tuple[int, ...]:
        """The positions that still play, in order."""
        return tuple(each for each in range(self.entrants) if each not in self.withdrawn)

    def plays_in(self, entrant: int, stage: int) -> bool:
        """Whether an entrant had joined by a stage, and had not withdrawn."""
        return self.joined_at(entrant) <= stage < self.withdrawn.get(entrant, stage + 1)

    def joined_at(self, entrant: int) -> int:
        """Return the entrant's first stage."""
        return self.joined[entrant] if entrant < len(self.joined) else 0


class Format:
    """Base class of formats: override `stage`; everything else has a default.

    Options are dataclass fields declared by `games.option`. Each module of this folder exports its
    class as `FORMAT`.
    """

    name: ClassVar[str]
    """The name on the command line; the module's name."""

    title: ClassVar[str]
    help: ClassVar[str]
    """One line on what it does."""

    option_words: ClassVar[Mapping[str, str]] = {}
    """How titles tell options with a number: a template, '' to leave it out.

    The usual value is left out, too. Other options are shown by name and value.
    """

    lag: ClassVar[int | None] = 1
    """Number of stages that may be in play at once: stage k needs results up to stage k - lag. None
    if no results are needed, so that all stages are known beforehand."""

    is_open: ClassVar[bool] = True
    """Whether bots may join a tournament that has begun."""

    is_extensible: ClassVar[bool] = True
    """Whether rounds can be added later, leaving earlier stages unchanged."""

    fills_last_stage: ClassVar[bool] = False
    """Whether a larger number of rounds adds encounters to the last stage that was made."""

    has_rounds: ClassVar[bool] = True
    """Whether a stage is a round in the players' sense."""

    needs_times: ClassVar[bool] = False
    """Whether stages depend on how long encounters took."""

    is_test: ClassVar[bool] = False
    """Whether it ends by evidence alone, so that a stage of repeated matches ends it."""

    is_tuning: ClassVar[bool] = False
    """Whether it changes options of its first entrant: its matches are not that bot's, so they
    count in no rating."""

    few_matches: ClassVar[str] = ""
    """Whose error bars can be too narrow while bots have few matches; '' where all of them hold.

    See docs/explanation/ratings.md, "How often bars hold".
    """

    table_order: ClassVar[TableOrder] = TableOrder.POINTS

    tiebreaks: ClassVar[tuple[Tiebreak, ...]] = (Tiebreak.DIRECT, Tiebreak.SONNEBORN_BERGER)
    """The default tie-breaks between entrants with the same points."""

    def check(self, field: Field) -> None:
        """Raise `ValueError` with a reason if entrants, seats or options don't fit."""
        if field.entrants < field.seats:
            raise ValueError(f"{field.entrants} entrants can't fill {field.seats} seats")

    def stage(
        self, number: int, field: Field, results: Collection[EncounterResult]
    ) -> list[Encounter]:
        """Return the encounters of stage `number` in playing order; none ends the tournament.

        Deterministic, whatever the order of `results`; results of stages that this one does not
        wait for change nothing. If `lag` is None, a larger field gets all encounters of a smaller
        one, and more.
        """
        raise NotImplementedError(f"{type(self).__name__} does not override stage")

    def known_before(self, number: int, field: Field) -> int:
        """Return the first stage whose results stage `number` does not wait for, if it has a lag.

        It may be further back than the `lag` says.
        """
        return number - (self.lag or 0) + 1

    def planned(self, field: Field) -> int | None:
        """Return the number of encounters if nobody withdraws; None if unknown."""
        return None

    def default_rounds(self, entrants: int) -> int:
        """Return the number of rounds if the user gives none."""
        return 1

    def expected(self, field: Field, results: Collection[EncounterResult]) -> float | None:
        """Estimate the number of encounters from the results, if `planned` is None."""
        return None

    def places(self, field: Field, results: Collection[EncounterResult]) -> list[list[int]]:
        """Return all entrants in groups, the first of the table first; one group by default.

        Without a `lag` there are no results.
        """
        return [list(range(field.entrants))]

    def unplayed(
        self, field: Field, results: Collection[EncounterResult], stages: int
    ) -> list[Unplayed]:
        """Return who was left over, or away, in the first `stages`, which are over."""
        return []

    def winner(self, table: PointsTable, names: Sequence[str]) -> str:
        """Say in one line who has won, once all is played; `names` are by position."""
        return table.winner(names)

    def verdict(
        self, field: Field, results: Collection[EncounterResult], names: Sequence[str]
    ) -> str:
        """Return the format's conclusion in one line, '' if none (yet); `names` are by position."""
        return ""

    def trial(self, field: Field, results: Collection[EncounterResult]) -> SprtProgress | None:
        """Return the state of the deciding test; None without a test or a result."""
        return None

    def tuning(
        self, field: Field, results: Collection[EncounterResult], names: Sequence[str]
    ) -> TuningProgress | None:
        """Return how far parameters are tuned, None if there are none; `names` are by position."""
        return None

    def ties(self, field: Field, results: Collection[EncounterResult]) -> list[BracketTie]:
        """Return the ties of each round, if rounds are not simply stages."""
        return []


def stride(count: int, most: int) -> int:
    """Return every how many of `count` points at most so many are left.

    With powers of two, the points of a longer path are among those that are known.
    """
    step = 1
    while step * most < count:
        step *= 2
    return step


def before(results: Collection[EncounterResult], stage: int) -> list[EncounterResult]:
    """Return the results of stages before `stage`, in encounter order."""
    return in_order(result for result in results if result.encounter.stage < stage)


def columns_of(results: Iterable[EncounterResult], field: Field) -> ResultColumns:
    """Return the matches of encounters as columns, bots by position."""
    from league.ratings.result_table import ResultColumns  # noqa: PLC0415 (NumPy loads slowly)

    played, distinct = [], []
    for result in results:
        for rotation, match in enumerate(result.matches):
            played.append((*match, 1.0))
            distinct.append(float(rotation not in result.repeated))
    return ResultColumns.of(played, field.sides, distinct)


def in_order(results: Iterable[EncounterResult]) -> list[EncounterResult]:
    """Return results in encounter order."""
    # Comparing only the identifying fields is much faster than comparing whole results.
    return sorted(
        results,
        key=lambda each: (each.encounter.stage, each.encounter.opening, each.encounter.entrants),
    )
