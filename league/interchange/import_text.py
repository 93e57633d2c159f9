"""The result of an import, as text and as a document."""

from league.interchange.import_pgn import Imported
from league.render.text.table import Block

NAMES_TOLD = 10


def import_blocks(found: Imported) -> list[Block]:
    """Return what was added from a file."""
    if found.is_known:
        return [f"{found.file} is tournament {found.tournament} already: nothing to add"]
    blocks: list[Block] = [
        f"tournament {found.tournament}: {found.added:,} matches from {found.file}",
    ]
    if found.new:
        blocks.append(f"new bots with results only: {_listed(found.new)}")
    if found.known:
        blocks.append(f"counted for bots of the league: {_listed(found.known)}")
    return blocks


def import_notes(found: Imported) -> list[str]:
    """Say what was left out, and why."""
    if found.is_known:
        return []
    kinds = ", ".join(f"{count:,} {kind}" for kind, count in found.left_out.most_common())
    left_out = [f"left out: {kinds}"] if kinds else []
    warnings = [f"warning: {each}" for each in found.conflicts]
    return [*warnings, *found.reasons, *left_out]


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - NAMES_TOLD} more" if len(names) > NAMES_TOLD else ""
    return ", ".join(names[:NAMES_TOLD]) + more
