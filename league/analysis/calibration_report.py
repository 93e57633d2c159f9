"""Calibration: the fitted ratings of a league or a tournament compared with its results."""

from dataclasses import asdict, dataclass

from league.analysis.json_numbers import finite
from league.analysis.rating_history import versions_and_results
from league.ratings.fit import fit
from league.ratings.goodness_of_fit import (
    Bin,
    Calibration,
    CalibrationTest,
    CalibrationVerdict,
    Misfit,
    calibrate,
)
from league.store.store import Store

MISFITS = 5
"""How many of the worst-fitting pairs are reported."""


@dataclass(frozen=True, slots=True)
class PoolCalibration:
    """The calibration of a pool; `bots` are names by position."""

    game: str
    bots: tuple[str, ...]
    found: Calibration

    def as_json(self) -> dict[str, object]:
        """Return it as `league calibration --json` prints it."""
        return {
            "game": self.game,
            "bots": len(self.bots),
            "verdict": str(self.found.verdict),
            "by_difference": _test(self.found.by_difference),
            "by_pairs": _test(self.found.by_pairs),
            "bins": [_bin(each) for each in self.found.bins],
            "pairs": [self._pair(each) for each in self.found.pairs],
        }

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

    def _pair(self, pair: Misfit) -> dict[str, object]:
        return {
            "bot": self.bots[pair.one],
            "against": self.bots[pair.other],
            "matches": finite(pair.matches),
            "expected": finite(pair.expected, 4),
            "actual": finite(pair.actual, 4),
            "sigmas": finite(pair.sigmas, 2),
            "is_tested": pair.is_tested,
        }


def calibration(store: Store, game: str, tournament: int | None = None) -> PoolCalibration:
    """Fit ratings to the results of a game or a tournament, and test the fit."""
    columns = store.total_columns(game=game, tournament=tournament)
    versions, results = versions_and_results(game, [columns])
    labels, totals = store.labels(versions), results.pair_totals()
    return PoolCalibration(
        game,
        tuple(str(labels[version]) for version in versions),
        calibrate(totals, fit(len(versions), totals)),
    )


def _bin(each: Bin) -> dict[str, object]:
    shares = ("expected", "actual", "actual_low", "actual_high")
    return {
        **asdict(each),
        "high": finite(each.high),
        "elo": finite(each.elo),
        "matches": finite(each.matches),
        **{name: finite(getattr(each, name), 4) for name in shares},
    }


def _test(test: CalibrationTest | None) -> dict[str, object] | None:
    if test is None:
        return None
    return {
        "chi_square": finite(test.chi_square),
        "freedom": test.freedom,
        "chance": finite(test.chance, 4),
        "is_failed": test.is_failed,
    }


def _told(name: str, test: CalibrationTest | None) -> str:
    if test is None:
        return f"{name}: too few matches"
    figures = f"chi-square {test.chi_square:.1f}, by chance {test.freedom}, p {test.chance:.3f}"
    return f"{name}: {'does not fit' if test.is_failed else 'fits'} ({figures})"
