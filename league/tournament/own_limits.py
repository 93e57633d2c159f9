"""The limits that a bot has of its own in a tournament, as text: `mine:depth=6,nodes=1000`."""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from games.support.errors import OptionError, brief
from games.support.options import Option, parse_options, split_options
from league.model.memory_size import read_megabytes
from league.model.records import Isolation, OwnLimits
from league.model.time_control import TimeControl, read_move_time, read_span, write_span

RESTARTS = ("never", "match")
"""The words for a bot that keeps its process and for one that has a new one for each match."""

_OPTIONS = (
    Option("time", str, None, "a clock for the match"),
    Option("move-time", str, None, "the time for each move"),
    Option("depth", int, None, "the depth of each search", low=1),
    Option("nodes", int, None, "the nodes of each search", low=1),
    Option("grace", str, None, "how late a move may arrive"),
    Option("start-time", str, None, "the time for a start"),
    Option("memory", str, None, "the memory that the bot may use"),
    Option("isolation", str, None, "its isolation", choices=("none", "limits", "sandbox")),
    Option("restart", str, None, "when to restart it", choices=RESTARTS),
)


def bot_limits(value: Any) -> dict[str, OwnLimits]:
    """Read limits by bot, of a mapping or of texts `NAME:LIMITS`; raise `OptionError`."""
    if not isinstance(value, Mapping):
        words = [value] if isinstance(value, str) else value
        found = [_named(str(each)) for each in words] if isinstance(words, Iterable) else []
        value = dict(found)
    return {str(name).strip(): own_limits(text) for name, text in value.items()}


def own_limits(value: Any) -> OwnLimits:
    """Read `time=10+0.1,move-time=1s,depth=6,nodes=1000,memory=2G`; raise `OptionError`."""
    if isinstance(value, OwnLimits):
        return value
    found: dict[str, Any] = parse_options(
        _OPTIONS, split_options(str(value), ","), "a bot's limits"
    )
    if not found:
        raise OptionError(f"{brief(str(value))}: expected depth=6,nodes=1000 or the like", "")

    def read(name: str, kind: Callable[[str], Any]) -> Any:
        return kind(found[name]) if name in found else None

    return OwnLimits(
        time=str(TimeControl.read(found["time"])) if "time" in found else "",
        move_s=read("move-time", read_move_time),
        depth=found.get("depth"),
        nodes=found.get("nodes"),
        grace_s=read("grace", read_move_time),
        start_s=read("start-time", read_span),
        memory_mb=read("memory", read_megabytes),
        isolation=read("isolation", Isolation),
        is_restarted=read("restart", "match".__eq__),
    )


def written_limits(limits: Mapping[str, OwnLimits]) -> dict[str, str]:
    """Write limits by bot so that `bot_limits` reads the same."""
    return {name: _written(own) for name, own in limits.items()}


def _written(own: OwnLimits) -> str:
    spans = {"move-time": own.move_s, "grace": own.grace_s, "start-time": own.start_s}
    known = {
        "time": own.time,
        "depth": own.depth,
        "nodes": own.nodes,
        **{word: write_span(span_s) for word, span_s in spans.items() if span_s is not None},
        "memory": "" if own.memory_mb is None else f"{own.memory_mb}M",
        "isolation": own.isolation,
        "restart": "" if own.is_restarted is None else RESTARTS[own.is_restarted],
    }
    return ",".join(f"{word}={each}" for word, each in known.items() if each)


def _named(text: str) -> tuple[str, str]:
    # The name may have a colon of its own, and a clock too.
    found = re.fullmatch(r"(.+?):\s*([a-z-]+=.*)", text)
    if found is None:
        raise OptionError(f"{brief(text)}: expected NAME:depth=6,nodes=1000 or the like", "")
    return found[1], found[2]
