"""Pacman: he eats the food in a maze, ghosts hunt him; each ghost is a seat, all are one side.

Scoring as in the Pacman projects of UC Berkeley's CS 188 (J. DeNero and D. Klein, 2010).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import cycle, islice
from pathlib import Path

from games.pacman.drawing import GHOST_COLOURS, LOOK, draw_maze, middle_of
from games.pacman.mazes import GHOSTS_MAX, Maze, maze_of
from games.pacman.position import MazeCell, Placed, read_position, write_position
from games.support.counts import counted
from games.support.errors import OptionError, PositionError
from games.support.game import Evaluation, Game, Move, State, digest_of
from games.support.options import option
from games.support.text_files import find_text

NORTH, EAST, SOUTH, WEST, STOP = range(5)
MOVES = ("north", "east", "south", "west", "stop")

FOOD, WIN, LOSS, STEP, GHOST = 10, 500, -500, -1, 200
"""The score of each event."""

_BACK = (SOUTH, WEST, NORTH, EAST, STOP)
_PENALTY_MAX = 450
_LAYOUTS = Path(__file__).parent / "layouts"
_new = object.__new__

Ghost = tuple[int, int, int]
"""A ghost: its cell, its heading, and for how many of its moves it is scared."""


class PacmanState(State):
    """A position in the maze: all places, the remaining food, the score and the round."""

    __slots__ = (
        "capsules",
        "cell",
        "food",
        "game",
        "ghosts",
        "heading",
        "is_caught",
        "round",
        "score",
        "to_move",
    )

    game: "Pacman"
    cell: int
    heading: int
    ghosts: tuple[Ghost, ...]
    food: int
    capsules: int
    score: int
    round: int
    is_caught: bool

    def legal_moves(self) -> tuple[int, ...]:
        """List the open directions in the order north, east, south, west, stop.

        A ghost never stops, and turns back only at a dead end; a scared one rests every other move.
        """
        ways = self.game.maze.ways
        if self.to_move == 0:
            return self.game.pacman_moves(self.cell)
        cell, heading, scared = self.ghosts[self.to_move - 1]
        if scared % 2:
            return (STOP,)
        back = _BACK[heading]
        moves = tuple(way for way in range(4) if ways[cell][way] >= 0 and way != back)
        if moves:
            return moves
        return (back,) if back != STOP and ways[cell][back] >= 0 else (STOP,)

    def play(self, move: int) -> "PacmanState":
        """Move one step, and eat what is there."""
        child = _new(PacmanState)
        child.game = game = self.game
        child.food, child.capsules = self.food, self.capsules
        child.score, child.round = self.score, self.round
        child.is_caught = False
        child.ghosts = self.ghosts
        seat = self.to_move
        if seat == 0:
            child._walk(self, move)
        else:
            child.cell, child.heading = self.cell, self.heading
            cell, heading, scared = self.ghosts[seat - 1]
            if move != STOP:
                cell, heading = game.maze.ways[cell][move], move
            ghost = (cell, heading, max(0, scared - 1))
            child.ghosts = (*self.ghosts[: seat - 1], ghost, *self.ghosts[seat:])
            if cell == self.cell:
                child._meet(seat - 1)
        if seat == len(self.ghosts):
            child.to_move = 0
            child.round += 1
        else:
            child.to_move = seat + 1
        return child

    def _walk(self, before: "PacmanState", move: int) -> None:
        """Take Pacman's step from the position `before`."""
        game = self.game
        cell = before.cell if move == STOP else game.maze.ways[before.cell][move]
        self.cell = cell
        self.heading = before.heading if move == STOP else move
        self.score += STEP
        bit = 1 << cell
        if self.food & bit:
            self.food ^= bit
            self.score += FOOD if self.food else FOOD + WIN
        if self.capsules & bit:
            self.capsules ^= bit
            self.ghosts = tuple((at, heading, game.scared) for at, heading, _ in self.ghosts)
        for number, ghost in enumerate(self.ghosts):
            if ghost[0] == cell:
                self._meet(number)

    def _meet(self, number: int) -> None:
        """Let Pacman, unless he has won, eat a scared ghost, which restarts, or be caught."""
        if self.ghosts[number][2]:
            self.score += GHOST
            home = (self.game.maze.ghosts[number], STOP, 0)
            self.ghosts = (*self.ghosts[:number], home, *self.ghosts[number + 1 :])
        elif self.food and not self.is_caught:
            self.is_caught = True
            self.score += LOSS

    def outcome(self) -> tuple[float, ...] | None:
        """Return the score, negated for the ghosts, once the match is over."""
        if self.food and not self.is_caught and self.round < self.game.rounds:
            return None
        score = float(self.score)
        return (score, *(-score,) * len(self.ghosts))

    def placing(self) -> tuple[float, ...] | None:
        """Return who won, whatever the score: all food eaten, Pacman caught, or time up."""
        if self.outcome() is None:
            return None
        won = 1.0 if not self.food else -1.0 if self.is_caught else 0.0
        return (won, *(-won,) * len(self.ghosts))

    def key(self) -> tuple[object, ...]:
        """Return the score and everything that can still change."""
        place = (self.cell, self.heading, self.ghosts, self.food, self.capsules)
        return (*place, self.score, self.round, self.to_move, self.is_caught)

    def order(self, moves: Sequence[Move]) -> Sequence[Move]:
        """Put steps onto food first, and a ghost's steps towards Pacman."""
        maze = self.game.maze
        if self.to_move == 0:
            ways = (*maze.ways[self.cell], self.cell)
            return sorted(moves, key=lambda move: not self.food >> ways[move] & 1)
        cell = self.ghosts[self.to_move - 1][0]
        ways, steps = (*maze.ways[cell], cell), maze.distances[self.cell]
        return sorted(moves, key=lambda move: steps[ways[move]])

    def text(self, move: Move) -> str:
        """Write the direction in a word."""
        return MOVES[move]

    def refusal(self, move: Move) -> str:
        """Name the direction."""
        if type(move) is not int or not 0 <= move < len(MOVES):
            return ""
        return f"{MOVES[move]}: not among the ways from here"

    def parse(self, text: str) -> Move:
        """Read a direction, or its first letter; `s` is south."""
        wanted = text.strip().lower()
        whole = {word[0]: word for word in reversed(MOVES)} | {"s": "south"}
        return super().parse(whole.get(wanted, text))

    def cells(self) -> tuple[str, ...]:
        """Return the maze's rows from the top with the signs of `render`."""
        maze = self.game.maze
        signs = ["%" if wall else " " for wall in maze.walls]
        for cell in range(len(signs)):
            if self.food >> cell & 1:
                signs[cell] = "."
            elif self.capsules >> cell & 1:
                signs[cell] = "o"
        signs[self.cell] = "P"
        for seat, (cell, _, scared) in enumerate(self.ghosts, 1):
            signs[cell] = "abcdefghi"[seat - 1] if scared else str(seat)
        if self.is_caught:
            signs[self.cell] = "X"
        width = maze.width
        return tuple("".join(signs[row : row + width]) for row in range(0, len(signs), width))

    def render(self) -> str:
        """Draw the maze: P is Pacman, digits are ghosts by seat, letters scared ones."""
        return "\n".join([*self.cells(), self.status()])

    def status(self) -> str:
        """Return who moves, or how much Pacman ate and what ended it, with score and round."""
        told = f"score {self.score}, round {min(self.round + 1, self.game.rounds)}"
        if self.outcome() is None:
            return f"{self.game.seat_names[self.to_move]} to move, {told} of {self.game.rounds}"
        whole = self.game.maze.food.bit_count()
        eaten = f"Pacman ate {whole - self.food.bit_count()} of {whole}"
        if self.is_caught:
            return f"{eaten} and was caught, {told}"
        return f"{eaten} before the time was up, {told}" if self.food else f"{eaten}, {told}"

    def fen(self) -> str:
        """Write the position in a line, as `games.pacman.position` describes; '' at the end."""
        if self.outcome() is not None:
            return ""
        places = (MazeCell(self.cell, self.heading), *(MazeCell(*ghost) for ghost in self.ghosts))
        placed = Placed(
            self.food, self.capsules, self.to_move, self.score, self.round, tuple(places)
        )
        return write_position(self.game.maze, placed)

    def svg(self) -> str:
        """Draw the maze, Pacman facing his heading, scared ghosts in blue."""
        return draw_maze(
            self.game.maze,
            f"{self.game.title}: {self.status()}",
            (self.cell, self.heading),
            self.ghosts,
            self.food,
            self.capsules,
        )

    def marks(self, move: Move) -> tuple[tuple[int, int], ...]:
        """Return the origin and the target, none if they are the same."""
        if move == STOP:
            return ()
        maze = self.game.maze
        cell = self.ghosts[self.to_move - 1][0] if self.to_move else self.cell
        return (middle_of(maze, cell), middle_of(maze, maze.ways[cell][move]))

    def material(self) -> tuple[str, ...]:
        """Describe Pacman's score, the remaining food and the scared ghosts."""
        left = counted(self.food.bit_count(), "pellet")
        scared = ("scared" if ghost[2] else "" for ghost in self.ghosts)
        return (f"score {self.score}, {left} left", *scared)


