"""A format: every bot meets its two neighbours in a ring."""

from dataclasses import dataclass

from league.formats.format import Encounter, Format


@dataclass(frozen=True)
class Ring(Format):
    """Each entrant against the next one, and the last against the first."""

    name = "ring"
    title = "Ring"
    help = "each bot meets its two neighbours"
    lag = None

    def stage(self, number, field, results):
        """Return a round of the ring, with an opening of its own."""
        if number >= field.rounds:
            return []
        ring = field.present
        pairs = [(ring[place - 1], ring[place]) for place in range(len(ring))]
        # Two bots are neighbours only once.
        return [Encounter(number, number, pair) for pair in (pairs if len(ring) > 2 else pairs[:1])]
