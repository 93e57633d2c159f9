"""User errors about games and bots.

```
InputError
├── OptionError        an option that does not exist, or a value out of its range
├── UnknownNameError   no game, evaluation or bot of that name
├── MoveError          a move text that names no legal move
├── PositionError      a position, layout or tree that can't be read
├── GameError          a game that can't be loaded, or lacks a package
└── ...                league.model.errors.LeagueError and its children
```

Every text says, in lower case, what was wrong (by repr) and what is known or expected.
"""

import difflib
from collections.abc import Iterable, Sequence

_LISTED_MAX = 110

_KNOWN_MAX = 320
"""The most characters of all known names: a class of sixty is not listed."""

FAULT_MAX = 160
"""The most characters of what is said of an answer that is no legal move."""

MOVE_MAX = 40
"""The most characters of the answer itself."""

MOVES_LISTED = 10
"""The most legal moves that are listed."""

_NEAR = 0.65
"""The least likeness of a typo to what was meant: `nobody` and `good` have 0.6."""


class InputError(Exception):
    """A user's input is wrong; the text says what, where and what to do."""


class OptionError(InputError):
    """An undeclared option, or a value that does not fit it."""

    def __init__(self, text: str, option: str) -> None:
        super().__init__(text)
        self.option = option


class UnknownNameError(InputError):
    """A name that the catalogue lacks; `name` is what was asked for."""

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
    """A text that describes no position; the message names the line and what is expected."""


class GameError(InputError):
    """A game that can't be played here: its file fails to load, or a package is missing."""

    def __init__(self, message: str, spec: str) -> None:
        super().__init__(message)
        self.spec = spec


def brief(value: object, most: int = 80) -> str:
    """Return the repr of `value` in at most `most` characters that are safe for a terminal.

    An int of more than 64 bits is in hexadecimal: Python refuses to write a decimal of more than
    4,300 digits, and a bot may answer anything.
    """
    if isinstance(value, int) and value.bit_length() > 64:
        shown = hex(value)
    else:
        shown = repr(value[:most] if isinstance(value, str) else value)
    return shown if len(shown) <= most else f"{shown[: most - 1]}…"


def listed(texts: Sequence[str], room: int = _LISTED_MAX) -> str:
    """Return `texts` separated by commas, as many as fit `room`: by default two lines."""
    whole = ", ".join(texts)
    return whole if len(whole) <= room else f"{whole[:room].rpartition(',')[0]}, …"


def no_legal_move(text: str, legal: Sequence[str]) -> MoveError:
    """Return the error for a text that names none of the moves written `legal`."""
    shown = brief(text, MOVE_MAX)
    room = FAULT_MAX - len("answered an illegal move  (legal: )") - len(shown)
    return MoveError(f"illegal move {shown} (legal: {some(legal, len(legal), room)})", text)


def some(moves: Sequence[str], count: int, room: int) -> str:
    """Return the first of `count` moves, in at most `room` characters."""
    shown = listed(moves[:MOVES_LISTED], room - len(", …"))
    is_whole = shown.endswith("…") or count <= MOVES_LISTED
    return shown if is_whole else f"{shown}, …"


def nearest(name: str, known: Iterable[str]) -> str | None:
    """Return the known name that `name` is a typo of; None if none is near enough.

    Two letters swapped, or one too many, missing or wrong, are a typo. A longer name may have more.
    """
    lowered = {each.lower(): each for each in known}
    close = difflib.get_close_matches(name.lower(), lowered, n=1, cutoff=_NEAR)
    return lowered[close[0]] if close else None


def suggestion(name: str, known: Iterable[str]) -> str:
    """Suggest similar names of the `known` ones, or list them: the first ones if there are many."""
    names = sorted(known)
    close = nearest(name, names)
    if close:
        return f" (did you mean {close!r}?)"
    count = f" {len(names)} in all" if len(whole := ", ".join(names)) > _KNOWN_MAX else ""
    return f" (known: {listed(names) if count else whole}{count})" if names else ""
