"""A package of which only those modules are loaded that somebody uses."""

import ast
import importlib
import sys
from collections.abc import Iterator
from importlib.util import find_spec, module_from_spec, resolve_name
from pathlib import Path
from types import ModuleType
from typing import Any


class LazyPackage(ModuleType):
    """Stands for a package, and loads each name from the module that its `__init__` takes it from.

    The `__init__` itself runs once somebody uses a name that is assigned there.
    """

    def __getattr__(self, name: str) -> Any:
        loader, origins = vars(self)["_lazy"]
        if origin := origins.get(name):
            value = getattr(importlib.import_module(origin), name)
            setattr(self, name, value)
            return value
        # Whoever imports all names asks for this one first.
        if name in origins or (name == "__all__" and origins):
            vars(self)["_lazy"] = (None, {})
            loader.exec_module(self)
            return getattr(self, name)
        raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}", name=name)

    def __dir__(self) -> list[str]:
        return [*vars(self), *vars(self)["_lazy"][1]]


def load_lazily(name: str, *subpackages: str) -> None:
    """Let a package be imported lazily, and some of its subpackages; raise `ImportError`.

    It stays as it is if it is loaded already.
    """
    if name in sys.modules:
        return
    for each in (name, *(f"{name}.{inner}" for inner in subpackages)):
        spec = find_spec(each)
        if spec is None or spec.origin is None:
            raise ModuleNotFoundError(f"No module named {each!r}", name=each)
        package = module_from_spec(spec)
        package.__class__ = LazyPackage
        vars(package)["_lazy"] = (spec.loader, dict(_origins(each, Path(spec.origin))))
        sys.modules[each] = package
        outer, _, inner = each.rpartition(".")
        if outer and inner not in vars(sys.modules[outer])["_lazy"][1]:
            setattr(sys.modules[outer], inner, package)


def _origins(package: str, path: Path) -> Iterator[tuple[str, str]]:
    """Yield the names that a file of a package imports, each with its module; '' if assigned."""
    for node in ast.parse(path.read_bytes()).body:
        if isinstance(node, ast.Assign):
            yield from ((each.id, "") for each in node.targets if isinstance(each, ast.Name))
        if not isinstance(node, ast.ImportFrom):
            continue
        source = resolve_name("." * node.level + (node.module or ""), package)
        for alias in node.names:
            if alias.name != "*":
                yield alias.asname or alias.name, source
            elif found := _file_of(source.removeprefix(f"{package}."), path.parent):
                # Found by its path, as the search for a module imports the packages around it.
                inner = source if found.name == "__init__.py" else package
                yield from _origins(inner, found)


def _file_of(name: str, folder: Path) -> Path | None:
    """Return the file of a module or package in the folder of another one; None if it has none."""
    files = (folder / f"{name}.py", folder / name / "__init__.py")
    return next(filter(Path.is_file, files), None)
