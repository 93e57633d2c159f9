"""A group of commands that are imported when they are asked for, listed under headings."""

import importlib
from collections.abc import Mapping
from typing import Any

import click

from league.cli.headed_options import Headings, write_options

Sections = Mapping[str, Mapping[str, str]]
"""By heading: the commands, and what `--help` says of each.

A command's module has its name, with `_` for `-`, and hands it out as `command`. The text is the
first line of the command's own help, so that listing them imports none of them.
"""


class LazyGroup(click.Group):
    """A group whose commands are the modules of a package.

    The help lists the group's own options under `headings`.
    """

    def __init__(
        self,
        *arguments: Any,
        package: str,
        sections: Sections,
        headings: Headings | None = None,
        **more: Any,
    ) -> None:
        super().__init__(*arguments, **more)
        self._package = package
        self._sections = sections
        self._headings = headings or {}
        self.says = {name: text for each in sections.values() for name, text in each.items()}

    def list_commands(self, ctx: click.Context) -> list[str]:
        """List the commands in the order a user meets them."""
        return list(self.says)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command of that name."""
        if cmd_name not in self.says:
            return None
        module = importlib.import_module(f"{self._package}.{cmd_name.replace('-', '_')}")
        command: click.Command = module.command
        return command

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """Find the command; suggest the nearest name for a typo."""
        name = args[0] if args else ""
        if name and name not in self.says and not name.startswith("-"):
            from games.support.errors import nearest

            close = nearest(name, self.says)
            hint = f" (did you mean {close!r}?)" if close else f"; see '{ctx.command_path} --help'"
            ctx.fail(f"no such command {name!r}{hint}")
        return super().resolve_command(ctx, args)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options under their headings, then the commands."""
        write_options(self, ctx, formatter, self._headings)
        self.format_commands(ctx, formatter)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write what the tables say of each command."""
        width = max(map(len, self.says))
        for heading, commands in self._sections.items():
            with formatter.section(heading):
                formatter.write_dl([(f"{name:{width}}", says) for name, says in commands.items()])
