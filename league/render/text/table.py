"""Tables and lines: what an answer looks like as text and as HTML."""

import re
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from io import StringIO
from typing import TypeAlias

from games.support.printable import printable
from league.model.number_format import true_minus
from league.render.text_width import width_of

_SINGLE = re.compile("[ -~¡-¬®-˿–—…→−½]*").fullmatch
"""Matches letters of one column each."""

WIDTH = 1000
"""The columns of text that is not for a terminal: nothing folds in a pipe."""

LOOSE = 3
"""The columns from a cell to the next, with the rule between them."""

TIGHT = 2
"""The same where the table would be too wide."""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under their heads; the columns named in `right` are flush right.

    A table with `keys` may have more columns than fit: it is then cut into parts, one below the
    other, which all begin with its first `keys` columns.
    """

    head: Sequence[str]
    rows: Sequence[Sequence[object]]
    right: Sequence[str] = ()
    title: str = ""
    keys: int = 0

    def text(self, width: int = WIDTH) -> str:
        """Return the table as lines of at most `width` columns; longer cells fold."""
        rows = [self._cells(row) for row in self.rows]
        title = printable(self.title)
        sizes = [max(map(width_of, column)) for column in zip(self.head, *rows, strict=True)]
        whole = sum(sizes) + LOOSE * len(sizes) - 1
        is_single = all(_SINGLE(text) for row in (self.head, *rows, [title]) for text in row)
        if is_single and width_of(title) <= whole <= width:
            return self._unfolded([self.head, *rows], sizes)
        parts = self._parts(sizes, width)
        return "\n".join(
            self._part(part, rows, sizes, width, title if part is parts[0] else "")
            for part in parts
        )

    def _cells(self, row: Sequence[object]) -> list[str]:
        """Return a row as text, numbers with real minus signs."""
        return [
            true_minus(printable(str(cell))) if name in self.right else printable(str(cell))
            for name, cell in zip(self.head, row, strict=True)
        ]

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
        title = [printable(self.title)] if self.title else []
        lines.insert(1, rule)
        found = [*title, "", *(f" {line}" for line in lines), ""]
        return "".join(f"{line.rstrip()}\n" for line in found)

    def _parts(self, sizes: Sequence[int], width: int) -> list[list[int]]:
        """Return which columns stand in each part."""
        keys = list(range(self.keys))
        parts = [list(keys)]
        for column in range(self.keys, len(sizes)):
            held = [*parts[-1], column]
            is_full = sum(sizes[each] + TIGHT for each in held) > width
            if self.keys and is_full and len(parts[-1]) > self.keys:
                parts.append([*keys, column])
            else:
                parts[-1] = held
        return parts

    def _part(
        self,
        columns: Sequence[int],
        rows: Sequence[Sequence[str]],
        sizes: Sequence[int],
        width: int,
        title: str,
    ) -> str:
        from rich import box  # noqa: PLC0415 (loads slowly; HTML needs none)
        from rich.console import Console  # noqa: PLC0415
        from rich.table import Table as RichTable  # noqa: PLC0415
        from rich.text import Text  # noqa: PLC0415

        is_wide = sum(sizes[each] + LOOSE for each in columns) - 1 > width
        table = RichTable(
            box=box.SIMPLE_HEAD,
            title=title or None,
            title_justify="left",
            pad_edge=False,
            padding=(0, TIGHT - 1, 0, 0) if is_wide else (0, 1),
        )
        numbers = [each for each in columns if self.head[each] in self.right]
        texts = len(columns) - len(numbers)
        # Texts fold first. Numbers are never cut: where nothing else helps, they fold too.
        is_stiff = sum(sizes[each] for each in numbers) + TIGHT * len(columns) < width - 8 * texts
        for each in columns:
            table.add_column(
                Text(self.head[each]),
                justify="right" if each in numbers else "left",
                overflow="fold",
                no_wrap=is_stiff and each in numbers,
            )
        for row in rows:
            table.add_row(*(Text(row[each]) for each in columns))
        out = StringIO()
        Console(file=out, markup=False, highlight=False, width=width, force_jupyter=False).print(
            table
        )
        return "".join(f"{line.rstrip()}\n" for line in out.getvalue().splitlines())

    def html(self) -> str:
        """Return the table as HTML without styles but for the alignment of numbers."""
        sides = ["right" if name in self.right else "left" for name in self.head]
        caption = f"<caption>{escape(printable(self.title))}</caption>" if self.title else ""
        rows = (_row("td", self._cells(row), sides) for row in self.rows)
        lines = [_row("th", self.head, sides), *rows]
        return f"<table>{caption}{''.join(lines)}</table>"


Block: TypeAlias = Table | str
"""A table, or a line of text."""


def text_of(blocks: Iterable[Block], width: int = WIDTH) -> str:
    """Return blocks as the text that a command prints, without empty lines around it."""
    texts = [each.text(width) if isinstance(each, Table) else _line(each, width) for each in blocks]
    return "".join(texts).strip("\n")


def html_of(blocks: Iterable[Block]) -> str:
    """Return blocks as HTML for a notebook."""
    return "".join(
        each.html() if isinstance(each, Table) else f"<div>{escape(printable(each))}</div>"
        for each in blocks
    )


def folded(text: str, width: int) -> str:
    """Return a text whose lines are broken between words where they are longer than `width`."""
    lines = []
    for line in text.split("\n"):
        indent = " " * (len(line) - len(line.lstrip()))
        is_short = width_of(line) <= width
        lines += (
            [line]
            if is_short
            else textwrap.wrap(line, width, subsequent_indent=indent, break_long_words=False)
        )
    return "\n".join(lines)


def _line(text: str, width: int) -> str:
    return f"{folded(printable(text, keep_lines=True), width)}\n"


def _row(tag: str, cells: Sequence[object], sides: Sequence[str]) -> str:
    found = (
        f'<{tag} style="text-align:{side}">{escape(printable(str(cell)))}</{tag}>'
        for cell, side in zip(cells, sides, strict=True)
    )
    return f"<tr>{''.join(found)}</tr>"
