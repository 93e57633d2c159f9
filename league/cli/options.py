"""Options that several commands share, and the words they take."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])

OWN_PROCESS = "own process"
"""The key in a command's context when the process was started for the command alone."""


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


def port_option(function: F) -> F:
    """Add `--port`, where a server listens."""
    kind = click.IntRange(0, 65535)
    told = "Port to listen on; 0 for a free one."
    return click.option("--port", type=kind, default=8000, show_default=True, help=told)(function)


def host_option(function: F) -> F:
    """Add `--host`, the address where a server listens."""
    return click.option(
        "--host",
        default="127.0.0.1",
        show_default=True,
        help="Address to listen on; 0.0.0.0 admits other machines.",
    )(function)


def allow_host_option(function: F) -> F:
    """Add `--allow-host` as `allowed`: the names that a server answers to."""
    return click.option(
        "--allow-host",
        "allowed",
        multiple=True,
        metavar="NAME",
        help="Answer to this name too (repeat).",
    )(function)


START_TIME = "Time to start [60s for an engine, else 10s]."
"""The help of `--start-time` of a trial."""


def isolation_option(function: F) -> F:
    """Add `--isolation`."""
    return click.option(
        "--isolation",
        type=click.Choice(["auto", "none", "limits", "sandbox"]),
        default="auto",
        show_default=True,
        help="How bots are isolated; auto picks the strongest that works.",
    )(function)


def json_option(function: F) -> F:
    """Add `--json`."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON.")(function)


def pool_options(function: F) -> F:
    """Add `--game` and `--tournament`: the matches that a statistic is about."""
    one = click.option("--tournament", type=int, help="One tournament only.")(function)
    return click.option("--game", help="One game only.")(one)


def versions_option(text: str) -> Callable[[F], F]:
    """Add `--versions newest|all`; the text says which of them count."""
    kind = click.Choice(["newest", "all"])
    return click.option("--versions", type=kind, default="newest", show_default=True, help=text)


def with_options(spec: str, values: Sequence[str]) -> str:
    """Add repeated `--option name=value` to a game's spec."""
    return "&".join([spec if "?" in spec else f"{spec}?", *values]) if values else spec


def read_lines(path: str) -> list[str]:
    """Return the lines of a file of positions; raise `SetupError` if it can't be read."""
    from pathlib import Path

    from league.model.errors import SetupError

    try:
        return Path(path).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise SetupError(f"can't read positions from {path!r}: {error}") from None


def pairs(values: Sequence[str]) -> dict[str, str]:
    """Read repeated `--option name=value`; raise `OptionError` where '=' lacks."""
    from games.support.options import split_options

    found: dict[str, str] = {}
    for value in values:
        name, equals, text = value.partition("=")
        found.update({name.strip(): text} if equals else split_options(value, ","))
    return found
