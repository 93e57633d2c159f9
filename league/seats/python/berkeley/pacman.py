"""What agents import from the projects' `pacman`: the game's states."""

from copy import copy
from typing import Any, ClassVar

from games.pacman.mazes import Maze
from games.pacman.rules import EAST, NORTH, SOUTH, STOP, WEST, PacmanState
from league.seats.python.berkeley.game import AgentState, Configuration, Directions, Grid

SCARED_TIME = 40
COLLISION_TOLERANCE = 0.7
TIME_PENALTY = 1

NAMES = {
    WEST: Directions.WEST,
    STOP: Directions.STOP,
    EAST: Directions.EAST,
    NORTH: Directions.NORTH,
    SOUTH: Directions.SOUTH,
}
"""The actions of the moves, in the order in which the projects list them."""

MOVES = {name: move for move, name in NAMES.items()}


class Layout:
    """The maze of a match."""

    def __init__(self, maze: Maze) -> None:
        self.maze = maze
        self.width, self.height = maze.width, maze.height
        self.walls = grid_of(maze, sum(1 << at for at, wall in enumerate(maze.walls) if wall))


class StateData:
    """The parts of a state as some agents read them: `state.data.score`."""

    def __init__(self, state: "GameState") -> None:
        self._state = state

    @property
    def agentStates(self) -> list[AgentState]:
        """Pacman and the ghosts."""
        return [self._state.getPacmanState(), *self._state.getGhostStates()]

    @property
    def layout(self) -> Layout:
        """The maze."""
        return self._state.layout

    @property
    def food(self) -> Grid:
        """The food."""
        return self._state.getFood()

    @property
    def capsules(self) -> list[tuple[int, int]]:
        """The places of the capsules."""
        return self._state.getCapsules()

    @property
    def score(self) -> float:
        """The score."""
        return self._state.getScore()


class GameState:
    """A position as agents of the projects see it.

    Nothing ends by the number of rounds here. Unlike a `State`, it can be asked for the moves of
    any seat, whoever is to move.
    """

    explored: ClassVar[set["GameState"]] = set()
    """The states that were expanded, as far as somebody asks for them."""

    def __init__(self, state: "PacmanState | GameState", layout: Layout | None = None) -> None:
        self.state: PacmanState
        self.layout: Layout
        if isinstance(state, GameState):
            self.state, self.layout = state.state, state.layout
        else:
            self.state, self.layout = state, layout or Layout(state.game.maze)
        self.data = StateData(self)

    @staticmethod
    def getAndResetExplored() -> set["GameState"]:
        """Return an empty set: nobody counts states here."""
        return set()

    def getLegalActions(self, agentIndex: int = 0) -> list[str]:
        """List the actions of a seat; none when Pacman has won or lost."""
        if self.isWin() or self.isLose():
            return []
        legal = self._turn(agentIndex).legal_moves()
        return [name for move, name in NAMES.items() if move in legal]

    def generateSuccessor(self, agentIndex: int, action: str) -> "GameState":
        """Return the state after an action of a seat; raise `Exception` if there is none."""
        if self.isWin() or self.isLose():
            raise Exception("the match is over: there is no successor")
        before = self._turn(agentIndex)
        move = MOVES.get(action)
        if move not in before.legal_moves():
            raise Exception(f"illegal action {action!r} of agent {agentIndex}")
        return GameState(before.play(move), self.layout)

    def getLegalPacmanActions(self) -> list[str]:
        """List Pacman's actions."""
        return self.getLegalActions(0)

    def generatePacmanSuccessor(self, action: str) -> "GameState":
        """Return the state after an action of Pacman."""
        return self.generateSuccessor(0, action)

    def getNumAgents(self) -> int:
        """Return the number of seats."""
        return 1 + len(self.state.ghosts)

    def getPacmanState(self) -> AgentState:
        """Return where Pacman is."""
        return self._agent(0, self.state.cell, self.state.heading)

    def getGhostStates(self) -> list[AgentState]:
        """List where the ghosts are, and how scared."""
        return [self.getGhostState(seat) for seat in range(1, self.getNumAgents())]

    def getGhostState(self, agentIndex: int) -> AgentState:
        """Return where a ghost is, and how scared."""
        if not 0 < agentIndex < self.getNumAgents():
            raise Exception(f"agent {agentIndex!r} is no ghost")
        cell, heading, scared = self.state.ghosts[agentIndex - 1]
        agent = self._agent(agentIndex, cell, heading)
        agent.scaredTimer = scared
        return agent

    def getPacmanPosition(self) -> tuple[int, int]:
        """Return Pacman's place."""
        return self._place(self.state.cell)

    def getGhostPosition(self, agentIndex: int) -> tuple[int, int]:
        """Return a ghost's place."""
        if not 0 < agentIndex < self.getNumAgents():
            raise Exception(f"agent {agentIndex!r} is no ghost")
        return self._place(self.state.ghosts[agentIndex - 1][0])

    def getGhostPositions(self) -> list[tuple[int, int]]:
        """List the ghosts' places."""
        return [self._place(ghost[0]) for ghost in self.state.ghosts]

    def getScore(self) -> float:
        """Return the score."""
        return float(self.state.score)

    def getCapsules(self) -> list[tuple[int, int]]:
        """List the places of the capsules, row by row from the bottom."""
        cells = grid_of(self.layout.maze, self.state.capsules).asList()
        return sorted(cells, key=lambda place: place[::-1])

    def getNumFood(self) -> int:
        """Count the food that is left."""
        return self.state.food.bit_count()

    def getFood(self) -> Grid:
        """Return where there is food."""
        return grid_of(self.layout.maze, self.state.food)

    def getWalls(self) -> Grid:
        """Return where there are walls."""
        return self.layout.walls

    def hasFood(self, x: int, y: int) -> bool:
        """Whether there is food at a place."""
        return bool(self.state.food >> self._cell(x, y) & 1)

    def hasWall(self, x: int, y: int) -> bool:
        """Whether there is a wall at a place."""
        return self.layout.walls[x][y]

    def isWin(self) -> bool:
        """Whether Pacman has eaten all food."""
        return not self.state.food

    def isLose(self) -> bool:
        """Whether Pacman was caught."""
        return self.state.is_caught

    def deepCopy(self) -> "GameState":
        """Return the same state, which nothing changes."""
        return GameState(self)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, GameState) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __str__(self) -> str:
        return self.state.render()

    def _key(self) -> tuple[Any, ...]:
        state = self.state
        place = (state.cell, state.heading, state.ghosts, state.food, state.capsules)
        return (*place, state.score, state.is_caught)

    def _turn(self, seat: int) -> PacmanState:
        """Return the position with a seat to move."""
        if self.state.to_move == seat:
            return self.state
        turned = copy(self.state)
        turned.to_move = seat
        return turned

    def _agent(self, seat: int, cell: int, heading: int) -> AgentState:
        maze = self.layout.maze
        start = maze.ghosts[seat - 1] if seat else maze.start
        agent = AgentState(Configuration(self._place(start), Directions.STOP), seat == 0)
        agent.configuration = Configuration(self._place(cell), NAMES[heading])
        return agent

    def _place(self, cell: int) -> tuple[int, int]:
        row, column = divmod(cell, self.layout.width)
        return column, self.layout.height - 1 - row

    def _cell(self, x: int, y: int) -> int:
        return (self.layout.height - 1 - y) * self.layout.width + x


def grid_of(maze: Maze, cells: int) -> Grid:
    """Return a set of cells as a grid."""
    width, height = maze.width, maze.height
    return Grid.of(width, height, lambda x, y: bool(cells >> (height - 1 - y) * width + x & 1))
