"""Positions that a user's bot can't change by mistake."""

import sys
from collections.abc import Callable
from typing import Any

from games.support.game import State
from league.seats.python.disguise import disguise, disguised


class Freezer:
    """Freezes positions against the code of a bot; `is_own` tells its files.

    A frozen position has a subclass of its class. The positions that its `play` makes are of the
    game's own class, so a search over them is as fast as before. Games may go on to set attributes
    of a position, as a memory of what they have computed.
    """

    def __init__(self, is_own: Callable[[str], bool]) -> None:
        self._is_own = is_own
        self._kinds: dict[type, type] = {}

    def freeze(self, state: State) -> None:
        """Let the bot's code set no attribute of this position."""
        kind = type(state)
        if kind not in self._kinds:
            self._kinds[kind] = made = _frozen(kind, self._is_own)
            self._kinds[made] = made
        frozen = self._kinds[kind]
        # A bot may be asked twice about one position.
        if frozen is not kind and not disguise(state, frozen):
            self._kinds[kind] = kind


def _frozen(kind: Any, is_own: Callable[[str], bool]) -> type:
    """Return a subclass whose attributes `is_own` files can't set."""

    def refuse(name: str) -> None:
        if is_own(sys._getframe(2).f_code.co_filename):
            raise AttributeError(
                f"can't change state.{name}: state.play(move) returns the next position"
            )

    def set_attribute(self: Any, name: str, value: object) -> None:
        refuse(name)
        kind.__setattr__(self, name, value)

    def delete_attribute(self: Any, name: str) -> None:
        refuse(name)
        kind.__delattr__(self, name)

    return disguised(kind, __setattr__=set_attribute, __delattr__=delete_attribute)
