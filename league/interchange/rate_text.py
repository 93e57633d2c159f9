"""Ratings of PGN files as text, CSV and a document."""

import csv
from io import StringIO

from league.interchange.exports.csv import cell
from league.interchange.rate_pgn import Rating
from league.render.text.table import Block, Table

HEAD = ("", "name", "elo", "±", "LOS", "score", "draws", "matches")
CSV_HEAD = ("pool", "rank", "name", "elo", "error", "los", "score", "W", "D", "L", "matches")


def rate_blocks(rating: Rating) -> list[Block]:
    """Return a table for each pool, and a line about the matches."""
    tables = [
        Table(
            HEAD,
            [
                (
                    row.rank,
                    row.name,
                    f"{row.elo:.1f}",
                    "–" if row.error is None else f"{row.error:.1f}",
                    "" if row.los is None else f"{row.los:.0%}",
                    f"{row.score:.1%}",
                    f"{row.draws / row.matches:.0%}",
                    row.matches,
                )
                for row in rating.rows
                if row.pool == pool
            ],
            right=[name for name in HEAD if name != "name"],
            title=f"pool {pool} of {rating.pools}" if rating.pools > 1 else "",
        )
        for pool in range(1, rating.pools + 1)
    ]
    return [
        *tables,
        f"{rating.matches:,} matches; first seat {rating.advantage:+.1f} ± "
        f"{rating.advantage_error:.1f} Elo; {rating.draw_rate:.1%} draws between equals",
    ]


def rate_csv(rating: Rating) -> str:
    """Return the rows as CSV with a head."""
    out = StringIO()
    writer = csv.writer(out)
    writer.writerow(CSV_HEAD)
    for row in rating.rows:
        counts = (row.wins, row.draws, row.losses, row.matches)
        error = "" if row.error is None else f"{row.error:.2f}"
        los = "" if row.los is None else f"{row.los:.4f}"
        numbers = (f"{row.elo:.2f}", error, los, f"{row.score:.4f}")
        writer.writerow((row.pool, row.rank, cell(row.name), *numbers, *counts))
    return out.getvalue()
