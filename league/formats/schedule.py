"""The schedule of one tournament: planned encounters, their results and the next stages.

NumPy loads slowly: only what rates or makes a table imports it.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as filled
from typing import TYPE_CHECKING

from games.support.game import Game
from league.formats.format import (
    BracketTie,
    Encounter,
    EncounterResult,
    Field,
    Format,
    SprtProgress,
    TableOrder,
    TuningProgress,
    before,
    columns_of,
)
from league.formats.specs import make_format
from league.model.errors import SetupError
from league.model.records import MatchKey, TournamentConfig

if TYPE_CHECKING:
    from league.formats.stopping import BestSearch
    from league.formats.table import PointsTable
    from league.ratings.result_table import ResultColumns

STOP_LAG = 2
"""The lag if ratings stop a tournament whose format needs no results: a stage is made when all but
the one before it are played, so that no worker waits for the last match of a stage."""

EXHAUSTED = "its last matches repeat earlier ones move for move, and more would prove nothing"


def by_entrant(scores: tuple[float, ...], rotation: int) -> tuple[float, ...]:
    """Return the points of a match by entrant of its encounter, from those by seat."""
    # Entrant k of the encounter sits at k - rotation.
    first = -rotation % len(scores)
    return scores[first:] + scores[:first]


def field_of(config: TournamentConfig, game: Game, stage: int | None = None) -> Field:
    """Return the field of a tournament at a stage, or its current field for None."""
    late = 0 if stage is None else sum(begin > stage for begin in config.joined)
    return Field(
        entrants=len(config.entrants) - late,
        seats=game.seats,
        rounds=config.rounds,
        seed=config.seed,
        withdrawn={who: end for who, end in config.withdrawn if stage is None or end <= stage},
        joined=config.joined,
        sides=game.sides,
        is_for_best=config.until_best is not None,
        starting_ratings=config.starting_ratings,
        parameters=config.parameters,
    )


def checked_format(config: TournamentConfig, game: Game) -> Format:
    """Return a tournament's format; raise `SetupError` if it does not fit the tournament."""
    if config.is_imported:
        raise SetupError("its matches were imported from a file: there is nothing to play")
    found = make_format(config.format)
    if config.until_best is not None:
        _check_until_best(config, found)
    if config.tiebreaks and found.table_order is not TableOrder.POINTS:
        raise SetupError(
            f"format {found.name!r} takes no tie-breaks: its table is ordered by its "
            f"{found.table_order}"
        )
    if config.is_ranked_by_payoff:
        _check_payoff(config, found, game)
    _check_parameters(config, found)
    try:
        found.check(field_of(config, game))
    except ValueError as error:
        raise SetupError(f"format {found.name!r}: {error}") from None
    return found


def _check_until_best(config: TournamentConfig, found: Format) -> None:
    if config.until_error is not None:
        raise SetupError("until-error and until-best end a tournament at different times: give one")
    if not found.is_extensible or found.fills_last_stage:
        raise SetupError(
            f"format {found.name!r} has an end of its own: with until-best take adaptive or "
            "roundrobin"
        )


def _check_parameters(config: TournamentConfig, found: Format) -> None:
    if config.parameters and not found.is_tuning:
        raise SetupError(
            f"format {found.name!r} tunes no parameters: leave --param out, or take format spsa"
        )
    if found.is_tuning and config.until_error is not None:
        raise SetupError(
            f"format {found.name!r} ends with a test: in place of --until-error write "
            f"--format {found.name}:test_error={config.until_error:g}"
        )


def _check_payoff(config: TournamentConfig, found: Format, game: Game) -> None:
    """Raise `SetupError` for a tournament that can't be ranked by payoff."""
    if not game.payoff_unit:
        raise SetupError(
            f"{game.title} does not say what its utilities count (payoff_unit): rank by result"
        )
    if found.table_order is not TableOrder.POINTS or found.lag is not None:
        raise SetupError(
            f"format {found.name!r} goes by results: to rank by payoff take roundrobin"
        )
    if config.tiebreaks:
        raise SetupError("tie-breaks are between equal points: leave them out to rank by payoff")


