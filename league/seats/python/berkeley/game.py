"""What agents import from the projects' `game`: agents, directions, places and grids."""

from collections.abc import Callable, Iterator
from typing import Any, ClassVar

Position = tuple[float, float]
"""A place: its column from the left and its row from the bottom, both from 0."""


class Agent:
    """The base of agents; `index` is 0 for Pacman, and the number of a ghost."""

    def __init__(self, index: int = 0) -> None:
        self.index = index

    def getAction(self, state: Any) -> str:
        """Return the action in a `GameState`."""
        raise NotImplementedError(f"{type(self).__name__} has no getAction(self, state)")


class Directions:
    """The actions, and the turns from one to the next."""

    NORTH = "North"
    SOUTH = "South"
    EAST = "East"
    WEST = "West"
    STOP = "Stop"

    LEFT: ClassVar = {NORTH: WEST, WEST: SOUTH, SOUTH: EAST, EAST: NORTH, STOP: STOP}
    RIGHT: ClassVar = {after: before for before, after in LEFT.items()}
    REVERSE: ClassVar = {NORTH: SOUTH, SOUTH: NORTH, EAST: WEST, WEST: EAST, STOP: STOP}


VECTORS = {
    Directions.WEST: (-1, 0),
    Directions.STOP: (0, 0),
    Directions.EAST: (1, 0),
    Directions.NORTH: (0, 1),
    Directions.SOUTH: (0, -1),
}
"""The steps, in the order in which the projects list actions."""


class Configuration:
    """A place and a heading."""

    def __init__(self, pos: Position, direction: str) -> None:
        self.pos = pos
        self.direction = direction

    def getPosition(self) -> Position:
        """Return the place."""
        return self.pos

    def getDirection(self) -> str:
        """Return the heading."""
        return self.direction

    def isInteger(self) -> bool:
        """Whether the place is the middle of a cell."""
        return all(each == int(each) for each in self.pos)

    def generateSuccessor(self, vector: Position) -> "Configuration":
        """Return the configuration after a step, which may lead anywhere."""
        heading = Actions.vectorToDirection(vector)
        place = (self.pos[0] + vector[0], self.pos[1] + vector[1])
        return Configuration(place, self.direction if heading == Directions.STOP else heading)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Configuration) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __str__(self) -> str:
        return f"(x,y)={self.pos}, {self.direction}"

    def _key(self) -> tuple[Position, str]:
        return self.pos, self.direction


class AgentState:
    """Where Pacman or a ghost is, where it began, and for how many moves a ghost is scared."""

    def __init__(self, startConfiguration: Configuration, isPacman: bool) -> None:
        self.start = startConfiguration
        self.configuration = startConfiguration
        self.isPacman = isPacman
        self.scaredTimer = 0
        self.numCarrying = 0
        self.numReturned = 0

    def getPosition(self) -> Position:
        """Return the place."""
        return self.configuration.getPosition()

    def getDirection(self) -> str:
        """Return the heading."""
        return self.configuration.getDirection()

    def copy(self) -> "AgentState":
        """Return a state of its own."""
        other = AgentState(self.start, self.isPacman)
        vars(other).update(vars(self))
        return other

    def __eq__(self, other: object) -> bool:
        return isinstance(other, AgentState) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __str__(self) -> str:
        return f"{'Pacman' if self.isPacman else 'Ghost'}: {self.configuration}"

    def _key(self) -> tuple[Configuration, int]:
        return self.configuration, self.scaredTimer


class Grid:
    """Truth by column and row: `grid[x][y]`, from the bottom left."""

    def __init__(self, width: int, height: int, initialValue: bool = False) -> None:
        self.width = width
        self.height = height
        self.data = [[initialValue] * height for _ in range(width)]

    @classmethod
    def of(cls, width: int, height: int, holds: Callable[[int, int], bool]) -> "Grid":
        """Return the grid of a function of column and row."""
        grid = cls(width, height)
        grid.data = [[holds(x, y) for y in range(height)] for x in range(width)]
        return grid

    def __getitem__(self, x: int) -> list[bool]:
        return self.data[x]

    def __setitem__(self, x: int, column: list[bool]) -> None:
        self.data[x] = column

    def __iter__(self) -> Iterator[list[bool]]:
        return iter(self.data)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Grid) and self.data == other.data

    def __hash__(self) -> int:
        return hash(tuple(map(tuple, self.data)))

    def __str__(self) -> str:
        rows = range(self.height - 1, -1, -1)
        return "\n".join("".join(str(column[y])[0] for column in self.data) for y in rows)

    def count(self, item: bool = True) -> int:
        """Count the cells of a value."""
        return sum(column.count(item) for column in self.data)

    def asList(self, key: bool = True) -> list[tuple[int, int]]:
        """List the places of a value, column by column."""
        return [
            (x, y)
            for x, column in enumerate(self.data)
            for y, value in enumerate(column)
            if value == key
        ]

    def copy(self) -> "Grid":
        """Return a grid of its own."""
        return Grid.of(self.width, self.height, lambda x, y: self.data[x][y])

    deepCopy = copy

    def shallowCopy(self) -> "Grid":
        """Return a grid with the same columns."""
        other = Grid(0, self.height)
        other.width, other.data = self.width, self.data
        return other


class Actions:
    """Functions of directions and steps."""

    TOLERANCE = 0.001

    @staticmethod
    def reverseDirection(action: str) -> str:
        """Return the opposite direction."""
        return Directions.REVERSE.get(action, action)

    @staticmethod
    def vectorToDirection(vector: Position) -> str:
        """Return the direction of a step."""
        dx, dy = vector
        if dy:
            return Directions.NORTH if dy > 0 else Directions.SOUTH
        if dx:
            return Directions.EAST if dx > 0 else Directions.WEST
        return Directions.STOP

    @staticmethod
    def directionToVector(direction: str, speed: float = 1.0) -> Position:
        """Return the step in a direction."""
        dx, dy = VECTORS[direction]
        return dx * speed, dy * speed

    @staticmethod
    def getPossibleActions(config: Configuration, walls: Grid) -> list[str]:
        """List the actions of a place that lead into no wall."""
        x, y = (int(each + 0.5) for each in config.pos)
        return [way for way, (dx, dy) in VECTORS.items() if not walls[x + dx][y + dy]]

    @staticmethod
    def getLegalNeighbors(position: Position, walls: Grid) -> list[tuple[int, int]]:
        """List the places within a step that are no walls."""
        x, y = (int(each + 0.5) for each in position)
        around = [(x + dx, y + dy) for dx, dy in VECTORS.values()]
        return [
            (column, row)
            for column, row in around
            if 0 <= column < walls.width and 0 <= row < walls.height and not walls[column][row]
        ]

    @staticmethod
    def getSuccessor(position: Position, action: str) -> Position:
        """Return the place after an action."""
        dx, dy = Actions.directionToVector(action)
        return position[0] + dx, position[1] + dy
