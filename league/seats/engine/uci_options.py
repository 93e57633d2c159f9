"""What a UCI engine declares at its start: its name, its options, and which values they take."""

import re
from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass

from games.support.errors import brief, suggestion

_OPTION = re.compile(r"option name (.+?) type (check|spin|combo|button|string)\b(.*)")
_DEFAULT = re.compile(r" default(?: (.*?))?(?= (?:min|max|var) |$)")
_BOUND = re.compile(r" (min|max) (-?[0-9]{1,18})\b")
_CHOICE = re.compile(r" var (.+?)(?= (?:var|default) |$)")
_EMPTY = "<empty>"


class OptionRefused(Exception):
    """An option that the engine does not offer, or an invalid value."""


@dataclass(frozen=True, slots=True)
class EngineOption:
    """An option as declared by an engine; `choices` are the values of a `combo`."""

    name: str
    kind: str
    _: KW_ONLY
    default: str = ""
    low: int | None = None
    high: int | None = None
    choices: tuple[str, ...] = ()

    @property
    def expected(self) -> str:
        """A description of valid values."""
        if self.kind == "check":
            return "true or false"
        if self.kind == "combo":
            return "one of " + ", ".join(map(repr, self.choices))
        if self.kind == "button":
            return f"no value, as it is a button: '{self.name}='"
        if self.kind == "string":
            return "one line of text"
        low = "" if self.low is None else f" from {self.low}"
        return f"a whole number{low}" + ("" if self.high is None else f" to {self.high}")

    def accepted(self, value: str) -> str | None:
        """Return `value` as the engine expects it; None if it is invalid."""
        text = value.strip()
        if self.kind == "check":
            return text.lower() if text.lower() in ("true", "false") else None
        if self.kind == "combo":
            return next((each for each in self.choices if each.lower() == text.lower()), None)
        if self.kind == "button":
            return "" if text.lower() in ("", "true") else None
        if self.kind == "string":
            return (text or _EMPTY) if text.isprintable() else None
        if not re.fullmatch(r"-?[0-9]{1,18}", text):
            return None
        too_low = self.low is not None and int(text) < self.low
        too_high = self.high is not None and int(text) > self.high
        return None if too_low or too_high else text


def read_option(line: str) -> EngineOption | None:
    """Parse an option declaration; None for any other line."""
    found = _OPTION.match(" ".join(line.split()))
    if found is None:
        return None
    name, kind, rest = found.groups()
    default = _DEFAULT.search(rest)
    bounds = {each: int(number) for each, number in _BOUND.findall(rest)}
    return EngineOption(
        name.strip(),
        kind,
        default=(default[1] or "") if default else "",
        low=bounds.get("min"),
        high=bounds.get("max"),
        choices=tuple(_CHOICE.findall(rest)) if kind == "combo" else (),
    )


def read_identity(line: str) -> dict[str, str]:
    """Return the title or the author that a line tells; nothing for any other line."""
    word, kind, text = [*line.split(None, 2), "", "", ""][:3]
    name = {"name": "title", "author": "author"}.get(kind)
    return {name: text} if word == "id" and name else {}


def accepted(
    offered: Mapping[str, EngineOption], name: str, value: str
) -> tuple[EngineOption, str]:
    """Return an option in `offered` (casefolded keys), and the value as the engine expects it.

    Raises `OptionRefused` if the engine does not offer the option or take the value.
    """
    option = offered.get(name.strip().casefold())
    if option is None:
        near = suggestion(name, [each.name for each in offered.values()])
        raise OptionRefused(f"offers no option {brief(name)}{near or ': it offers none at all'}")
    text = option.accepted(value)
    if text is None:
        expected = f"option {option.name}={value}: expected {option.expected}"
        raise OptionRefused(f"does not take {expected}")
    return option, text


def setting(option: EngineOption, value: str) -> str:
    """Return the line that sets an option."""
    return f"setoption name {option.name}" + (f" value {value}\n" if value else "\n")
