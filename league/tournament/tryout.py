"""Trying bots in the game of their tournament before it begins."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from bots.support.specs import is_built_in
from games.support.specs import find_game
from league.model.errors import SetupError
from league.model.records import BotVersion, Limits, TournamentConfig
from league.registration.check import CHECKED_IN, fault_in, start_fault
from league.seats.bot_seat import BotKind
from league.seats.bot_specs import is_model, kind_of
from league.seats.process.environment import BotEnvironment
from league.store.rows import BotRow, TournamentRow
from league.store.store import Store
from league.tournament.executors import require_place
from league.tournament.run_options import RunOptions

MOVE_S = 1.0
"""The most time for a move of a trial; with less, a run has less too."""

ASKED_AT_ONCE = 32
"""The most web servers that are greeted at the same time."""

PLAYS_ELSEWHERE = (BotKind.SERVER, BotKind.MODEL)
"""The bots that this machine reaches over the network."""


def require_playable(
    store: Store, config: TournamentConfig, options: RunOptions, number: int | None = None
) -> None:
    """Raise `SetupError` if a bot can't play where `options` say, and would lose all its matches.

    Here, web servers must greet and language models have their keys: a secret may only be missing
    where the league runs. `number` is the tournament's, None if it is not stored yet.
    """
    require_place(store, config, options)
    if not options.is_local:
        return
    gone = {who for who, _ in config.withdrawn}
    left = [entrant for who, entrant in enumerate(config.entrants) if who not in gone]
    versions = store.bots.versions(left).values()
    elsewhere = [each for each in versions if kind_of(each.spec) in PLAYS_ELSEWHERE]
    if not elsewhere:
        return

    def fault_of(version: BotVersion) -> str:
        environment = BotEnvironment.of(store.path, [config.game])
        return start_fault(version, config.limits_of(version.id), environment)

    with ThreadPoolExecutor(min(ASKED_AT_ONCE, len(elsewhere))) as threads:
        faults = list(filter(None, threads.map(fault_of, elsewhere)))
    if faults:
        head = (
            "some bots can't play, so no tournament was stored:"
            if number is None
            else f"tournament {number} needs all its bots; once they can play, "
            f"'league resume {number}' continues:"
        )
        raise SetupError("\n  ".join([head, *faults]))


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
        is_paid = is_model(version.spec)
        if is_ours or is_paid or _is_tried(bots[version.id], game.spec):
            continue
        # A run here refuses such a server, and the machines of a cluster may reach it.
        is_server = kind_of(version.spec) is BotKind.SERVER
        if is_server and start_fault(version, limits, environment):
            continue
        if fault := fault_in(version, game, limits, environment):
            yield f"bot {version.name!r} may lose its matches: {fault}"


def _is_tried(bot: BotRow, game: str) -> bool:
    return game in (bot.games or (CHECKED_IN,))


def _limits(limits: Limits) -> Limits:
    """Return the limits with a time for each move in place of clocks."""
    move_s = MOVE_S if limits.move_s is None else min(MOVE_S, limits.move_s)
    return replace(limits, move_s=move_s, time="")
