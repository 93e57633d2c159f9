"""The name that a bot gets from its spec if nobody gives one."""

from pathlib import PurePath

from bots.support.specs import is_built_in
from games.support.references import split_reference
from league.model.errors import SpecError
from league.registration.source_snapshot import ENTRIES
from league.seats.bot_seat import BotKind
from league.seats.bot_specs import kind_of
from league.seats.engine.engine_seat import command_of


def usual_name(spec: str) -> str:
    """Return the stem of a bot's file or program, or the name of its folder.

    `main/bot.py` is `main`, because the file has the same name in every folder. Raises `SpecError`
    where nothing in the spec is a name.

    >>> [usual_name(spec) for spec in ("new.py:MyBot", "main/bot.py", "bot.py", "uci:./engine")]
    ['new', 'main', 'bot', 'engine']
    """
    kind = kind_of(spec)
    if kind in (BotKind.SERVER, BotKind.MODEL):
        raise SpecError(f"{spec!r} says no name for the bot: give one", spec)
    if kind is BotKind.PROGRAM:
        try:
            return PurePath(command_of(spec)[0]).stem
        except ValueError as error:
            raise SpecError(str(error), spec) from None
    head = spec.partition(":")[0]
    path = PurePath(head if is_built_in(head) else split_reference(spec)[0])
    return path.parent.name if path.name in ENTRIES and path.parent.name else path.stem
