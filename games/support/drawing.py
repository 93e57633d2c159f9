"""Shared drawings: boards as text and as SVG documents."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from html import escape
from math import log10

from games.support.printable import drawable

_CELL = 40
_FOOT = 22
_COLUMN, _LINE = 9, 18
_STEP = 70
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
.count { font: bold 11px sans-serif; fill: #fff }
.edge { font: bold 9px sans-serif; text-anchor: start; fill: #2b2118 }
.right { text-anchor: end }
.foot { fill: #fff }
@media (prefers-color-scheme: dark) {
  text { fill: #adbac7 }
  .edge { fill: #fff; stroke: #000; stroke-width: 2; stroke-opacity: .55; paint-order: stroke }
  .hole { fill: #1c2128 }
  .won { stroke: #f6f8fa }
}
"""


_LINES_STYLE = """
.lines { font: 14px monospace; text-anchor: start; white-space: pre; fill: #1f2328 }
@media (prefers-color-scheme: dark) { .lines { fill: #d1d7e0 } }
"""


class BoardMark(Enum):
    """The content of one square, as two characters of text."""

    EMPTY = ". "
    FIRST = "X "
    SECOND = "O "
    FIRST_WON = "X]"
    SECOND_WON = "O]"

    @classmethod
    def at(cls, first: int, second: int, won: int = 0) -> "BoardMark":
        """Return the mark of a square held by the first seat, the second, or nobody."""
        if first:
            return cls.FIRST_WON if won else cls.FIRST
        if second:
            return cls.SECOND_WON if won else cls.SECOND
        return cls.EMPTY

    @property
    def is_won(self) -> bool:
        """Whether the square is part of a winning row."""
        return self in (BoardMark.FIRST_WON, BoardMark.SECOND_WON)

    @property
    def is_first(self) -> bool:
        """Whether it is the first seat's."""
        return self in (BoardMark.FIRST, BoardMark.FIRST_WON)


def mark_rows(
    first: int, second: int, bits: Sequence[int], columns: int, won: int = 0
) -> list[list[BoardMark]]:
    """Return the marks of two bitboards by rows; `bits` holds each square's bit, row by row."""
    marks = [BoardMark.at(first & bit, second & bit, won & bit) for bit in bits]
    return [marks[at : at + columns] for at in range(0, len(marks), columns)]


def cells_of(rows: Sequence[Sequence[BoardMark]]) -> tuple[str, ...]:
    """Write rows as `State.cells` does: X the first seat's, O the second's, . free."""
    return tuple("".join(mark.value[0] for mark in row) for row in rows)


def draw_text_board(
    headings: Sequence[str],
    rows: Sequence[Sequence[BoardMark]],
    status: str,
    labels: Sequence[str] | None = None,
) -> str:
    """Draw `rows` from the top with column `headings` below and a status line.

    Squares of a winning row are in brackets. `labels` name the rows, at their left.
    """
    names = labels or [""] * len(rows)
    margin = max(len(name) for name in names)
    lines = []
    for name, row in zip(names, rows, strict=True):
        cells = (f"[{mark.value}" if mark.is_won else f" {mark.value}" for mark in row)
        lines.append(f"{name:>{margin}}{''.join(cells)}".rstrip())
    lines.append(" " * margin + "".join(f"{heading:^3}" for heading in headings).rstrip())
    return "\n".join([*lines, status])


def draw_discs(title: str, headings: Sequence[str], rows: Sequence[Sequence[BoardMark]]) -> str:
    """Draw a rack of discs: the first seat's with a dot, the second's with a ring."""
    width, height = _CELL * len(headings), _CELL * len(rows)
    body = [f'<rect class="board" width="{width}" height="{height + _FOOT}" rx="8"/>']
    places = [(x, y, mark) for y, row in enumerate(rows) for x, mark in enumerate(row)]
    body += [
        f'<circle class="hole" cx="{_centre(x)}" cy="{_centre(y)}" r="16"/>' for x, y, _ in places
    ]
    body += [_disc(mark, *centre_of(x, y)) for x, y, mark in places if mark is not BoardMark.EMPTY]
    body += [
        f'<text class="foot" x="{_centre(x)}" y="{height + 13}">{escape(name)}</text>'
        for x, name in enumerate(headings)
    ]
    return document(title, (0, width, height + _FOOT), body, cell=_CELL)


def draw_grid(
    title: str,
    columns: Sequence[str],
    labels: Sequence[str],
    rows: Sequence[Sequence[BoardMark]],
) -> str:
    """Draw a ruled board: the first seat's crosses and the second's noughts."""
    width, height = _CELL * len(columns), _CELL * len(rows)
    body = [f'<path class="grid" d="M{x * _CELL} 0V{height}"/>' for x in range(1, len(columns))]
    body += [f'<path class="grid" d="M0 {y * _CELL}H{width}"/>' for y in range(1, len(rows))]
    body += edge_names(columns, labels, _CELL)
    places = [(mark, *centre_of(x, y)) for y, row in enumerate(rows) for x, mark in enumerate(row)]
    body += [_back(x, y) for mark, x, y in places if mark.is_won]
    body += [_stroke(mark, x, y) for mark, x, y in places if mark is not BoardMark.EMPTY]
    return board_document(title, width, height, body, style="", cell=_CELL)


