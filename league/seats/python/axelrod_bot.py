"""Strategies of Axelrod-Python, subclasses of its `Player`, in the iterated prisoner's dilemma.

V. Knight and others, An open framework for the reproducible study of the iterated prisoner's
dilemma, Journal of Open Research Software, 2016.
"""

import inspect
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

from bots.support.bot import Bot, Clock
from games.dilemma import LETTERS, Dilemma
from games.support.game import Game, Move, State
from games.support.view import Events
from league.seats.python.lazy_package import load_lazily

PACKAGE = "axelrod"
MISSING = "needs Axelrod-Python: pip install 'botleague[axelrod]'"

_REFUSED = ("inspects_source", "manipulates_source", "manipulates_state")
SEEDS = 2**32
"""NumPy's generators take smaller seeds alone."""


def offer_package() -> None:
    """Let the library be imported without what no strategy needs; raise `ImportError`.

    Its own import makes every strategy several times, and loads what draws plots.
    """
    if PACKAGE in sys.modules:
        return
    load_lazily(PACKAGE, "strategies")
    package = sys.modules[PACKAGE]
    # Its modules need these names of the part that is left out.
    vars(package)["DEFAULT_TURNS"] = 200
    vars(package)["_module_random"] = package.RandomGenerator()


def is_strategy(found: object) -> bool:
    """Whether a class is a strategy of the library, which is not imported for that."""
    module = sys.modules.get(f"{PACKAGE}.player")
    return module is not None and inspect.isclass(found) and issubclass(found, module.Player)


def maker_of(strategy: Any) -> Callable[..., Any]:
    """Return a function that makes a strategy, with the parameters that its metaclass hides."""

    def make(**options: Any) -> Any:
        return strategy(**options)

    _, *parameters = inspect.signature(strategy.__init__).parameters.values()
    make.__name__ = strategy.__name__
    make.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    return make


def refusal_of(player: Any) -> str:
    """Return why a strategy can't play here; '' if it can."""
    traits = [each for each in _REFUSED if player.classifier.get(each)]
    if not traits:
        return ""
    return (
        f"{player.name} looks into its opponent or into other matches ({', '.join(traits)}), and "
        "a bot sees the turns of its own match alone"
    )


class Opponent:
    """What a strategy sees of its opponent: the history."""

    def __init__(self, history: Any) -> None:
        self.history = history

    @property
    def cooperations(self) -> int:
        """How often it has cooperated."""
        return int(self.history.cooperations)

    @property
    def defections(self) -> int:
        """How often it has defected."""
        return int(self.history.defections)

    @property
    def state_distribution(self) -> Any:
        """How often each pair of moves has come, its own first."""
        return self.history.state_distribution

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(
            f"a strategy sees its opponent's history alone, and asks for its {name!r}"
        )


class AxelrodBot(Bot):
    """A bot that runs a strategy as a match of the library does."""

    def __init__(self, player: Any) -> None:
        self._player = player
        self._library = import_module(PACKAGE)
        self._opponent: Any = None
        self._own = self._known = 0

    def new_match(self, game: Game, seat: int, seed: int) -> None:
        """Begin a match; raise `ValueError` for another game."""
        if not isinstance(game, Dilemma):
            raise ValueError(f"a strategy of Axelrod-Python plays dilemma, not {game.name}")
        payoffs = self._library.Game(
            r=game.reward, s=game.sucker, t=game.temptation, p=game.punishment
        )
        # In the order of the library's matches: strategies may draw lots once they have a seed.
        self._player.reset()
        self._player.set_match_attributes(length=game.turns, game=payoffs, noise=game.noise)
        self._player.set_seed(seed % SEEDS)
        self._opponent = Opponent(self._library.History())
        self._own, self._known = 2 * seat, 0

    def choose(self, state: State, clock: Clock) -> Move:
        """Return the strategy's move after the turns that have been played."""
        action = self._library.Action
        events: Events = state.events  # type: ignore[attr-defined]
        for turn in events[self._known :]:
            own, other = (action.from_char(turn[place]) for place in (self._own, 2 - self._own))
            self._player.update_history(own, other)
            self._opponent.history.append(other, own)
        self._known = len(events)
        chosen = self._player.strategy(self._opponent)
        return LETTERS.index(chosen.name) if isinstance(chosen, action) else chosen
