"""Tuning: matches compare values of a bot's parameters, then a test asks what the best have gained.

What all methods share; `spsa` and `bayesian` are two.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import ClassVar

from games.support.options import option
from league.formats.format import (
    Encounter,
    EncounterResult,
    Field,
    Format,
    ParameterPath,
    SprtProgress,
    TableOrder,
    TuningProgress,
    before,
    stride,
)
from league.formats.gain_test import Gain, GainTest
from league.formats.sprt import PATH_MAX, Sequential
from league.model.tuned_parameter import EntrantOptions, options_at, start_of
from league.ratings.elo_difference import BAR, ELO_PER_LOGIT
from league.ratings.sprt import Sprt

FREEDOM_MIN = 16
"""With fewer comparisons beyond the number of parameters, nobody knows what a step is worth."""

Point = tuple[float, ...]
"""Values of the parameters, in their order."""

TEST = Sprt(elo0=0.0, elo1=20.0)
"""The usual test of the tuned values against the start, in normalized Elo."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """One point against another: `gain` is what the first has more points than the second, -2 to 2.

    Either they played each other, or each played the same opponent; in two matches each.
    """

    number: int
    first: Point
    second: Point
    gain: float


@dataclass(frozen=True, kw_only=True)
class Tuning(Format):
    """Base class of methods: override `pairs`, `best` and `errors`.

    The first entrant plays with values of its parameters that a comparison tries: against itself
    with other values, or, if there are more entrants, each of the two against the same one of them,
    which take turns. The last stages are the test.
    """

    lag: ClassVar[int] = 2
    is_open = False
    is_extensible = False
    is_tuning = True
    has_rounds = False
    table_order = TableOrder.RATING
    tiebreaks = ()
    option_words: ClassVar[Mapping[str, str]] = dict.fromkeys(
        ("batch", "elo0", "elo1", "alpha", "beta", "test_rounds", "test_error"), ""
    )

    batch: int = option(8, help="comparisons between two changes of the values", low=1)
    elo0: float = option(TEST.elo0, help="no gain: the difference under H0 of the test at the end")
    elo1: float = option(TEST.elo1, help="a gain worth finding, H1 of that test, in normalized Elo")
    alpha: float = option(
        TEST.alpha, help="probability that the test shows a gain if there is none", low=0, high=0.5
    )
    beta: float = option(
        TEST.beta, help="probability that it shows none if elo1 is gained", low=0, high=0.5
    )
    test_rounds: int | None = option(
        None, help="most encounters of the test [as many as there are comparisons]", low=0
    )
    test_error: float | None = option(
        None, help="instead of the test, play until the 95% bar of the gain is within so much Elo"
    )

    def pairs(
        self, numbers: range, field: Field, played: Sequence[Comparison]
    ) -> list[tuple[Point, Point]]:
        """Return the points that the comparisons of these numbers try, from those `played`."""
        raise NotImplementedError(f"{type(self).__name__} does not override pairs")

    def best(
        self, field: Field, played: Sequence[Comparison], counts: Sequence[int]
    ) -> Iterable[Point]:
        """Return the best known point after so many comparisons, for each of the rising `counts`.

        After none it is the start.
        """
        raise NotImplementedError(f"{type(self).__name__} does not override best")

    def errors(self, field: Field, played: Sequence[Comparison]) -> Point:
        """Return half of the 95% interval of each value of the best point."""
        raise NotImplementedError(f"{type(self).__name__} does not override errors")

    def check(self, field: Field) -> None:
        """Raise `ValueError` unless there are parameters, two seats and a test."""
        if field.seats != 2:
            raise ValueError(f"tuning compares two seats, and can't fill {field.seats}")
        if not field.parameters:
            raise ValueError("which parameters? give --param NAME=START,MIN,MAX,STEP")
        names = [each.name for each in field.parameters]
        if twice := {name for name in names if names.count(name) > 1}:
            raise ValueError(f"parameter {min(twice)!r} is given twice")
        self._test(field).check()

    def stage(
        self, number: int, field: Field, results: Collection[EncounterResult]
    ) -> list[Encounter]:
        """Return the next comparisons, or encounters of the test; none once that has decided."""
        if 0 in field.withdrawn or (field.entrants > 1 and len(field.present) == 1):
            return []
        if number >= self._stages(field):
            return self._test_stage(number, field, results)
        played = comparisons(field, before(results, self.known_before(number, field)))
        numbers = range(number * self.batch, min((number + 1) * self.batch, field.rounds))
        tried = zip(numbers, self.pairs(numbers, field, played), strict=True)
        return [each for at, pair in tried for each in _encounters(number, at, pair, field)]

    def known_before(self, number: int, field: Field) -> int:
        """Return the usual stage, but the test waits for all comparisons."""
        stages = self._stages(field)
        return max(number - self.lag + 1, stages if number >= stages else 0)

    def default_rounds(self, entrants: int) -> int:
        """Return the number of comparisons, of two matches or, with other entrants, of four."""
        return 2000

    def expected(self, field: Field, results: Collection[EncounterResult]) -> float | None:
        """Return the encounters of all comparisons, and those that the test may take."""
        planned = field.rounds * (1 if field.entrants == 1 else 2)
        return planned + self._test(field).expected(self._tested(field, results))

    def tuned(self, field: Field, results: Collection[EncounterResult]) -> Point:
        """Return the best known values; those of the start before the first comparison."""
        played = self._played(field, results)
        (found,) = self.best(field, played, [len(played)])
        return found

    def verdict(
        self, field: Field, results: Collection[EncounterResult], names: Sequence[str]
    ) -> str:
        """Tell the tuned values, and whether they have gained."""
        found = self.tuning(field, results, names)
        return found.says(names[0]) if found else ""

    def trial(self, field: Field, results: Collection[EncounterResult]) -> SprtProgress | None:
        """Return the state of the test at the end; None before its first result."""
        return self._test(field).trial(self._tested(field, results))

    def tuning(
        self, field: Field, results: Collection[EncounterResult], names: Sequence[str]
    ) -> TuningProgress | None:
        """Return the paths of all parameters, and what the test has shown."""
        played = self._played(field, results)
        if not played:
            return None
        counts = [*range(0, len(played), stride(len(played), PATH_MAX)), len(played)]
        known, errors = list(self.best(field, played, counts)), self.errors(field, played)
        slopes = _slopes(field, played)
        gain, told = Gain.OPEN, ""
        tested = self._tested(field, results)
        if tested or len(played) == field.rounds:
            gain, told = self._conclusion(field, known[-1], tested, names[0])
        return TuningProgress(
            paths=tuple(
                ParameterPath(
                    parameter=parameter,
                    value=known[-1][place],
                    error=errors[place],
                    slope=slopes[place][0],
                    slope_error=slopes[place][1],
                    path=tuple(
                        (count, each[place]) for count, each in zip(counts, known, strict=True)
                    ),
                )
                for place, parameter in enumerate(field.parameters)
            ),
            played=len(played),
            planned=field.rounds,
            verdict=f"{gain}: {told}" if told else "",
            is_gain=gain is Gain.SHOWN,
        )

    def _test(self, field: Field) -> GainTest:
        rule = Sequential(elo0=self.elo0, elo1=self.elo1, alpha=self.alpha, beta=self.beta)
        rounds = field.rounds if self.test_rounds is None else self.test_rounds
        return GainTest(rule, rounds, self.test_error)

    def _stages(self, field: Field) -> int:
        """Return the number of stages before the test."""
        return math.ceil(field.rounds / self.batch)

    def _test_stage(
        self, number: int, field: Field, results: Collection[EncounterResult]
    ) -> list[Encounter]:
        known = before(results, self.known_before(number, field))
        tuned, start = _sides(field, self.tuned(field, known))
        if tuned == start:
            return []
        number_there = number - self._stages(field)
        return [
            Encounter(number, field.rounds + each.opening, (0, 0), (tuned, start))
            for each in self._test(field).stage(number_there, self._tested(field, known))
        ]

    def _tested(self, field: Field, results: Collection[EncounterResult]) -> list[EncounterResult]:
        """Return the results of the test, as those of a tournament of its own."""
        first = self._stages(field)
        found = []
        for each in results:
            stage, opening = each.encounter.stage - first, each.encounter.opening - field.rounds
            if stage >= 0:
                found.append(replace(each, encounter=Encounter(stage, opening, (0, 1))))
        return found

    def _conclusion(
        self, field: Field, point: Point, tested: Sequence[EncounterResult], bot: str
    ) -> tuple[Gain, str]:
        """Return what the test of the tuned `point` has shown so far, and in words why."""
        tuned, start = _sides(field, point)
        if tuned == start:
            return Gain.NONE, "the values are those of the start"
        return self._test(field).conclusion(tested, bot)

    def _played(self, field: Field, results: Collection[EncounterResult]) -> list[Comparison]:
        """Return all comparisons so far."""
        return comparisons(field, before(results, self._stages(field)))


def comparisons(field: Field, results: Iterable[EncounterResult]) -> list[Comparison]:
    """Return the comparisons whose encounters are whole; `results` are in encounter order."""
    found = []
    each_has = 1 if field.entrants == 1 else 2
    for number, group in groupby(results, lambda each: each.encounter.opening):
        met = list(group)
        if len(met) < each_has:
            continue
        first, second = met[0], met[-1]
        found.append(
            Comparison(
                number,
                _point_of(field, first.encounter.options[0]),
                _point_of(field, second.encounter.options[1]),
                first.points[0] - second.points[1],
            )
        )
    return found


def elo_of_gain(field: Field) -> float:
    """Return the Elo that a gain of one point is worth, for small gains."""
    # Two matches between the points move twice as many points as two against another bot.
    return ELO_PER_LOGIT * (1 if field.entrants == 1 else 2)


def _options_of(field: Field, point: Point) -> EntrantOptions:
    return options_at(field.parameters, point)


def _sides(field: Field, point: Point) -> tuple[EntrantOptions, EntrantOptions]:
    """Return the options of a point, and those of the start."""
    return _options_of(field, point), _options_of(field, start_of(field.parameters))


def _point_of(field: Field, options: EntrantOptions) -> Point:
    texts = dict(options)
    return tuple(float(texts[each.name]) for each in field.parameters)


def _encounters(
    stage: int, number: int, pair: tuple[Point, Point], field: Field
) -> list[Encounter]:
    first, second = (_options_of(field, point) for point in pair)
    if field.entrants == 1:
        return [Encounter(stage, number, (0, 0), (first, second))]
    others = field.present[1:]
    other = others[number % len(others)]
    return [
        Encounter(stage, number, (0, other), (first, ())),
        Encounter(stage, number, (other, 0), ((), second)),
    ]


def _slopes(field: Field, played: Sequence[Comparison]) -> list[tuple[float, float]]:
    """Return the Elo of one step up of each parameter and half its 95% interval, by least squares.

    Infinite if there are few comparisons, or they do not separate the effects of parameters.
    """
    import numpy as np  # noqa: PLC0415 (NumPy loads slowly)

    steps = np.array([each.step for each in field.parameters])
    apart = np.array([each.first for each in played]) - np.array([each.second for each in played])
    apart /= steps
    gains = np.array([each.gain for each in played]) * elo_of_gain(field)
    known = np.linalg.pinv(apart.T @ apart)
    slopes = known @ apart.T @ gains
    freedom = len(played) - len(steps)
    variance = float(((gains - apart @ slopes) ** 2).sum()) / max(1, freedom)
    errors = BAR * np.sqrt(np.clip(np.diag(known), 0, None) * variance)
    is_known = freedom >= FREEDOM_MIN and np.linalg.matrix_rank(apart) == len(steps) and variance
    return [
        (float(slope), float(error) if is_known else math.inf)
        for slope, error in zip(slopes, errors, strict=True)
    ]
