"""A Connect Four bot whose evaluation has three weights: an example for `league tune`."""

from dataclasses import dataclass

from bots.iterative import Iterative
from games.support.game import Evaluation
from games.support.options import option

COLUMNS, ROWS = 7, 6
LINES = [
    [(row + i * down) * COLUMNS + column + i * right for i in range(4)]
    for row in range(ROWS)
    for column in range(COLUMNS)
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1))
    if 0 <= column + 3 * right < COLUMNS and row + 3 * down < ROWS
]
"""The 69 lines of four cells."""


@dataclass
class Weights(Iterative):
    """Searches as deep as it may, and counts the lines that nobody has blocked."""

    twos: float = option(1.0, help="weight of a line with two stones of mine and none of theirs")
    threes: float = option(4.0, help="weight of a line with three")
    centre: float = option(1.0, help="weight of a stone in the middle column")

    def evaluation(self, game):
        """Return this bot's evaluation."""
        limit = 69 * (abs(self.twos) + abs(self.threes)) + ROWS * abs(self.centre)
        return Evaluation("weights", "open lines and the middle", self.value, -limit, limit, limit)

    def value(self, state, seat):
        """Return how good a position is for a seat."""
        cells = "".join(state.cells())
        mine, theirs = "XO"[seat], "XO"[1 - seat]
        weights = (0.0, 0.0, self.twos, self.threes, 0.0)
        total = 0.0
        for line in LINES:
            own = other = 0
            for cell in line:
                own += cells[cell] == mine
                other += cells[cell] == theirs
            if not other:
                total += weights[own]
            elif not own:
                total -= weights[other]
        middle = cells[COLUMNS // 2 :: COLUMNS]
        return total + self.centre * (middle.count(mine) - middle.count(theirs))


BOT = Weights
