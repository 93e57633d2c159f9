"""The chess board as text and as SVG; positions are rows of `KQRBNPkqrbnp.`."""

from collections.abc import Sequence

from games.support.drawing import board_document, centre_of, edge_names, piece
from games.support.look import BLACK, WHITE, Look

_CELL = 44
_FILES = "abcdefgh"
_STYLE = """
.light { fill: #f0e2c8 }
.shade { fill: #bd9570 }
.check { fill: #d6453d; fill-opacity: 0.75 }
.piece { stroke-width: 1.2; stroke-linejoin: round; stroke-linecap: round }
.line { fill: none; stroke: currentColor }
.eye { fill: currentColor; stroke: none }
.white { fill: #fffdf8; stroke: #2b2521; color: #2b2521 }
.black { fill: #37302b; stroke: #16120f; color: #f0e2c8 }
@media (prefers-color-scheme: dark) {
  .light { fill: #b8b1a2 }
  .shade { fill: #8a8174 }
  .white { fill: #fbf7ee; stroke: #1b1714; color: #1b1714 }
  .black { fill: #1f1b18; stroke: #0b0908; color: #c9c1b2 }
}
"""

LOOK = Look(
    {
        **{sign: (glyph, WHITE) for sign, glyph in zip("KQRBNP", "♔♕♖♗♘♙", strict=True)},
        **{sign: (glyph, BLACK) for sign, glyph in zip("kqrbnp", "♚♛♜♝♞♟", strict=True)},
        ".": (" ", ""),
    },
    light="#8ca2ad",
    dark="#667d8a",
)
"""Outlines for White and solid pieces for Black, which differ without colours too."""

_FOOT = "M10.5 36h19v-2.2q0-2.3-2.3-2.3H12.8q-2.3 0-2.3 2.3z"
# Each piece in a box of 40, enlarged to fill its square: its outlines, then lines on it. All pieces
# share the foot.
_SHAPES = {
    "p": (
        (
            "M20 8.6a5.3 5.3 0 0 1 3.5 9.3h1.7q1.3 0 1.3 1.2t-1.3 1.2h-1.6"
            "q.5 7 4.6 11.2H11.8q4.1-4.2 4.6-11.2h-1.6q-1.3 0-1.3-1.2t1.3-1.2h1.7"
            "A5.3 5.3 0 0 1 20 8.6z",
        ),
        ("M16.6 20.3h6.8",),
    ),
    "r": (
        (
            "M13 18.5h14l1.4 13H11.6z",
            "M10.6 8.2h4.6v3h2.7v-3h4.2v3h2.7v-3h4.6v7.3l-2.6 3H13.2l-2.6-3z",
        ),
        ("M13 15h14",),
    ),
    "n": (
        (
            "M30 31.5C31.8 20 29 10.6 20.8 8.6L18.6 5.2 16.4 9.6C12.6 11.4 11 15.4 8 20.4"
            "q-1.5 2.8.6 4.4 2.1 1.4 4-.4l1.2-1.2q3.4-.2 5.8-2.4"
            "c.2 4.4-5.8 5.2-6.8 10.7z",
        ),
        ("M21.4 10.8c4.6 2.6 6.2 8 5.8 15.4", "M9.9 22.2l.5-.6"),
    ),
    "b": (
        (
            "M15.4 26.6h9.2l2.6 4.9H12.8z",
            "M20 9.4c4.8 3.4 7.2 6.9 7.2 10.4 0 2.8-1.2 4.9-3 6.8h-8.4c-1.8-1.9-3-4-3-6.8"
            " 0-3.5 2.4-7 7.2-10.4z",
            "M20 5.1a2.3 2.3 0 1 1 0 4.6 2.3 2.3 0 1 1 0-4.6z",
        ),
        ("M23.8 14l-3.6 5.4", "M14.8 26.6h10.4"),
    ),
    "q": (
        (
            "M8 14.4l4.2 12.2q.8 2.4-.2 4.9h16q-1-2.5-.2-4.9L32 14.4l-5.6 6.4-.6-10.2-3.9 8.8"
            "L20 9.2l-1.9 10.2-3.9-8.8-.6 10.2z",
            "M7.6 12a1.9 1.9 0 1 1 0 3.8 1.9 1.9 0 1 1 0-3.8z",
            "M14 7.9a1.9 1.9 0 1 1 0 3.8 1.9 1.9 0 1 1 0-3.8z",
            "M20 6.3a1.9 1.9 0 1 1 0 3.8 1.9 1.9 0 1 1 0-3.8z",
            "M26 7.9a1.9 1.9 0 1 1 0 3.8 1.9 1.9 0 1 1 0-3.8z",
            "M32.4 12a1.9 1.9 0 1 1 0 3.8 1.9 1.9 0 1 1 0-3.8z",
        ),
        ("M12.6 27.6q7.4-2 14.8 0",),
    ),
    "k": (
        (
            "M18.7 3.2h2.6v2.7H24v2.6h-2.7v4.2h-2.6V8.5H16V5.9h2.7z",
            "M20 11.2q3 1.8 2.6 6.4h-5.2q-.4-4.6 2.6-6.4z",
            "M20 18.4c2-5 10-6 11.6-.8 1.2 4.2-2.6 6.6-3.6 9.6-.4 1.4-.4 2.8 0 4.3H12"
            "c.4-1.5.4-2.9 0-4.3-1-3-4.8-5.4-3.6-9.6 1.6-5.2 9.6-4.2 11.6.8z",
        ),
        ("M12.4 27.6q7.6-2 15.2 0", "M20 18.6v7.2"),
    ),
}
_EYE = '<circle class="eye" cx="16.2" cy="14.8" r="1.3"/>'


