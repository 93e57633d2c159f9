"""The `feature` lines of an xboard engine."""

import re
from collections.abc import Iterator

from league.seats.engine.uci_options import EngineOption

# An engine may write a line of a megabyte: no pattern may look at a part of it twice.
_FEATURE = re.compile(r"(?<!\w)(\w+)=(\"[^\"]*\"|[^\s\"]+)")
_OPTION = re.compile(r"(.*?\S)\s+-(\w+)\s*(.*)")
_WHOLE = re.compile(r"-?[0-9]{1,18}")
_KINDS = {"slider": "spin", "file": "string", "path": "string", "reset": "button", "save": "button"}
_HEEDED = "done memory myname option ping reuse san setboard smp time usermove"
_HARMLESS = "analyze colors debug draw ics name pause playother sigint sigterm variants"
_KNOWN = frozenset(f"{_HEEDED} {_HARMLESS}".split())


class XboardFeatures:
    """The features of one engine, with the protocol's defaults for those not mentioned."""

    def __init__(self) -> None:
        self.options: dict[str, EngineOption] = {}
        """The options by casefolded name."""
        self._values = {"reuse": "1", "time": "1", "done": ""}

    def __getitem__(self, name: str) -> bool:
        """Whether a feature is on."""
        return self._values.get(name) == "1"

    @property
    def is_waiting(self) -> bool:
        """Whether the engine has asked to wait until it is done."""
        return self._values["done"] == "0"

    @property
    def own_name(self) -> str:
        """The name and version of the engine, '' if it tells none."""
        return self._values.get("myname", "")

    def add(self, line: str) -> Iterator[str]:
        """Process a `feature` line, and yield the reply for each feature in it."""
        for name, quoted in _FEATURE.findall(line.removeprefix("feature")):
            value = quoted.strip('"')
            self._values[name] = value
            if name == "option":
                self._add_option(value)
            elif name in ("memory", "smp") and value == "1":
                # Each has its own command and no upper bound.
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
