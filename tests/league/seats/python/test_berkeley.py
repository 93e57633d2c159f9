"""Agents as people write them for Berkeley's Pacman projects play unchanged."""

import os
import sys
from pathlib import Path

import pytest

from bots import Clock
from games.pacman.rules import PacmanState
from games.support.specs import find_game
from league.match.play import MatchSetup, play_match
from league.model.records import Limits, MatchRecord, Termination
from league.registration.source_snapshot import take_snapshot
from league.seats.python.berkeley import util
from league.seats.python.berkeley.agent_bot import AgentBot, is_agent, offer_modules
from league.seats.python.berkeley.game import Actions, Agent, Configuration, Directions, Grid
from league.seats.python.berkeley.pacman import GameState
from league.seats.python.python_seat import PythonSeat
from league.seats.seat import SeatFault
from tests.strategies import walk
from tests.waiting import ENDLESS_S

LIMITS = Limits(move_s=1.0, grace_s=ENDLESS_S, start_s=ENDLESS_S)
REAL = "BOTLEAGUE_CS188_AGENTS"
"""The variable that names a real file of agents, with a MinimaxAgent."""

MAZE = """\
%%%%%%%%%
%.P    G%
% %.%G%%%
%G   o%%%
%%%%%%%%%
"""

AGENTS = """\
from util import manhattanDistance
from game import Directions
import random, util
from game import Agent
from pacman import GameState

class ReflexAgent(Agent):
    def getAction(self, gameState):
        legal = gameState.getLegalActions()
        scores = [self.evaluate(gameState, action) for action in legal]
        best = [at for at in range(len(legal)) if scores[at] == max(scores)]
        return legal[random.choice(best)]

    def evaluate(self, state, action):
        after = state.generatePacmanSuccessor(action)
        ghosts = [manhattanDistance(after.getPacmanPosition(), ghost.getPosition())
                  for ghost in after.getGhostStates() if not ghost.scaredTimer]
        food = [util.manhattanDistance(after.getPacmanPosition(), place)
                for place in after.getFood().asList()]
        return after.getScore() + min(ghosts + [5]) - min(food + [9])

def scoreEvaluationFunction(currentGameState):
    return currentGameState.getScore()

class MultiAgentSearchAgent(Agent):
    def __init__(self, evalFn='scoreEvaluationFunction', depth='2'):
        self.index = 0
        self.evaluationFunction = util.lookup(evalFn, globals())
        self.depth = int(depth)

class MinimaxAgent(MultiAgentSearchAgent):
    def getAction(self, gameState: GameState):
        return self.best(gameState, self.index, self.depth)[1]

    def best(self, state, agent, depth):
        if depth == 0 or state.isWin() or state.isLose():
            return self.evaluationFunction(state), Directions.STOP
        then = (agent + 1) % state.getNumAgents()
        found = [(self.best(state.generateSuccessor(agent, action), then, depth - (then == 0))[0],
                  action) for action in state.getLegalActions(agent)]
        choose = max if agent == 0 else min
        return choose(found, key=lambda pair: pair[0])
"""


@pytest.fixture
def agents(tmp_path: Path) -> Path:
    path = tmp_path / "multiAgents.py"
    path.write_text(AGENTS)
    return path


@pytest.fixture
def start(tmp_path: Path) -> GameState:
    """Return the first position of a maze of the projects' form."""
    (tmp_path / "maze.lay").write_text(MAZE)
    first = find_game(f"pacman?layout={tmp_path}/maze.lay&stop=yes").initial()
    assert isinstance(first, PacmanState)
    return GameState(first)


def play(spec: str, options: dict[str, str], game: str, at: int = 0) -> MatchRecord:
    """Play a match with an agent in one seat, and the bot `random` in the others."""
    found = find_game(game)
    random_bot = take_snapshot("random", "random", {})
    versions = [random_bot] * found.seats
    versions[at] = take_snapshot("agent", spec, options)
    seats = [PythonSeat(version, LIMITS) for version in versions]
    try:
        setup = MatchSetup(
            game=found, versions=[1] * found.seats, opening=(), limits=LIMITS, seed=1
        )
        return play_match(setup, seats)
    finally:
        for seat in seats:
            seat.stop()


