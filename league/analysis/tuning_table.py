"""A tuning's parameters as a table, for every medium."""

import math
from collections.abc import Sequence

from league.formats.format import TuningProgress

TUNING_HEAD = ("parameter", "start", "tuned", "±95%", "from", "to", "Elo a step up", "± 95%")
"""The heads of the columns; all but the first are of numbers."""


def tuning_rows(found: TuningProgress) -> list[Sequence[str]]:
    """Return the row of each parameter: where it is, and what a step was worth."""
    return [
        (
            each.parameter.name,
            f"{each.parameter.start:g}",
            each.parameter.text(each.value),
            _bar(each.error, ".3g"),
            f"{each.parameter.low:g}",
            f"{each.parameter.high:g}",
            "–" if math.isinf(each.slope_error) else f"{each.slope:+.1f}",
            _bar(each.slope_error, ".1f"),
        )
        for each in found.paths
    ]


def _bar(error: float, form: str) -> str:
    return "–" if math.isinf(error) else f"{error:{form}}"
