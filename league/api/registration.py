"""Registering a bot of any source."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from league.api.options import RegisterOptions
    from league.api.tools import BotSource
    from league.registration.register import Registration
    from league.store.store import Store


def registered(store: Store, name: str, source: BotSource, how: RegisterOptions) -> Registration:
    """Register a bot as `League.register` does."""
    from league.api.tools import trial_of, version_from, words_of
    from league.registration.register import checked_name, register_version

    name = checked_name(store, name)
    trial = trial_of(how)
    return register_version(
        store,
        version_from(name, source, how, trial.isolation),
        games=words_of(how.get("games", ())),
        is_checked=how.get("check", True),
        trial=trial,
    )