def draw_chess_text(rows: Sequence[str], status: str) -> str:
    """Draw the rows from the eighth down, White's pieces as capitals, and `status`."""
    lines = [f"{8 - index} {' '.join(row)}" for index, row in enumerate(rows)]
    return "\n".join([*lines, f"  {' '.join(_FILES)}", status])


def draw_chess(title: str, rows: Sequence[str], checked: int | None) -> str:
    """Draw the rows from the eighth down; `checked` is the square, from a1, of a king in check."""
    places = [(x, y, sign) for y, row in enumerate(rows) for x, sign in enumerate(row)]
    body = [_DEFS, *(_square(x, y) for x, y, _ in places)]
    if checked is not None:
        place = f'x="{checked % 8 * _CELL}" y="{(7 - checked // 8) * _CELL}"'
        body.append(f'<rect class="check" {place} width="{_CELL}" height="{_CELL}"/>')
    body += edge_names(_FILES, "87654321", _CELL)
    body += [_piece(sign, x, y) for x, y, sign in places if sign != "."]
    board = 8 * _CELL
    return board_document(title, board, board, body, style=_STYLE, cell=_CELL)


def captured(signs: str) -> tuple[str, str]:
    """Return what White and Black have captured and the leader's margin, from a board's pieces.

    Captured is what is missing from the initial set; a pawn counts 1, knight and bishop 3, rook 5,
    queen 9.
    """
    missing = {
        sign: max(0, count - signs.count(sign))
        for kind, count in _MEN.items()
        for sign in (kind, kind.upper())
    }
    lead = sum(
        worth * (signs.count(kind.upper()) - signs.count(kind)) for kind, worth in _WORTHS.items()
    )
    by_white = "".join(_FIGURES[kind] * missing[kind] for kind in _MEN)
    by_black = "".join(_FIGURES[kind.upper()] * missing[kind.upper()] for kind in _MEN)
    return (_told(by_white, lead), _told(by_black, -lead))


def _told(taken: str, lead: int) -> str:
    return " ".join([*([taken] if taken else []), *([f"+{lead}"] if lead > 0 else [])])


_MEN = {"q": 1, "r": 2, "b": 2, "n": 2, "p": 8}
_WORTHS = {"q": 9, "r": 5, "b": 3, "n": 3, "p": 1}
_FIGURES = {sign: LOOK.glyphs[sign][0] for sign in "qrbnpQRBNP"}


def square_middle(square: int) -> tuple[int, int]:
    """Return the middle of a square, counted from a1, in the drawing."""
    return centre_of(square % 8, 7 - square // 8, _CELL)


def _square(x: int, y: int) -> str:
    place = f'x="{x * _CELL}" y="{y * _CELL}" width="{_CELL}" height="{_CELL}"'
    return f'<rect class="{"shade" if (x + y) % 2 else "light"}" {place}/>'


def _piece(sign: str, x: int, y: int) -> str:
    kind = sign.lower()
    colour = "black" if sign == kind else "white"
    return piece(*centre_of(x, y, _CELL), colour, f'<use class="up" href="#chess-{kind}"/>')


def _shape(kind: str) -> str:
    outlines, lines = _SHAPES[kind]
    return "".join(
        [
            f'<g id="chess-{kind}" transform="translate(-23,-22) scale(1.15)">',
            *(f'<path d="{outline}"/>' for outline in (*outlines, _FOOT)),
            *(f'<path class="line" d="{line}"/>' for line in lines),
            _EYE if kind == "n" else "",
            "</g>",
        ]
    )


_DEFS = f"<defs>{''.join(map(_shape, _SHAPES))}</defs>"
