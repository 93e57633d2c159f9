"""Results by opening; openings with the same moves count as one across tournaments."""

from dataclasses import dataclass, field

from games.support.moves import WireMove, decode_move
from games.support.specs import find_game
from league.ratings.head_to_head import HeadToHead, ScoreShare
from league.store.rows import ResultRow
from league.store.store import Store

Beginning = tuple[str, tuple[WireMove, ...]]
"""The game's spec, with its start position if it has a special one, and the moves."""

FIRST = "the first position"


@dataclass(slots=True)
class OpeningTotals:
    """Totals by opening, collected from encounters."""

    _found: dict[tuple[int, int, bool], tuple[int, HeadToHead]] = field(default_factory=dict)

    def of(self, row: ResultRow) -> HeadToHead:
        """Return the scores of a match's opening."""
        # Without a stored plan, each encounter counts as an opening until its moves are read.
        number = row.encounter if row.opening is None else row.opening
        key = (row.tournament_id, number, row.opening is None)
        if key not in self._found:
            self._found[key] = row.id, HeadToHead()
        return self._found[key][1]

    def named(self, store: Store, game: str) -> list[ScoreShare]:
        """Return the totals with their moves, equal openings merged, the least even first."""
        read = store.beginnings([match for match, _ in self._found.values()])
        merged: dict[Beginning, HeadToHead] = {}
        for match, head_to_head in self._found.values():
            if match in read:
                merged.setdefault(read[match], HeadToHead()).merge(head_to_head)
        named = [
            ScoreShare(text_of(each, game), head_to_head) for each, head_to_head in merged.items()
        ]
        return sorted(named, key=lambda each: (-each.head_to_head.lean, each.name))


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
