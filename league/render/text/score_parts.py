"""The score in each part of the matches, as tables."""

from collections.abc import Sequence

from games.support.printable import cut
from league.analysis.sentences import interval_of
from league.ratings.head_to_head import ScoreShare
from league.render.text.table import Block, Table

OPENINGS = 10

PART_MAX = 27
"""A longer name of a part of the matches is cut, so that its line keeps within 80 columns."""


def where(game: str, tournament: int | None) -> str:
    """Name the matches of a game, or of a tournament."""
    return game if tournament is None else f"{game}, tournament {tournament}"


def parts_table(head: str, parts: Sequence[ScoreShare]) -> Table:
    """Tabulate what was scored in each part of the matches."""
    return Table(
        (head, "matches", "won", "drawn", "lost", "score", "95%"),
        [
            (
                cut(part.name, PART_MAX),
                part.head_to_head.matches,
                part.head_to_head.wins,
                part.head_to_head.draws,
                part.head_to_head.losses,
                f"{part.head_to_head.score:.1%}",
                interval_of(part.head_to_head),
            )
            for part in parts
        ],
        right=("matches", "won", "drawn", "lost", "score", "95%"),
    )


def openings_blocks(head: str, openings: Sequence[ScoreShare]) -> list[Block]:
    """Tabulate the least even openings; `openings` come in that order."""
    table = parts_table(head, openings[:OPENINGS])
    if len(openings) <= OPENINGS:
        return [table]
    return [table, f"  the least even {OPENINGS} of {len(openings):,} openings\n"]
