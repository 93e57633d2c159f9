"""Options of commands that are options of the format `sprt`, so that both mean the same test."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

import click

from games.support.options import options_of
from league.cli.options import F
from league.formats.sprt import Sequential


def sprt_options(
    *names: str, defaults: Mapping[str, object] = MappingProxyType({}), is_given: bool = True
) -> Callable[[F], F]:
    """Add options of the format, whose help says their default: the format's, or another one.

    Unless `is_given`, one that the user leaves out is None.
    """
    declared = {option.name: option for option in options_of(Sequential)}

    def add(function: F) -> F:
        for option in (declared[name] for name in reversed(names)):
            default = defaults.get(option.name, option.default)
            shown = "" if is_given else f"  [default: {default}]"
            function = click.option(
                f"--{option.name}",
                type=click.Choice(option.choices) if option.choices else option.kind,
                default=default if is_given else None,
                show_default=is_given,
                help=f"{option.help[:1].upper()}{option.help[1:]}.{shown}",
            )(function)
        return function

    return add
