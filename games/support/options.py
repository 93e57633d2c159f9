"""Options of games and bots: dataclass fields that carry their help and their range."""

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from games.support.errors import OptionError, suggestion

T = TypeVar("T")

_TRUE = {"true", "yes", "on", "1"}
_FALSE = {"false", "no", "off", "0"}


@dataclass(frozen=True, slots=True)
class Option:
    """One declared option; `low` and `high` are inclusive, `choices` empty if any value fits."""

    name: str
    kind: type
    default: object
    help: str
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()
    is_optional: bool = False

    def parse(self, text: object) -> object:
        """Convert a user's text to a value of `kind`; raise `OptionError` if it does not fit."""
        if self.is_optional and text in (None, "", "none", "None"):
            return None
        value = self._convert(text)
        if self.choices and value not in self.choices:
            raise self._error(text, f"one of {', '.join(self.choices)}")
        is_low = self.low is not None and value < self.low
        if is_low or (self.high is not None and value > self.high):
            raise self._error(text, self.range())
        return value

    def range(self) -> str:
        """Describe the allowed values."""
        return f"{self._range()}, or none" if self.is_optional else self._range()

    def _range(self) -> str:
        if self.choices:
            return " | ".join(self.choices)
        name = {int: "a whole number", float: "a number", bool: "yes or no"}.get(
            self.kind, "a text"
        )
        if self.low is not None and self.high is not None:
            return f"{name} from {self.low:g} to {self.high:g}"
        if self.low is not None:
            return f"{name} from {self.low:g}"
        return name

    def _convert(self, text: object) -> Any:
        if self.kind is bool and isinstance(text, str):
            lowered = text.strip().lower()
            if lowered in _TRUE | _FALSE:
                return lowered in _TRUE
            raise self._error(text, "yes or no")
        # int() would make 7 of 7.9 and 1 of yes.
        if self.kind is int and isinstance(text, (bool, float)):
            raise self._error(text, self.range())
        try:
            value = self.kind(text)
        except (TypeError, ValueError, OverflowError):
            raise self._error(text, self.range()) from None
        if self.kind is float and value != value:
            raise self._error(text, self.range())
        return value

    def _error(self, text: object, expected: str) -> OptionError:
        return OptionError(f"option {self.name}={text!r}: expected {expected}", self.name)


def option(
    default: T,
    *,
    help: str,
    low: float | None = None,
    high: float | None = None,
    choices: tuple[str, ...] = (),
) -> T:
    """Declare a dataclass field as an option, with its default, help and range."""
    field: T = dataclasses.field(
        default=default,
        metadata={"help": help, "low": low, "high": high, "choices": choices},
    )
    return field


def options_of(owner: type) -> tuple[Option, ...]:
    """List the options that a dataclass declares with `option`, in order."""
    # Cached because a game's spec depends on it, which is asked for in every match.
    return _options_of(owner)


@cache
def _options_of(owner: type) -> tuple[Option, ...]:
    if not dataclasses.is_dataclass(owner):
        return ()
    hints = get_type_hints(owner)
    found = []
    for field in dataclasses.fields(owner):
        if "help" in field.metadata:
            kind, is_optional = _plain_type(hints[field.name])
            found.append(
                Option(field.name, kind, field.default, is_optional=is_optional, **field.metadata)
            )
    return tuple(found)


def parse_options(
    declared: tuple[Option, ...], given: Mapping[str, object], owner: str
) -> dict[str, object]:
    """Return the typed values of `owner`'s options; raise `OptionError` at the first misfit."""
    by_name = {each.name: each for each in declared}
    values = {}
    for name, text in given.items():
        if name not in by_name:
            known = suggestion(name, by_name) or " (it has none)"
            raise OptionError(f"unknown option {name!r} of {owner}{known}", name)
        values[name] = by_name[name].parse(text)
    return values


def split_options(text: str, separator: str) -> dict[str, str]:
    """Read `a=1,b=2` (any `separator`); raise `OptionError` for a missing '=' or a repeat."""
    pairs: dict[str, str] = {}
    for part in filter(None, (piece.strip() for piece in text.split(separator))):
        name, equals, value = part.partition("=")
        if not equals or not name.strip():
            raise OptionError(f"option {part!r}: expected name=value", part)
        if name.strip() in pairs:
            raise OptionError(f"option {name.strip()!r} is given twice", name.strip())
        pairs[name.strip()] = value.strip()
    return pairs


def join_options(values: Mapping[str, object], separator: str) -> str:
    """Write options in the form that `split_options` reads."""
    return separator.join(f"{name}={value}" for name, value in values.items())


def _plain_type(hint: Any) -> tuple[type, bool]:
    if get_origin(hint) in (Union, UnionType):
        kinds = [each for each in get_args(hint) if each is not type(None)]
        return kinds[0], len(kinds) < len(get_args(hint))
    return hint, False
