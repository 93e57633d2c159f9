"""Rules by which ratings end a tournament: they are known well enough, or the best bot is."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from league.formats.format import EncounterResult, Field, columns_of
from league.ratings.best_bot import BestBot, best_bot
from league.ratings.fit import comparisons, fit

FORESEEN = 10
"""No end is foreseen that is so many times further away than the beginning."""


def widest_error(results: Sequence[EncounterResult], field: Field) -> float:
    """Return half the widest 95% interval of a present entrant's rating, in Elo."""
    columns, is_duel = columns_of(results, field), field.seats == 2
    found = fit(
        field.entrants,
        columns.pair_totals(),
        has_advantage=is_duel,
        matches=None if is_duel else columns,
    )
    return max(float(found.error[each]) for each in field.present)


def error_standing(error: float, until_error: float) -> str:
    """Say how well the ratings are known."""
    return f"the largest 95% bar is {_bar(error)} Elo, {_bar(until_error)} asked for"


@dataclass(frozen=True, slots=True)
class BestSearch:
    """The certainty about the best bot after so many matches; it is found with `asked` or more."""

    best: BestBot
    matches: int
    asked: float

    @classmethod
    def of(
        cls, results: Sequence[EncounterResult], field: Field, asked: float
    ) -> "BestSearch | None":
        """Return what results tell of the present entrants; None without results or rivals."""
        if not results or len(field.present) < 2:
            return None
        columns, is_duel = columns_of(results, field), field.seats == 2
        rows = comparisons(
            field.entrants,
            columns.pair_totals(),
            has_advantage=is_duel,
            matches=None if is_duel else columns,
        )
        best = best_bot(rows, field.present)
        return cls(best, len(results) * field.seats, asked)

    @property
    def is_over(self) -> bool:
        """Whether the best bot is known as well as asked for."""
        return self.best.probability >= self.asked

    @property
    def expected(self) -> int | None:
        """Estimate the number of matches until it is; None without a basis."""
        # The evidence against the closest rival grows with the matches.
        share = self.best.evidence / -math.log1p(-self.asked)
        return round(self.matches / share) if share * FORESEEN > 1 else None

    def says(self, names: Sequence[str]) -> str:
        """Return the name of the best bot, or of the two that are not separated."""
        best, rival, asked = names[self.best.bot], names[self.best.rival], _percent(self.asked)
        after = f"after {self.matches:,} matches"
        if self.is_over:
            return f"{best} is the best bot, with {asked} probability, {after}"
        told = f"{asked} asked for"
        if self.best.probability:
            told = f"{best} is the best bot with {_percent(self.best.probability)}, {told}"
        return f"no champion: {best} and {rival} are not separated {after} ({told})"


def _bar(error: float) -> str:
    return f"±{error:.0f}" if math.isfinite(error) else "without bounds"


def _percent(probability: float) -> str:
    """Write a probability, never rounded up."""
    return f"{math.floor(1000 * probability + 1e-9) / 10:g}%"
