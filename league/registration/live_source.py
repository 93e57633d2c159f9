"""The source of a function or class that lives in this process, as a file of its own."""

import __future__

import ast
import builtins
import inspect
import math
import re
import sys
import textwrap
from collections.abc import Callable, Iterator
from contextlib import suppress
from enum import Enum
from types import FunctionType, ModuleType
from typing import Any

from league.model.errors import SpecError

LiveBot = Callable[..., Any]
"""A function `choose(state, clock)`, or a class with such a method."""

_FUTURE = "from __future__ import annotations"
_OURS = ("bots", "games")


def source_of(bot: LiveBot) -> str:
    """Return a Python file that defines a function or class and all that it uses.

    The file includes the imports, functions, classes and constants that it uses. Raises `SpecError`
    for a source that can't be found, and for a value that can't be written down.
    """
    if not callable(bot) or not hasattr(bot, "__name__"):
        kind = type(bot).__name__
        raise SpecError(f"an object of {kind} is not a bot: give a function or a class", kind)
    parts = _Parts(bot.__name__)
    parts.take(bot.__name__, bot)
    return "\n\n".join(["\n".join(parts.imports), *parts.texts]).strip() + "\n"


class _Parts:
    """The parts that a file needs, in the order of need."""

    def __init__(self, bot: str) -> None:
        self.imports: list[str] = []
        self.texts: list[str] = []
        self._bot = bot
        self._known: dict[str, Any] = {}

    def take(self, name: str, value: Any) -> None:
        """Add what defines `name`, and what that needs before it."""
        if name in self._known:
            if self._known[name] is not value and self._known[name] != value:
                raise SpecError(
                    f"bot {self._bot!r} uses two different values of the name {name!r}: give one "
                    "of them another name",
                    name,
                )
            return
        self._known[name] = value
        if isinstance(value, ModuleType):
            self.imports.append(f"import {value.__name__} as {name}")
        elif origin := _origin(value):
            self.imports.append(f"from {origin} import {value.__name__} as {name}")
        elif isinstance(inspect.unwrap(value), FunctionType) or isinstance(value, type):
            self._take_source(name, value)
        elif isinstance(value, Enum):
            self.take(type(value).__name__, type(value))
            self.texts.append(f"{name} = {type(value).__name__}.{value.name}")
        else:
            if isinstance(value, re.Pattern):
                self.take("re", re)
            self.texts.append(f"{name} = {self._written(name, value)}")

    def _take_source(self, name: str, value: Any) -> None:
        own = value.__name__
        if name != own:
            # Under another name: defined by its own, if that is free, and then named so.
            self.take(own, value)
            self.texts.append(f"{name} = {own}")
            return
        text = _text_of(value)
        if _has_text_annotations(value) and _FUTURE not in self.imports:
            self.imports.insert(0, _FUTURE)
        for used, found in _used(value, text):
            self.take(used, found)
            if isinstance(found, ModuleType):
                self.imports += _submodules(text, used, found)
        self.texts.append(text)

    def _written(self, name: str, value: Any) -> str:
        if isinstance(value, float) and not math.isfinite(value):
            return f"float({str(value)!r})"
        if isinstance(value, re.Pattern):
            return f"re.compile({value.pattern!r}, {value.flags})"
        inner = set(value) if isinstance(value, frozenset) and value else value
        text = repr(inner)
        try:
            is_same = ast.literal_eval(text) == inner
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            is_same = False
        if not is_same:
            raise SpecError(
                f"bot {self._bot!r} uses {name!r}, and the league can't store its value (a "
                f"{type(value).__name__}): create it inside the bot, or put the bot into a file",
                name,
            )
        return f"frozenset({text})" if inner is not value else text


def _text_of(value: Any) -> str:
    name = value.__name__
    if name == "<lambda>":
        raise SpecError("a lambda has no source of its own: write it with def", name)
    found = None
    with suppress(OSError, TypeError):
        found = _defined_in(textwrap.dedent(inspect.getsource(value)), name)
    if found is None and isinstance(value, type):
        found = _in_cells(name)
    if found is None:
        raise SpecError(
            f"the source of {name!r} can't be found: write it to a file and register that, as in "
            f"register({name.lower()!r}, '{name.lower()}.py')",
            name,
        )
    return found


def _in_cells(name: str) -> str | None:
    """Return the newest source of a class that a notebook's cells define; None for none."""
    cells = getattr(sys.modules.get("__main__"), "In", None) or []
    found = (_defined_in(text, name) for text in reversed(cells))
    return next((text for text in found if text), None)


def _defined_in(text: str, name: str) -> str | None:
    """Return the definition of a function or class in a text; None if it is not there."""
    with suppress(SyntaxError):
        for node in ast.parse(text).body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name == name:
                first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
                return "\n".join(text.splitlines()[first - 1 : node.end_lineno])
    return None


def _origin(value: Any) -> str:
    """Return the module that a bot's process can import a value from; '' for none.

    A module of a script, of a notebook or beside them is none.
    """
    module, name = getattr(value, "__module__", None), getattr(value, "__name__", "")
    found = sys.modules.get(module) if isinstance(module, str) else None
    if found is None or module == "__main__" or getattr(found, name, None) != value:
        return ""
    path = getattr(found, "__file__", None) or ""
    is_installed = "site-packages" in path or path.startswith(sys.base_prefix) or not path
    return found.__name__ if is_installed or found.__name__.partition(".")[0] in _OURS else ""


def _used(value: Any, text: str) -> Iterator[tuple[str, Any]]:
    """Yield the names of its module that a function or class uses, with their values."""
    scope: dict[str, Any] = dict(vars(sys.modules.get(value.__module__, builtins)))
    for each in _functions(value):
        scope |= each.__globals__
        cells = zip(each.__code__.co_freevars, each.__closure__ or (), strict=True)
        scope |= {name: cell.cell_contents for name, cell in cells if name != "__class__"}
    names = {node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)}
    for name in sorted(names - {value.__name__} - set(vars(builtins))):
        if name in scope:
            yield name, scope[name]


def _functions(value: Any) -> list[FunctionType]:
    """Return a function without its decorators, or the methods of a class."""
    if not isinstance(value, type):
        return [inspect.unwrap(value)]
    members = (getattr(each, "__func__", each) for each in vars(value).values())
    return [each for each in members if isinstance(each, FunctionType)]


def _has_text_annotations(value: Any) -> bool:
    flag = __future__.annotations.compiler_flag
    return any(each.__code__.co_flags & flag for each in _functions(value))


def _submodules(text: str, name: str, module: ModuleType) -> list[str]:
    """Return imports of the modules in a package that a text uses by its name."""
    used = {
        f"{module.__name__}.{node.attr}"
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == name
    }
    return [f"import {each}" for each in sorted(used & set(sys.modules))]
