"""The options of a command in its help, under headings."""

from collections.abc import Mapping

import click

Headings = Mapping[str, tuple[str, ...]]
"""By heading: the options under it, in order, without their dashes."""


def write_options(
    command: click.Command, ctx: click.Context, formatter: click.HelpFormatter, headings: Headings
) -> None:
    """Write each option under its heading; those without one come last."""
    left = {
        max(param.opts, key=len).lstrip("-"): record
        for param in command.get_params(ctx)
        if isinstance(param, click.Option) and (record := param.get_help_record(ctx)) is not None
    }
    for heading, names in headings.items():
        with formatter.section(heading):
            formatter.write_dl([left.pop(name) for name in names])
    with formatter.section("Options" if not headings else "Other options"):
        formatter.write_dl(list(left.values()))
