"""`league bots`."""

from datetime import UTC, datetime
from typing import Any

import click

from league.cli.console import clean, print_json, print_table
from league.cli.options import db_option, json_option
from league.store.rows import BotRow


@click.command("bots")
@click.argument("name", required=False)
@click.option("--catalogue", "is_catalogue", is_flag=True, help="The built-in bots and options.")
@click.option("--retired", is_flag=True, help="Retired bots too.")
@db_option
@json_option
def command(name: str | None, is_catalogue: bool, retired: bool, db: str, as_json: bool) -> None:
    """List the league's bots, or show one with its versions.

    \b
    Examples:
      league bots
      league bots mine
      league bots --catalogue
    """
    if is_catalogue:
        _show_catalogue(as_json)
        return
    from league.store.store import open_store

    with open_store(db, read_only=True) as store:
        found = [store.bot(name)] if name else list(store.bots(include_retired=retired))
    if as_json:
        from league.interchange.documents.bots import Bot

        listed = [Bot.of(bot) for bot in found]
        print_json(listed[0] if name else listed)
    elif name:
        bot = found[0]
        click.echo(f"{clean(bot.name)}{' (retired)' if bot.is_retired else ''}")
        click.echo(f"plays {', '.join(bot.games) or 'any game'}")
        print_table(("version", "spec", "options", "digest", "since"), _version_rows(bot))
    elif not found:
        click.echo("no bots yet: 'league register NAME SPEC' adds one")
    else:
        rows = [
            (
                bot.name,
                bot.versions[-1].spec,
                _options(bot.versions[-1].options),
                len(bot.versions),
                ", ".join(bot.games) or "any",
                *(("retired" if bot.is_retired else "",) if retired else ()),
            )
            for bot in found
        ]
        head = ("bot", "spec", "options", "versions", "games", *(("",) if retired else ()))
        print_table(head, rows, right=("versions",))


def _version_rows(bot: BotRow) -> list[tuple[object, ...]]:
    return [
        (
            version.number,
            version.spec,
            _options(version.options),
            version.digest[:12],
            f"{datetime.fromtimestamp(version.created_at, UTC):%Y-%m-%d %H:%M}",
        )
        for version in bot.versions
    ]


def _options(options: Any) -> str:
    return " ".join(f"{name}={value}" for name, value in options.items()) or "–"


def _show_catalogue(as_json: bool) -> None:
    from bots.support.specs import BOTS
    from games.support.options import options_of

    found, why_not = BOTS.loaded()
    if as_json:
        from league.interchange.documents.bots import BuiltInBot, MissingBot

        print_json(
            {
                name: BuiltInBot.of(bot, help=_summary(bot), options=options_of(bot))
                for name, bot in found.items()
            }
            | {name: MissingBot(why_not=text) for name, text in why_not.items()}
        )
        return
    for name, bot in found.items():
        click.echo(clean(f"{name}: {_summary(bot)}"))
        for each in options_of(bot):
            default = "none" if each.default is None else each.default
            click.echo(clean(f"    {each.name}={default}  {each.help} ({each.range()})"))
    for text in why_not.values():
        click.echo(clean(text))


def _summary(bot: type) -> str:
    """Return the first line of the docstring."""
    return next(iter((bot.__doc__ or "").strip().splitlines()), "no description")
