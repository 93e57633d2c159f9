"""Sitting down at a board against a bot."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from league.api.options import PlayOptions
from league.model.errors import SetupError, SpecError, UnknownRowError
from league.store.store import Store, StoreReader, open_store

if TYPE_CHECKING:
    from league.match.session import Session
    from league.model.records import BotVersion, Limits


def session_at(
    target: str, game: str, against: str, seat: int = 0, **how: Unpack[PlayOptions]
) -> Session:
    """Make a session against a bot of the league at `target`, or of a spec if there is none.

    Raises `SetupError` for a seat that the game lacks, `SpecError` for an unknown bot.
    """
    options = how.get("options") or {}
    if "://" in target or Path(target).exists():
        with open_store(target, read_only=True) as store:
            return session_of(store.path, game, version_of(store, against, options), seat, **how)
    version = _of_spec(against, options, f"no league at {target!r}")
    return session_of(Path(target), game, version, seat, **how)


def session_of(
    path: Path | None,
    game: str,
    version: BotVersion | None,
    seat: int,
    *,
    memory_mb: int | None = None,
    **how: Unpack[PlayOptions],
) -> Session:
    """Make a session against a version, which can't see the database at `path`.

    Without a version, people take all seats. `memory_mb` bounds each bot, None for the usual.
    """
    from games.support.trial import tried_game
    from league.match.session import Session
    from league.seats.bot_specs import require_able
    from league.seats.process.environment import BotEnvironment
    from league.seats.process.idle_bots import IdleBots

    rules = tried_game(game)
    if not 0 <= seat < rules.seats:
        raise SetupError(f"seat {seat}: {rules.spec} has seats 0 to {rules.seats - 1}")
    seed, limits = how.get("seed"), limits_of(how)
    if version:
        require_able(version.name, version.spec, rules, limits)
    return Session(
        rules,
        version,
        seat,
        limits if memory_mb is None else replace(limits, memory_mb=memory_mb),
        replace(BotEnvironment.of(path, [rules.spec]), idle_bots=IdleBots()),
        seed=secrets.randbits(64) if seed is None else seed,
    )


def limits_of(how: PlayOptions) -> Limits:
    """Return the limits of a bot outside of tournaments: a second a move, if nothing is given."""
    from league.api.tools import level_of
    from league.model.records import Limits
    from league.tournament.settings import seconds

    depth = how.get("depth")
    move_time = how.get("move_time", 1.0 if depth is None else None)
    return Limits(
        move_s=None if move_time is None else seconds(move_time),
        depth=depth,
        isolation=level_of(how.get("isolation", "auto")),
    )


def version_of(store: Store, name: str, options: Mapping[str, str]) -> BotVersion:
    """Return the newest version of a bot, else the bot that the name is the spec of.

    `options` replace those it was registered with. Raises `SpecError` or `OptionError` if it is
    neither.
    """
    try:
        found = registered_version(store, name)
    except UnknownRowError as unknown:
        return _of_spec(name, options, str(unknown))
    return found.with_options(options)


def registered_version(store: StoreReader, name: str) -> BotVersion:
    """Return the newest version of a registered bot.

    Raises `UnknownRowError` for none, and `SpecError` where nothing is known that plays for it.
    """
    from league.model.records import IMPORTED

    found = store.bots.version(store.bots.get(name).versions[-1].id)
    if found.spec == IMPORTED:
        raise SpecError(f"{name!r} has only imported results", name)
    return found


def _of_spec(name: str, options: Mapping[str, str], unknown: str) -> BotVersion:
    from league.registration.source_snapshot import take_snapshot

    try:
        return take_snapshot(name, name, dict(options))
    except SpecError as error:
        raise SpecError(f"{unknown}, and as a spec:\n{error}", name) from None
