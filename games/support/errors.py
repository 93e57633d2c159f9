"""What a person can get wrong about games and bots.

```
InputError
├── OptionError        an option that does not exist, or a value out of its range
├── UnknownNameError   no game, evaluation or bot of that name
├── MoveError          a move text that names no legal move
├── PositionError      a position, layout or tree that can't be read
├── GameError          a game that can't be loaded, or needs what is not installed
└── ... league.model.errors.LeagueError and its children
```

Every text says, in lower case, what was wrong (by repr) and what is known or expected.
"""

import difflib
from collections.abc import Iterable, Sequence

_LISTED_MAX = 110


class InputError(Exception):
    """Something a person gave is wrong; the text says what, where and what to do."""


class OptionError(InputError):
    """An option that is not declared, or a value that does not fit it."""

    def __init__(self, text: str, option: str) -> None:
        super().__init__(text)
        self.option = option


class UnknownNameError(InputError):
    """A name that the catalogue does not hold; `name` is what was asked for."""

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        super().__init__(f"unknown {kind} {name!r}{suggestion(name, known)}")
        self.kind = kind
        self.name = name


class MoveError(InputError):
    """A move text that names no legal move in the position; `text` is what was given."""

    def __init__(self, message: str, text: str) -> None:
        super().__init__(message)
        self.text = text


class PositionError(InputError):
    """A text that describes no position; it names the line, and what is expected there."""


class GameError(InputError):
    """A game that can't be played here: its file fails to load, or a package is missing."""

    def __init__(self, message: str, spec: str) -> None:
        super().__init__(message)
        self.spec = spec


def brief(value: object) -> str:
    """Return what `value` looks like, in at most 80 characters fit for a terminal.

    An int of more than 64 bits is written in hexadecimal: past 4,300 digits Python refuses to
    write a decimal, and a bot may answer anything.
    """
    if isinstance(value, int) and value.bit_length() > 64:
        shown = hex(value)
    else:
        shown = repr(value[:80] if isinstance(value, str) else value)
    return shown if len(shown) <= 80 else f"{shown[:79]}…"


def listed(texts: Sequence[str]) -> str:
    """Return `texts` with commas, as many of them as fit two lines of a terminal."""
    whole = ", ".join(texts)
    return whole if len(whole) <= _LISTED_MAX else f"{whole[:_LISTED_MAX].rpartition(',')[0]}, …"


def suggestion(name: str, known: Iterable[str]) -> str:
    """Say which of the `known` names may have been meant, or list them all."""
    names = sorted(known)
    close = difflib.get_close_matches(name, names, n=1)
    if close:
        return f" (did you mean {close[0]!r}?)"
    return f" (known: {', '.join(names)})" if names else ""
