"""Inference about the drift of a random walk that stopped at one of two bounds.

A walk that stops when it is far from its start overstates its drift. The outcomes of the test are
therefore ordered: an acceptance counts for more drift than a walk that is still between the bounds,
and that for more than a rejection; an early acceptance counts for more than a late one, an early
rejection for less. A drift is in the interval if neither a higher nor a lower outcome than the
observed one was improbable under it, and the drift that makes both equally likely is the
median-unbiased estimate. Source: D. Siegmund, Estimation following sequential tests (1978).
"""

import math
from dataclasses import dataclass

_NEGLIGIBLE = 1e-13
_LONG = 100.0
"""In units of the squared distance of the bounds, a walk that lasts so long has stopped."""


@dataclass(frozen=True, slots=True)
class StoppedWalk:
    """A Brownian motion from 0 with variance 1 a unit of time, and what was seen of it.

    It stops at `lower` (below 0) or `upper` (above 0). After `time` it was at `end`, one of the two
    if it had stopped.
    """

    lower: float
    upper: float
    time: float
    end: float

    def chance_of_more(self, drift: float) -> float:
        """Return the probability of this outcome or a higher one, which grows with the drift."""
        if self.end <= self.lower:
            return 1 - _chance_of_passing(-drift, -self.lower, self.upper, self.time)
        passed = _chance_of_passing(drift, self.upper, -self.lower, self.time)
        return passed if self.end >= self.upper else passed + self._chance_of_staying(drift)

    def _chance_of_staying(self, drift: float) -> float:
        """Return the probability of being above `end` at the end, having touched no bound.

        By the method of images; each image is a normal distribution.
        """
        width, spread = self.upper - self.lower, math.sqrt(self.time)
        total, number, added = 0.0, 0, math.inf
        while number <= 1 + spread / width or abs(added) > _NEGLIGIBLE:
            added = 0.0
            for shift in {number * width, -number * width}:
                for image, sign in ((2 * shift, 1), (2 * (self.upper + shift), -1)):
                    mean = image + drift * self.time
                    low, high = (self.end - mean) / spread, (self.upper - mean) / spread
                    added += sign * _weighted(drift * image, low, high)
            total += added
            number += 1
        return min(1.0, max(0.0, total))


def _chance_of_passing(drift: float, near: float, other: float, time: float) -> float:
    """Return the probability of reaching `near` by `time` without reaching `-other` before."""
    width = near + other
    time = min(time, _LONG * width**2)
    spread, speed = math.sqrt(time), abs(drift)
    total, number, added = 0.0, 0, math.inf
    while abs(added) > _NEGLIGIBLE:
        added = 0.0
        for place in {near + 2 * number * width, near - 2 * number * width}:
            way = abs(place)
            added += math.copysign(1, place) * (
                _weighted(drift * near - speed * way, -math.inf, speed * spread - way / spread)
                + _weighted(drift * near + speed * way, -math.inf, -speed * spread - way / spread)
            )
        total += added
        number += 1
    return min(1.0, max(0.0, total))


def _weighted(exponent: float, low: float, high: float) -> float:
    """Return e to the `exponent` times the normal probability of the interval."""
    if low > 0:
        low, high = -high, -low
    chance = (math.erfc(-high / math.sqrt(2)) - math.erfc(-low / math.sqrt(2))) / 2
    return math.exp(min(exponent, 700.0)) * chance if chance else 0.0
