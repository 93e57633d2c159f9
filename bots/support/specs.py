"""Find bots by name: the modules of `bots` that export `BOT`, and those of packages."""

from collections.abc import Mapping

from bots.support.bot import Bot
from games.support.catalogue import Catalogue, subclass_of
from games.support.options import options_of, parse_options

BOTS: Catalogue[type[Bot]] = Catalogue(
    kind="bot", package="bots", attribute="BOT", group="botleague.bots", is_part=subclass_of(Bot)
)


def is_built_in(name: str) -> bool:
    """Whether a built-in bot has that name; imports no other bot's module."""
    return BOTS.built_in(name) is not None


def make_bot(name: str, given: Mapping[str, object]) -> Bot:
    """Make a bot with the `given` options; raise `OptionError` if they don't fit."""
    bot = BOTS.find(name)
    return bot(**parse_options(options_of(bot), given, f"bot {name}"))
