"""`league bots`."""

import sys
from typing import TYPE_CHECKING, Any

import click

from games.support.printable import printable
from league.cli.console import print_answer, print_json
from league.cli.options import db_option, json_option

if TYPE_CHECKING:
    from league.api.answer import Answer
    from league.model.records import BotVersion


@click.command("bots")
@click.argument("name", required=False)
@click.option("--catalogue", "is_catalogue", is_flag=True, help="The built-in bots and options.")
@click.option("--source", type=int, metavar="N", help="The source of version N of a bot.")
@click.option("--retired", is_flag=True, help="Retired bots too.")
@db_option
@json_option
def command(
    name: str | None, is_catalogue: bool, source: int | None, retired: bool, db: str, as_json: bool
) -> None:
    """List the league's bots, or show one with its versions.

    In every command, NAME@2 means version 2 of a bot, and NAME its newest version.

    \b
    Examples:
      league bots
      league bots mine
      league bots mine --source 1
      league bots --catalogue
    """
    if is_catalogue:
        _show_catalogue(as_json)
        return
    if name is None and source is None:
        # Two small queries, for which SQLAlchemy would take longer to import than all else.
        from league.api.lists import bots_of_file

        if (listed := bots_of_file(db, retired=retired)) is not None:
            print_answer(listed, as_json)
            return
    from league.api.league import League

    if source is not None and name is None:
        raise click.UsageError("--source is of a bot: 'league bots NAME --source N'")
    with League(db, read_only=True) as league:
        if source is not None:
            row = league.store.bots.get(f"{name}@{source}")
            _print_source(league.store.bots.version(row.versions[0].id), as_json)
            return
        found: Answer[Any] = league.bot(name) if name else league.bots(retired=retired)
    print_answer(found, as_json)


def _print_source(version: "BotVersion", as_json: bool) -> None:
    """Print the files of a version as they were registered; of several, each below its name."""
    from league.model.errors import SetupError

    if as_json:
        print_json({path: data.decode(errors="replace") for path, data in version.files.items()})
        return
    if not version.files:
        raise SetupError(f"{version.name!r} is {version.spec!r}: no source is kept of it")
    for path, data in version.files.items():
        if len(version.files) > 1:
            click.echo(f"==> {printable(path)} <==")
        if sys.stdout.isatty():
            # On a terminal nothing of it is obeyed; in a file it is as it was.
            data = printable(data.decode(errors="replace").expandtabs(), keep_lines=True).encode()
        click.echo(data, nl=not data.endswith(b"\n"))


def _show_catalogue(as_json: bool) -> None:
    from bots.support.specs import BOTS
    from games.support.options import options_of

    found, why_not = BOTS.loaded()
    if as_json:
        print_json(
            {
                name: {
                    "help": _summary(bot),
                    "options": [
                        {"name": each.name, "default": each.default, "help": each.help}
                        | {"values": each.range()}
                        for each in options_of(bot)
                    ],
                }
                for name, bot in found.items()
            }
            | {name: {"why_not": text} for name, text in why_not.items()}
        )
        return
    for name, bot in found.items():
        click.echo(printable(f"{name}: {_summary(bot)}"))
        for each in options_of(bot):
            default = "none" if each.default is None else each.default
            click.echo(printable(f"    {each.name}={default}  {each.help} ({each.range()})"))
    for text in why_not.values():
        click.echo(printable(text))


def _summary(bot: type) -> str:
    """Return the first line of the docstring."""
    return next(iter((bot.__doc__ or "").strip().splitlines()), "no description")
