"""The findings of a verification, as text."""

from collections.abc import Sequence

from games.support.counts import counted
from league.analysis.verify import VerifyFinding
from league.render.text.table import Block

SHOWN = 20
"""Maximum number of listed findings."""


def verify_blocks(matches: int, imported: int, findings: Sequence[VerifyFinding]) -> list[Block]:
    """Return the findings, and how many of the matches were replayed and imported."""
    blocks: list[Block] = []
    for each in findings[:SHOWN]:
        blocks.append(each.text if each.match is None else f"match {each.match}: {each.text}")
    if len(findings) > SHOWN:
        blocks.append(f"… and {len(findings) - SHOWN} more")
    blocks.append(f"{matches} matches replayed, {counted(len(findings), 'finding')}")
    if imported:
        blocks.append(
            f"{imported} of them were imported: it can't be checked who moved, or why a match "
            "ended before the rules ended it"
        )
    return blocks