@pytest.mark.parametrize(
    ("name", "options"),
    [("ReflexAgent", {}), ("MinimaxAgent", {"depth": "1"}), ("MinimaxAgent", {})],
)
def test_agents_play_to_the_end(agents: Path, name: str, options: dict[str, str]) -> None:
    record = play(f"{agents}:{name}", options, "pacman?stop=yes&rounds=40")
    assert record.termination == Termination.RULES, record.detail


def test_ghosts_of_an_agent_move_by_chance(agents: Path) -> None:
    first = play(f"{agents}:MinimaxAgent", {}, "pacman?rounds=10", at=1)
    assert first.termination == Termination.RULES, first.detail
    again = play(f"{agents}:MinimaxAgent", {}, "pacman?rounds=10", at=1)
    assert [move.move for move in first.moves] == [move.move for move in again.moves]


def test_an_agent_plays_beside_modules_of_its_own(agents: Path) -> None:
    """Those of the projects too: what lies beside a file comes first."""
    (agents.parent / "util.py").write_text(
        "def manhattanDistance(a, b):\n    return 0\n"
        "def lookup(name, names):\n    return lambda state: -state.getScore()\n"
    )
    record = play(f"{agents}:MinimaxAgent", {"depth": "1"}, "pacman?stop=yes&rounds=5")
    assert record.termination == Termination.RULES, record.detail


@pytest.mark.parametrize(
    ("name", "options", "game", "detail"),
    [
        ("", {}, "pacman", r"has several bots \(ReflexAgent, MinimaxAgent\): name one, FILE:NAME"),
        (":MinimaxAgent", {"deep": "2"}, "pacman", "unknown option 'deep' of MinimaxAgent"),
        (":MinimaxAgent", {}, "othello", "Berkeley's Pacman projects plays pacman, not othello"),
    ],
)
def test_what_cannot_play_is_told_why(
    agents: Path, name: str, options: dict[str, str], game: str, detail: str
) -> None:
    def begin(seat: PythonSeat) -> None:
        seat.start()
        seat.new_match(find_game(game), 0, 1, ())

    seat = PythonSeat(take_snapshot("agent", f"{agents}{name}", options), LIMITS)
    try:
        with pytest.raises(SeatFault, match=detail):
            begin(seat)
    finally:
        seat.stop()


def test_states_tell_what_agents_ask_for(start: GameState) -> None:
    assert start.getNumAgents() == 4
    assert start.getPacmanPosition() == (2, 3)
    # Ghosts are numbered by column, in files of the projects.
    assert start.getGhostPositions() == [(1, 1), (5, 2), (7, 3)]
    assert start.getGhostPosition(3) == (7, 3)
    assert start.getLegalActions() == ["West", "Stop", "East"]
    assert start.getLegalActions(1) == ["East", "North"]
    assert start.getFood().asList() == [(1, 3), (3, 2)]
    assert start.getNumFood() == 2
    assert start.hasFood(1, 3)
    assert start.getFood()[1][3]
    assert not start.hasFood(2, 3)
    assert start.hasWall(0, 0)
    assert start.getWalls()[8][4]
    assert (start.getWalls().width, start.getWalls().height) == (9, 5)
    assert start.getCapsules() == start.data.capsules == [(5, 1)]
    assert start.getScore() == start.data.score == 0.0
    assert [agent.isPacman for agent in start.data.agentStates] == [True, False, False, False]
    assert start.data.layout.walls == start.getWalls()
    assert str(start.data.food).splitlines()[1] == "FTFFFFFFF"


def test_successors_follow_the_rules_of_the_projects(start: GameState) -> None:
    after = start.generatePacmanSuccessor("West")
    assert (after.getScore(), after.getNumFood()) == (9.0, 1)
    assert after.getPacmanState().getDirection() == Directions.WEST
    # The same seat may move again, whoever is to move.
    twice = after.generateSuccessor(0, "East")
    assert (twice.getPacmanPosition(), twice.getScore()) == ((2, 3), 8.0)
    assert twice != start
    assert GameState(start) == start
    assert len({start, start.deepCopy(), after}) == 2
    caught = start
    for action in ("East", "East", "East", "East"):
        caught = caught.generatePacmanSuccessor(action)
    caught = caught.generateSuccessor(3, "West")
    assert caught.isLose()
    assert caught.getScore() == -504.0
    assert caught.getLegalActions() == caught.getLegalActions(2) == []
    with pytest.raises(Exception, match="the match is over"):
        caught.generatePacmanSuccessor("West")
    with pytest.raises(Exception, match="illegal action 'North' of agent 0"):
        start.generatePacmanSuccessor("North")
    with pytest.raises(Exception, match="agent 0 is no ghost"):
        start.getGhostState(0)


