"""Glicko-2: ratings with a deviation and a volatility, updated period by period.

Source: M. Glickman, Example of the Glicko-2 system (2012, revised 2022); the steps named below are
those of the paper, and the tests use its worked example.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from games.support.options import option
from league.ratings.elo_difference import BAR
from league.ratings.rating_system import Live, MatchSystem, SystemRatings, floats, opponents, share

SCALE = 173.7178
"""Displayed points per unit of the system's internal scale."""

CENTRE = 1500.0
TOLERANCE = 1e-6
"""The precision of the volatility."""


@dataclass(frozen=True, kw_only=True)
class Glicko2(MatchSystem):
    """Glicko-2; a match of more than two seats is its pairs, weighted to count once in all."""

    name = "glicko2"
    title = "Glicko-2"
    help = "ratings with deviations that grow while a bot does not play"

    rating: float = option(CENTRE, help="where bots begin")
    deviation: float = option(350.0, help="how uncertain that is", low=1.0)
    volatility: float = option(0.06, help="how unsteady a bot is taken to be", low=1e-6, high=1.0)
    tau: float = option(0.5, help="how far volatility may change", low=0.01, high=2.0)
    period: int = option(10, help="matches of each bot, on average, in a rating period", low=1)

    def live(self, sides: tuple[int, ...], state: Any) -> "Periods":
        """Start with no bots, or in the middle of the period of `state`."""
        known = state or {"bots": {}, "period": []}
        return Periods(
            self,
            sides,
            {int(bot): Skill(*three) for bot, three in known["bots"].items()},
            [(tuple(bots), tuple(scores)) for bots, scores in known["period"]],
            {bot for bots, _ in known["period"] for bot in bots},
        )


@dataclass(frozen=True, slots=True)
class Skill:
    """Rating and deviation on the internal scale, and volatility (step 2)."""

    mu: float
    phi: float
    sigma: float


@dataclass(slots=True)
class Periods(Live):
    """The bots at the start of a period, and its matches so far."""

    system: Glicko2
    sides: tuple[int, ...]
    skills: dict[int, Skill]
    matches: list[tuple[tuple[int, ...], tuple[float, ...]]]
    met: set[int]

    def take(self, bots: Sequence[int], scores: Sequence[float]) -> None:
        """Add a match to the period, and end the period when it is full."""
        self.matches.append((tuple(bots), tuple(scores)))
        self.met.update(bots)
        if len(self.matches) * len(bots) >= self.system.period * len(self.met):
            self.skills = self._at_the_end()
            self.matches = []
            self.met = set()

    def rated(self, bots: Sequence[int]) -> SystemRatings:
        """Return the ratings as if the period ended now."""
        skills = self._at_the_end() if self.matches else self.skills
        found = [skills.get(bot, self._new()) for bot in bots]
        return SystemRatings(
            floats([SCALE * each.mu + CENTRE for each in found]),
            floats([BAR * SCALE * each.phi for each in found]),
        )

    def state(self) -> Any:
        """Return the bots at the start of the period, and its matches."""
        return {
            "bots": {
                str(bot): [each.mu, each.phi, each.sigma] for bot, each in self.skills.items()
            },
            "period": [[list(bots), list(scores)] for bots, scores in self.matches],
        }

    def _new(self) -> Skill:
        system = self.system
        return Skill((system.rating - CENTRE) / SCALE, system.deviation / SCALE, system.volatility)

    def _at_the_end(self) -> dict[int, Skill]:
        before = dict(self.skills)
        games: dict[int, list[tuple[Skill, float, float]]] = {bot: [] for bot in before}
        for bots, _ in self.matches:
            for bot in bots:
                before.setdefault(bot, self._new())
        for bots, scores in self.matches:
            for seat, against in enumerate(opponents(len(bots), self.sides)):
                games.setdefault(bots[seat], []).extend(
                    (before[bots[other]], share(scores[seat], scores[other]), 1 / len(against))
                    for other in against
                )
        return {bot: _moved(before[bot], played, self.system.tau) for bot, played in games.items()}


def _moved(skill: Skill, played: Sequence[tuple[Skill, float, float]], tau: float) -> Skill:
    """Return a bot's skill after a period; `played` are opponents, scores and weights."""
    information = gain = 0.0
    for other, score, weight in played:
        flat = 1 / math.sqrt(1 + 3 * other.phi**2 / math.pi**2)
        expected = 1 / (1 + math.exp(-flat * (skill.mu - other.mu)))
        information += weight * flat**2 * expected * (1 - expected)
        gain += weight * flat * (score - expected)
    if not information:
        # Step 6 for bots that did not play: their deviation grows.
        return Skill(skill.mu, math.hypot(skill.phi, skill.sigma), skill.sigma)
    sigma = _volatility(skill, 1 / information, gain / information, tau)
    spread = math.hypot(skill.phi, sigma)
    phi = 1 / math.sqrt(1 / spread**2 + information)
    return Skill(skill.mu + phi**2 * gain, phi, sigma)


def _volatility(skill: Skill, variance: float, change: float, tau: float) -> float:
    """Return the new volatility (step 5): a root, found by the Illinois algorithm."""
    start = math.log(skill.sigma**2)

    def slope(x: float) -> float:
        grown = skill.phi**2 + variance + math.exp(x)
        return math.exp(x) * (change**2 - grown) / (2 * grown**2) - (x - start) / tau**2

    low = start
    if change**2 > skill.phi**2 + variance:
        high = math.log(change**2 - skill.phi**2 - variance)
    else:
        steps = 1
        while slope(start - steps * tau) < 0:
            steps += 1
        high = start - steps * tau
    at_low, at_high = slope(low), slope(high)
    while abs(high - low) > TOLERANCE:
        middle = low + (low - high) * at_low / (at_high - at_low)
        at_middle = slope(middle)
        if at_middle * at_high <= 0:
            low, at_low = high, at_high
        else:
            at_low /= 2
        high, at_high = middle, at_middle
    return math.exp(low / 2)


SYSTEM = Glicko2
