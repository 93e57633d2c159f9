"""The line at the top of a tournament's page: who won or leads, how a test or a challenger did."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from games.support.counts import counted
from league.analysis.crosstable import Cell
from league.analysis.standing_rows import Standing
from league.analysis.standings import Standings
from league.formats.format import Format
from league.formats.gauntlet import Gauntlet
from league.formats.specs import make_format
from league.model.number_format import half_points, true_minus
from league.model.records import TournamentConfig
from league.ratings.sprt import SprtState

NAMED_MAX = 3
"""Maximum number of bots that a headline names; it counts the others."""


@dataclass(frozen=True, slots=True)
class Opponent:
    """The score of a gauntlet's challenger against one of the others."""

    challenger: Standing
    other: Standing
    cell: Cell


def headline(says: str) -> str:
    """Write what a format concludes as people do, without the figures of a test.

    >>> headline("deep wins with 14.5 points")
    'deep wins with 14½ points'
    """
    # The values of a tuning have a table of their own.
    says = re.sub(r"(?<= comparisons): .*|; [^;]* comparisons$", "", says)
    short = true_minus(says.partition(": LLR ")[0])
    return re.sub(r"\b\d+\.5\b(?= points?\b)", lambda found: half_points(float(found[0])), short)


def outcome_told(
    table: Standings, rows: Sequence[Standing], met: Sequence[Opponent], *, is_over: bool
) -> str:
    """Say how a tournament stands: as its format says, by its challengers, or who is first.

    `rows` are the bots with a match, and `met` the opponents of challengers.
    """
    return headline(table.says) or challenge_told(met) or lead_told(table, rows, is_over=is_over)


def ranked(table: Standings) -> list[Standing]:
    """Return the bots with a match."""
    return [row for row in table.rows if row.rank]


def format_of(config: TournamentConfig) -> Format:
    """Return the format of a tournament; of imported matches a plain one that plans nothing."""
    return Format() if config.is_imported else make_format(config.format)


def challengers_of(config: TournamentConfig) -> frozenset[int]:
    """Return the versions that run a gauntlet."""
    found = format_of(config)
    return frozenset(config.entrants[: found.challengers if isinstance(found, Gauntlet) else 0])


def lead_told(table: Standings, rows: Sequence[Standing], *, is_over: bool) -> str:
    """Say who is first by points or by rating; '' for nobody."""
    if not rows:
        return ""
    first = rows[0]
    if table.has_points and first.total is not None:
        return _points_told(table, rows, is_over=is_over)
    leaders = [row.bot for row in rows if (row.pool, row.shown_rank) == (first.pool, 1)]
    around = f" ±{first.error:.0f}" if first.error is not None else ""
    told = f"first with {first.rating:.0f}{around}"
    return f"{named(leaders)} are {told} each" if len(leaders) > 1 else f"{first.bot} is {told}"


def near_told(table: Standings, rows: Sequence[Standing], met: Sequence[Opponent]) -> str:
    """Name the bots that are not separated from the first; '' where ratings decide nothing.

    It is a line below `outcome_told`.
    """
    if not rows or table.says or met or (table.has_points and rows[0].total is not None):
        return ""
    same = {rank for pool, ranks in table.overlaps if pool == 1 and 1 in ranks for rank in ranks}
    near = [row.bot for row in rows if row.pool == 1 and row.rank in same and row.shown_rank > 1]
    return f"Not statistically separated from {named(near)}" if near else ""


def challenge_told(opponents: Sequence[Opponent]) -> str:
    """Say what each challenger scored.

    As in `deep scored 4½ of 12 against 3 opponents (37.5%, −89 Elo)`.
    """
    told = []
    for challenger in dict.fromkeys(each.challenger.bot for each in opponents):
        own = [each.cell for each in opponents if each.challenger.bot == challenger]
        points, matches = sum(each.points for each in own), sum(each.matches for each in own)
        share = points / matches
        elo = f", {_elo(share)} Elo" if 0 < share < 1 else ""
        met = counted(len(own), "opponent")
        scored = f"{half_points(points)} of {matches}"
        told.append(f"{challenger} scored {scored} against {met} ({share:.1%}{elo})")
    more = f"; and {len(told) - NAMED_MAX} more" if len(told) > NAMED_MAX else ""
    return "; ".join(told[:NAMED_MAX]) + more


def opponents_of(
    rows: Sequence[Standing],
    cells: Mapping[tuple[int, int], Cell],
    challengers: frozenset[int],
) -> list[Opponent]:
    """List whom the challengers met, each with the hardest first."""
    found = [
        Opponent(row, other, cells[row.version, other.version])
        for row in rows
        if row.version in challengers
        for other in rows
        if (row.version, other.version) in cells
    ]
    place = [row.version for row in rows]
    return sorted(
        found,
        key=lambda each: (
            place.index(each.challenger.version),
            each.cell.points / each.cell.matches,
        ),
    )


def trial_told(
    bot: str, state: SprtState, conclusion: str, matches: float, *, is_over: bool
) -> str:
    """Say how the sequential test of a bot stands."""
    if state is not SprtState.UNDECIDED:
        verb = "passes" if state is SprtState.ACCEPTED else "fails"
        return true_minus(f"{bot} {verb}: {conclusion}")
    return f"{'Inconclusive' if is_over else 'Undecided'} after {matches:,g} matches"


def named(bots: Sequence[str], most: int = NAMED_MAX) -> str:
    """List bots, at most so many by name: `deep, ab2 and 3 more`."""
    shown = list(bots[:most])
    if len(bots) > most:
        shown.append(f"{len(bots) - most} more")
    return " and ".join([", ".join(shown[:-1]), shown[-1]]) if len(shown) > 1 else shown[0]


def _points_told(table: Standings, rows: Sequence[Standing], *, is_over: bool) -> str:
    leaders = [row for row in rows if row.rank == 1]
    first, points = leaders[0], half_points(round(leaders[0].total or 0.0, 2))
    unit = "point" if points in ("½", "1") else "points"
    if len(leaders) > 1:
        verb = "tie for first" if is_over else "lead"
        return f"{named([row.bot for row in leaders])} {verb} with {points} {unit} each"
    verb = "wins" if is_over else "leads"
    told = f"{first.bot} {verb} with {points} {unit}"
    order = table.outlook.table
    if order is None or order.decided is None or len(rows) < 2:
        return told
    return f"{told}, ahead of {rows[1].bot} by {order.decided.words}"


def _elo(share: float) -> str:
    return true_minus(f"{round(-400 * math.log10(1 / share - 1)):+d}")
