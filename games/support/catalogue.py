"""Catalogues: plugins of one kind, from a package and from installed distributions.

Games, bots, formats, rating systems, protocols and exports are all found this way.
"""

import importlib
import pkgutil
from collections.abc import Callable
from functools import cached_property
from types import UnionType
from typing import Any, Generic, TypeVar

from games.support.entry_points import entry_points
from games.support.errors import InputError, UnknownNameError

Part = TypeVar("Part")


def subclass_of(base: type | UnionType) -> Callable[[object], bool]:
    """Return a predicate for subclasses of `base`."""
    return lambda part: isinstance(part, type) and issubclass(part, base)


class Catalogue(Generic[Part]):
    """The parts of one kind by name.

    A module of `package` exports its part as `attribute`, named after the module. An installed
    distribution adds parts by entry points in `group`; the package's names take precedence. Without
    a package all parts come by entry points. `is_part` checks what was found. `load` makes a part
    from an entry point's reference and name; by default the part is the object itself.
    """

    def __init__(
        self,
        *,
        kind: str,
        group: str,
        is_part: Callable[[object], bool],
        package: str = "",
        attribute: str = "",
        load: Callable[[str, str], Part] | None = None,
    ) -> None:
        self.kind = kind
        self.group = group
        self._package = package
        self._attribute = attribute
        self._is_part = is_part
        self._load = load
        self._found: dict[str, Part | None] = {}

    def names(self) -> tuple[str, ...]:
        """List the parts by name, sorted; imports every module of the package."""
        own = (name for name in self._modules if self.built_in(name) is not None)
        return tuple(sorted({*own, *self._entry_points}))

    def built_in(self, name: str) -> Part | None:
        """Return the part that the package's own module `name` exports, None for none."""
        if name not in self._modules:
            return None
        if name not in self._found:
            module = importlib.import_module(f"{self._package}.{name}")
            part = getattr(module, self._attribute, None)
            self._found[name] = part if self._is_part(part) else None
        return self._found[name]

    def reference(self, name: str) -> str:
        """Return the reference, `module:Name`, of an installed distribution's part, '' for none."""
        return self._entry_points.get(name, "")

    def has(self, name: str) -> bool:
        """Whether there is a part of that name; imports no other part's module."""
        return self.built_in(name) is not None or name in self._entry_points

    def find(self, name: str) -> Part:
        """Return the part of that name.

        Raises `UnknownNameError` for an unknown name, `InputError` if a distribution's part fails
        to load.
        """
        part = self.built_in(name)
        if part is not None:
            return part
        if name in self._entry_points:
            return self._from_package(name)
        raise UnknownNameError(self.kind, name, self.names())

    def loaded(self) -> tuple[dict[str, Part], dict[str, str]]:
        """Return the parts by name, and the reasons by name for parts that fail to load."""
        parts: dict[str, Part] = {}
        why_not: dict[str, str] = {}
        for name in self.names():
            try:
                parts[name] = self.find(name)
            except InputError as error:
                why_not[name] = str(error)
        return parts, why_not

    def _from_package(self, name: str) -> Part:
        if self._load is not None:
            return self._load(self.reference(name), name)
        reference = self.reference(name)
        module, _, attributes = reference.partition(":")
        try:
            part: Any = importlib.import_module(module)
            for attribute in filter(None, attributes.split(".")):
                part = getattr(part, attribute)
        except (KeyboardInterrupt, MemoryError):
            raise
        except BaseException as error:
            # A module may raise anything at import, even SystemExit, with a text of many lines.
            why = " ".join(f"{type(error).__name__}: {error}".split())
            raise InputError(
                f"{self.kind} {name!r} of an installed package does not load: {why}"
            ) from None
        if not self._is_part(part):
            raise InputError(f"{reference}, named as {self.kind} {name!r}, is no {self.kind}")
        found: Part = part
        return found

    @cached_property
    def _modules(self) -> frozenset[str]:
        if not self._package:
            return frozenset()
        package = importlib.import_module(self._package)
        return frozenset(module.name for module in pkgutil.iter_modules(package.__path__))

    @cached_property
    def _entry_points(self) -> dict[str, str]:
        return entry_points(self.group)
