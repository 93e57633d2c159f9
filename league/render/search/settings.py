"""Which search to explain: what a bot's spec and options say about it."""

from collections.abc import Mapping
from dataclasses import replace

from bots.alphabeta import AlphaBeta
from bots.minimax import Minimax
from bots.support.specs import make_bot
from bots.trace.records import Setting
from bots.trace.search import METHODS
from games.support.game import CHANCE, Game
from games.support.options import split_options
from games.tree.rules import TreeGame
from league.analysis.replay import Replay
from league.model.errors import SpecError
from league.store.store import Store

DEPTH = 3
"""How deep is searched where no bot is named; explicit trees are searched to their end."""


def default_setting(game: Game, cut_on: str) -> Setting:
    """Return the search that is explained where no bot is named."""
    depth = None if isinstance(game, TreeGame) else DEPTH
    return Setting(depth, game.evaluation(""), cut_on=cut_on)


def setting_of(game: Game, spec: str, cut_on: str) -> Setting:
    """Return the search of a bot as `alphabeta:depth=3,order=game` names it.

    Raises `SpecError` for a bot that can't be explained, `OptionError` and `UnknownNameError` where
    its options don't fit.
    """
    name, _, tail = spec.partition(":")
    if name not in METHODS:
        raise SpecError(
            f"bot {spec!r} can't be explained: only {' and '.join(METHODS)} can, "
            "as in alphabeta:depth=3",
            spec,
        )
    return setting_with(game, name, split_options(tail, ","), cut_on)


def setting_with(game: Game, name: str, options: Mapping[str, str], cut_on: str) -> Setting:
    """Return the search of the built-in bot `name` under its options."""
    bot = make_bot(name, options)
    if isinstance(bot, AlphaBeta):
        order = bot.order
        # The command's own word is for bots that say nothing.
        cut_on = bot.cut_on if bot.cut_on == "strict" else cut_on
    elif isinstance(bot, Minimax):
        order = "given"
    else:
        raise SpecError(f"bot {name!r} can't be explained", name)
    depth = bot.plies(game)
    return Setting(depth, game.evaluation(bot.evaluate), method=name, order=order, cut_on=cut_on)


def setting_at(store: Store, replay: Replay, ply: int, cut_on: str) -> Setting:
    """Return the search of the bot that was to move in a match after so many plies.

    It is held to what limited the match; a bot whose search can't be explained has the default one
    in its place.
    """
    state = replay.frames[ply].state
    if state.outcome() is None and state.to_move != CHANCE:
        version = store.version(replay.row.versions[state.to_move].version)
        if version.spec in METHODS:
            setting = setting_with(state.game, version.spec, version.options, cut_on)
            return within(setting, replay.limits.plies(state.game.seats))
    return default_setting(state.game, cut_on)


def within(setting: Setting, depth: int | None) -> Setting:
    """Return the search under a limit of depth; None is no limit."""
    if depth is None or (setting.depth is not None and setting.depth <= depth):
        return setting
    return replace(setting, depth=depth)
