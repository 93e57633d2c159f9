"""A tuning's parameters as a table."""

import math

from league.formats.format import ParameterPath, TuningProgress
from league.render.text.table import Block, Table


def tuning_blocks(found: TuningProgress, title: str) -> list[Block]:
    """Return a table of the parameters: where they are, and what a step was worth."""
    head = ("parameter", "start", "tuned", "±95%", "from", "to", "Elo a step up", "±95% ")
    rows = [
        (
            each.parameter.name,
            f"{each.parameter.start:g}",
            each.parameter.text(each.value),
            f"{each.error:.3g}",
            f"{each.parameter.low:g}",
            f"{each.parameter.high:g}",
            f"{each.slope:+.1f}",
            "–" if math.isinf(each.slope_error) else f"{each.slope_error:.1f}",
        )
        for each in found.paths
    ]
    return [Table(head, rows, right=head[1:], title=title)]


def moved_by_luck(each: ParameterPath) -> bool:
    """Whether luck alone explains how far a parameter has moved."""
    return abs(each.value - each.parameter.start) <= each.error
