"""Bots made of the projects' agents, and the modules that their files import."""

import inspect
import random
import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_loader
from types import ModuleType
from typing import Any

from bots.support.bot import Bot, Clock
from games.pacman.rules import Pacman, PacmanState
from games.support.game import Game, Move, State

_MODULES = ("game", "pacman", "util")
_PACKAGE = __name__.rpartition(".")[0]


class _Finder(MetaPathFinder, Loader):
    """Finds the projects' modules where the agent has none of its own."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return the spec of one of the modules."""
        return spec_from_loader(fullname, self) if fullname in _MODULES else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Return the module of this package."""
        return import_module(f"{_PACKAGE}.{spec.name}")

    def exec_module(self, module: ModuleType) -> None:
        """Do nothing: it has run already."""


def offer_modules() -> None:
    """Let the projects' modules be imported by their own names, after all others."""
    sys.meta_path.append(_Finder())


def is_agent(found: object) -> bool:
    """Whether a class is an agent of the projects: it has `getAction`, and not `choose`."""
    return (
        inspect.isclass(found)
        and callable(getattr(found, "getAction", None))
        and not hasattr(found, "choose")
    )


class AgentBot(Bot):
    """A bot that runs an agent of the projects as Pacman; its ghosts move by chance, as theirs."""

    def __init__(self, agent: Any) -> None:
        self._agent = agent
        self._is_new = False
        self._seat = 0
        self._chance = random.Random()

    def new_match(self, game: Game, seat: int, seed: int) -> None:
        """Begin a match; raise `ValueError` for another game."""
        if not isinstance(game, Pacman):
            raise ValueError(
                f"an agent of Berkeley's Pacman projects plays pacman, not {game.name}"
            )
        # The same seed gives the same moves, also of agents that draw lots.
        random.seed(seed)
        self._chance.seed(seed)
        self._seat, self._is_new = seat, True

    def choose(self, state: State, clock: Clock) -> Move:
        """Return the move of the agent's action, or one by chance for a ghost."""
        if self._seat:
            return self._chance.choice(state.legal_moves())
        from league.seats.python.berkeley.pacman import MOVES, GameState  # noqa: PLC0415

        if not isinstance(state, PacmanState):
            raise TypeError(f"not a position of Pacman: {state!r}")
        told = GameState(state)
        if self._is_new and hasattr(self._agent, "registerInitialState"):
            self._agent.registerInitialState(told)
        self._is_new = False
        action = self._agent.getAction(told)
        return MOVES.get(action, action) if isinstance(action, str) else action
