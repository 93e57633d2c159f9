"""The reference of the commands, from the command line itself."""

import html
import inspect
import re
from collections.abc import Iterator

import click

from league.cli.lazy_group import SectionedGroup
from league.cli.main import cli

EXAMPLE = re.compile(r"Examples?:$|Start here:$")


def commands() -> str:
    """Return Markdown with each command: its usage, help, options and examples."""
    parts = []
    for heading, names in cli.sections().items():
        parts.append(f"## {heading}")
        for name in names:
            parts += _described(cli, name, "league")
    return "\n\n".join(parts)


def _described(group: SectionedGroup, name: str, before: str) -> Iterator[str]:
    context = click.Context(group, info_name=before)
    command = group.get_command(context, name)
    if command is None:
        raise LookupError(f"{before} lists {name!r} but does not have it")
    path = f"{before} {name}"
    yield f"### `{path}`"
    own = click.Context(command, info_name=name, parent=context)
    yield f"```text\n{' '.join(own.get_usage().removeprefix('Usage: ').split())}\n```"
    yield from map(_paragraph, re.split(r"\n\s*\n", inspect.cleandoc(command.help or "")))
    if rows := [_row(*record) for record in _records(command, own)]:
        yield "\n".join(["| option | meaning |", "| --- | --- |", *rows])
    if isinstance(command, SectionedGroup):
        for each in command.list_commands(own):
            yield from _described(command, each, path)


def _records(command: click.Command, context: click.Context) -> Iterator[tuple[str, str]]:
    for param in command.params:
        record = param.get_help_record(context)
        if record is not None and record[1]:
            yield record


def _paragraph(text: str) -> str:
    r"""Return a paragraph of a help text; Click keeps the lines of one that begins with \b."""
    if not text.startswith("\b"):
        return escape(" ".join(text.split()))
    first, *lines = text.lstrip("\b\n").splitlines()
    if not EXAMPLE.match(first):
        first, lines = "", [first, *lines]
    code = inspect.cleandoc("\n" + "\n".join(lines))
    if first:  # a shell reads a line that goes on in the next one only with a backslash
        code = re.sub(r"\n(?= )", r" \\\n", code)
    language = "sh" if first else "text"
    return f"{first}\n\n```{language}\n{code}\n```".strip()


def _row(option: str, text: str) -> str:
    shown = html.escape(option, quote=False).replace("|", "&#124;")
    return f"| <code>{shown}</code> | {escape(text)} |"


def escape(text: str) -> str:
    """Return text that Markdown shows as it is."""
    return re.sub(r"([\\`*_{}\[\]<>#|])", r"\\\1", text)
