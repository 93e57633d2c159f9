"""Finding the built-in bots: the modules of this folder that hand out `BOT`."""

import importlib
import pkgutil
from collections.abc import Mapping
from functools import cache

import bots
from bots.contract import Bot
from games.errors import UnknownNameError
from games.options import options_of, parse_options


@cache
def names() -> tuple[str, ...]:
    """List the built-in bots by name, sorted."""
    return tuple(sorted(name for name in _modules() if _load(name) is not None))


def is_built_in(name: str) -> bool:
    """Whether a built-in bot has that name; imports no other one's module."""
    return name in _modules() and _load(name) is not None


def find(name: str) -> type[Bot]:
    """Return the class of the built-in bot of that name; raise `UnknownNameError`."""
    bot = _load(name) if name in _modules() else None
    if bot is None:
        raise UnknownNameError("bot", name, names())
    return bot


def make(name: str, given: Mapping[str, object]) -> Bot:
    """Make a built-in bot under the `given` options; raise `OptionError` where they don't fit."""
    bot = find(name)
    return bot(**parse_options(options_of(bot), given, f"bot {name}"))


@cache
def _modules() -> frozenset[str]:
    return frozenset(module.name for module in pkgutil.iter_modules(bots.__path__))


@cache
def _load(name: str) -> type[Bot] | None:
    module = importlib.import_module(f"bots.{name}")
    bot = getattr(module, "BOT", None)
    return bot if isinstance(bot, type) and issubclass(bot, Bot) else None
