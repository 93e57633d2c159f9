"""The test at the end of a tuning: what the tuned values have gained over those of the start."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from league.formats.format import Encounter, EncounterResult, Field, SprtProgress
from league.formats.sprt import Sequential
from league.ratings.elo_difference import Counts, difference
from league.ratings.sprt import BATCH, SprtState

_SIGMA = 0.4
"""The spread of a match's points that is believed before the test, with some draws."""


class Gain(StrEnum):
    """The result of the test."""

    OPEN = "being tested"
    SHOWN = "gain shown"
    NONE = "no gain shown"
    UNSURE = "no gain shown, too few matches"
    UNTESTED = "not tested"


@dataclass(frozen=True, slots=True)
class GainTest:
    """A tournament of its own, of entrant 0 (tuned) against entrant 1 (start).

    It ends by the sequential test, or, with an `error`, when the 95% interval of the difference is
    within so much Elo; in either case after `rounds` encounters, or when they only repeat others.
    """

    sequential: Sequential
    rounds: int
    error: float | None

    @property
    def _field(self) -> Field:
        return Field(entrants=2, seats=2, rounds=self.rounds, seed=0)

    def check(self) -> None:
        """Raise `ValueError` if the options make no test."""
        self.sequential.check(self._field)

    def stage(self, number: int, results: Sequence[EncounterResult]) -> list[Encounter]:
        """Return the encounters of a stage; none once the test is over."""
        if _is_spent(results) or self._is_precise(results):
            return []
        if self.error is None:
            return self.sequential.stage(number, self._field, results)
        openings = range(number * BATCH, min((number + 1) * BATCH, self.rounds))
        return [Encounter(number, opening, (0, 1)) for opening in openings]

    def expected(self, results: Sequence[EncounterResult]) -> float:
        """Estimate the number of encounters."""
        test = self.sequential
        found = test.expected(self._field, results) if results else None
        if found is None:
            found = test.test.expected_length(test.elo1, _SIGMA) / 2
        return max(len(results), min(self.rounds, found))

    def trial(self, results: Sequence[EncounterResult]) -> SprtProgress | None:
        """Return the state of the sequential test; None before a result, or if there is none."""
        return self.sequential.trial(self._field, results) if self.error is None else None

    def conclusion(self, results: Sequence[EncounterResult], bot: str) -> tuple[Gain, str]:
        """Return what the results have shown of a bot, and in words why; '' before the first."""
        counts = _counts(results)
        if not self.rounds:
            return Gain.UNTESTED, "a test was not asked for"
        if not counts.total:
            return Gain.OPEN, ""
        is_last = len(results) >= self.rounds or _is_spent(results)
        if self.error is not None:
            found = difference(counts)
            is_over, is_gain = self._is_precise(results), found.elo > found.elo_error
            told = f"{found.elo:+.1f} ±{found.elo_error:.1f} Elo over the start of {bot}"
            told += "" if is_over else f", ±{self.error:g} asked for"
        else:
            trial = self.trial(results)
            state = trial.state if trial else SprtState.UNDECIDED
            is_over, is_gain = state is not SprtState.UNDECIDED, state is SprtState.ACCEPTED
            told = self.sequential.verdict(self._field, results, (f"tuned {bot}", "start"))
        if not (is_over or is_last):
            return Gain.OPEN, told
        if is_gain:
            return Gain.SHOWN, told
        return Gain.NONE if is_over else Gain.UNSURE, told

    def _is_precise(self, results: Sequence[EncounterResult]) -> bool:
        counts = _counts(results)
        if self.error is None or not counts.total or counts.are_alike:
            return False
        return difference(counts).elo_error <= self.error


def _counts(results: Sequence[EncounterResult]) -> Counts:
    counted = Counter(round(2 * each.points[0]) for each in results if not each.is_repeat)
    return Counts(tuple(counted[points] for points in range(5)))


def _is_spent(results: Sequence[EncounterResult]) -> bool:
    """Whether the last stage repeats other matches: more would prove nothing."""
    last = max((each.encounter.stage for each in results), default=0)
    newest = [each for each in results if each.encounter.stage == last]
    return bool(newest) and all(each.is_repeat for each in newest)
