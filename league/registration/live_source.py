"""The source of a function or class that lives in this process, as a file of its own."""

import ast
import builtins
import inspect
import sys
import textwrap
from collections.abc import Callable, Iterator
from contextlib import suppress
from types import FunctionType, ModuleType
from typing import Any

from league.model.errors import SpecError

LiveBot = Callable[..., Any]
"""A function `choose(state, clock)`, or a class with such a method."""


def source_of(bot: LiveBot) -> str:
    """Return a Python file that defines a function or class and all that it uses.

    What it uses of its module is taken along: imports, other functions and classes, and constants
    that Python can write. Raises `SpecError` for a source that can't be found, and for a value that
    can't be written down.
    """
    parts = _Parts()
    parts.take(bot.__name__, bot)
    return "\n\n".join(["\n".join(parts.imports), *parts.texts]).strip() + "\n"


class _Parts:
    """What a file needs, in the order of need."""

    def __init__(self) -> None:
        self.imports: list[str] = []
        self.texts: list[str] = []
        self._known: set[str] = set()

    def take(self, name: str, value: Any) -> None:
        """Add what defines `name`, and what that needs before it."""
        if name in self._known:
            return
        self._known.add(name)
        if isinstance(value, ModuleType):
            self.imports.append(f"import {value.__name__} as {name}")
        elif _is_importable(value):
            self.imports.append(f"from {value.__module__} import {value.__qualname__} as {name}")
        elif isinstance(value, FunctionType | type):
            self._take_source(value)
        else:
            self.texts.append(f"{name} = {_written(name, value)}")

    def _take_source(self, value: Any) -> None:
        text = _text_of(value)
        for name, found in _used(value, text):
            self.take(name, found)
        self.texts.append(text)


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


def _is_importable(value: Any) -> bool:
    """Whether a bot's process can import a value: it is of no script and no notebook."""
    module, name = getattr(value, "__module__", None), getattr(value, "__qualname__", "")
    if module in (None, "__main__") or not isinstance(value, FunctionType | type):
        return False
    found = sys.modules.get(module)
    path = getattr(found, "__file__", None) or ""
    is_installed = "site-packages" in path or path.startswith(sys.base_prefix)
    is_ours = module.partition(".")[0] in ("bots", "games")
    return getattr(found, name, None) is value and (is_installed or is_ours or not path)


def _used(value: Any, text: str) -> Iterator[tuple[str, Any]]:
    """Yield the names of its module that a function or class uses, with their values."""
    functions = [value] if isinstance(value, FunctionType) else list(_methods(value))
    scope: dict[str, Any] = dict(vars(sys.modules.get(value.__module__, builtins)))
    for each in functions:
        scope |= each.__globals__
        cells = zip(each.__code__.co_freevars, each.__closure__ or (), strict=True)
        scope |= {name: cell.cell_contents for name, cell in cells if name != "__class__"}
    tree = ast.parse(text)
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    for name in sorted(names - {value.__name__} - set(vars(builtins))):
        if name in scope:
            yield name, scope[name]


def _methods(kind: type) -> Iterator[FunctionType]:
    for each in vars(kind).values():
        found = getattr(each, "__func__", each)
        if isinstance(found, FunctionType):
            yield found


def _written(name: str, value: Any) -> str:
    text = repr(value)
    try:
        is_same = ast.literal_eval(text) == value
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        is_same = False
    if not is_same:
        raise SpecError(
            f"it uses {name!r}, a {type(value).__name__} that can't be written down: make it "
            "inside the bot, or register a file",
            name,
        )
    return text
