"""Openings, known by their moves: those of two tournaments may be the same."""

from dataclasses import dataclass, field

from games import catalogue
from games.moves import WireMove, decode_move
from league.ratings.tally import Part, Tally
from league.store import ResultRow, Store

Beginning = tuple[str, tuple[WireMove, ...]]
"""The game's spec, with a first position of its own where there is one, and the moves."""

FIRST = "the first position"


@dataclass(slots=True)
class OpeningTallies:
    """Tallies by opening, as the encounters come."""

    _found: dict[tuple[int, int, bool], tuple[int, Tally]] = field(default_factory=dict)

    def of(self, row: ResultRow) -> Tally:
        """Return the tally of a match's opening."""
        # Where no plan is stored, an encounter has its own until its moves are read.
        number = row.encounter if row.opening is None else row.opening
        key = (row.tournament_id, number, row.opening is None)
        if key not in self._found:
            self._found[key] = row.id, Tally()
        return self._found[key][1]

    def named(self, store: Store, game: str) -> list[Part]:
        """Return them with their moves, the same ones as one, the least even first."""
        read = store.beginnings([match for match, _ in self._found.values()])
        merged: dict[Beginning, Tally] = {}
        for match, tally in self._found.values():
            if match in read:
                merged.setdefault(read[match], Tally()).merge(tally)
        named = [Part(text_of(each, game), tally) for each, tally in merged.items()]
        return sorted(named, key=lambda each: (-each.tally.lean, each.name))


def text_of(beginning: Beginning, game: str) -> str:
    """Write an opening of a game: its moves, after its own first position where it has one."""
    spec, wires = beginning
    state = catalogue.find(spec).initial()
    words = [spec.partition("?")[2]] if spec != game else []
    for wire in wires:
        move = decode_move(state, wire)
        words.append(state.text(move))
        state = state.play(move)
    return " ".join(words) or FIRST
