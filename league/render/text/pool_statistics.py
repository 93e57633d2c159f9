"""The statistics of a game's matches, as text."""

from league.analysis.encounters import most_frequent
from league.analysis.pool_statistics import PoolStatistics
from league.analysis.sentences import elo_told, interval_of
from league.render.text.score_parts import openings_blocks, where
from league.render.text.table import Block, Table


def pool_blocks(found: PoolStatistics, tournament: int | None) -> list[Block]:
    """Return lines about the matches, tables of endings and openings, and cycles."""
    place = where(found.game, tournament)
    if not found.matches:
        return [f"{place}: no matches yet"]
    ends = Table(
        ("end", "matches", "share"),
        [
            (end, f"{count:,}", f"{count / found.matches:.1%}")
            for end, count in most_frequent(found.ends)
        ],
        right=("matches", "share"),
    )
    openings = openings_blocks("opening (first seat)", found.openings) if found.openings else []
    cycles = [cycle.sentence() for cycle in found.cycles]
    none = "no cycles: no ring of bots of which each beats the next beyond chance"
    return [place, *_summary(found), "", ends, *openings, *(cycles or [none])]


def _summary(found: PoolStatistics) -> list[str]:
    if found.first.matches:
        seats = (
            f"  first seat  {found.first.score:.1%}, 95% interval {interval_of(found.first)}, "
            f"Elo {elo_told(found.first)}"
        )
    else:
        shares = ", ".join(f"{number} {score:.1%}" for number, score in enumerate(found.seats, 1))
        seats = f"  seats       {shares}"
    mixed = []
    if found.mixed:
        have = "1 encounter has" if found.mixed == 1 else f"{found.mixed:,} encounters have"
        mixed = [f"  warning     {have} matches of different bots: see 'league db verify'"]
    return [
        f"  bots        {len(found.bots)}",
        f"  matches     {found.matches:,}, encounters {found.encounters:,}",
        f"  draws       {found.draw_rate:.1%}",
        seats,
        f"  plies       median {found.median_plies:g}, longest {found.plies_longest} "
        f"(match {found.longest})",
        *mixed,
    ]
