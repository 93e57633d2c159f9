"""Searches traced as deep as they may go: for who must not wait, whatever is asked for."""

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace

from bots.support.search import Exhausted
from bots.trace.records import Setting, Trace
from bots.trace.search import trace
from games.support.game import State

DEPTH_MAX = 10
"""No search is asked to go deeper, but those of explicit trees."""

NODES_MAX = 30_000
TIME_S = 1.5


@dataclass(frozen=True, slots=True)
class BoundedTrace:
    """The deepest search that the bounds let end; `is_cut` where more was asked for."""

    trace: Trace
    is_cut: bool


def traced_within(
    state: State, setting: Setting, nodes_max: int = NODES_MAX, time_s: float = TIME_S
) -> BoundedTrace | None:
    """Trace a search within so many nodes and so many seconds in all; None where nothing fits.

    Depth by depth, so that there is something to show where the next one does not end.
    """
    until_s = time.monotonic() + time_s
    found: Trace | None = None
    for depth in _depths(setting.depth):
        try:
            found = trace(
                state,
                replace(setting, depth=depth),
                counted_max=nodes_max,
                nodes_max=nodes_max,
                until_s=until_s,
            )
        except Exhausted:
            if depth is not None:
                break
            continue
        if depth == setting.depth:
            return BoundedTrace(found, is_cut=False)
    return None if found is None else BoundedTrace(found, is_cut=True)


def _depths(wanted: int | None) -> Iterator[int | None]:
    """Yield what is tried in turn; without a limit to the end at once."""
    if wanted is None:
        yield None
    yield from range(1, 1 + (DEPTH_MAX if wanted is None else min(wanted, DEPTH_MAX)))