@pytest.mark.parametrize("seed", range(5))
def test_a_state_agrees_with_the_game_at_every_ply(seed: int) -> None:
    for position in walk("pacman?stop=yes", seed, 60):
        assert isinstance(position, PacmanState)
        if position.outcome() is not None:
            continue
        state = GameState(position)
        seat = position.to_move
        legal = {state.generateSuccessor(seat, each) for each in state.getLegalActions(seat)}
        assert legal == {GameState(position.play(each)) for each in position.legal_moves()}


def test_the_modules_are_found_after_all_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "meta_path", list(sys.meta_path))
    for name in ("game", "pacman", "util"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    offer_modules()
    import util as found  # type: ignore[import-not-found]  # noqa: PLC0415

    assert found is util
    for name in ("game", "pacman", "util"):
        sys.modules.pop(name, None)
    assert is_agent(Agent)
    assert not is_agent(GameState)
    assert not is_agent(AgentBot)


def test_containers_and_counters() -> None:
    for container, expected in ((util.Stack(), 3), (util.Queue(), 1)):
        for item in (1, 2, 3):
            container.push(item)
        assert container.pop() == expected
        assert not container.isEmpty()
    queue = util.PriorityQueueWithFunction(lambda item: -item)
    for item in (1, 3, 2):
        queue.push(item)
    assert [queue.pop(), queue.pop()] == [3, 2]
    plain = util.PriorityQueue()
    plain.push("a", 2)
    plain.update("a", 1)
    plain.update("b", 1.5)
    plain.update("b", 9)
    assert [plain.pop(), plain.pop(), plain.isEmpty()] == ["a", "b", True]
    counter = util.Counter()
    counter["a"] += 3
    counter.incrementAll(["a", "b"], 1)
    assert (counter.argMax(), counter.sortedKeys(), counter.totalCount()) == ("a", ["a", "b"], 5)
    assert (counter + counter)["a"] == 8
    assert (counter - counter).totalCount() == 0
    assert counter * counter == 17
    counter.normalize()
    assert counter["a"] == 0.8
    assert util.sample(util.Counter(a=1)) == util.chooseFromDistribution([(1.0, "a")]) == "a"
    assert util.normalize([1, 3]) == [0.25, 0.75]
    assert util.lookup("math.sqrt", {})(4) == 2
    assert util.lookup("flipCoin", {"any": util}) is util.flipCoin
    assert util.nearestPoint((1.5, 2.2)) == (2, 2)


def test_directions_and_places() -> None:
    walls = Grid.of(3, 3, lambda x, y: (x, y) != (1, 1) and (x, y) != (1, 2))
    assert Actions.getPossibleActions(Configuration((1, 1), "Stop"), walls) == ["Stop", "North"]
    assert Actions.getLegalNeighbors((1, 1), walls) == [(1, 1), (1, 2)]
    assert Actions.getSuccessor((1, 1), "North") == (1, 2)
    assert Actions.reverseDirection("East") == "West"
    assert Directions.LEFT["North"] == "West"
    assert Directions.RIGHT["North"] == "East"
    assert Configuration((1, 1), "East").generateSuccessor((0, 1)) == Configuration((1, 2), "North")


@pytest.mark.slow
def test_real_agents_play() -> None:
    path = os.environ.get(REAL)
    if not path:
        pytest.skip(f"needs a file of agents of CS 188 in {REAL}")
    record = play(f"{path}:MinimaxAgent", {}, "pacman?stop=yes&rounds=40")
    assert record.termination == Termination.RULES, record.detail


def test_a_clock_is_no_matter() -> None:
    class Still(Agent):
        """Stands still."""

        def getAction(self, state: GameState) -> str:
            """Stop."""
            return Directions.STOP

    bot = AgentBot(Still())
    game = find_game("pacman?stop=yes")
    bot.new_match(game, 0, 1)
    state = game.initial()
    assert state.text(bot.choose(state, Clock())) == "stop"
