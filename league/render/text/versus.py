"""The score of one bot against another, as text."""

from league.analysis.encounters import end_of
from league.analysis.sentences import elo_told, interval_of, nelo_told
from league.analysis.versus import Versus
from league.ratings.head_to_head import KINDS
from league.render.text.score_parts import openings_blocks, parts_table, where
from league.render.text.table import Block, Table

LATEST = 5
"""Number of shown newest matches."""


def versus_blocks(found: Versus, tournament: int | None, is_all_versions: bool) -> list[Block]:
    """Return the result in lines, then tables by seat, ending and opening, and newest matches."""
    blocks: list[Block] = [
        f"{found.one} – {found.other}, {where(found.game, tournament)}",
        *_summary(found),
        "",
        parts_table("seat", found.seats),
        parts_table("end", found.ends),
        *openings_blocks("opening", found.openings),
    ]
    if is_all_versions and len(found.versions) > 1:
        blocks.append(parts_table("versions", found.versions))
    return [*blocks, _newest(found)]


def _summary(found: Versus) -> list[str]:
    whole, strength = found.whole, found.whole.difference
    lines = [
        f"  matches     {whole.matches:,}: {whole.wins:,} won, {whole.draws:,} drawn "
        f"({whole.draw_rate:.1%}), {whole.losses:,} lost",
        f"  score       {whole.score:.1%}, 95% interval {interval_of(whole)}",
    ]
    if strength is not None:
        lines.append(f"  Elo         {elo_told(whole)}")
        lines.append(f"  nElo        {nelo_told(whole)}")
        lines.append(f"  LOS         {strength.los:.1%}")
    if whole.kinds:
        counts = ", ".join(f"{kind} {whole.kinds[kind]}" for kind in KINDS)
        lines.append(f"  encounters  {whole.kinds.total():,}: {counts}")
    if whole.left_out:
        lines.append(f"  left out    {whole.left_out:,} matches of encounters that are not whole")
    return lines


def _newest(found: Versus) -> Table:
    return Table(
        ("newest", "bots", "score", "plies", "end"),
        [
            (
                row.id,
                " – ".join(str(found.labels[version]) for version in row.versions),
                " – ".join(f"{score:g}" for score in row.scores),
                row.plies,
                end_of(row, found.labels),
            )
            for row in found.newest[:LATEST]
        ],
        right=("newest", "plies"),
    )
