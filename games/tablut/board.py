"""Tablut's board: its squares, and the lines of sight and moves from each.

A square is 9 × row + column; a set of squares is an int with a bit for each.
"""

from games.support.memo import Memo

SIZE = 9
CELLS = SIZE * SIZE
COLUMNS = "abcdefghi"

LONGEST_ONTO_CAMP = 5
"""The longest move of a besieger within a camp onto another of its squares."""


def square_of(name: str) -> int:
    """Return the number of a square: 9 × row + column, a1 being 0."""
    return SIZE * (int(name[1]) - 1) + COLUMNS.index(name[0])


def name_of(square: int) -> str:
    """Return the name of a square: `a1` is in the first row."""
    return f"{COLUMNS[square % SIZE]}{square // SIZE + 1}"


def squares_of(names: str) -> int:
    """Return the set of squares named in a text."""
    return sum(1 << square_of(name) for name in names.split())


THRONE = squares_of("e5")
CAMPS = squares_of("a4 a5 a6 b5 d1 e1 f1 e2 i4 i5 i6 h5 d9 e9 f9 e8")
WHITES = squares_of("e3 e4 e6 e7 c5 d5 f5 g5")
CORNERS = squares_of("a1 a9 i1 i9")
EDGE = sum(1 << s for s in range(CELLS) if s // SIZE in (0, 8) or s % SIZE in (0, 8))
KING_AT_START = square_of("e5")
WHITE_ANVILS = CAMPS & ~squares_of("a5 e1 i5 e9") | THRONE
"""White captures against these as against his own pieces; Black also against the camps' middles."""


def _ray(square: int, by_row: int, by_column: int) -> tuple[int, ...]:
    row, column, found = square // SIZE + by_row, square % SIZE + by_column, []
    while 0 <= row < SIZE and 0 <= column < SIZE:
        found.append(SIZE * row + column)
        row, column = row + by_row, column + by_column
    return tuple(found)


_STEPS = ((-1, 0), (0, -1), (0, 1), (1, 0))

# By square.
RAYS = tuple(tuple(_ray(square, *step) for step in _STEPS) for square in range(CELLS))
"""The squares up to the edge, for each of the four directions."""

CROSS = tuple(sum(1 << s for ray in rays for s in ray) for rays in RAYS)
"""The squares in the same row and column, as a set."""

BESIDE = tuple(sum(1 << ray[0] for ray in rays if ray) for rays in RAYS)
"""The neighbours, as a set."""

PAIRS = tuple(
    tuple((1 << ray[0], 1 << ray[1] if len(ray) > 1 else 0) for ray in rays if ray) for rays in RAYS
)
"""Each neighbour with the square behind it (none at the edge), as sets."""


def _slides(square: int, is_from_camp: bool) -> Memo[int, tuple[int, ...]]:
    """Return a rook's moves from one square, keyed by the pieces in its row and column."""

    def moves_of(walls: int) -> tuple[int, ...]:
        moves = []
        for ray in RAYS[square]:
            for distance, target in enumerate(ray, 1):
                bit = 1 << target
                if walls & bit:
                    break
                if not (is_from_camp and bit & CAMPS and distance > LONGEST_ONTO_CAMP):
                    moves.append(CELLS * square + target)
        return tuple(moves)

    return Memo(moves_of)


# Moves by square, then by the pieces in its row and column.
OUTSIDE = tuple(_slides(square, False) for square in range(CELLS))
IN_CAMP = tuple(_slides(square, True) for square in range(CELLS))
