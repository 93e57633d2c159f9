"""Parts of a page that are drawn again and again, of which only the changes are sent."""

import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

_KEYED = re.compile(r'\s*<\w+ data-key="([^"]+)"')


@dataclass(slots=True)
class KeyedText:
    """A drawing by lines; an element with `data-key` that fills a line of its own is a unit.

    Text of bots is escaped, so that no line of it begins with an element.
    """

    text: str = ""
    _frame_at: int = 0
    _frame: list[str] = field(default_factory=list)
    _lines: dict[str, tuple[int, str]] = field(default_factory=dict)

    def draw(self, text: str, version: int) -> bool:
        """Take a new drawing; return whether it differs from the last."""
        if text == self.text:
            return False
        self.text = text
        frame, lines = [], {}
        for line in text.split("\n"):
            found = _KEYED.match(line)
            if found is None:
                frame.append(line)
                continue
            key = found[1]
            frame.append(key)
            at, before = self._lines.get(key, (version, ""))
            lines[key] = (at if line == before else version, line)
        if frame != self._frame:
            self._frame, self._frame_at = frame, version
        self._lines = lines
        return True

    def since(self, version: int) -> dict[str, Any]:
        """Return what has changed after a version: `whole` or `lines`; {} for nothing."""
        if self._frame_at > version:
            return {"whole": self.text}
        changed = {key: line for key, (at, line) in self._lines.items() if at > version}
        return {"lines": changed} if changed else {}


@dataclass(slots=True)
class GrowingList:
    """A list whose items never change and to which items are only added."""

    _items: list[tuple[int, str]] = field(default_factory=list)
    _cleared_at: int = 0

    @property
    def text(self) -> str:
        """All items."""
        return "\n".join(text for _, text in self._items)

    def __len__(self) -> int:
        return len(self._items)

    def add(self, text: str, version: int) -> None:
        """Add an item."""
        self._items.append((version, text))

    def clear(self, version: int) -> None:
        """Begin again."""
        self._items.clear()
        self._cleared_at = version

    def since(self, version: int) -> dict[str, Any]:
        """Return what has changed after a version: `whole` or `more`; {} for nothing."""
        if self._cleared_at > version:
            return {"whole": self.text}
        # From the end: there are many, and few are new.
        more = []
        for at, text in reversed(self._items):
            if at <= version:
                break
            more.append(text)
        return {"more": "\n".join(reversed(more))} if more else {}


class Drawing:
    """The parts of a page by name, in its order, with one version for all of them.

    Its versions count from 1 and mean nothing to another drawing of the same page.
    """

    def __init__(self, parts: Mapping[str, "KeyedText | GrowingList"]) -> None:
        self._epoch = secrets.token_hex(4)
        self._parts = parts
        self._version = 1

    @property
    def version(self) -> str:
        """The version as pages and streams hand it on."""
        return f"{self._epoch}.{self._version}"

    @property
    def next_version(self) -> int:
        """The version that changes made now belong to."""
        return self._version + 1

    @property
    def texts(self) -> dict[str, str]:
        """The whole parts, for a page."""
        return {name: part.text for name, part in self._parts.items()}

    def close(self, is_changed: bool) -> None:
        """Let the changes made now be a version."""
        self._version += is_changed

    def since(self, version: str) -> dict[str, dict[str, Any]]:
        """Return the changes of each part after a version; all of it for an unknown one."""
        epoch, _, number = version.partition(".")
        is_known = epoch == self._epoch and number.isascii() and number.isdecimal()
        if not is_known:
            return {name: {"whole": part.text} for name, part in self._parts.items()}
        after = int(number[:18])
        changes = {name: part.since(after) for name, part in self._parts.items()}
        return {name: each for name, each in changes.items() if each}
