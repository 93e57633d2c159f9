"""Optional techniques of deepening searches, and the numbers of those that are always used."""

from dataclasses import dataclass

NULL_REDUCTION = 2
"""The extra depth reduction of a null move, in plies."""

NULL_DEPTH = 3
"""The least remaining depth for a null move."""

LATE_MOVES = 4
"""Number of moves of a position that are searched fully before late moves are reduced."""

LATE_DEPTH = 3
"""The least remaining depth for late move reductions."""

MIRROR_DEPTH = 3
"""Symmetric positions share an entry from this remaining depth on: finding it takes as long as a
node. Evaluations are symmetric."""


@dataclass(frozen=True, slots=True)
class Extras:
    """Optional search techniques.

    `aspiration` is the half-width of the window around the last depth's value, in evaluation units
    (0 for a full window), and `killers` first tries moves that cut elsewhere at the same depth:
    neither changes a value. `null_move` cuts if the other side could move twice and still not catch
    up (D. Beal 1989, C. Donninger 1993), in games with `State.null`; `late_moves` searches late
    moves less deep, and again if they prove good. These two see farther but may miss something:
    values are no longer minimax's.
    """

    aspiration: float = 0
    killers: bool = False
    null_move: bool = False
    late_moves: bool = False


PLAIN = Extras()
"""None of them."""
