"""Every command of `league`, those in groups too."""

from collections.abc import Iterator

import click

from league.cli.lazy_group import SectionedGroup
from league.cli.main import cli


def _commands(group: SectionedGroup, before: str) -> Iterator[tuple[str, click.Command]]:
    for name in group.list_commands(click.Context(group)):
        found = group.get_command(click.Context(group), name)
        assert found is not None
        yield before + name, found
        if isinstance(found, SectionedGroup):
            yield from _commands(found, f"{before}{name} ")


COMMANDS = dict(_commands(cli, ""))
"""By all its words: "run", "tournament join"."""
