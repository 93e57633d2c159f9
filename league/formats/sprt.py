"""SPRT: two bots play until a sequential probability ratio test decides between two hypotheses."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import ceil
from typing import TYPE_CHECKING, ClassVar

from games.support.options import option
from league.formats.format import (
    Encounter,
    EncounterResult,
    Field,
    Format,
    SprtProgress,
    in_order,
    stride,
)
from league.model.tiebreak import Tiebreak
from league.ratings.elo_difference import Counts
from league.ratings.sprt import BATCH, Model, Sprt, SprtState
from league.ratings.sprt_estimate import SprtEstimate
from league.ratings.sprt_results import conclusion, standing, told

if TYPE_CHECKING:
    from league.formats.table import PointsTable

_USUAL = Sprt()

PATH_MAX = 250
"""Maximum number of reported log-likelihood ratios of a test: each takes about a millisecond."""


@dataclass(frozen=True, kw_only=True)
class Sequential(Format):
    """The first entrant against the second, with a new opening for each encounter."""

    name = "sprt"
    title = "SPRT"
    help = "one bot against another until a sequential test decides"
    lag: ClassVar[int] = 2
    has_rounds = False
    is_test = True
    tiebreaks: ClassVar[tuple[Tiebreak, ...]] = ()
    fills_last_stage = True

    elo0: float = option(_USUAL.elo0, help="Elo difference under H0 (no improvement)")
    elo1: float = option(_USUAL.elo1, help="H1, the difference worth finding")
    alpha: float = option(
        _USUAL.alpha, help="probability of accepting H1 if H0 is true", low=0, high=0.5
    )
    beta: float = option(
        _USUAL.beta, help="probability of accepting H0 if H1 is true", low=0, high=0.5
    )
    model: str = option(
        str(_USUAL.model), help="the unit of elo0 and elo1", choices=tuple(map(str, Model))
    )
    counts: str = option(
        "pentanomial",
        help="what is counted: encounters of two matches, or single matches",
        choices=("pentanomial", "trinomial"),
    )
    batch: int = option(BATCH, help="encounters between two looks at the test", low=1)

    def check(self, field: Field) -> None:
        """Raise `ValueError` unless two bots play a two-player game and the options make a test."""
        if field.seats != 2:
            raise ValueError(f"a test of one bot against another can't fill {field.seats} seats")
        if field.entrants != 2:
            raise ValueError(f"{field.entrants} entrants: a test is of one bot against another")
        self.test.check(self._counts(Counter()))

    def stage(
        self, number: int, field: Field, results: Collection[EncounterResult]
    ) -> list[Encounter]:
        """Return the next batch of encounters, none once the test has decided."""
        if number >= ceil(field.rounds / self.batch) or field.withdrawn:
            return []
        if self._decision(results, number - 1)[0] is not SprtState.UNDECIDED:
            return []
        openings = range(number * self.batch, min((number + 1) * self.batch, field.rounds))
        return [Encounter(number, opening, (0, 1)) for opening in openings]

    def default_rounds(self, entrants: int) -> int:
        """Return so many rounds that hardly any test is cut short."""
        return 50_000

    def expected(self, field: Field, results: Collection[EncounterResult]) -> float | None:
        """Extrapolate the log-likelihood ratio to the bound that it drifts to."""
        state, counts = self._decision(results)
        test = self.test
        llr = test.llr(counts) if counts.total else 0.0
        if state is not SprtState.UNDECIDED or not llr:
            return None
        lower, upper = test.bounds
        drawn_to = upper if llr > 0 else lower
        return min(field.rounds, len(results) * drawn_to / llr)

    def verdict(
        self, field: Field, results: Collection[EncounterResult], names: Sequence[str]
    ) -> str:
        """State what the evidence favours, the ratio and the counts, and the corrected estimate."""
        state, counts = self._decision(results)
        if not counts.total:
            return ""
        test = self.test
        says = f"{conclusion(test, state)}, {names[0]} against {names[1]}: {standing(test, counts)}"
        if state is SprtState.UNDECIDED:
            return says
        estimate = SprtEstimate.of(test, counts)
        says += f"; Elo {told(estimate.elo)}; nElo {told(estimate.nelo)}"
        late = self._late(results, counts)
        return f"{says}; {late:,} matches in play at the decision do not count" if late else says

    def winner(self, table: PointsTable, names: Sequence[str]) -> str:
        """Name nobody: evidence decides, not points."""
        return ""

    def trial(self, field: Field, results: Collection[EncounterResult]) -> SprtProgress | None:
        """Return the log-likelihood ratios after the encounters, or after some of many."""
        state, counts = self._decision(results)
        if not counts.total:
            return None
        test, counted = self.test, Counter[int]()
        scored = [(each, scores) for each in in_order(results) if (scores := self._scores(each))]
        step = stride(len(scored), PATH_MAX)
        path, last = [(0.0, 0.0)], 0
        for last, (_, scores) in enumerate(scored, 1):
            counted.update(scores)
            is_end = counted.total() == counts.total
            if is_end or last % step == 0:
                path.append((counted.total(), _ratio(test, self._counts(counted))))
            if is_end:
                break
        record = self._record(each for each, _ in scored[:last])
        late = sum(len(scores) for _, scores in scored[last:]) * counts.matches_each
        return SprtProgress(state, counts, test, tuple(path), record, late, self.batch)

    def _record(self, results: Iterable[EncounterResult]) -> tuple[int, int, int]:
        """Return what the first entrant won, drew and lost of the matches that prove something."""
        found = Counter(
            round(2 * scores[0]) if any(scores) else 1
            for result in results
            for rotation, scores in enumerate(result.scores)
            if not (
                result.is_repeat if self.counts == "pentanomial" else rotation in result.repeated
            )
        )
        return found[2], found[1], found[0]

    def _late(self, results: Collection[EncounterResult], counts: Counts) -> int:
        """Return the number of matches that the test has not counted."""
        distinct = sum(each.total() for each in self._by_stage(results).values())
        return round((distinct - counts.total) * counts.matches_each)

    @property
    def test(self) -> Sprt:
        """The test that ends the tournament; raises `ValueError` if the options make none."""
        return Sprt(self.elo0, self.elo1, alpha=self.alpha, beta=self.beta, model=Model(self.model))

    def _decision(
        self, results: Collection[EncounterResult], end: int | None = None
    ) -> tuple[SprtState, Counts]:
        """Return the test's state before stage `end` and the counts by which it first decided.

        Encounters already in play at that point are played to their end but not counted: testing
        again would exceed the error rates. A stage exists only if the test was undecided `lag`
        stages earlier, so only the last stages need checking.
        """
        stages = self._by_stage(results, end)
        test, counted = self.test, Counter[int]()
        state, counts = SprtState.UNDECIDED, self._counts(counted)
        for stage in sorted(stages):
            counted += stages[stage]
            if stage > max(stages) - self.lag:
                counts = self._counts(counted)
                state = test.state(counts)
                if state is not SprtState.UNDECIDED:
                    break
        return state, counts

    def _by_stage(
        self, results: Collection[EncounterResult], end: int | None = None
    ) -> dict[int, Counter[int]]:
        stages: defaultdict[int, Counter[int]] = defaultdict(Counter)
        for result in results:
            if end is None or result.encounter.stage < end:
                stages[result.encounter.stage].update(self._scores(result))
        return stages

    def _scores(self, result: EncounterResult) -> list[int]:
        """Return what the test counts of an encounter, in half points of the first entrant."""
        if self.counts == "pentanomial":
            return [] if result.is_repeat else [round(2 * result.points[0])]
        # A match in which neither bot started has no points, and proves nothing: as good as a draw.
        return [
            round(2 * scores[0]) if any(scores) else 1
            for rotation, scores in enumerate(result.scores)
            if rotation not in result.repeated
        ]

    def _counts(self, counted: Counter[int]) -> Counts:
        return Counts(
            tuple(counted[each] for each in range(5 if self.counts == "pentanomial" else 3))
        )


@lru_cache(maxsize=4096)
def _ratio(test: Sprt, counts: Counts) -> float:
    return test.llr(counts)


FORMAT = Sequential
