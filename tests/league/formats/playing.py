"""Results for tournaments without matches: drawn, or as the tournament's list says; tables."""

import random
from collections.abc import Iterable, Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING

import pytest

from benchmarks.simulation import Luck, play_out
from league.formats.format import Encounter, EncounterResult, Field
from league.formats.table import PointsTable, Scores, Unplayed, make_table
from league.match.seeds import seed_of
from league.model.tiebreak import Tiebreak
from league.model.tuned_parameter import TunedParameter
from league.ratings.result_table import ResultColumns

if TYPE_CHECKING:
    from _pytest.mark import ParameterSet

__all__ = ["PARAMETERS", "Luck", "able", "favourites", "luck", "of_stage", "play_out", "table"]


PARAMETERS = (
    TunedParameter(name="weight", start=1.0, low=0.0, high=4.0, step=0.25),
    TunedParameter(name="depth", start=3, low=1, high=9, step=1, is_whole=True),
)
"""What formats that tune parameters tune."""


NEEDS = {"bayesian": "sklearn"}
"""Formats and the package that they need."""


def able(specs: Iterable[str]) -> "list[ParameterSet]":
    """Return formats for `parametrize`; those whose package is missing are skipped."""
    found = []
    for spec in specs:
        package = NEEDS.get(spec)
        is_missing = package is not None and find_spec(package) is None
        marks = [pytest.mark.skipif(is_missing, reason=f"needs {package}")] if package else []
        found.append(pytest.param(spec, marks=marks))
    return found


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


def table(
    results: Sequence[EncounterResult],
    field: Field,
    tiebreaks: Sequence[Tiebreak],
    unplayed: Sequence[Unplayed] = (),
) -> PointsTable:
    """Return the table of results by points."""
    rows = [(*match, 1.0) for result in results for match in result.matches]
    stages = 1 + max(result.encounter.stage for result in results)
    scores = Scores(
        entrants=field.entrants,
        results=ResultColumns.of(rows),
        stages=stages,
        unplayed=unplayed,
    )
    return make_table(scores, [list(range(field.entrants))], tiebreaks)
