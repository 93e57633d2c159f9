"""Checks of the arguments of the league's methods against the types that the methods declare."""

import builtins
import inspect
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import cache, wraps
from numbers import Integral, Real
from operator import index
from pathlib import Path
from types import FunctionType, NoneType, UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints, is_typeddict

from games.support.errors import OptionError, brief, suggestion
from league.api.options import GateOptions, Settings
from league.model.errors import SetupError

Kind = TypeVar("Kind", bound=type)

_WORDS: Mapping[Any, str] = {
    int: "a whole number",
    float: "a number",
    str: "text",
    bool: "True or False",
    NoneType: "None",
    Path: "a path",
    Sequence: "a list",
    Mapping: "a mapping",
    Callable: "a function",
}

_NUMBERS: Mapping[Any, type] = {int: Integral, float: Real}
"""The types that count as numbers, including those of numpy."""


def checks_arguments(kind: Kind) -> Kind:
    """Make the public methods of a class refuse what they do not declare.

    They raise `SetupError` for a value of another type, and `OptionError` for an unknown name among
    `**` arguments. Types that are imported for type checkers alone, and the settings of a
    tournament, which have a table of their own, are not checked.
    """
    for name, member in list(vars(kind).items()):
        if name.startswith("_") and name != "__init__":
            continue
        if isinstance(member, staticmethod):
            setattr(kind, name, staticmethod(_checked(member.__func__)))
        elif isinstance(member, FunctionType):
            setattr(kind, name, _checked(member))
    return kind


def _checked(function: Callable[..., Any]) -> Callable[..., Any]:
    signature = inspect.signature(function)

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        bound = signature.bind(*args, **kwargs)
        hints = _hints(function)
        for name, value in bound.arguments.items():
            hint, kind = hints.get(name, Any), signature.parameters[name].kind
            if kind is inspect.Parameter.VAR_KEYWORD:
                bound.arguments[name] = _checked_options(value, hint, signature)
            elif kind is inspect.Parameter.VAR_POSITIONAL:
                bound.arguments[name] = tuple(_value(name, each, hint) for each in value)
            else:
                bound.arguments[name] = _value(name, value, hint)
        return function(*bound.args, **bound.kwargs)

    return call


def _checked_options(
    given: Mapping[str, Any], hint: Any, signature: inspect.Signature
) -> dict[str, Any]:
    """Check the `**` arguments of a method, where a `TypedDict` declares them."""
    declared: Any = next(iter(get_args(hint)), None)
    if not is_typeddict(declared) or declared in (Settings, GateOptions):
        return dict(given)
    named = inspect.Parameter.KEYWORD_ONLY
    hints = get_type_hints(declared)
    known = {*hints, *(each.name for each in signature.parameters.values() if each.kind is named)}
    for name in given:
        if name not in hints:
            raise OptionError(f"unknown argument {name!r}{suggestion(name, known)}", name)
    return checked_options(given, declared)


def checked_options(given: Mapping[str, Any], declared: type) -> dict[str, Any]:
    """Return values by name, each of the type that a class declares for it, or `SetupError`."""
    hints = get_type_hints(declared)
    return {name: _value(name, value, hints.get(name, Any)) for name, value in given.items()}


@cache
def _hints(function: Any) -> dict[str, Any]:
    """Return the types of a function's parameters; `Any` for one that only type checkers know."""
    names = defaultdict(lambda: Any, {**vars(builtins), **function.__globals__})
    return get_type_hints(function, localns=names)


def _value(name: str, value: Any, hint: Any) -> Any:
    """Return an argument, a whole number as an `int`; raise `SetupError` for another type."""
    if not _fits(value, hint):
        raise SetupError(f"{name} {brief(value)}: expected {_expected(hint)}")
    return index(value) if isinstance(value, Integral) and not isinstance(value, bool) else value


def _fits(value: Any, hint: Any) -> bool:
    kind, parts = get_origin(hint) or hint, get_args(hint)
    if kind in (Union, UnionType):
        return any(_fits(value, part) for part in parts)
    if kind is Any or not isinstance(kind, type):
        return True
    if issubclass(kind, str):
        return isinstance(value, str)
    if isinstance(value, bool if kind in _NUMBERS else str):
        return False
    if kind is Sequence and isinstance(value, list | tuple):
        return all(_fits(each, parts[0]) for each in value)
    return isinstance(value, _NUMBERS.get(kind, kind))


def _expected(hint: Any) -> str:
    kinds = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
    words = [_word(get_origin(kind) or kind) for kind in kinds]
    return " or ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def _word(kind: type) -> str:
    return _WORDS[str] if issubclass(kind, str) else _WORDS.get(kind, kind.__name__)
