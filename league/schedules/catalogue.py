"""Finding tournament formats: the modules of this folder that hand out `FORMAT`."""

import importlib
import pkgutil
from functools import cache

import league.schedules
from games.errors import UnknownNameError
from games.options import options_of, parse_options, split_options
from league.schedules.contract import Format


@cache
def names() -> tuple[str, ...]:
    """List the formats by name, sorted."""
    return tuple(sorted(name for name in _modules() if _load(name) is not None))


def find(name: str) -> type[Format]:
    """Return the class of the format of that name; raise `UnknownNameError`."""
    found = _load(name) if name in _modules() else None
    if found is None:
        raise UnknownNameError("format", name, names())
    return found


def make(spec: str) -> Format:
    """Make the format that `swiss` or `sprt:elo0=0,elo1=5` names.

    Raises `UnknownNameError` for the name, `OptionError` for the options.
    """
    name, _, options = spec.partition(":")
    found = find(name)
    given = split_options(options, ",")
    return found(**parse_options(options_of(found), given, f"format {name}"))


@cache
def _modules() -> frozenset[str]:
    return frozenset(module.name for module in pkgutil.iter_modules(league.schedules.__path__))


@cache
def _load(name: str) -> type[Format] | None:
    module = importlib.import_module(f"league.schedules.{name}")
    found: type[Format] | None = getattr(module, "FORMAT", None)
    return found
