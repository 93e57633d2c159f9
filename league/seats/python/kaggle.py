"""Agents written for Kaggle's environments: `agent(observation, configuration)`."""

import inspect
import math
from collections.abc import Callable
from types import ModuleType
from typing import Any

from bots.support.bot import Bot, Clock
from games.connectfour import ConnectFour
from games.rps import MOVES as SIGNS
from games.rps import RockPaperScissors
from games.support.game import Game, Move, State
from games.support.view import View
from games.tictactoe import TicTacToe

Agent = Callable[..., Any]

_FREE_S = 60.0
"""The time an agent is given for moves without a time limit."""


class AttributeDict(dict[str, Any]):
    """A dict whose items are also attributes, since agents use either."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    def __setattr__(self, name: str, value: Any) -> None:
        self[name] = value


def is_agent(found: object) -> bool:
    """Whether a function is a Kaggle agent: its first parameter is an observation, `obs...`.

    A function named `agent` may give it any name but `state`, which the league's own bots take.
    """
    if not callable(found) or inspect.isclass(found):
        return False
    try:
        names = list(inspect.signature(found).parameters)
    except (TypeError, ValueError):
        return False
    is_named = getattr(found, "__name__", "") == "agent" and names[:1] != ["state"]
    return bool(names) and (names[0].startswith("obs") or is_named)


def agent_of(module: ModuleType, name: str = "") -> Agent | None:
    """Return the agent with that name; None if it is no agent.

    Without a name, the file's last callable, which Kaggle takes regardless of its parameters. If
    that is no agent: the function `agent`, else the last function that takes an observation.
    """
    if name:
        named = getattr(module, name, None)
        return named if is_agent(named) else None
    own = [
        each
        for each in vars(module).values()
        if inspect.isfunction(each) and each.__module__ == module.__name__ and is_agent(each)
    ]
    usual = getattr(module, "agent", None)
    choices = [_last_callable(module)[1], usual, *reversed(own)]
    return next(filter(is_agent, choices), None)


def note_on(module: ModuleType, agent: Agent) -> str:
    """Return what to say if Kaggle would run something else than `agent`; '' if it would not."""
    name, last = _last_callable(module)
    if last is agent:
        return ""
    mine = getattr(agent, "__name__", "agent")
    return (
        f"Kaggle would run {name!r}, the last callable of the file, and here {mine!r} plays: "
        f"define {mine!r} last"
    )


def _last_callable(module: ModuleType) -> tuple[str, Any]:
    named = [("", None), *(pair for pair in vars(module).items() if callable(pair[1]))]
    return named[-1]


class KaggleBot(Bot):
    """A bot that runs a Kaggle agent.

    `load` makes a new agent for each match, as Kaggle does for each episode, because agents keep
    the state of an episode in their file's globals.
    """

    def __init__(self, agent: Agent, load: Callable[[], Agent]) -> None:
        self._fresh: Agent | None = agent
        self._agent = agent
        self._load = load
        self._seat = 0

    def new_match(self, game: Game, seat: int, seed: int) -> None:
        """Begin an episode; raise `ValueError` for a game without Kaggle agents."""
        if not isinstance(game, ConnectFour | TicTacToe | RockPaperScissors):
            raise ValueError(
                f"an agent of Kaggle's plays connectfour, tictactoe and rps, not {game.name}"
            )
        self._agent, self._fresh = self._fresh or self._load(), None
        self._seat = seat

    def choose(self, state: State, clock: Clock) -> Move:
        """Run the agent; its action is the column, or the square from 0."""
        move_s = self._move_s(clock)
        # Kaggle's overage time is for longer moves, like the rest of a clock.
        more_s = max(0.0, clock.remaining_s[self._seat] - move_s) if clock.remaining_s else 0
        told = (_observation(state, self._seat, more_s), _configuration(state.game, move_s))
        return self._agent(*told[: _arity(self._agent)])

    def _move_s(self, clock: Clock) -> float:
        """Return the time of this move, which of a clock with an increment is the increment."""
        if clock.increments_s and clock.increments_s[self._seat]:
            return min(clock.increments_s[self._seat], clock.remaining_s[self._seat])
        left_s = clock.left_s()
        return left_s if math.isfinite(left_s) else _FREE_S


def _arity(agent: Agent) -> int:
    """Return how many of the two arguments an agent takes, counted as by Kaggle."""
    kinds = [each.kind for each in inspect.signature(agent).parameters.values()]
    if inspect.Parameter.VAR_POSITIONAL in kinds:
        return 2
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return min(2, sum(kind in positional for kind in kinds))


def _observation(state: Any, seat: int, more_s: float) -> AttributeDict:
    """Return Kaggle's observation: squares by row from the top left, 0 if empty.

    Of rock, paper, scissors it has the other seat's last sign alone.
    """
    if isinstance(state, View):
        last = SIGNS.index(state.events[-1].split()[1 - seat]) if state.events else None
        told = AttributeDict(step=len(state.events), lastOpponentAction=last)
    else:
        board = _squares(state)
        told = AttributeDict(board=board, mark=seat + 1, step=sum(map(bool, board)))
    told.remainingOverageTime = more_s
    return told


def _squares(state: Any) -> list[int]:
    first, second = state.stones(0), state.stones(1)
    if isinstance(state.game, TicTacToe):
        places = list(range(9))
    else:
        columns, rows = state.game.columns, state.game.rows
        places = [
            column * (rows + 1) + row for row in reversed(range(rows)) for column in range(columns)
        ]
    return [(first >> place & 1) + 2 * (second >> place & 1) for place in places]


def _configuration(game: Game, move_s: float) -> AttributeDict:
    """Return Kaggle's configuration of the game, including `timeout`, an older name."""
    told = AttributeDict(episodeSteps=10, actTimeout=move_s, timeout=move_s, runTimeout=1200)
    if isinstance(game, ConnectFour):
        told.update(episodeSteps=1000, columns=game.columns, rows=game.rows, inarow=game.connect)
    if isinstance(game, RockPaperScissors):
        # Kaggle's number of steps is one above that of rounds.
        told.update(episodeSteps=game.rounds + 1, signs=len(SIGNS), tieRewardThreshold=1)
    return told
