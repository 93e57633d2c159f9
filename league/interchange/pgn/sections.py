"""The tags of games in a block of PGN, whatever their order and however damaged.

Source: Steven J. Edwards, Portable Game Notation Specification and Implementation Guide, 1994,
section 8.1, and what programs write instead.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

_TAG = re.compile(rb"\n[ \t]*\[[ \t]*([A-Za-z0-9_]+)[ \t]*([^\n]*)")
_VALUE = re.compile(rb'"((?:[^"\\]|\\.)*)"[ \t]*\]?[ \t]*')
TAG_MAX = 4096
"""Tags that are longer can't be read."""

_ESCAPED = re.compile(rb"\\(.)", re.DOTALL)
_ONCE = frozenset({b"White", b"Black", b"Result"})
_OF_GAMES = _ONCE | {b"Event"}


@dataclass(slots=True)
class Section:
    """The tags of one game.

    `position` is that of the line break before its first tag, `end` where its last tag ends, both
    in the block. `unreadable` are tags that a game needs and that can't be read.
    """

    position: int
    end: int = 0
    tags: dict[bytes, bytes] = field(default_factory=dict)
    unreadable: list[bytes] = field(default_factory=list)

    def has(self, name: bytes) -> bool:
        """Whether there is a tag of that name, readable or not."""
        return name in self.tags or name in self.unreadable


def sections(text: bytes) -> Iterator[Section]:
    """Yield the games of a block; lines in brackets within comments are none."""
    section: Section | None = None
    for found in _TAG.finditer(text):
        name = found[1]
        value = _VALUE.fullmatch(found[2]) if len(found[2]) <= TAG_MAX else None
        follows = section is not None and not text[section.end : found.start()].strip()
        if value is None and name not in _ONCE:
            if section is not None and follows:
                section.end = found.end()
            continue
        if section is None or not follows or (name in _ONCE and section.has(name)):
            if section is not None and _is_game(section):
                yield section
            section = Section(found.start())
        section.end = found.end()
        if value is None:
            section.unreadable.append(name)
        else:
            section.tags[name] = _ESCAPED.sub(rb"\1", value[1])
    if section is not None and _is_game(section):
        yield section


def _is_game(section: Section) -> bool:
    return any(section.has(name) for name in _OF_GAMES)


def decoded(value: bytes) -> str:
    """Return a tag's value as text: UTF-8, or Latin-1 as older files have it."""
    try:
        return value.decode().strip()
    except UnicodeDecodeError:
        return value.decode("latin-1").strip()
