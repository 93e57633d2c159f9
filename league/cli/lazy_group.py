"""Groups of commands listed under headings, and those that are imported when they are asked for."""

import importlib
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import click

from games.support.catalogue import Catalogue
from league.cli.headed_options import Headings, write_options

Sections = Mapping[str, Mapping[str, str]]
"""By heading: the commands, each with its line in `--help`."""


class CommandSet(NamedTuple):
    """Commands of a package, by heading and name, with what `--help` says of each.

    A command's module has its name, with `_` for `-`, and exports it as `command`. The text is the
    first line of the command's own help, so that listing them imports none of them.
    """

    package: str
    sections: Sections

    def names(self) -> list[str]:
        """List the commands in the order a user meets them."""
        return [name for each in self.sections.values() for name in each]

    def command(self, name: str) -> click.Command:
        """Import a command."""
        module = importlib.import_module(f"{self.package}.{name.replace('-', '_')}")
        command: click.Command = module.command
        return command


COMMANDS: Catalogue[CommandSet] = Catalogue(
    kind="set of commands",
    group="botleague.commands",
    is_part=lambda part: isinstance(part, CommandSet),
)
"""The commands that installed packages add to `league`."""


class SectionedGroup(click.Group):
    """A group whose help lists its commands, and its own options, under headings.

    `sections` has its commands by heading; without it, all stand under one.
    """

    def __init__(
        self,
        *arguments: Any,
        sections: Mapping[str, Sequence[click.Command]] | None = None,
        headings: Headings | None = None,
        **more: Any,
    ) -> None:
        super().__init__(*arguments, **more)
        self._sections = sections
        for command in (each for part in (sections or {}).values() for each in part):
            self.add_command(command)
        self._headings = headings or {}

    def sections(self) -> Sections:
        """Return what the help says of each command, by heading."""
        wanted = self._sections or {"Commands": tuple(self.commands.values())}
        return {
            heading: {each.name or "": _first_line(each) for each in commands}
            for heading, commands in wanted.items()
        }

    def list_commands(self, ctx: click.Context) -> list[str]:
        """List the commands in the order a user meets them."""
        return [name for each in self.sections().values() for name in each]

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """Find the command; suggest the nearest name for a typo."""
        name = args[0] if args else ""
        if name and not name.startswith("-") and self.get_command(ctx, name) is None:
            from games.support.errors import nearest

            close = nearest(name, self.list_commands(ctx))
            hint = f" (did you mean {close!r}?)" if close else f"; see '{ctx.command_path} --help'"
            ctx.fail(f"no such command {name!r}{hint}")
        return super().resolve_command(ctx, args)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options under their headings, then the commands."""
        write_options(self, ctx, formatter, self._headings)
        self.format_commands(ctx, formatter)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write what is said of each command."""
        sections = self.sections()
        width = max(len(name) for each in sections.values() for name in each)
        for heading, commands in sections.items():
            with formatter.section(heading):
                formatter.write_dl([(f"{name:{width}}", says) for name, says in commands.items()])


class LazyGroup(SectionedGroup):
    """A group whose commands are the modules of a package, imported when they are asked for.

    With a `catalogue`, installed packages add commands. These stand before the last section.
    """

    def __init__(
        self,
        *arguments: Any,
        package: str,
        sections: Sections,
        catalogue: Catalogue[CommandSet] | None = None,
        **more: Any,
    ) -> None:
        super().__init__(*arguments, **more)
        self._own = CommandSet(package, sections)
        self._catalogue = catalogue

    def sections(self) -> Sections:
        """Return what the help says of each command, by heading."""
        *first, last = self._own.sections
        found = {heading: dict(self._own.sections[heading]) for heading in first}
        for each in self._added:
            for heading, commands in each.sections.items():
                found[heading] = found.get(heading, {}) | dict(commands)
        found[last] = found.get(last, {}) | dict(self._own.sections[last])
        return found

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command of that name; the group's own come before those of packages."""
        if cmd_name in self._own.names():
            return self._own.command(cmd_name)
        found = (each for each in self._added if cmd_name in each.names())
        added = next(found, None)
        return None if added is None else added.command(cmd_name)

    @cached_property
    def _added(self) -> Sequence[CommandSet]:
        if self._catalogue is None:
            return ()
        found, why_not = self._catalogue.loaded()
        for reason in why_not.values():
            click.echo(f"warning: {reason}", err=True)
        return tuple(found.values())


def _first_line(command: click.Command) -> str:
    return (command.help or "").strip().partition("\n")[0]