def score(state: PacmanState, seat: int) -> float:
    """Return the score so far, negated for a ghost."""
    return state.score if seat == 0 else -state.score


def hunt(state: PacmanState, seat: int) -> float:
    """Weigh the score, the distance to the nearest food, and the distances of ghosts."""
    steps = state.game.maze.distances[state.cell]
    food, nearest = state.food, state.game.maze.longest
    while food:
        low = food & -food
        food ^= low
        nearest = min(nearest, steps[low.bit_length() - 1])
    worth = -2 * nearest
    for cell, _, scared in state.ghosts:
        away = steps[cell]
        if away < 0:
            continue
        if scared > away:
            worth += max(0, 80 - 4 * away)
        else:
            worth += min(away, 20) - 12 * max(0, 4 - away) ** 2
    worth = state.score + max(-_PENALTY_MAX, min(_PENALTY_MAX, worth))
    return worth if seat == 0 else -worth


@dataclass(frozen=True)
class Pacman(Game):
    """The rules of the maze; a round is a move of Pacman and one of every ghost."""

    name = "pacman"
    title = "Pacman"
    summary = (
        "Pacman wins by eating all food of the maze; the ghosts win by catching him. After "
        "eating a capsule, Pacman can eat the ghosts for a while."
    )
    look = LOOK
    opening_plies = 6
    sends_boards = False

    layout: str = option("small", help="small, medium, or the path of a layout file")
    ghosts: int | None = option(
        None, help="how many of the layout's ghosts hunt; none is all", low=1, high=GHOSTS_MAX
    )
    stop: bool = option(False, help="whether Pacman may stand still")
    scared: int = option(40, help="moves of a ghost that a capsule scares it for", low=0, high=200)
    rounds: int = option(300, help="rounds until nobody wins", low=1, high=10_000)
    fen: str = option("", help="the first position in a line; empty for the layout's")
    maze: Maze = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        name, text = find_text("layout", _LAYOUTS, self.layout)
        object.__setattr__(self, "layout", name)
        maze = maze_of(text, name)
        object.__setattr__(self, "maze", maze)
        if self.ghosts is not None and self.ghosts > len(maze.ghosts):
            raise OptionError(
                f"option ghosts={self.ghosts}: layout {name!r} has {len(maze.ghosts)}", "ghosts"
            )
        if self.fen:
            try:
                self.read(self.fen)
            except PositionError as error:
                raise OptionError(f"option fen: {error}", "fen") from None

    @property
    def digest(self) -> str:
        """The digest of the file."""
        return digest_of(self.maze.text)

    @property
    def sides(self) -> tuple[int, ...]:
        """Pacman against all the ghosts."""
        return (0, *(1,) * self._count)

    @property
    def _count(self) -> int:
        return len(self.maze.ghosts) if self.ghosts is None else self.ghosts

    @property
    def seat_names(self) -> tuple[str, ...]:
        """Pacman, and the ghosts by their number."""
        return ("Pacman", *(f"Ghost {number}" for number in range(1, self._count + 1)))

    @property
    def seat_colours(self) -> tuple[str, ...]:
        """Yellow for Pacman, and the colours in which the ghosts are drawn."""
        return ("yellow", *islice(cycle(GHOST_COLOURS), self._count))

    @property
    def utility_bounds(self) -> tuple[float, float]:
        """The scores possible with the layout and the rounds, for either side."""
        high = WIN + self._most
        low = LOSS + STEP * self.rounds
        most = float(max(high, -low))
        return (-most, most)

    @property
    def _most(self) -> int:
        """The most that can be eaten: each capsule lets Pacman eat each ghost once."""
        ghosts = self._count * self.maze.capsules.bit_count()
        return FOOD * self.maze.food.bit_count() + GHOST * ghosts

    @property
    def position_help(self) -> str:
        """The signs of the maze."""
        return (
            "state.cells()[row][column] is the cell, row 0 at the top: '%' wall, '.' food, "
            "'o' capsule, 'P' Pacman, digits the ghosts by seat (letters while scared); "
            "state.score, state.round and state.ghosts tell the rest"
        )

    @property
    def evaluations(self) -> tuple[Evaluation, ...]:
        """`hunt` and `score`; the bounds depend on the layout."""
        most = max(self._most, -STEP * self.rounds)
        wide = most + _PENALTY_MAX
        return (
            Evaluation("hunt", "the score, the next food and the ghosts", hunt, -wide, wide, 1),
            Evaluation("score", "the score so far", score, -most, most, 1),
        )

    def pacman_moves(self, cell: int) -> tuple[int, ...]:
        """List Pacman's moves in a cell."""
        moves = tuple(way for way in range(4) if self.maze.ways[cell][way] >= 0)
        return (*moves, STOP) if self.stop or not moves else moves

    def initial(self) -> PacmanState:
        """Return the layout's start, Pacman to move, or the position of the option `fen`."""
        if self.fen:
            return self.read(self.fen)
        cells = (self.maze.start, *self.maze.ghosts[: self._count])
        places = tuple(MazeCell(cell, STOP) for cell in cells)
        return self._at(Placed(self.maze.food, self.maze.capsules, 0, 0, 0, places))

    def position(self, text: str) -> State:
        """Read the output of `State.fen`, or moves from the first position."""
        return self.read(text) if "/" in text else super().position(text)

    def read(self, text: str) -> PacmanState:
        """Read the output of `State.fen`; raise `PositionError`."""
        placed = read_position(self.maze, text, self.seats)
        if placed.round >= self.rounds:
            raise PositionError(f"round {placed.round}: the match ends after {self.rounds}")
        return self._at(placed)

    def _at(self, placed: Placed) -> PacmanState:
        position = _new(PacmanState)
        position.game = self
        pacman, *ghosts = placed.places
        position.cell, position.heading = pacman.cell, pacman.heading
        position.ghosts = tuple((each.cell, each.heading, each.scared) for each in ghosts)
        position.food, position.capsules = placed.food, placed.capsules
        position.score, position.round = placed.score, placed.round
        position.to_move, position.is_caught = placed.to_move, False
        return position


GAME = Pacman()
