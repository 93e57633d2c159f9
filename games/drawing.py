"""Drawings that games share: boards as text and as SVG documents."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from html import escape
from math import log10

_CELL = 40
_MARGIN = 24
_COLUMN, _LINE = 9, 18
_STEP = 70
_SIZE = re.compile(r'viewBox="0 0 (\d+) (\d+)"')
_COLOURS = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
_OWN_STYLE = re.compile(r"<style>(.*?)</style>", re.DOTALL)
_STYLE = """
text { font: 14px sans-serif; text-anchor: middle; fill: #57606a }
.board { fill: #2f5fa5 }
.hole { fill: #f6f8fa }
.first { fill: #d1342f }
.second { fill: #f2c230 }
.sign { fill: none; stroke: #1f2328; stroke-width: 3 }
.dot { fill: #fff }
.won { stroke: #1f2328; stroke-width: 4 }
.grid { stroke: #768390; stroke-width: 2; fill: none }
.stroke { stroke: #2f81d6; stroke-width: 5; stroke-linecap: round; fill: none }
.other { stroke: #c9511f }
.row { fill: #7ec27e; fill-opacity: 0.35 }
@media (prefers-color-scheme: dark) {
  text { fill: #adbac7 }
  .hole { fill: #1c2128 }
  .won { stroke: #f6f8fa }
}
"""


_LINES_STYLE = """
.lines { font: 14px monospace; text-anchor: start; white-space: pre; fill: #1f2328 }
@media (prefers-color-scheme: dark) { .lines { fill: #d1d7e0 } }
"""


class Mark(Enum):
    """What stands on one square, as two characters of text."""

    EMPTY = ". "
    FIRST = "X "
    SECOND = "O "
    FIRST_WON = "X]"
    SECOND_WON = "O]"

    @classmethod
    def at(cls, first: int, second: int, won: int = 0) -> "Mark":
        """Return the mark of a square that the first or the second seat holds, or nobody."""
        if first:
            return cls.FIRST_WON if won else cls.FIRST
        if second:
            return cls.SECOND_WON if won else cls.SECOND
        return cls.EMPTY

    @property
    def sign(self) -> str:
        """The character alone."""
        return self.value[0]

    @property
    def is_won(self) -> bool:
        """Whether the square is part of a row that won."""
        return self in (Mark.FIRST_WON, Mark.SECOND_WON)

    @property
    def is_first(self) -> bool:
        """Whether it is the first seat's."""
        return self in (Mark.FIRST, Mark.FIRST_WON)


def draw_text_board(
    headings: Sequence[str],
    rows: Sequence[Sequence[Mark]],
    status: str,
    labels: Sequence[str] | None = None,
) -> str:
    """Draw `rows` from the top with column `headings` below them and a line that says who moves.

    Squares of a row that won stand in brackets. `labels` name the rows, at their left.
    """
    names = labels or [""] * len(rows)
    margin = max(len(name) for name in names)
    lines = []
    for name, row in zip(names, rows, strict=True):
        cells = (f"[{mark.value}" if mark.is_won else f" {mark.value}" for mark in row)
        lines.append(f"{name:>{margin}}{''.join(cells)}".rstrip())
    lines.append(" " * margin + "".join(f"{heading:^3}" for heading in headings).rstrip())
    return "\n".join([*lines, status])


def draw_discs(title: str, headings: Sequence[str], rows: Sequence[Sequence[Mark]]) -> str:
    """Draw a rack of discs: the first seat's with a dot, the second's with a ring."""
    width, height = _CELL * len(headings), _CELL * len(rows)
    body = [f'<rect class="board" width="{width}" height="{height}" rx="8"/>']
    for y, row in enumerate(rows):
        body += [_disc(mark, _centre(x), _centre(y)) for x, mark in enumerate(row)]
    body += [
        f'<text x="{_centre(x)}" y="{height + 18}">{escape(heading)}</text>'
        for x, heading in enumerate(headings)
    ]
    return document(title, width, height + _MARGIN, body)


def draw_grid(
    title: str,
    columns: Sequence[str],
    labels: Sequence[str],
    rows: Sequence[Sequence[Mark]],
) -> str:
    """Draw a ruled board: the first seat's crosses and the second's noughts."""
    side = _MARGIN
    width, height = _CELL * len(columns), _CELL * len(rows)
    body = [f'<g transform="translate({side},0)">']
    body += [f'<path class="grid" d="M{x * _CELL} 0V{height}"/>' for x in range(1, len(columns))]
    body += [f'<path class="grid" d="M0 {y * _CELL}H{width}"/>' for y in range(1, len(rows))]
    for y, row in enumerate(rows):
        body += [_stroke(mark, _centre(x), _centre(y)) for x, mark in enumerate(row)]
    body += _names(columns, labels, height)
    return document(title, width + 2 * side, height + _MARGIN, [*body, "</g>"])


@dataclass(frozen=True, slots=True)
class Square:
    """One square of a drawn board: its class in the style, and what stands on it.

    `drawn` is SVG in a square of 40 by 40 with its origin at the top left.
    """

    style_class: str
    drawn: str = ""


def draw_squares(
    title: str,
    columns: Sequence[str],
    labels: Sequence[str],
    rows: Sequence[Sequence[Square]],
    style: str,
) -> str:
    """Draw a board of squares from the top, `columns` named below it and rows at its left."""
    width, height = _CELL * len(columns), _CELL * len(rows)
    body = [f'<g transform="translate({_MARGIN},0)">']
    for y, row in enumerate(rows):
        for x, square in enumerate(row):
            rect = f'<rect class="{square.style_class}" width="{_CELL}" height="{_CELL}"/>'
            place = f"translate({x * _CELL},{y * _CELL})"
            body.append(f'<g transform="{place}">{rect}{square.drawn}</g>')
    body += _names(columns, labels, height)
    return document(title, width + 2 * _MARGIN, height + _MARGIN, [*body, "</g>"], style)


def draw_lines(title: str, text: str) -> str:
    """Draw lines of monospaced text."""
    lines = [printable(line) for line in text.splitlines()] or [""]
    body = [
        f'<text class="lines" xml:space="preserve" x="12" y="{12 + _LINE * number}">'
        f"{escape(line)}</text>"
        for number, line in enumerate(lines, 1)
    ]
    width = 24 + _COLUMN * max(map(len, lines))
    return document(title, width, 24 + _LINE * len(lines), body, _LINES_STYLE)


def draw_bars(title: str, labels: Sequence[str], counts: Sequence[int]) -> str:
    """Draw a bar for each count; ten times as much is one step of the scale more."""
    steps = max(1, len(str(max(counts))))
    side = 24 + _COLUMN * max(map(len, labels))
    body = [f'<text x="12" y="22" class="lines">{escape(title)}</text>']
    height = 40 + 30 * len(labels)
    for step in range(steps + 1):
        x = side + _STEP * step
        body.append(f'<path class="grid" d="M{x} 36V{height}" stroke-opacity="0.4"/>')
        body.append(f'<text x="{x}" y="{height + 18}">{10**step:,}</text>')
    for row, (label, count) in enumerate(zip(labels, counts, strict=True)):
        y = 44 + 30 * row
        width = round(_STEP * log10(max(1, count)), 1)
        body.append(f'<text class="lines" x="12" y="{y + 15}">{escape(label)}</text>')
        body.append(f'<rect class="board" x="{side}" y="{y}" width="{width}" height="20" rx="3"/>')
        body.append(f'<text class="lines" x="{side + width + 8}" y="{y + 15}">{count:,}</text>')
    width = side + _STEP * steps + 120
    return document(title, width, height + 30, body, _LINES_STYLE)


def _names(columns: Sequence[str], labels: Sequence[str], height: int) -> list[str]:
    below = [
        f'<text x="{_centre(x)}" y="{height + 18}">{escape(name)}</text>'
        for x, name in enumerate(columns)
    ]
    return below + [
        f'<text x="{-_MARGIN // 2}" y="{_centre(y) + 5}">{escape(name)}</text>'
        for y, name in enumerate(labels)
    ]


def printable(text: str) -> str:
    """Return `text` without colours and control characters, which no XML document may hold."""
    return "".join(each if each.isprintable() else " " for each in _COLOURS.sub("", text))


def document(title: str, width: int, height: int, body: Sequence[str], style: str = "") -> str:
    """Wrap `body` into a stand-alone SVG document, named for readers who cannot see it.

    `style` adds a game's own rules to the shared ones.
    """
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}"'
            f' width="{width}" height="{height}" role="img">',
            f"<title>{escape(printable(title))}</title>",
            f"<style>{_STYLE}{style}</style>",
            *body,
            "</svg>",
        ]
    )


def animate(title: str, drawings: Sequence[str], frame_s: float) -> str:
    """Make one document that shows `drawings` one after the other, again and again.

    They must be of one size and style. Who asks for less motion sees the last one alone.
    """
    size = _SIZE.search(drawings[0])
    width, height = (int(size[1]), int(size[2])) if size else (_CELL, _CELL)
    total_s = frame_s * len(drawings)
    share = 100 / len(drawings)
    style = f"""
.frame {{ visibility: hidden; animation: show {total_s:g}s step-end infinite }}
@keyframes show {{ 0% {{ visibility: visible }} {share:.6f}% {{ visibility: hidden }} }}
@media (prefers-reduced-motion: reduce) {{
  .frame {{ animation: none }}
  .frame:last-child {{ visibility: visible }}
}}
"""
    own = _OWN_STYLE.search(drawings[0])
    body = [
        f'<g class="frame" style="animation-delay:{number * frame_s:g}s">'
        f"{_OWN_STYLE.sub('', drawing)}</g>"
        for number, drawing in enumerate(drawings)
    ]
    return document(title, width, height, body, (own[1] if own else "") + style)


def _centre(index: int) -> int:
    return index * _CELL + _CELL // 2


def _disc(mark: Mark, x: int, y: int) -> str:
    place = f'cx="{x}" cy="{y}"'
    if mark is Mark.EMPTY:
        return f'<circle class="hole" {place} r="16"/>'
    seat = "first" if mark.is_first else "second"
    won = " won" if mark.is_won else ""
    disc = f'<circle class="{seat}{won}" {place} r="16"/>'
    if mark.is_first:
        return f'{disc}<circle class="dot" {place} r="5"/>'
    return f'{disc}<circle class="sign" {place} r="8"/>'


def _stroke(mark: Mark, x: int, y: int) -> str:
    if mark is Mark.EMPTY:
        return ""
    back = ""
    if mark.is_won:
        corner = f'x="{x - _CELL // 2 + 2}" y="{y - _CELL // 2 + 2}"'
        back = f'<rect class="row" {corner} width="{_CELL - 4}" height="{_CELL - 4}" rx="6"/>'
    if mark.is_first:
        return f'{back}<path class="stroke" d="M{x - 10} {y - 10}l20 20m0 -20l-20 20"/>'
    return f'{back}<circle class="stroke other" cx="{x}" cy="{y}" r="11"/>'
