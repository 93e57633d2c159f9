"""Nim: take one to three matches from a heap; who takes the last one wins."""

from dataclasses import dataclass

from games import Evaluation, Game, State, option


class Heap(State):
    """How many matches are left, and who is to take some."""

    __slots__ = ("game", "left", "to_move")

    def __init__(self, game, left, to_move):
        self.game, self.left, self.to_move = game, left, to_move

    def legal_moves(self):
        return tuple(range(1, min(self.game.most, self.left) + 1))

    def play(self, move):
        return Heap(self.game, self.left - move, 1 - self.to_move)

    def outcome(self):
        if self.left:
            return None
        return (-1.0, 1.0) if self.to_move == 0 else (1.0, -1.0)

    def key(self):
        return (self.left, self.to_move)

    def render(self):
        return f"{'|' * self.left or 'none'}\n{self.game.seat_names[self.to_move]} to move"


def safety(state, seat):
    """Prefer to leave a multiple of what the two can take together."""
    is_good = (state.left % (state.game.most + 1) == 0) == (state.to_move != seat)
    return 1 if is_good else -1


@dataclass(frozen=True)
class Nim(Game):
    """The rules with their options."""

    name = "nim"
    title = "Nim"

    heap: int = option(21, help="matches at the beginning", low=1, high=60)
    most: int = option(3, help="how many one may take", low=1, high=9)

    @property
    def evaluations(self):
        return (Evaluation("safety", "what is left", safety, low=-1, high=1, scale=10),)

    def initial(self):
        return Heap(self, self.heap, 0)