@dataclass(frozen=True, slots=True)
class Square:
    """One square of a drawn board: its style class and its piece.

    `drawn` is SVG around the middle of the square, which is 40 wide and high. One that `is_dotted`
    has a dot of the class `may`.
    """

    style_class: str
    drawn: str = ""
    is_dotted: bool = False


def draw_squares(
    title: str,
    columns: Sequence[str],
    labels: Sequence[str],
    rows: Sequence[Sequence[Square]],
    style: str,
) -> str:
    """Draw a board of squares from the top, with columns and rows named within its edges."""
    width, height = _CELL * len(columns), _CELL * len(rows)
    places = [(x, y, square) for y, row in enumerate(rows) for x, square in enumerate(row)]
    body = [
        f'<rect class="{square.style_class}" x="{x * _CELL}" y="{y * _CELL}" '
        f'width="{_CELL}" height="{_CELL}"/>'
        for x, y, square in places
    ]
    body += edge_names(columns, labels, _CELL)
    body += [
        f'<circle class="may" cx="{_centre(x)}" cy="{_centre(y)}" r="4"/>'
        for x, y, square in places
        if square.is_dotted
    ]
    body += [piece(*centre_of(x, y), "", square.drawn) for x, y, square in places if square.drawn]
    return board_document(title, width, height, body, style=style, cell=_CELL)


def piece(x: int, y: int, style_class: str, drawn: str) -> str:
    """Wrap SVG around the origin as a piece on one line, which animations can slide."""
    name = f"piece {style_class}" if style_class else "piece"
    return f'<g class="{name}" transform="translate({x},{y})">{drawn}</g>'


def centre_of(column: int, row: int, cell: int = _CELL) -> tuple[int, int]:
    """Return the middle of a square, counted from the top left."""
    return column * cell + cell // 2, row * cell + cell // 2


def draw_lines(title: str, text: str) -> str:
    """Draw lines of monospaced text."""
    lines = [drawable(line) for line in text.splitlines()] or [""]
    body = [
        f'<text class="lines" xml:space="preserve" x="12" y="{12 + _LINE * number}">'
        f"{escape(line)}</text>"
        for number, line in enumerate(lines, 1)
    ]
    width = 24 + _COLUMN * max(map(len, lines))
    return document(title, (0, width, 24 + _LINE * len(lines)), body, style=_LINES_STYLE)


def draw_bars(title: str, labels: Sequence[str], counts: Sequence[int]) -> str:
    """Draw a bar for each count, on a logarithmic scale with a step per power of ten."""
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
    return document(title, (0, width, height + 30), body, style=_LINES_STYLE)


def edge_names(columns: Sequence[str], rows: Sequence[str], cell: int) -> list[str]:
    """Name columns and rows, from the top, in the corners of the squares at the edge.

    They go below the pieces, so that the board is all squares.
    """
    foot = cell * len(rows) - 2
    return [
        *(
            f'<text class="edge right" x="{cell * x + cell - 2}" y="{foot}">{escape(name)}</text>'
            for x, name in enumerate(columns)
        ),
        *(
            f'<text class="edge" x="2" y="{cell * y + 9}">{escape(name)}</text>'
            for y, name in enumerate(rows)
        ),
    ]


def board_document(
    title: str, width: int, height: int, body: Sequence[str], *, style: str, cell: int
) -> str:
    """Wrap a board that can be shown upside down."""
    return document(title, (0, width, height), body, style=style, cell=cell, is_turned=True)


def document(
    title: str,
    view: tuple[int, int, int],
    body: Sequence[str],
    *,
    style: str = "",
    cell: int = 0,
    is_turned: bool = False,
) -> str:
    """Wrap `body` into a stand-alone SVG document with an accessible title.

    `view` is the width left of the origin, the whole width and the height. `style` adds a game's
    own rules to the shared ones. `cell` is the width of a square, if any. One that `is_turned` may
    be shown upside down, with texts and elements of class `up` upright.
    """
    left, width, height = view
    turns = ' class="turns"' if is_turned else ""
    squares = f' data-cell="{cell}"' if cell else ""
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{-left} 0 {width} {height}"'
            f' width="{width}" height="{height}" role="img"{turns}{squares}>',
            f"<title>{escape(drawable(title))}</title>",
            f"<style>{_STYLE}{style}</style>",
            *body,
            "</svg>",
        ]
    )


def _centre(index: int) -> int:
    return index * _CELL + _CELL // 2


def _disc(mark: BoardMark, x: int, y: int) -> str:
    won = " won" if mark.is_won else ""
    if mark.is_first:
        drawn = f'<circle class="first{won}" r="16"/><circle class="dot" r="5"/>'
    else:
        drawn = f'<circle class="second{won}" r="16"/><circle class="sign" r="8"/>'
    return piece(x, y, "drop", drawn)


def _back(x: int, y: int) -> str:
    corner = f'x="{x - _CELL // 2 + 2}" y="{y - _CELL // 2 + 2}"'
    return f'<rect class="row" {corner} width="{_CELL - 4}" height="{_CELL - 4}" rx="6"/>'


def _stroke(mark: BoardMark, x: int, y: int) -> str:
    if mark.is_first:
        return piece(x, y, "", '<path class="stroke" d="M-10 -10l20 20m0 -20l-20 20"/>')
    return piece(x, y, "", '<circle class="stroke other" r="11"/>')
