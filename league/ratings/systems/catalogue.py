"""Finding rating systems: the modules of this folder that hand out `SYSTEM`."""

import importlib
import pkgutil
from collections.abc import Mapping
from functools import cache

import league.ratings.systems
from games.errors import OptionError, UnknownNameError
from games.options import options_of, parse_options, split_options
from league.ratings.systems.contract import System

DEFAULT = "fitted"


@cache
def names() -> tuple[str, ...]:
    """List the systems by name, sorted."""
    return tuple(sorted(name for name in _modules() if _load(name) is not None))


def find(name: str) -> type[System]:
    """Return the class of the system of that name; raise `UnknownNameError`."""
    found = _load(name) if name in _modules() else None
    if found is None:
        raise UnknownNameError("rating system", name, names())
    return found


def make(spec: str, usual: Mapping[str, str] | None = None) -> System:
    """Make the system that `fitted` or `elo:k=20` names.

    `usual` are a league's own defaults, for those options that the system has. Raises
    `UnknownNameError` for the name, `OptionError` for the options, and for a system that is not
    installed.
    """
    name, _, text = spec.partition(":")
    found = find(name)
    declared = options_of(found)
    known = {each.name for each in declared}
    given = {option: value for option, value in (usual or {}).items() if option in known}
    values = parse_options(declared, given | split_options(text, ","), f"rating system {name}")
    made = found(**values)
    try:
        made.check()
    except ValueError as error:
        raise OptionError(f"rating system {name!r}: {error}", name) from None
    return made


def settings_of(system: System) -> dict[str, object]:
    """Return the options of a system with their values, in order."""
    return {each.name: getattr(system, each.name) for each in options_of(type(system))}


@cache
def _modules() -> frozenset[str]:
    return frozenset(
        module.name for module in pkgutil.iter_modules(league.ratings.systems.__path__)
    )


@cache
def _load(name: str) -> type[System] | None:
    module = importlib.import_module(f"league.ratings.systems.{name}")
    found: type[System] | None = getattr(module, "SYSTEM", None)
    return found
