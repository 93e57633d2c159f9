"""Pig for three: roll a die as often as you dare; a one loses what the turn has brought."""

from dataclasses import dataclass

from games import CHANCE, Evaluation, Game, State, option


class Turn(State):
    """The points that each seat has banked, whose turn it is, and what is at stake in it."""

    __slots__ = ("banked", "game", "seat", "stake", "to_move")

    def __init__(self, game, banked, seat, stake=0, is_rolling=False):
        self.game, self.banked, self.seat, self.stake = game, banked, seat, stake
        self.to_move = CHANCE if is_rolling else seat

    def legal_moves(self):
        if self.to_move == CHANCE:
            return (1, 2, 3, 4, 5, 6)
        return ("roll", "hold") if self.stake else ("roll",)

    def chance(self):
        if self.to_move != CHANCE:
            return ()
        return tuple((face, 1 / 6) for face in self.legal_moves())

    def play(self, move):
        if move == "roll":
            return Turn(self.game, self.banked, self.seat, self.stake, is_rolling=True)
        following = (self.seat + 1) % self.game.seats
        if move == "hold":
            return Turn(self.game, self.points(), following)
        if move == 1:
            return Turn(self.game, self.banked, following)
        return Turn(self.game, self.banked, self.seat, self.stake + move)

    def points(self):
        """Return what each seat would have if the turn ended now."""
        return tuple(
            points + self.stake if seat == self.seat else points
            for seat, points in enumerate(self.banked)
        )

    def outcome(self):
        if max(self.points()) < self.game.goal:
            return None
        return tuple(1.0 if seat == self.seat else -1.0 for seat in range(self.game.seats))

    def placing(self):
        return None if self.outcome() is None else self.points()

    def key(self):
        return (self.banked, self.seat, self.stake, self.to_move)

    def render(self):
        names = self.game.seat_names
        lines = [f"{name:5} {points:3}" for name, points in zip(names, self.banked, strict=True)]
        return "\n".join([*lines, f"{names[self.seat]} has {self.stake} at stake"])


def lead(state, seat):
    """Compare a seat's points with those of the best other one."""
    points = state.points()
    return points[seat] - max(other for at, other in enumerate(points) if at != seat)


@dataclass(frozen=True)
class Pig(Game):
    """The rules with their options."""

    name = "pig"
    title = "Pig"
    sides = (0, 1, 2)
    seat_names = ("Red", "Green", "Blue")
    has_chance = True

    goal: int = option(30, help="the points that win", low=2, high=100)

    @property
    def evaluations(self):
        return (Evaluation("lead", "points ahead", lead, -self.goal, self.goal, 2 * self.goal),)

    def initial(self):
        return Turn(self, (0, 0, 0), 0)
