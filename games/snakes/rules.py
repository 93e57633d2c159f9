"""Snakes: the last one alive wins, by the standard rules and the standard map of Battlesnake.

Source: https://github.com/BattlesnakeOfficial/rules, commit 87e094e.
"""

from dataclasses import dataclass
from enum import Enum
from random import Random

from games.snakes import placing
from games.snakes.drawing import LOOK, cells_of, draw_board, draw_text
from games.snakes.snake import (
    LENGTH,
    STEPS,
    Point,
    Snake,
    causes_of,
    read_point,
    read_turn,
    write_point,
    write_turn,
)
from games.support.game import CHANCE, Game, Move
from games.support.options import option
from games.support.view import Events, TogetherState, View

UP, DOWN, LEFT, RIGHT = range(4)
MOVES = ("up", "down", "left", "right")

SEATS_MAX = 8
_NAMES = ("Blue", "Orange", "Green", "Purple", "Teal", "Pink", "Red", "Yellow")
_TURN, _FOOD = "turn ", "food "


class Luck(Enum):
    """What luck decides next: the place of a snake, the first food, or food after a turn."""

    NOTHING = 0
    SNAKE = 1
    FIRST_FOOD = 2
    FOOD = 3


class SnakesState(TogetherState):
    """The snakes by seat, the food in the order in which it came, and all that was told so far."""

    __slots__ = ("choosers", "food", "game", "luck", "snakes", "told", "turn")

    game: "Snakes"
    snakes: tuple[Snake, ...]
    food: tuple[Point, ...]
    turn: int
    told: Events
    luck: Luck
    choosers: tuple[int, ...]

    def __init__(
        self,
        game: "Snakes",
        snakes: tuple[Snake, ...],
        food: tuple[Point, ...],
        turn: int,
        told: Events,
        luck: Luck = Luck.NOTHING,
    ) -> None:
        self.game, self.snakes, self.food, self.turn = game, snakes, food, turn
        self.told, self.luck, self.sealed = told, luck, ()
        living = () if luck is not Luck.NOTHING else self.living
        self.choosers = living or (CHANCE,)

    @property
    def living(self) -> tuple[int, ...]:
        """The seats whose snakes are alive."""
        return tuple(seat for seat, snake in enumerate(self.snakes) if snake.body)

    def choices(self, seat: int) -> tuple[int, ...]:
        """List the four directions, deadly ones too, or what luck may do."""
        if seat != CHANCE:
            return UP, DOWN, LEFT, RIGHT
        width, places = self.game.width, self._places()
        numbers = [x + width * y for x, y in places]
        return tuple([*numbers, self.game.no_food] if self._may_be_none else numbers)

    @property
    def _may_be_none(self) -> bool:
        """Whether luck may place no food."""
        return self.luck is Luck.FOOD and bool(self.food)

    def _places(self) -> list[Point]:
        """List the squares that luck chooses from."""
        size = (self.game.width, self.game.height)
        heads = [snake.head for snake in self.snakes if snake.body]
        if self.luck is Luck.SNAKE:
            return placing.snake_places(*size, heads)
        if self.luck is Luck.FIRST_FOOD:
            return placing.food_places(*size, heads, self.food)
        bodies = [snake.body for snake in self.snakes if snake.body]
        return placing.free_places(*size, bodies, self.food)

    def chance(self) -> tuple[tuple[int, float], ...]:
        """Return the squares with equal shares; after a turn, food mostly does not appear."""
        if self.luck is Luck.NOTHING:
            return ()
        moves = self.choices(CHANCE)
        if not self._may_be_none:
            return tuple((move, 1 / len(moves)) for move in moves)
        *squares, none = moves
        share = placing.SPAWN_SHARE / len(squares)
        return (*((move, share) for move in squares), (none, 1 - placing.SPAWN_SHARE))

    def together(self, moves: tuple[int, ...]) -> "SnakesState":
        """Move all snakes at once, or let luck place something."""
        if self.luck is Luck.NOTHING:
            return self._after_turn(dict(zip(self.choosers, moves, strict=True)))
        game, (move,) = self.game, moves
        if move == game.no_food:
            return SnakesState(game, self.snakes, self.food, self.turn, self.told)
        point = move % game.width, move // game.width
        if self.luck is Luck.SNAKE:
            return self._with_snake(point)
        food = (*self.food, point)
        if self.luck is Luck.FOOD:
            return self._with_food(food)
        return self._with_food(food, Luck.FIRST_FOOD)._settled()

    def _with_snake(self, point: Point) -> "SnakesState":
        """Place the next snake; once all are there, their food follows."""
        game, snakes = self.game, (*self.snakes, Snake((point,) * LENGTH))
        told = (*self.told, f"{game.seat_names[len(self.snakes)]} {write_point(point)}")
        if len(snakes) < game.snakes:
            return SnakesState(game, snakes, (), 0, told, Luck.SNAKE)
        told = (*told, write_turn(0, (), snakes, game.seat_names))
        return SnakesState(game, snakes, (), 0, told, Luck.FIRST_FOOD)._settled()

    def _with_food(self, food: tuple[Point, ...], luck: Luck = Luck.NOTHING) -> "SnakesState":
        told = (*self.told, *(_FOOD + write_point(each) for each in food[len(self.food) :]))
        return SnakesState(self.game, self.snakes, food, self.turn, told, luck)

    def _settled(self) -> "SnakesState":
        """Return the first position of a match if all its food is placed, else this one."""
        size = (self.game.width, self.game.height)
        if len(self.food) < placing.first_food(*size, len(self.snakes)):
            return self
        centre = (placing.centre_of(*size),) if placing.has_fixed_places(*size) else ()
        return self._with_food((*self.food, *centre))

    def _after_turn(self, moves: dict[int, int]) -> "SnakesState":
        """Move, starve, eat, and take out snakes, in this order."""
        game, turn = self.game, self.turn + 1
        moved = {seat: self.snakes[seat].moved(move, self.food) for seat, move in moves.items()}
        heads = {snake.head for snake in moved.values()}
        food = tuple(point for point in self.food if point not in heads)
        for seat, cause in causes_of(moved, game.width, game.height).items():
            moved[seat] = Snake((), 0, cause, turn)
        snakes = tuple(moved.get(seat, snake) for seat, snake in enumerate(self.snakes))
        told = (*self.told, write_turn(turn, food, snakes, game.seat_names))
        after = SnakesState(game, snakes, food, turn, told, Luck.FOOD)
        if after.outcome() is None and after._places():
            return after
        return SnakesState(game, snakes, food, turn, told)

    def placing(self) -> tuple[float, ...] | None:
        """Return the turns that snakes lived; those that are alive at the end have one more."""
        is_out = len(self.living) < 2 or self.turn == self.game.turns
        if self.luck in (Luck.SNAKE, Luck.FIRST_FOOD) or not is_out:
            return None
        return tuple(float(snake.out or self.turn + 1) for snake in self.snakes)

    def outcome(self) -> tuple[float, ...] | None:
        """Return 1 for the last snake and shares of -1 for the others.

        Snakes that are the last together share the 1; if those are all, everybody has 0.
        """
        lived = self.placing()
        if lived is None:
            return None
        won = lived.count(max(lived))
        lost = len(lived) - won
        if not lost:
            return (0.0,) * won
        return tuple(1 / won if each == max(lived) else -1 / lost for each in lived)

    def key(self) -> tuple[object, ...]:
        """Return what was told, which is all but what is sealed and whether luck comes."""
        return self.told, self.luck, self.sealed

    def events(self, seat: int | None) -> Events:
        """Tell everybody everything, each turn in one text."""
        return self.told

    def text(self, move: Move) -> str:
        """Write the direction in a word; a square of luck's as `3,10`, or `none`."""
        if self.luck is Luck.NOTHING:
            return MOVES[move]
        width = self.game.width
        return "none" if move == self.game.no_food else write_point((move % width, move // width))

    def stand_in(self, seat: int) -> int:
        """Go straight on; up in the first turn."""
        (x, y), (before_x, before_y) = self.snakes[seat].body[:2]
        step = (x - before_x, y - before_y)
        return STEPS.index(step) if step in STEPS else UP

    def cells(self) -> tuple[str, ...]:
        """Return the rows from the top with digits as heads and letters as bodies, by seat."""
        return cells_of(self.game.width, self.game.height, self.snakes, self.food)

    def board_of(self, seat: int | None) -> tuple[str, ...]:
        """Return the whole board: everybody sees it."""
        return self.cells()

    def drawn(self, seat: int | None) -> str:
        """Draw all: everybody sees it."""
        return self.render()

    def render(self) -> str:
        """Draw the board, each snake's length and health, the turn, and how the match ended.

        Whose move it is would tell who has chosen already.
        """
        width = max(map(len, self.game.seat_names))
        # Before all snakes are placed, there is nothing to tell of them.
        told = zip(self.game.seat_names, self.material(), strict=False)
        lines = [f"{seat} {name:<{width}}  {text}" for seat, (name, text) in enumerate(told)]
        end = "" if self.outcome() is None else f": {self.status()}"
        return draw_text(self.cells(), [*lines, f"turn {self.turn}{end}"])

    def svg(self) -> str:
        """Draw the board with the number of each seat on its snake's head."""
        game = self.game
        title = f"{game.title}: turn {self.turn}, {self.status()}"
        return draw_board(title, game.width, game.height, self.snakes, self.food)

    def material(self) -> tuple[str, ...]:
        """Describe each snake: its length and health, or what took it out."""
        if len(self.snakes) < self.game.snakes:
            return ()
        return tuple(
            f"length {len(snake.body)}, health {snake.health}"
            if snake.body
            else f"out in turn {snake.out}: {snake.cause}"
            for snake in self.snakes
        )


@dataclass(frozen=True)
class Snakes(Game):
    """The rules with the options of the standard map."""

    name = "snakes"
    title = "Snakes"
    summary = (
        "All snakes move one square at the same time, starve without food, and die at the edge, "
        "on a body, or head to head with a snake that is not shorter. The last snake wins; those "
        "that live after {turns} turns draw."
    )
    look = LOOK
    opening_plies = 0
    has_secrets = True
    has_chance = True

    snakes: int = option(4, help="the number of snakes", low=2, high=SEATS_MAX)
    width: int = option(11, help="columns of the board", low=7, high=25)
    height: int = option(11, help="rows of the board", low=7, high=25)
    turns: int = option(500, help="turns until the living snakes draw", low=1, high=10_000)

    @property
    def shows_all(self) -> bool:
        """A turn is known once it is played."""
        return True

    @property
    def max_plies(self) -> int:
        """All turns; each has a ply of each snake and up to two of luck, as has the start."""
        return (self.turns + 2) * (self.snakes + 2)

    @property
    def sides(self) -> tuple[int, ...]:
        """Each for itself."""
        return tuple(range(self.snakes))

    @property
    def seat_names(self) -> tuple[str, ...]:
        """The colours of the snakes."""
        return _NAMES[: self.snakes]

    @property
    def no_food(self) -> int:
        """Luck's move that places no food: the number after those of the squares."""
        return self.width * self.height

    @property
    def position_help(self) -> str:
        """The signs of the board, the event of a turn, and the whole position."""
        return (
            "state.cells()[row][column] is the square, row 0 at the top: a digit is the head of "
            "that seat, a letter a body ('a' of seat 0), '*' food, '.' free; moves are 0 up, 1 "
            "down, 2 left, 3 right; state.sample(random) is the whole position with turn, food "
            "and snakes, each with body, health and cause; squares are (x, y) from the bottom left"
        )

    def initial(self) -> SnakesState:
        """Return the empty board."""
        return SnakesState(self, (), (), 0, (), Luck.SNAKE)

    def sample(self, view: View, random: Random) -> SnakesState:
        """Return the position that everybody sees."""
        events, food = view.events, []
        last = len(events) - 1
        while not events[last].startswith(_TURN):
            food.append(read_point(events[last].removeprefix(_FOOD)))
            last -= 1
        turn, there, snakes = read_turn(events[last])
        return SnakesState(self, snakes, (*there, *reversed(food)), turn, events)


GAME = Snakes()
