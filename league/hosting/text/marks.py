"""The marks of a season as tables."""

from collections.abc import Sequence

from league.hosting.model.season import Mark
from league.render.text.table import Block, Table


def marks_blocks(marks: Sequence[Mark]) -> list[Block]:
    """Return a row for each team, then the reason of each credit of those with a bot."""
    if not marks:
        return ["no team yet: 'league people add' adds people with their teams"]
    rows = [
        (
            _name(each),
            each.version or "–",
            "–" if each.rank is None else str(each.rank),
            f"{each.points:g}",
            each.note,
        )
        for each in marks
    ]
    reasons = [
        (each.team, credit.rule, f"{credit.points:g}", credit.reason)
        for each in marks
        for credit in each.credits
        if each.version
    ]
    found: list[Block] = [Table(("team", "version", "place", "points", "note"), rows)]
    if reasons:
        found.append(Table(("team", "rule", "points", "because"), reasons))
    return found


def _name(mark: Mark) -> str:
    """Return the name of a team, or the login of somebody without one."""
    return mark.team or ", ".join(each.login for each in mark.members)
