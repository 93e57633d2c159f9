"""Results for tournaments without matches: drawn, or as the tournament's list says."""

import random
from collections.abc import Iterable

from benchmarks.simulation import Luck, play_out
from league.formats.format import Encounter, EncounterResult
from league.match.seeds import seed_of

__all__ = ["Luck", "favourites", "luck", "of_stage", "play_out"]


def luck(seed: int) -> Luck:
    """Return random results, the same for an encounter whenever it is played."""

    def scores(encounter: Encounter, rotation: int) -> tuple[float, ...]:
        path = (encounter.stage, encounter.opening, *encounter.entrants, rotation)
        source = random.Random(seed_of(seed, *path))
        others = len(encounter.entrants) - 1
        if others == 1:
            first = source.choice((0.0, 0.5, 1.0))
            return first, 1 - first
        return tuple(place / others for place in source.sample(range(others + 1), others + 1))

    return scores


def favourites(encounter: Encounter, rotation: int) -> tuple[float, ...]:
    """Let the one that stands first in the tournament's list win, and so on."""
    ranked = sorted(encounter.entrants, reverse=True)
    return tuple(ranked.index(each) / (len(ranked) - 1) for each in encounter.entrants)


def of_stage(results: Iterable[EncounterResult], stage: int) -> list[Encounter]:
    """Return the encounters of a stage."""
    return [result.encounter for result in results if result.encounter.stage == stage]
