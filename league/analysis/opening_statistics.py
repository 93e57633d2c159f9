"""Results by opening; openings with the same moves count as one across tournaments."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import islice

from games.support.moves import WireMove, decode_move
from games.support.specs import find_game
from league.analysis.encounters import Ended, encounters_of, is_pair, result
from league.ratings.head_to_head import HeadToHead, ScoreShare, binomial_tail
from league.store.rows import OpeningCount, ResultRow, TournamentRow
from league.store.store import StoreReader

Beginning = tuple[str, tuple[WireMove, ...]]
"""The game's spec, with its start position if it has a special one, and the moves."""

FIRST = "the first position"

LOPSIDED = 0.75
"""An opening is lopsided if one seat scores clearly more than this share of the points."""

LEVEL = 0.05
"""The chance of a false warning about lopsided openings in a tournament."""

LOOKED_AT = 20_000
"""Number of a tournament's matches in which to look for lopsided openings."""


@dataclass(slots=True)
class OpeningTotals:
    """Totals by opening, collected from encounters."""

    _found: dict[tuple[int, int, bool], tuple[int, HeadToHead]] = field(default_factory=dict)

    def of(self, row: ResultRow | OpeningCount) -> HeadToHead:
        """Return the scores of the opening of a match, or of encounters."""
        # Without a number, each encounter counts as an opening until its moves are read.
        number = row.encounter if row.opening is None else row.opening
        key = (row.tournament_id, number, row.opening is None)
        if key not in self._found:
            self._found[key] = row.id, HeadToHead()
        return self._found[key][1]

    def named(self, store: StoreReader, game: str) -> list[ScoreShare]:
        """Return the totals with their moves, equal openings merged, the least even first."""
        read = store.results.beginnings([match for match, _ in self._found.values()])
        merged: dict[Beginning, HeadToHead] = {}
        for match, head_to_head in self._found.values():
            if match in read:
                merged.setdefault(read[match], HeadToHead()).merge(head_to_head)
        named = [
            ScoreShare(text_of(each, game), head_to_head) for each, head_to_head in merged.items()
        ]
        return sorted(named, key=lambda each: (-each.head_to_head.lean, each.name))


def of_first(encounter: Sequence[Ended]) -> list[int]:
    """Return the first seat's results against the second in matches of two."""
    return [result(row, 0, 1) for row in encounter if len(row.versions) == 2]


def lopsided_sentence(store: StoreReader, row: TournamentRow) -> str:
    """Name the opening of a tournament that one seat wins most clearly, '' if none does so."""
    rows = store.results.rows(row.config.game, row.id)
    found = OpeningTotals()
    for encounter in encounters_of(islice(rows, LOOKED_AT)):
        if first := of_first(encounter):
            found.of(encounter[0]).add(first, is_pair(encounter))
    lopsided = lopsided_openings(found.named(store, row.config.game))
    if not lopsided:
        return ""
    worst = lopsided[0].head_to_head
    more = f" (and {len(lopsided) - 1} more)" if len(lopsided) > 1 else ""
    return (
        f"opening {lopsided[0].name} is lopsided{more}: the first seat scored {worst.points:g} of "
        f"{worst.matches} points; 'league stats --tournament {row.id}' lists the scores"
    )


def lopsided_openings(openings: Sequence[ScoreShare]) -> list[ScoreShare]:
    """Return the openings whose score by seat is clearly lopsided, however many were tried."""
    # Either seat may be ahead, hence twice as many tests.
    tests = 2 * len(openings)
    return [each for each in openings if _chance_of(each.head_to_head) * tests <= LEVEL]


def _chance_of(found: HeadToHead) -> float:
    """Return how likely a score is at least so uneven if one seat is worth `LOPSIDED`."""
    ahead = max(found.points, found.matches - found.points)
    return binomial_tail(int(ahead), found.matches, LOPSIDED)


def text_of(beginning: Beginning, game: str) -> str:
    """Write an opening: its start position, if special, and its moves."""
    spec, wires = beginning
    state = find_game(spec).initial()
    words = [spec.partition("?")[2]] if spec != game else []
    for wire in wires:
        move = decode_move(state, wire)
        words.append(state.text(move))
        state = state.play(move)
    return " ".join(words) or FIRST
