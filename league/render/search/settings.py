"""The search to explain, from a bot's spec and options."""

from collections.abc import Mapping
from dataclasses import replace

from bots.alphabeta import AlphaBeta
from bots.minimax import Minimax
from bots.support.specs import make_bot
from bots.trace.records import SearchSetting
from bots.trace.search import METHODS
from games.support.game import CHANCE, Game
from games.support.options import split_options
from games.tree.rules import TreeGame
from league.analysis.replay import Replay
from league.model.errors import SpecError
from league.store.store import StoreReader

DEPTH = 3
"""The default depth if no bot is named; explicit trees are searched to their end."""


def default_setting(game: Game, cut_on: str) -> SearchSetting:
    """Return the search to explain if no bot is named."""
    depth = None if isinstance(game, TreeGame) else DEPTH
    return SearchSetting(depth, game.evaluation(""), cut_on=cut_on)


def setting_of(game: Game, spec: str, cut_on: str) -> SearchSetting:
    """Return the search of a bot such as `alphabeta:depth=3,order=game`.

    Raises `SpecError` for a bot that can't be explained, `OptionError` and `UnknownNameError` for
    its options.
    """
    name, _, tail = spec.partition(":")
    if name not in METHODS:
        raise SpecError(
            f"bot {spec!r} can't be explained: only {' and '.join(METHODS)} can, "
            "as in alphabeta:depth=3",
            spec,
        )
    return setting_with(game, name, split_options(tail, ","), cut_on)


def setting_with(game: Game, name: str, options: Mapping[str, str], cut_on: str) -> SearchSetting:
    """Return the search of the built-in bot `name` under its options."""
    bot = make_bot(name, options)
    if isinstance(bot, AlphaBeta):
        order = bot.order
        # The command's own option applies to bots without a setting.
        cut_on = bot.cut_on if bot.cut_on == "strict" else cut_on
    elif isinstance(bot, Minimax):
        order = "given"
    else:
        raise SpecError(f"bot {name!r} can't be explained", name)
    depth = bot.plies(game)
    return SearchSetting(
        depth, game.evaluation(bot.evaluate), method=name, order=order, cut_on=cut_on
    )


def setting_at(store: StoreReader, replay: Replay, ply: int, cut_on: str) -> SearchSetting:
    """Return `own_setting`, or the default one where no bot is to move.

    Raises `SpecError` for a bot whose search can't be explained.
    """
    state = replay.frames[ply].state
    own = own_setting(store, replay, ply, cut_on)
    if own is not None:
        return own
    if state.outcome() is None and state.to_move != CHANCE:
        spec = store.bots.version(replay.row.versions[state.to_move].version).spec
        raise SpecError(
            f"{replay.names[state.to_move]!r}, to move after ply {ply}, is {spec}: "
            f"only the searches of {' and '.join(METHODS)} can be explained; name one to see "
            "how it would search here, as in --bot alphabeta:depth=3",
            spec,
        )
    return default_setting(state.game, cut_on)


def own_setting(store: StoreReader, replay: Replay, ply: int, cut_on: str) -> SearchSetting | None:
    """Return the search of the bot to move after `ply` plies, under the limits of the match.

    None if no bot is to move, or its search can't be explained.
    """
    state = replay.frames[ply].state
    if state.outcome() is not None or state.to_move == CHANCE:
        return None
    version = store.bots.version(replay.row.versions[state.to_move].version)
    if version.spec not in METHODS:
        return None
    setting = setting_with(state.game, version.spec, version.options, cut_on)
    return within(setting, replay.limits.plies(state.game.seats))


def within(setting: SearchSetting, depth: int | None) -> SearchSetting:
    """Return the search with a depth limit; None is no limit."""
    if depth is None or (setting.depth is not None and setting.depth <= depth):
        return setting
    return replace(setting, depth=depth)
