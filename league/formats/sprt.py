"""SPRT: two bots play until a sequential probability ratio test decides between two hypotheses."""

from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from math import ceil
from typing import ClassVar

from games.support.options import option
from league.formats.format import Encounter, EncounterResult, Field, Format, SprtProgress
from league.model.tiebreak import Tiebreak
from league.ratings.elo_difference import Counts
from league.ratings.sprt import Model, Sprt, SprtState

PATH_MAX = 40
"""How many log-likelihood ratios of a test are reported: each takes some milliseconds."""


@dataclass(frozen=True, kw_only=True)
class Sequential(Format):
    """The first entrant against the second, with a new opening for each encounter."""

    name = "sprt"
    title = "SPRT"
    help = "one bot against another until a sequential test decides"
    lag: ClassVar[int] = 2
    has_rounds = False
    tiebreaks: ClassVar[tuple[Tiebreak, ...]] = ()

    elo0: float = option(0.0, help="rejected: the first is no better than this")
    elo1: float = option(5.0, help="accepted: the first is as good as this")
    alpha: float = option(0.05, help="how often elo0 may be accepted", low=0, high=0.5)
    beta: float = option(0.05, help="how often elo1 may be rejected", low=0, high=0.5)
    model: str = option(
        "normalized", help="what elo0 and elo1 are", choices=("logistic", "normalized")
    )
    counts: str = option(
        "pentanomial",
        help="what is counted: encounters of two matches, or single matches",
        choices=("pentanomial", "trinomial"),
    )
    batch: int = option(16, help="encounters between two looks at the test", low=1)

    def check(self, field: Field) -> None:
        """Raise `ValueError` unless two bots play a two-player game and the options make a test."""
        if field.seats != 2:
            raise ValueError(f"a test of one bot against another can't fill {field.seats} seats")
        if field.entrants != 2:
            raise ValueError(f"{field.entrants} entrants: a test is of one bot against another")
        self._test()

    def stage(
        self, number: int, field: Field, results: Collection[EncounterResult]
    ) -> list[Encounter]:
        """Return the next batch of encounters, none once the test has decided."""
        if number >= ceil(field.rounds / self.batch) or field.withdrawn:
            return []
        if self._decision(results, number - 1)[0] is not SprtState.UNDECIDED:
            return []
        openings = range(number * self.batch, (number + 1) * self.batch)
        return [Encounter(number, opening, (0, 1)) for opening in openings]

    def default_rounds(self, entrants: int) -> int:
        """Return so many rounds that hardly any test is cut short."""
        return 50_000

    def expected(self, field: Field, results: Collection[EncounterResult]) -> float | None:
        """Extrapolate the log-likelihood ratio to the bound that it drifts to."""
        state, counts = self._decision(results)
        test = self._test()
        llr = test.llr(counts) if counts.total else 0.0
        if state is not SprtState.UNDECIDED or not llr:
            return None
        lower, upper = test.bounds
        drawn_to = upper if llr > 0 else lower
        return min(field.rounds, len(results) * drawn_to / llr)

    def verdict(
        self, field: Field, results: Collection[EncounterResult], names: Sequence[str]
    ) -> str:
        """State the test's decision and the number of encounters it took."""
        state, counts = self._decision(results)
        if not counts.total:
            return ""
        bound = {
            SprtState.ACCEPTED: f"at least {self.elo1:g}",
            SprtState.REJECTED: f"at most {self.elo0:g}",
        }
        unit = "normalized Elo" if self.model == Model.NORMALIZED else "Elo"
        matches = counts.total * counts.matches_each
        test = f"LLR {self._test().llr(counts):.2f} after {matches:,} matches"
        if state is SprtState.UNDECIDED:
            return f"{names[0]} against {names[1]} is undecided: {test}"
        return f"{names[0]} is {state}: {bound[state]} {unit} better than {names[1]}, {test}"

    def trial(self, results: Collection[EncounterResult]) -> SprtProgress | None:
        """Return the log-likelihood ratios after some of the batches."""
        state, counts = self._decision(results)
        if not counts.total:
            return None
        test, counted = self._test(), Counter[int]()
        stages = self._by_stage(results)
        each = ceil(len(stages) / PATH_MAX)
        path = [(0.0, 0.0)]
        for number, stage in enumerate(sorted(stages), 1):
            counted += stages[stage]
            found = self._counts(counted)
            if found.total > counts.total:
                break
            if number % each == 0 or found.total == counts.total:
                path.append((found.total, test.llr(found)))
        return SprtProgress(str(state), counts, test.bounds, tuple(path))

    def _test(self) -> Sprt:
        return Sprt(self.elo0, self.elo1, alpha=self.alpha, beta=self.beta, model=Model(self.model))

    def _decision(
        self, results: Collection[EncounterResult], end: int | None = None
    ) -> tuple[SprtState, Counts]:
        """Return the test's state before stage `end` and the counts by which it first decided.

        Encounters already in play at that point are ignored: testing again would exceed the error
        rates. A stage exists only if the test was undecided `lag` stages earlier, so only the last
        stages need checking.
        """
        stages = self._by_stage(results, end)
        test, counted = self._test(), Counter[int]()
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
            return [round(2 * result.points[0])]
        # A match in which neither bot started has no points, and proves nothing: as good as a draw.
        return [round(2 * scores[0]) if any(scores) else 1 for scores in result.scores]

    def _counts(self, counted: Counter[int]) -> Counts:
        return Counts(
            tuple(counted[each] for each in range(5 if self.counts == "pentanomial" else 3))
        )


FORMAT = Sequential
