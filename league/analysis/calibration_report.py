"""Calibration: the fitted ratings of a league or a tournament compared with its results."""

from dataclasses import dataclass

from league.analysis.rating_history import versions_and_results
from league.ratings.fit import fit
from league.ratings.goodness_of_fit import (
    Calibration,
    CalibrationTest,
    CalibrationVerdict,
    Misfit,
    calibrate,
)
from league.store.store import StoreReader

MISFITS = 5
"""Number of reported pairs with the worst fit."""


@dataclass(frozen=True, slots=True)
class PoolCalibration:
    """The calibration of a pool; `bots` are names by position."""

    game: str
    bots: tuple[str, ...]
    found: Calibration

    def sentences(self) -> list[str]:
        """Say in words whether one rating for each bot describes the pool."""
        found = self.found
        said = {
            CalibrationVerdict.HOLDS: (
                "One number for each bot describes this pool, as far as can be seen."
            ),
            CalibrationVerdict.FAILS: "One number for each bot does not describe this pool.",
            CalibrationVerdict.UNKNOWN: (
                "There are too few matches to say whether one number describes it."
            ),
        }[found.verdict]
        return [
            said,
            _told("by difference", found.by_difference),
            _told("pair by pair", found.by_pairs),
        ]

    def misfits(self) -> list[Misfit]:
        """Return the tested pairs farthest from their expected score, the worst first."""
        return [each for each in self.found.pairs if each.is_tested][:MISFITS]


def calibration(store: StoreReader, game: str, tournament: int | None = None) -> PoolCalibration:
    """Fit ratings to the results of a game or a tournament, and test the fit."""
    columns = store.totals.columns(game=game, tournament=tournament)
    versions, results = versions_and_results(game, [columns])
    labels, totals = store.bots.labels(versions), results.pair_totals()
    return PoolCalibration(
        game,
        tuple(str(labels[version]) for version in versions),
        calibrate(totals, fit(len(versions), totals)),
    )


def _told(name: str, test: CalibrationTest | None) -> str:
    if test is None:
        return f"{name}: too few matches"
    figures = f"chi-square {test.chi_square:.1f}, by chance {test.freedom}, p {test.chance:.3f}"
    return f"{name}: {'does not fit' if test.is_failed else 'fits'} ({figures})"
