"""The rounds of a format that pairs by results: their ties, and each bot's scores."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from league.analysis.standing_rows import Standing
from league.formats.format import BracketTie

ROUNDS_MAX = 12
"""A table has no room for the columns of more rounds."""

ROUNDS_SHOWN = 4
"""Number of the newest rounds that a terminal shows, and that a page with many does not fold."""

TIES_SHOWN = 200
"""Maximum number of ties that a terminal shows in all rounds together."""


@dataclass(frozen=True, slots=True)
class RoundScore:
    """A bot's points in a pairing, None before its first match, and its opponents' rows."""

    tie: BracketTie
    points: float | None
    opponents: tuple[Standing, ...]
    kind: str = ""


RoundScores = Mapping[tuple[int, int], RoundScore]
"""Scores by version and round; a bot without a pairing in a round has none."""


def rounds_of(
    ties: Sequence[BracketTie], *, is_cut: bool = True
) -> list[tuple[int, list[BracketTie]]]:
    """Return rounds with their ties; if `is_cut`, the newest alone, and of a bracket all."""
    rounds = [(number, list(each)) for number, each in groupby(ties, lambda tie: tie.round)]
    if not is_cut:
        return rounds
    if len(ties) > TIES_SHOWN:
        rounds = rounds[-1:]
    elif not any(tie.through for tie in ties):
        rounds = rounds[-ROUNDS_SHOWN:]
    return [(number, each[:TIES_SHOWN]) for number, each in rounds]


def round_scores(
    ties: Sequence[BracketTie], entrants: Sequence[int], rows: Sequence[Standing]
) -> RoundScores:
    """Return the scores of each version by round; nothing if they have no room in a row.

    `entrants` are the versions by position.
    """
    if not ties or ties[-1].round >= ROUNDS_MAX:
        return {}
    standing = {row.version: row for row in rows}
    found = {}
    for tie in ties:
        for place, entrant in enumerate(tie.entrants):
            others = [entrants[each] for each in tie.entrants if each != entrant]
            met = tuple(standing[each] for each in others if each in standing)
            points = tie.points[place] if tie.points else None
            key = entrants[entrant], tie.round
            if key in found:
                # A bot that meets several in a round has no single score there.
                return {}
            found[key] = RoundScore(tie, points, met, _kind(tie, place))
    return found


def _kind(tie: BracketTie, place: int) -> str:
    """Return the colour of a score: `won` for the most points alone, `lost` for fewer."""
    if not tie.points:
        return ""
    best = max(tie.points)
    if tie.points[place] < best:
        return "lost"
    return "won" if tie.points.count(best) == 1 else "drawn"
