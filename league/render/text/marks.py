"""The marks of a season as tables."""

from collections.abc import Sequence

from league.model.season import Mark
from league.render.text.table import Block, Table


def marks_blocks(marks: Sequence[Mark]) -> list[Block]:
    """Return a row for each team, then the reason of each credit."""
    if not marks:
        return ["no team has a bot yet: there is nothing to mark"]
    rows = [
        (each.team, each.version, "–" if each.rank is None else str(each.rank), f"{each.points:g}")
        for each in marks
    ]
    reasons = [
        (each.team, credit.rule, f"{credit.points:g}", credit.reason)
        for each in marks
        for credit in each.credits
    ]
    found: list[Block] = [Table(("team", "version", "place", "points"), rows)]
    if reasons:
        found.append(Table(("team", "rule", "points", "because"), reasons))
    return found
