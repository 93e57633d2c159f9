"""Bots whose true ratings are known, matches drawn from them, and tournaments of such matches."""

import random
from collections.abc import Callable, Iterable, Sequence

from league.formats.format import Encounter, EncounterResult, Field, Format, before
from league.model.tuned_parameter import EntrantOptions
from league.ratings.elo_difference import expected_score
from league.ratings.result_table import PairTotal, ResultColumns

Luck = Callable[[Encounter, int], tuple[float, ...]]
"""The points of an encounter's entrants in the match of a rotation."""

STAGES_MAX = 100_000


def draw_score(elo: float, draw_rate: float, source: random.Random) -> float:
    """Draw what a bot that is `elo` stronger scores in a match: 1, 0.5 or 0.

    `draw_rate` is the share of draws between equals.
    """
    score = expected_score(elo)
    # More would leave the weaker one less than no wins.
    draws = min(draw_rate * 4 * score * (1 - score), 2 * min(score, 1 - score))
    chance = source.random()
    return 0.5 if chance < draws else 1.0 if chance < draws / 2 + score else 0.0


def draw_order(elo: Sequence[float], source: random.Random) -> tuple[float, ...]:
    """Draw the points by seat, 1 to 0, of a match of several seats with these ratings.

    Who is first, then second and so on, is drawn by strength (R. Plackett, 1975; R. Luce, 1959), so
    that every two seats are in order as a match of those two would end.
    """
    strengths = [10 ** (each / 400) for each in elo]
    left, scores = list(range(len(elo))), [0.0] * len(elo)
    while len(left) > 1:
        (best,) = source.choices(left, [strengths[seat] for seat in left])
        left.remove(best)
        scores[best] = len(left) / (len(elo) - 1)
    return tuple(scores)


def draw_totals(
    elo: Sequence[float],
    pairs: Iterable[tuple[int, int]],
    matches: int,
    *,
    source: random.Random,
    draw_rate: float = 0.3,
    advantage: float = 0.0,
) -> list[PairTotal]:
    """Draw `matches` matches of each of the pairs, the first of it in the first seat."""
    totals = []
    for first, second in pairs:
        counts = {1.0: 0, 0.5: 0, 0.0: 0}
        for _ in range(matches):
            counts[draw_score(elo[first] - elo[second] + advantage, draw_rate, source)] += 1
        totals.append(PairTotal(first, second, counts[1.0], counts[0.5], counts[0.0]))
    return totals


def by_strength(elo: Sequence[float], draw_rate: float, source: random.Random) -> Luck:
    """Return results of two bots by their true ratings, each drawn anew."""

    def scores(encounter: Encounter, rotation: int) -> tuple[float, ...]:
        one, other = encounter.entrants
        score = draw_score(elo[one] - elo[other], draw_rate, source)
        return score, 1 - score

    return scores


def by_values(
    elo: Callable[[Sequence[float]], float], draw_rate: float, source: random.Random
) -> Luck:
    """Return results of a bot against itself, by the Elo of the values of its parameters."""

    def elo_with(options: EntrantOptions) -> float:
        return elo([float(value) for _, value in options])

    def scores(encounter: Encounter, rotation: int) -> tuple[float, ...]:
        first, second = map(elo_with, encounter.options)
        score = draw_score(first - second, draw_rate, source)
        return score, 1 - score

    return scores


def played(encounters: Iterable[Encounter], scores: Luck) -> list[EncounterResult]:
    """Play encounters."""
    return [
        EncounterResult(
            each, tuple(scores(each, rotation) for rotation in range(len(each.entrants)))
        )
        for each in encounters
    ]


def play_out(
    schedule: Format,
    field: Field,
    scores: Luck,
    results: Iterable[EncounterResult] = (),
    begin: int = 0,
) -> list[EncounterResult]:
    """Play a tournament to its end, each stage knowing no more than it may wait for.

    It goes on after `results` with stage `begin`.
    """
    found = list(results)
    for number in range(begin, STAGES_MAX):
        known = [] if schedule.lag is None else before(found, schedule.known_before(number, field))
        stage = schedule.stage(number, field, known)
        if not stage:
            return found
        found += played(stage, scores)
    raise AssertionError(f"{schedule.name} does not end")


def totals_of(results: Iterable[EncounterResult]) -> list[PairTotal]:
    """Add up the matches of two seats of some results."""
    rows = [(*match, 1.0) for result in results for match in result.matches]
    return ResultColumns.of(rows).pair_totals()
