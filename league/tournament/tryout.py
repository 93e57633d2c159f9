"""Trying bots in the game of their tournament before it begins."""

from collections.abc import Iterator
from dataclasses import replace

from bots.support.specs import is_built_in
from games.support.specs import find_game
from league.model.records import Limits
from league.registration.check import CHECKED_IN, fault_in
from league.seats.bot_seat import BotKind
from league.seats.bot_specs import kind_of
from league.seats.process.environment import BotEnvironment
from league.store.rows import BotRow, TournamentRow
from league.store.store import Store

MOVE_S = 1.0
"""The most time for a move of a trial; with less, a run has less too."""


def failing(store: Store, row: TournamentRow) -> Iterator[str]:
    """Yield what goes wrong with each entrant that fails in a trial of the tournament's game.

    Bots that have a match in this game, or were registered for it, are not tried again; nor are the
    built-in ones in a game that comes with them, and language models.
    """
    game = find_game(row.config.game)
    done = store.results.played(row.config.game, row.config.entrants)
    bots = {
        version.id: bot for bot in store.bots.all(include_retired=True) for version in bot.versions
    }
    environment = BotEnvironment.of(store.path, [row.config.game])
    limits = _limits(row.config.limits)
    fresh = [each for each in row.config.entrants if each not in done]
    for version in store.bots.versions(fresh).values():
        is_ours = is_built_in(version.spec) and not game.origin and ":" not in game.spec
        # A trial of a model would cost money, and stand in no book.
        is_paid = kind_of(version.spec) is BotKind.MODEL
        if is_ours or is_paid or _is_tried(bots[version.id], game.spec):
            continue
        if fault := fault_in(version, game, limits, environment):
            yield f"bot {version.name!r} may lose its matches: {fault}"


def _is_tried(bot: BotRow, game: str) -> bool:
    return game in (bot.games or (CHECKED_IN,))


def _limits(limits: Limits) -> Limits:
    """Return the limits with a time for each move in place of clocks."""
    move_s = MOVE_S if limits.move_s is None else min(MOVE_S, limits.move_s)
    return replace(limits, move_s=move_s, time="")
