"""A clock that goes by events alone, so that a busy machine makes no bot late."""

from collections.abc import Callable

import pytest

from games.support.game import Move, State

EVENT_NS = 300_000
"""How long a move, and a look at the clock, takes: more than a search aims to go between looks."""


class CountedTime:
    """The time that has passed by the moves made and the looks at the clock."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.now_ns = 0
        self._patch = patch
        self._slowed: set[type[State]] = set()
        patch.setattr("time.monotonic_ns", self._read)

    def slow_down(self, state: State) -> None:
        """Let each move take its time in positions of this class."""
        kind = type(state)
        if kind in self._slowed:
            return
        self._slowed.add(kind)
        play: Callable[[State, Move], State] = kind.play

        def slow_play(state: State, move: Move) -> State:
            self.now_ns += EVENT_NS
            return play(state, move)

        self._patch.setattr(kind, "play", slow_play)

    def _read(self) -> int:
        self.now_ns += EVENT_NS
        return self.now_ns


@pytest.fixture
def counted_time(monkeypatch: pytest.MonkeyPatch) -> CountedTime:
    """Put such a clock in the place of the machine's."""
    return CountedTime(monkeypatch)
