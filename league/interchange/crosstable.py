"""Crosstables as Markdown and as a page of HTML; names are text in both, whatever they hold."""

import re
from collections.abc import Iterator, Mapping, Sequence
from html import escape

from league.analysis.standings import Cell, Standing

Cells = Mapping[tuple[int, int], Cell]

SELF = "·"
"""Stands where a bot meets itself, or where two never met."""

_MARKS = re.compile(r"([\\`*_{}\[\]()#+\-.!|~$@:])")
_PAGE = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{title}</title>
<style>
:root {{ color-scheme: light dark; --line: #8884; --self: #8882; }}
body {{ font: 1rem/1.4 system-ui, sans-serif; margin: 1.5rem; }}
.scroll {{ overflow-x: auto; }}
table {{ border-collapse: collapse; font-variant-numeric: tabular-nums; }}
caption {{ font-weight: bold; text-align: left; padding-bottom: .5rem; }}
th, td {{ border: 1px solid var(--line); padding: .25rem .6rem; text-align: right; }}
th:nth-child(2) {{ text-align: left; overflow-wrap: anywhere; }}
tbody tr:hover {{ background: var(--self); }}
.self {{ background: var(--self); text-align: center; }}
</style>
</head>
<body>
<div class="scroll">
<table>
<caption>{title}</caption>
<thead>
{head}
</thead>
<tbody>
{body}
</tbody>
</table>
</div>
</body>
</html>
"""


def points(cells: Cells, row: Standing, other: Standing) -> str:
    """Return what a bot scored against another: points / matches."""
    cell = cells.get((row.version, other.version))
    return SELF if cell is None else f"{cell.points:g}/{cell.matches}"


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
    numbers = "".join(
        f'<th scope="col" title="{_written(row.bot)}">{row.rank}</th>' for row in rows
    )
    head = f'<tr><th></th><th scope="col">bot</th>{numbers}<th scope="col">points</th></tr>'
    body = "\n".join(_rows(rows, cells))
    return _PAGE.format(title=_written(title), head=head, body=body)


def _rows(rows: Sequence[Standing], cells: Cells) -> Iterator[str]:
    for row in rows:
        parts = [f'<tr><td>{row.rank}</td><th scope="row">{_written(row.bot)}</th>']
        for other in rows:
            told = points(cells, row, other)
            kind = ' class="self"' if told == SELF else ""
            parts.append(f"<td{kind}>{told}</td>")
        yield "".join([*parts, f"<td>{row.points:g}</td></tr>"])


def _written(text: str) -> str:
    return escape(_printable(text))


def marked(text: str) -> str:
    """Return a text in which nothing is Markdown, or HTML within it."""
    return _MARKS.sub(r"\\\1", escape(_printable(text), quote=False))


def _printable(text: str) -> str:
    return "".join(each if each.isprintable() else "?" for each in text)
