"""SPSA: all parameters move at once, each a little towards the side that wins.

Sources: J. C. Spall, Implementation of the Simultaneous Perturbation Algorithm for Stochastic
Optimization (1998); the gains are those of fishtest, whose iterations are pairs of matches. The
result is the mean of the second half of the path: B. T. Polyak and A. B. Juditsky, Acceleration of
Stochastic Approximation by Averaging (1992).
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from games.support.options import option
from league.formats.format import Field
from league.formats.tuning import Comparison, Point, Tuning
from league.match.seeds import seed_of
from league.model.tuned_parameter import start_of
from league.ratings.elo_difference import BAR

LUCK = 1.0
"""The usual rate is this divided by the square root of the number of comparisons.

Then luck moves a value by about two steps, however many comparisons there are: see `python -m
benchmarks.tuning`.
"""


@dataclass(frozen=True, kw_only=True)
class Spsa(Tuning):
    """Compares values above and below the current ones, by a step to a side that is drawn."""

    name = "spsa"
    title = "SPSA"
    help = "tune a bot's parameters: all move a little towards the side that wins"

    gain_alpha: float = option(0.602, help="how fast the rate falls", low=0, high=1)
    gain_gamma: float = option(0.101, help="how fast the steps shrink", low=0, high=1)
    gain_delay: float = option(
        0.1, help="comparisons before the rate falls, as a share of all", low=0, high=1
    )
    option_words: ClassVar[Mapping[str, str]] = {
        **Tuning.option_words,
        **dict.fromkeys(("gain_alpha", "gain_gamma", "gain_delay"), ""),
    }

    def pairs(
        self, numbers: range, field: Field, played: Sequence[Comparison]
    ) -> list[tuple[Point, Point]]:
        """Return the values above and below the current ones."""
        *_, now = self._walk(field, played)
        return [self._pair(number, field, now) for number in numbers]

    def best(
        self, field: Field, played: Sequence[Comparison], counts: Sequence[int]
    ) -> Iterator[Point]:
        """Yield the mean of the second half of the path so far."""
        sums = [tuple(0.0 for _ in field.parameters)]
        for point in self._walk(field, played):
            sums.append(tuple(total + value for total, value in zip(sums[-1], point, strict=True)))
        for count in counts:
            begin = count // 2
            yield tuple(
                (last - first) / (count + 1 - begin)
                for first, last in zip(sums[begin], sums[count + 1], strict=True)
            )

    def errors(self, field: Field, played: Sequence[Comparison]) -> Point:
        """Return what luck would move the values by if nothing brought them back.

        That is too much for a parameter that has come to rest.
        """
        count = len(played)
        if not any(each.gain for each in played):
            return (math.inf,) * len(field.parameters)
        spread = math.sqrt(sum(each.gain**2 for each in played) / max(1, count))
        # A comparison moves the part of the averaged path that comes after it.
        half = count + 1 - count // 2
        parts = [min(1.0, (count - number) / half) for number in range(count)]
        found = []
        for each in field.parameters:
            moves = (
                part * self.move(number, field, each.rate) for number, part in enumerate(parts)
            )
            found.append(BAR * spread * math.hypot(*moves) * each.step)
        return tuple(found)

    def _walk(self, field: Field, played: Sequence[Comparison]) -> Iterator[Point]:
        """Yield the start, then the values after each comparison."""
        point = start_of(field.parameters)
        yield point
        for comparison in played:
            number, gain = comparison.number, comparison.gain
            if gain:
                sides = _sides(field.seed, number, len(field.parameters))
                point = tuple(
                    each.within(
                        value + self.move(number, field, each.rate) * gain * side * each.step
                    )
                    for each, value, side in zip(field.parameters, point, sides, strict=True)
                )
            yield point

    def move(self, number: int, field: Field, rate: float | None) -> float:
        """Return what a point of gain moves a value by, in steps: the rate times the width."""
        total, delay = field.rounds, self.gain_delay * field.rounds
        if rate is None:
            rate = LUCK / math.sqrt(total)
        falls = math.pow((delay + total) / (delay + number + 1), self.gain_alpha)
        return rate * falls / self.width(number, total)

    def width(self, number: int, total: int) -> float:
        """Return how far apart from the current values a comparison looks, in steps."""
        return math.pow(total / (number + 1), self.gain_gamma)

    def _pair(self, number: int, field: Field, now: Point) -> tuple[Point, Point]:
        width = self.width(number, field.rounds)
        source = random.Random(seed_of(field.seed, "spsa round", number))
        tried: list[Point] = []
        sides = _sides(field.seed, number, len(field.parameters))
        for sign in (1, -1):
            values = []
            for each, value, side in zip(field.parameters, now, sides, strict=True):
                wanted = each.within(value + sign * side * width * each.step)
                # Rounded up or down by chance, else small changes of whole numbers would be lost.
                whole = math.floor(wanted + source.random())
                values.append(each.within(float(whole)) if each.is_whole else wanted)
            tried.append(tuple(values))
        return tried[0], tried[1]


@lru_cache(1 << 16)
def _sides(seed: int, number: int, count: int) -> tuple[int, ...]:
    """Return the direction, 1 or -1, in which the first point of a comparison lies."""
    source = random.Random(seed_of(seed, "spsa", number))
    return tuple(source.choice((1, -1)) for _ in range(count))


FORMAT = Spsa