def needs_results(config: TournamentConfig, game: Game) -> bool:
    """Whether any stage of a tournament depends on the points in others."""
    return config.is_open_ended or checked_format(config, game).lag is not None


@dataclass(frozen=True, slots=True)
class FormerResult:
    """The void result of an encounter: stages up to `last_stage` were made from it."""

    last_stage: int
    result: EncounterResult


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchFacts:
    """Facts about a tournament's matches besides their points.

    `repeats` repeat others of the tournament; `walls` are the seconds that matches took, needed
    where the format `needs_times`. `former` are results that are void, in the order of the voids.
    """

    repeats: Collection[MatchKey] = ()
    walls: Mapping[MatchKey, float] = filled(default_factory=dict)
    former: Sequence[FormerResult] = ()


class Schedule:
    """The encounters planned so far, in order of number, and the stages that the results allow.

    It knows no store and changes only by its methods. `encounters` are numbered 0, 1, … in planning
    order; `results` are points by seat, for a tournament without lag except those of the encounters
    that are `whole`. `facts` are what else is known of the matches. Raises `SetupError` if the
    tournament can't be held.
    """

    def __init__(
        self,
        config: TournamentConfig,
        game: Game,
        encounters: Iterable[Encounter] = (),
        results: Mapping[MatchKey, tuple[float, ...]] | None = None,
        whole: Iterable[int] = (),
        facts: MatchFacts | None = None,
    ) -> None:
        self.config = config
        self.game = game
        self.format = checked_format(config, game)
        self.encounters: list[Encounter] = []
        self.is_over = False
        """Whether no stage will follow, so that the plan is complete."""
        self._gone = {who for who, _ in config.withdrawn}
        self._lacking: Counter[int] = Counter()
        self._ended: set[int] = set()
        self._scores: dict[int, dict[int, tuple[float, ...]]] = {}
        self._repeated: dict[int, frozenset[int]] = {}
        self._walls: dict[int, float] = {}
        self._results: list[EncounterResult] = []
        self._last = -1
        """The last stage of the plan, -1 before the first."""
        self.add(encounters)
        # Without a need for results, a grown field changes every stage, including the first.
        self._stage = 0 if self.format.lag is None else self._last + 1
        if self.format.fills_last_stage:
            self._stage = max(0, self._last)
        self._end([each for each in whole if each < len(self.encounters)])
        facts = facts or MatchFacts()
        self._former = facts.former
        for key, scores in (results or {}).items():
            wall_s = facts.walls.get(key, 0.0)
            self.take(key, scores, is_repeat=key in facts.repeats, wall_s=wall_s)

    @property
    def lag(self) -> int | None:
        """Number of stages that may be in play at once; None for all."""
        if self.format.lag is None and self.config.is_open_ended:
            return STOP_LAG
        return self.format.lag

    @property
    def planned(self) -> int | None:
        """Return the number of matches, earlier runs included; None if unknown."""
        seats, numbers = self.game.seats, range(len(self.encounters))
        if self.is_over and not self._gone:
            return len(numbers) * seats
        if self.is_over:
            return sum(seats - self._lost(number) for number in numbers)
        if self.config.ended_at is not None:
            return None
        if self.config.is_open_ended or (self._gone and self.lag is not None):
            return None
        encounters = self.format.planned(field_of(self.config, self.game))
        if encounters is None:
            return None
        dropped = filter(self.is_dropped, numbers) if self._gone else ()
        return encounters * seats + sum(seats - self._lost(number) for number in dropped)

    @property
    def is_told_by_ratings(self) -> bool:
        """Whether ratings alone tell how it stands: its format concludes nothing from results."""
        found = self.format
        is_silent = (
            type(found).verdict is Format.verdict and type(found).expected is Format.expected
        )
        is_rated = found.table_order is TableOrder.RATING
        return is_silent and is_rated and not (self.config.is_open_ended or found.is_test)

    @property
    def is_ready(self) -> bool:
        """Whether the current results allow another stage."""
        if self.is_over or self.lag is None:
            return not self.is_over
        return min(self._lacking, default=self._stage) >= self._known_before(self._stage)

    def plan(self, enough: int) -> list[Encounter]:
        """Make whole stages until there are `enough` new encounters or results are missing.

        Adds them to `encounters` and returns them.
        """
        begin = len(self.encounters)
        planned = set(self.encounters) if self.is_ready else set()
        while self.is_ready and len(self.encounters) - begin < enough:
            stage = self._make(self._stage)
            self.is_over = not stage
            self.add([each for each in stage if each not in planned])
            planned.update(stage)
            self._stage += 1
        return self.encounters[begin:]

    def take(
        self,
        key: MatchKey,
        scores: tuple[float, ...],
        *,
        is_repeat: bool = False,
        wall_s: float = 0.0,
    ) -> None:
        """Record a match's points by seat, if it repeats another one, and how long it took."""
        if key.encounter >= len(self.encounters):
            # Unplanned matches are for `league db verify` to report.
            return
        encounter = self.encounters[key.encounter]
        seats = len(encounter.entrants)
        scored = self._scores.setdefault(key.encounter, {})
        scored[key.rotation] = by_entrant(scores, key.rotation)
        if is_repeat:
            repeated = self._repeated.get(key.encounter, frozenset())
            self._repeated[key.encounter] = repeated | {key.rotation}
        if wall_s:
            self._walls[key.encounter] = self._walls.get(key.encounter, 0.0) + wall_s
        if len(scored) < seats:
            return
        del self._scores[key.encounter]
        self._ended.add(key.encounter)
        if not self.is_dropped(key.encounter):
            self._lacking[encounter.stage] -= 1
            if not self._lacking[encounter.stage]:
                del self._lacking[encounter.stage]
        if self.lag is not None:
            in_turn = tuple(scored[rotation] for rotation in range(seats))
            repeated = self._repeated.get(key.encounter, frozenset())
            # In whole milliseconds, as the store has them, whatever the order of the sum.
            wall_s = round(self._walls.pop(key.encounter, 0.0), 3)
            self._results.append(EncounterResult(encounter, in_turn, repeated, wall_s))

    def _end(self, whole: Collection[int]) -> None:
        """Record encounters as finished of which no stage needs the points."""
        self._ended.update(whole)
        self._lacking -= self._stages(whole)

    def unfinished(self) -> list[int]:
        """Return the encounters that lack matches, except dropped ones, by number."""
        numbers = range(len(self.encounters))
        return [each for each in numbers if each not in self._ended and not self.is_dropped(each)]

    @property
    def results(self) -> Sequence[EncounterResult]:
        """The whole encounters; none if the format needs no results."""
        return self._results

    @property
    def field(self) -> Field:
        """The current field."""
        return field_of(self.config, self.game)

    def is_first(self, number: int) -> bool:
        """Whether an encounter is of the first stage of a bot that joined."""
        encounter, joined = self.encounters[number], self.config.joined
        return any(0 < each == encounter.stage for each in _items(joined, encounter.entrants))

    def close(self) -> None:
        """End the plan if it has as many encounters as its format makes without results.

        To make them all again, and find that none is missing, takes longer.
        """
        if self.config.ended_at is not None:
            return
        if self.lag is None and not self._gone:
            field = field_of(self.config, self.game)
            self.is_over |= len(self.encounters) == self.format.planned(field)

    def is_dropped(self, number: int) -> bool:
        """Whether an encounter's missing matches are dropped because somebody has withdrawn."""
        gone = self._gone
        return bool(gone) and not gone.isdisjoint(self.encounters[number].entrants)

    def says(self, names: Sequence[str]) -> str:
        """Return the conclusion of the format, or of the rule that stops it; '' if none."""
        told = self._says(names)
        stage = self._last + 1
        is_known = min(self._lacking, default=stage) >= self._known_before(stage)
        is_exhausted = is_known and self._is_exhausted(stage)
        return "; ".join(filter(None, (told, EXHAUSTED if is_exhausted else "")))

    def _says(self, names: Sequence[str]) -> str:
        if found := self.champion() or self._search():
            return found.says(names)
        verdict = self.format.verdict(field_of(self.config, self.game), self._results, names)
        until_error = self.config.until_error
        if verdict or until_error is None or not self._results:
            return verdict
        from league.formats.stopping import error_standing  # noqa: PLC0415

        return error_standing(self._error(self._results), until_error)

    def champion(self) -> BestSearch | None:
        """Return the search that found the best bot; None if none has."""
        whole = min(self._lacking, default=self._last + 1)
        # The last stage was made because the best bot was not known then.
        stages = range(self._last + 1, whole + (self.lag or 0))
        return next((found for stage in stages if (found := self._success(stage))), None)

    def table(
        self, totals: ResultColumns, places: Sequence[Sequence[int]] | None = None
    ) -> PointsTable | None:
        """Return the table so far, of whole encounters; None if the format has none.

        `totals` are all results by position, for formats that need none themselves. With `places`,
        the entrants in groups from the first on, these alone make the order.
        """
        found, field = self.format, field_of(self.config, self.game)
        if found.table_order is TableOrder.RATING:
            return None
        from league.formats.table import Scores, make_table  # noqa: PLC0415

        if self.lag is not None:
            totals = columns_of(self._results, field)
        stages = min(self._lacking, default=self._last + 1)
        scores = Scores(
            entrants=field.entrants,
            results=totals,
            stages=stages,
            unplayed=found.unplayed(field, self._results, stages),
        )
        is_by_points = found.table_order is TableOrder.POINTS and places is None
        tiebreaks = (self.config.tiebreaks or found.tiebreaks) if is_by_points else ()
        groups = found.places(field, self._results) if places is None else places
        return make_table(scores, groups, tiebreaks, is_by_points=is_by_points)

    def trial(self) -> SprtProgress | None:
        """Return the state of the test that ends the tournament; None if there is none."""
        return self.format.trial(self.field, self._results)

    def tuning(self, names: Sequence[str]) -> TuningProgress | None:
        """Return how far parameters are tuned; None if the tournament tunes none."""
        return self.format.tuning(self.field, self._results, names)

    def ties(self) -> list[BracketTie]:
        """Return the ties of each round, if later rounds depend on them; else nothing."""
        own = self.format.ties(field_of(self.config, self.game), self._results)
        if own or self.format.lag != 1:
            return own
        points = {result.encounter: result.points for result in self._results}
        return [
            BracketTie(each.stage, each.entrants, points.get(each, ())) for each in self.encounters
        ]

    def expected(self) -> int | None:
        """Estimate the number of matches from the results; None if there is no basis."""
        planned, until_error = self.planned, self.config.until_error
        if planned is not None or not self._results:
            return planned
        if found := self._search():
            return found.expected
        if until_error is None:
            encounters = self.format.expected(field_of(self.config, self.game), self._results)
            return None if encounters is None else round(encounters) * self.game.seats
        ratio = self._error(self._results) / until_error
        played = len(self._results) * self.game.seats
        return round(played * ratio * ratio) if math.isfinite(ratio) else None

    def remade(self) -> list[Encounter]:
        """Recompute all planned stages from the results, to compare with `encounters`.

        Each stage is made from the results that counted when it was planned.
        """
        made: list[Encounter] = []
        current, ends = self._results, sorted({each.last_stage for each in self._former})
        try:
            for stage in sorted({each.stage for each in self.encounters}):
                if ends and (not made or stage > ends[0]):
                    ends = [end for end in ends if end >= stage]
                    self._results = self._results_at(stage, current)
                made += self._make(stage)
        finally:
            self._results = current
        return made

    def _results_at(self, stage: int, current: Sequence[EncounterResult]) -> list[EncounterResult]:
        """Return the results that counted when a stage was planned."""
        found = {each.encounter: each for each in current}
        counted = [each.result for each in self._former if each.last_stage >= stage]
        # The first void of an encounter tells its oldest result.
        found.update((each.encounter, each) for each in reversed(counted))
        return list(found.values())

    def add(self, encounters: Iterable[Encounter]) -> None:
        """Record planned encounters, in order of number."""
        begin = len(self.encounters)
        self.encounters += encounters
        lacking = self._stages(range(begin, len(self.encounters)))
        self._lacking.update(lacking)
        self._last = max(self._last, *{each.stage for each in self.encounters[begin:]}, -1)

    def _stages(self, numbers: Iterable[int]) -> Counter[int]:
        """Count encounters by stage, except dropped ones."""
        if self._gone:
            numbers = [number for number in numbers if not self.is_dropped(number)]
        return Counter(self.encounters[number].stage for number in numbers)

    def _make(self, stage: int) -> list[Encounter]:
        """Return the encounters of a stage, none if the tournament is over before it."""
        ended_at = self.config.ended_at
        if ended_at is not None and stage >= ended_at:
            return []
        if self.format.lag is None:
            field, results = field_of(self.config, self.game), []
        else:
            field, results = field_of(self.config, self.game, stage), self._results
        if self._is_known_well(stage) or self._success(stage) or self._is_exhausted(stage):
            return []
        return self.format.stage(stage, field, results)

    def _lost(self, number: int) -> int:
        """Return how many matches of an encounter will never be played."""
        if number in self._ended or not self.is_dropped(number):
            return 0
        return self.game.seats - len(self._scores.get(number, ()))

    def _known_before(self, stage: int) -> int:
        """Return the first stage whose results a stage does not wait for."""
        if self.format.lag is None:
            return stage - (self.lag or 0) + 1
        return self.format.known_before(stage, self.field)

    def _is_known_well(self, stage: int) -> bool:
        """Whether the ratings had reached the requested precision when a stage was made."""
        until_error = self.config.until_error
        if self.lag is None or until_error is None:
            return False
        known = before(self._results, self._known_before(stage))
        return bool(known) and self._error(known) <= until_error

    def _is_exhausted(self, stage: int) -> bool:
        """Whether all matches of the last stage that was known then repeat others.

        The bots draw nothing and the openings come again: all later matches would repeat, too.
        """
        if self.lag is None or not (self.config.is_open_ended or self.format.is_test):
            return False
        last = self._known_before(stage) - 1
        newest = [each for each in self._results if each.encounter.stage == last]
        return bool(newest) and all(each.is_repeat for each in newest)

    def _error(self, results: Sequence[EncounterResult]) -> float:
        from league.formats.stopping import widest_error  # noqa: PLC0415

        return widest_error(results, field_of(self.config, self.game))

    def _success(self, stage: int) -> BestSearch | None:
        """Return the search of a stage if the best bot was known when the stage was made."""
        found = self._search(stage)
        return found if found and found.is_over else None

    def _search(self, stage: int | None = None) -> BestSearch | None:
        """Return how well the best bot was known when a stage was made, or is known for None."""
        if self.config.until_best is None:
            return None
        from league.formats.stopping import BestSearch  # noqa: PLC0415

        known = self._results
        if stage is not None:
            known = before(known, self._known_before(stage))
        return BestSearch.of(known, field_of(self.config, self.game, stage), self.config.until_best)


def _items(joined: Sequence[int], entrants: Sequence[int]) -> list[int]:
    return [joined[each] for each in entrants if each < len(joined)]
