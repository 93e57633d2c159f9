"""Traced searches as deep as bounds on nodes and time allow, for quick answers."""

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace

from bots.support.search import Exhausted
from bots.trace.records import SearchSetting, Trace
from bots.trace.search import trace
from games.support.game import State

DEPTH_MAX = 10
"""The maximum depth, except for explicit trees."""

NODES_MAX = 30_000
TIME_S = 1.5


@dataclass(frozen=True, slots=True)
class BoundedTrace:
    """The deepest search that ended within the bounds; `is_cut` if more was requested."""

    trace: Trace
    is_cut: bool


def traced_within(
    state: State, setting: SearchSetting, nodes_max: int = NODES_MAX, time_s: float = TIME_S
) -> BoundedTrace | None:
    """Trace a search within `nodes_max` nodes and `time_s` seconds in all; None if nothing fits.

    It deepens iteratively, so that the last finished depth can be shown.
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
    """Yield the depths to try; without a limit only None, the full search."""
    if wanted is None:
        yield None
    yield from range(1, 1 + (DEPTH_MAX if wanted is None else min(wanted, DEPTH_MAX)))
