"""A protocol: `asks:COMMAND` asks a program for each move in one line, which lists all legal ones.

> begin
< ready
> move 1 2 3 1-2 2-3
< 2
"""

from games.support.errors import MoveError
from games.support.moves import encode_move
from league.model.records import Termination
from league.seats.engine.engine_seat import EngineSeat
from league.seats.seat import SeatFault


class AsksSeat(EngineSeat):
    """A program that chooses one of the words that it is asked."""

    plays = "kayles"

    def greet(self, end):
        """Wait until the program is there."""
        self.say("begin\n", end)
        while self.listen(end).strip() != "ready":
            pass

    def set_up(self, game, seat, seed, opening):
        """Store nothing: each question tells all."""

    def prepare(self, end):
        """Tell nothing, either."""

    def question(self, state, history, budget):
        """Return the line with the legal moves."""
        return f"move {' '.join(map(state.text, state.legal_moves()))}\n"

    def heard(self, state, line):
        """Return the move of the answer."""
        try:
            return encode_move(state, state.parse(line))
        except MoveError as error:
            raise SeatFault(Termination.ILLEGAL_MOVE, str(error)) from None
