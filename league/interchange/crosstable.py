"""Crosstables as Markdown and as a page of HTML; names are text in both, whatever they hold."""

from collections.abc import Sequence
from html import escape

from markupsafe import Markup

from games.support.printable import printable
from league.analysis.standing_rows import Standing
from league.interchange.markdown_text import marked
from league.render.template import markup, render
from league.render.text.standings import SELF, Cells, points


def markdown(title: str, rows: Sequence[Standing], cells: Cells) -> str:
    """Write a crosstable as the Markdown of GitHub."""
    lines = [
        ["", "bot", *(str(row.rank) for row in rows), "points"],
        ["--:", ":--", *("--:" for _ in rows), "--:"],
    ]
    for row in rows:
        against = (points(cells, row, other) for other in rows)
        lines.append([str(row.rank), marked(row.bot), *against, f"{row.points:g}"])
    table = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    return f"**{marked(title)}**\n\n{table}\n"


def page(title: str, rows: Sequence[Standing], cells: Cells) -> str:
    """Write a crosstable as a page of HTML that needs no other file, for light and dark."""
    table = [
        (_written(row.bot), row, [points(cells, row, other) for other in rows]) for row in rows
    ]
    return render("crosstable.html", title=_written(title), table=table, nobody=SELF) + "\n"


def _written(text: str) -> Markup:
    """Return a text as HTML."""
    return markup(escape(printable(text, "?")))
