"""Options that several commands share, and the words they take."""

import re
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])

OWN_PROCESS = "own process"
"""What a command's context holds when the process was started for the command alone."""


class DurationOption(click.ParamType[float]):
    """A span of time: `50ms`, `2s`, `1.5`, `10m`, `1h`; a bare number is seconds."""

    name = "duration"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Return seconds."""
        if isinstance(value, float):
            return value
        from games.support.errors import OptionError
        from league.model.time_control import read_span

        try:
            return read_span(str(value))
        except OptionError as error:
            self.fail(str(error), param, ctx)


class TimeControlOption(click.ParamType[str]):
    """A time control for a match: `10+0.1`, `40/60+0.5`, `5m+3s`."""

    name = "control"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return it as `league.model.time_control` writes it."""
        from games.support.errors import OptionError
        from league.model.time_control import TimeControl

        try:
            return str(TimeControl.read(str(value)))
        except OptionError as error:
            self.fail(str(error), param, ctx)


class HandicapOption(click.ParamType[tuple[str, float]]):
    """A bot's share of the time and the nodes: `mine=0.5`."""

    name = "name=factor"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, float]:
        """Return the bot and its factor."""
        if isinstance(value, tuple):
            return value
        from games.support.errors import OptionError
        from league.model.time_control import read_handicap

        try:
            return read_handicap(str(value))
        except OptionError as error:
            self.fail(str(error), param, ctx)


class MemoryOption(click.ParamType[int]):
    """An amount of memory: `512M`, `2G`; a bare number is megabytes."""

    name = "memory"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return megabytes."""
        if isinstance(value, int):
            return value
        match = re.fullmatch(r"(\d+)\s*(m|mb|g|gb|)", str(value).strip().lower())
        if match is None or int(match[1]) == 0:
            self.fail(f"{value!r} is no memory size: write 512M or 2G", param, ctx)
        return int(match[1]) * (1024 if match[2].startswith("g") else 1)


def db_option(function: F) -> F:
    """Add `--db`."""
    return click.option(
        "--db",
        envvar="LEAGUE_DB",
        default="league.db",
        show_default=True,
        metavar="FILE|URL",
        help="The league's database (or LEAGUE_DB).",
    )(function)


def isolation_option(function: F) -> F:
    """Add `--isolation`."""
    return click.option(
        "--isolation",
        type=click.Choice(["auto", "none", "limits", "sandbox"]),
        default="auto",
        show_default=True,
        help="How far bots are kept apart; auto is the strongest that works.",
    )(function)


def json_option(function: F) -> F:
    """Add `--json`."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON.")(function)


def with_options(spec: str, values: Sequence[str]) -> str:
    """Add repeated `--option name=value` to a game's spec."""
    return "&".join([spec if "?" in spec else f"{spec}?", *values]) if values else spec


def pairs(values: Sequence[str]) -> dict[str, str]:
    """Read repeated `--option name=value`; raise `OptionError` where '=' lacks."""
    from games.support.options import split_options

    found: dict[str, str] = {}
    for value in values:
        name, equals, text = value.partition("=")
        found.update({name.strip(): text} if equals else split_options(value, ","))
    return found
