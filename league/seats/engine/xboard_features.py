"""What a chess engine says of itself in the `feature` lines of xboard's protocol."""

import re
from collections.abc import Iterator

from league.seats.engine.uci_options import EngineOption

_FEATURE = re.compile(r"(\w+)=(\"[^\"]*\"|[^\s\"]+)")
_OPTION = re.compile(r"(.+?)\s+-(\w+)\s*(.*)")
_WHOLE = re.compile(r"-?[0-9]{1,18}")
_KINDS = {"slider": "spin", "file": "string", "path": "string", "reset": "button", "save": "button"}
_HEEDED = "done memory option ping reuse san setboard smp time usermove"
_HARMLESS = "analyze colors debug draw ics myname name pause playother sigint sigterm variants"
_KNOWN = frozenset(f"{_HEEDED} {_HARMLESS}".split())


class XboardFeatures:
    """The features of one engine; those it says nothing of are as the protocol has them then."""

    def __init__(self) -> None:
        self.options: dict[str, EngineOption] = {}
        """What can be set, by the name in small letters."""
        self._values = {"reuse": "1", "time": "1", "done": ""}

    def __getitem__(self, name: str) -> bool:
        """Whether a feature is on."""
        return self._values.get(name) == "1"

    @property
    def is_waiting(self) -> bool:
        """Whether the engine has asked for patience until it is done."""
        return self._values["done"] == "0"

    def add(self, line: str) -> Iterator[str]:
        """Take in a `feature` line, and yield the line that answers each feature of it."""
        for name, quoted in _FEATURE.findall(line.partition(" ")[2]):
            value = quoted.strip('"')
            self._values[name] = value
            if name == "option":
                self._add_option(value)
            elif name in ("memory", "smp") and value == "1":
                # Each has a command of its own, and neither a bound.
                own = "cores" if name == "smp" else name
                self.options[own] = EngineOption(own, "spin", low=1)
            yield f"{'accepted' if name in _KNOWN else 'rejected'} {name}\n"

    def _add_option(self, text: str) -> None:
        found = _OPTION.match(text)
        if found is None:
            return
        name, kind, rest = found.groups()
        kind = _KINDS.get(kind, kind)
        numbers = [int(each) for each in _WHOLE.findall(rest)] if kind == "spin" else []
        low, high = numbers[1:3] if len(numbers) == 3 else (None, None)
        texts = rest.split("///") if kind == "combo" else []
        choices = tuple(each.strip().lstrip("*") for each in texts)
        self.options[name.casefold()] = EngineOption(
            name, kind, default="", low=low, high=high, choices=choices
        )
