"""`--engine cmd=stockfish,name=sf,option.Hash=16`: an engine that `league run` registers itself."""

import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click

from games.support.errors import OptionError, brief, suggestion
from league.model.names import FILES
from league.tournament.own_limits import own_limits

_OPTION = "option."
_LIMITS = {
    **{word: word for word in ("time", "move-time", "depth", "nodes")},
    **{word: word for word in ("grace", "start-time", "memory", "isolation", "restart")},
    **{"tc": "time", "st": "move-time", "plies": "depth", "timemargin": "grace"},
}
"""The limits of an engine by our words and those of fastchess.

fastchess gives its margin in milliseconds without a unit.
"""

_NONE = {"inf": ""}
_RESTARTS = {"auto": "", "on": "match", "off": "never"}
"""Values of theirs and ours, '' for what need not be said."""

_FOR_ALL = {
    "ponder": "--pondering",
    "stderr": "--engine-log engines.log",
}
"""Options that fastchess and cutechess-cli set for each engine, and this league for all."""

_WORDS = ("cmd", "name", "args", "dir", "proto", *_LIMITS, _OPTION + "NAME")

_PART = re.compile(rf"\s((?:{'|'.join(_WORDS[:-1])})=|option\.)")


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineWish:
    """An engine as the command line describes it; `limits` are text that `own_limits` reads."""

    name: str
    spec: str
    folder: str | None = None
    options: dict[str, str] = field(default_factory=dict)
    limits: str = ""


def read_engine(text: str, each: str = "") -> EngineWish:
    """Parse `cmd=./engine,name=new,option.Hash=16,tc=8+0.08`; raise `OptionError`.

    A value with a comma or a space of its own is in quotes. `each` has the parts of all engines,
    which those of this one replace.
    """
    from league.seats.bot_specs import protocol_of

    words: dict[str, str] = {}
    options: dict[str, str] = {}
    limits: dict[str, str] = {}
    for part in (*_split(each), *_split(text)):
        key, equals, value = part.partition("=")
        if not equals:
            raise OptionError(f"{brief(part)}: expected KEY=VALUE with commas between", "engine")
        if key.startswith(_OPTION):
            options[key.removeprefix(_OPTION)] = value
        elif key in _LIMITS:
            unit = "ms" if key == "timemargin" else ""
            ours = _RESTARTS if key == "restart" else _NONE
            limits[_LIMITS[key]] = ours.get(value.casefold(), f"{value}{unit}")
        elif key in _WORDS:
            words[key] = value
        elif key in _FOR_ALL:
            raise OptionError(f"{key!r} is for all engines: write {_FOR_ALL[key]}", "engine")
        else:
            raise OptionError(f"unknown {key!r} of an engine{suggestion(key, _WORDS)}", "engine")
    if "cmd" not in words:
        raise OptionError(f"{brief(text)}: expected cmd=PROGRAM", "engine")
    if found := _PART.search(words["cmd"]):
        raise OptionError(
            f"{brief(text)}: write a comma, not a space, before {found[1]!r}", "engine"
        )
    protocol = words.get("proto", "uci")
    if not protocol_of(f"{protocol}:"):
        raise OptionError(f"proto={protocol}: expected uci or xboard", "engine")
    told = ",".join(f"{name}={value}" for name, value in limits.items() if value)
    if told:
        own_limits(told)
    command = shlex.join([*shlex.split(words["cmd"]), *shlex.split(words.get("args", ""))])
    return EngineWish(
        name=words.get("name") or _name_of(Path(shlex.split(words["cmd"])[0])),
        spec=f"{protocol}:{command}",
        folder=words.get("dir"),
        options=options,
        limits=told,
    )


def read_engines(
    ctx: click.Context, param: click.Parameter, texts: Sequence[str]
) -> tuple[EngineWish, ...]:
    """Return the engines of `--engine`, with the parts of `--each`, which comes first."""
    each = ctx.params.get("each") or ""
    try:
        return tuple(read_engine(text, each) for text in texts)
    except OptionError as error:
        raise click.BadParameter(str(error), ctx, param) from None


def read_each(ctx: click.Context, param: click.Parameter, text: str | None) -> str | None:
    """Check the parts of all engines."""
    if text is None:
        return None
    try:
        if any(part.partition("=")[0] in ("cmd", "name") for part in _split(text)):
            raise OptionError(f"{brief(text)}: cmd and name belong to each --engine", "each")
        read_engine("cmd=engine", text)
    except OptionError as error:
        raise click.BadParameter(str(error), ctx, param) from None
    return text


def with_engines(engines: Sequence[EngineWish], settings: dict[str, Any]) -> dict[str, Any]:
    """Return `settings` with engines as bots; the game is chess if there is none."""
    if not engines:
        return settings
    bots = settings.get("bots", ())
    bots = [each.strip() for each in bots.split(",")] if isinstance(bots, str) else list(bots)
    limits = settings.get("bot-limits", ())
    limits = [limits] if isinstance(limits, str) else list(limits)
    limits += [f"{engine.name}:{engine.limits}" for engine in engines if engine.limits]
    return {
        "game": "chess",
        **settings,
        "bots": bots if bots == ["all"] else [*bots, *(engine.name for engine in engines)],
        **({"bot-limits": limits} if limits else {}),
    }


def _name_of(program: Path) -> str:
    """Return the name of an engine that has none of its own: `engine` for `engine.py`."""
    return program.stem if program.suffix.casefold() in FILES else program.name


def _split(text: str) -> list[str]:
    reader = shlex.shlex(text, posix=True)
    reader.whitespace, reader.whitespace_split, reader.commenters = ",", True, ""
    try:
        return [part.strip() for part in reader]
    except ValueError as error:
        raise OptionError(f"{brief(text)}: {error}", "engine") from None
