"""Agents written for Kaggle's environments: `agent(observation, configuration)`."""

import inspect
import math
from collections.abc import Callable
from types import ModuleType
from typing import Any

from bots.support.bot import Bot, Clock
from games.connectfour import ConnectFour
from games.support.game import Game, Move, State
from games.tictactoe import TicTacToe

Agent = Callable[..., Any]

_FREE_S = 60.0
"""The time that an agent is told where a move's time is free."""


class AttributeDict(dict[str, Any]):
    """A dict whose items are attributes too: agents use either."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    def __setattr__(self, name: str, value: Any) -> None:
        self[name] = value


def is_agent(found: object) -> bool:
    """Whether a function is meant for Kaggle: its first parameter is the observation.

    By that parameter's name, `obs...`; a function named `agent` may name it as it likes, but
    `state`, which is what the league's own bots take.
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
    """Return a module's agent: the one of that name, None where that is no agent.

    Without a name the function `agent`, else the last one that takes an observation. Kaggle takes
    the last callable of a file, whatever it takes.
    """
    named = getattr(module, name or "agent", None)
    if name and not is_agent(named):
        return None
    if is_agent(named):
        return named
    own = [
        each
        for each in vars(module).values()
        if inspect.isfunction(each) and each.__module__ == module.__name__ and is_agent(each)
    ]
    return own[-1] if own else None


class AgentBot(Bot):
    """A bot that asks a Kaggle agent.

    Each match has an agent of its own, made by `load`: Kaggle starts one for each episode, and
    agents keep what they know of an episode in the globals of their file.
    """

    def __init__(self, agent: Agent, load: Callable[[], Agent]) -> None:
        self._fresh: Agent | None = agent
        self._agent = agent
        self._load = load
        self._seat = 0

    def new_match(self, game: Game, seat: int, seed: int) -> None:
        """Begin an episode; raise `ValueError` for a game that no such agent plays."""
        if not isinstance(game, ConnectFour | TicTacToe):
            raise ValueError(
                f"an agent of Kaggle's plays connectfour and tictactoe, not {game.name}"
            )
        self._agent, self._fresh = self._fresh or self._load(), None
        self._seat = seat

    def choose(self, state: State, clock: Clock) -> Move:
        """Ask the agent; its action is the column, or the square from 0."""
        left_s = clock.left_s()
        move_s = left_s if math.isfinite(left_s) else _FREE_S
        # What Kaggle calls overage is taken by moves that last longer: so is the rest of a clock.
        more_s = max(0.0, clock.remaining_s[self._seat] - move_s) if clock.remaining_s else 0
        told = (_observation(state, self._seat, more_s), _configuration(state.game, move_s))
        return self._agent(*told[: _arity(self._agent)])


def _arity(agent: Agent) -> int:
    """Return how many of the two arguments an agent takes, as Kaggle counts them."""
    kinds = [each.kind for each in inspect.signature(agent).parameters.values()]
    if inspect.Parameter.VAR_POSITIONAL in kinds:
        return 2
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return min(2, sum(kind in positional for kind in kinds))


def _observation(state: Any, seat: int, more_s: float) -> AttributeDict:
    """Return what Kaggle tells: the squares row by row from the top left, 0 where they are free."""
    board = _squares(state)
    return AttributeDict(
        board=board,
        mark=seat + 1,
        step=sum(map(bool, board)),
        remainingOverageTime=more_s,
    )


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
    """Return the settings of Kaggle's environment of that game, `timeout` by its older name too."""
    told = AttributeDict(episodeSteps=10, actTimeout=move_s, timeout=move_s, runTimeout=1200)
    if isinstance(game, ConnectFour):
        told.update(episodeSteps=1000, columns=game.columns, rows=game.rows, inarow=game.connect)
    return told
