"""Tables and lines: what an answer looks like as text and as HTML."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from io import StringIO
from typing import TypeAlias

from league.render.text.printable import clean

_SINGLE = re.compile("[ -~¡-¬®-˿–—…→½]*").fullmatch
"""Matches letters of one column each."""

WIDTH = 1000
"""The columns of text that is not for a terminal: nothing folds in a pipe."""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under their heads; the columns named in `right` are flush right."""

    head: Sequence[str]
    rows: Sequence[Sequence[object]]
    right: Sequence[str] = ()
    title: str = ""

    def text(self, width: int = WIDTH) -> str:
        """Return the table as lines of at most `width` columns; longer cells fold."""
        rows = [self.head, *([clean(str(cell)) for cell in row] for row in self.rows)]
        title = clean(self.title)
        if all(_SINGLE(text) for row in (*rows, [title]) for text in row):
            widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
            # A space at both sides of each column, and one between columns.
            whole = sum(widths) + 3 * len(widths) - 1
            if max(whole, len(title)) <= min(whole, width):
                return self._unfolded(rows, widths)
        return self._folded(rows, width)

    def _unfolded(self, rows: Sequence[Sequence[str]], widths: Sequence[int]) -> str:
        """Lay out short rows as rich does, which loads slowly; each letter has one column."""
        lines = [
            "   ".join(
                cell.rstrip().rjust(width) if name in self.right else cell.ljust(width)
                for name, cell, width in zip(self.head, row, widths, strict=True)
            )
            for row in rows
        ]
        rule = "─" * (sum(widths) + 3 * (len(widths) - 1))
        title = [clean(self.title)] if self.title else []
        lines.insert(1, rule)
        found = [*title, "", *(f" {line}" for line in lines), ""]
        return "".join(f"{line.rstrip()}\n" for line in found)

    def _folded(self, rows: Sequence[Sequence[str]], width: int) -> str:
        from rich import box  # noqa: PLC0415 (loads slowly; HTML needs none)
        from rich.console import Console  # noqa: PLC0415
        from rich.table import Table as RichTable  # noqa: PLC0415
        from rich.text import Text  # noqa: PLC0415

        table = RichTable(
            box=box.SIMPLE_HEAD,
            title=clean(self.title) or None,
            title_justify="left",
            pad_edge=False,
        )
        for name in self.head:
            justify = "right" if name in self.right else "left"
            table.add_column(Text(name), justify=justify, overflow="fold")  # type: ignore[arg-type]
        for row in rows[1:]:
            table.add_row(*map(Text, row))
        out = StringIO()
        Console(file=out, markup=False, highlight=False, width=width, force_jupyter=False).print(
            table
        )
        return "".join(f"{line.rstrip()}\n" for line in out.getvalue().splitlines())

    def html(self) -> str:
        """Return the table as HTML without styles but for the alignment of numbers."""
        sides = ["right" if name in self.right else "left" for name in self.head]
        caption = f"<caption>{escape(clean(self.title))}</caption>" if self.title else ""
        lines = [_row("th", self.head, sides), *(_row("td", row, sides) for row in self.rows)]
        return f"<table>{caption}{''.join(lines)}</table>"


Block: TypeAlias = Table | str
"""A table, or a line of text."""


def text_of(blocks: Iterable[Block], width: int = WIDTH) -> str:
    """Return blocks as the text that a command prints, without empty lines around it."""
    texts = [each.text(width) if isinstance(each, Table) else _line(each) for each in blocks]
    return "".join(texts).strip("\n")


def html_of(blocks: Iterable[Block]) -> str:
    """Return blocks as HTML for a notebook."""
    return "".join(
        each.html() if isinstance(each, Table) else f"<div>{escape(clean(each))}</div>"
        for each in blocks
    )


def _line(text: str) -> str:
    return f"{clean(text, keep_lines=True)}\n"


def _row(tag: str, cells: Sequence[object], sides: Sequence[str]) -> str:
    found = (
        f'<{tag} style="text-align:{side}">{escape(clean(str(cell)))}</{tag}>'
        for cell, side in zip(cells, sides, strict=True)
    )
    return f"<tr>{''.join(found)}</tr>"
