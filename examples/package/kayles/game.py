"""Kayles: bowl down one pin, or two that stand side by side; who takes the last one wins.

Source: H. Dudeney, The Canterbury Puzzles (1907), number 73.
"""

from dataclasses import dataclass

from games import Game, State, option


class Pins(State):
    """The pins, True for one that stands, and whose turn it is."""

    __slots__ = ("game", "pins", "to_move")

    def __init__(self, game, pins, to_move):
        self.game, self.pins, self.to_move = game, pins, to_move

    def legal_moves(self):
        singles = [(place,) for place, stands in enumerate(self.pins) if stands]
        pairs = [(place, place + 1) for (place,) in singles if all(self.pins[place : place + 2])]
        return (*singles, *(pair for pair in pairs if pair[1] < len(self.pins)))

    def play(self, move):
        pins = tuple(stands and place not in move for place, stands in enumerate(self.pins))
        return Pins(self.game, pins, 1 - self.to_move)

    def outcome(self):
        if any(self.pins):
            return None
        return (-1.0, 1.0) if self.to_move == 0 else (1.0, -1.0)

    def key(self):
        return (self.pins, self.to_move)

    def text(self, move):
        return "-".join(str(place + 1) for place in move)

    def render(self):
        row = "".join("!" if stands else "." for stands in self.pins)
        return f"{row}\n{self.game.seat_names[self.to_move]} to move"


@dataclass(frozen=True)
class Kayles(Game):
    """The rules with their options."""

    name = "kayles"
    title = "Kayles"

    pins: int = option(9, help="pins at the beginning", low=1, high=40)

    def initial(self):
        return Pins(self, (True,) * self.pins, 0)
