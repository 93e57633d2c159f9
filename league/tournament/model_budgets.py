"""Budgets of language models: that of a version, or one that a tournament has in its place."""

import shlex
from collections.abc import Iterable

from games.support.errors import OptionError, brief
from league.model.records import BotVersion, TournamentConfig
from league.seats.bot_specs import is_model
from league.seats.language_model.settings import ModelSettings
from league.store.store import Store

BUDGET = "budget"
"""The option of a language model for the most money in a tournament."""


def read_budget(text: str) -> tuple[str, float]:
    """Parse `NAME=5`; raise `OptionError`."""
    name, _, number = (part.strip() for part in text.rpartition("="))
    try:
        money = float(number)
    except ValueError:
        money = -1.0
    if not name or not 0 <= money < float("inf"):
        raise OptionError(f"{brief(text)} is not a budget: write NAME=5, in its money", BUDGET)
    return name, money


def as_budgeted(version: BotVersion, config: TournamentConfig) -> BotVersion:
    """Return a version with the budget that it has in a tournament."""
    money = dict(config.bot_budgets).get(version.id)
    if money is None:
        return version
    return version.with_options({BUDGET: str(money)})


def raising_options(store: Store, tournament: int, versions: Iterable[BotVersion]) -> str:
    """Return options of `league resume` that raise the budgets that are used up; '' for none.

    They are twice what was spent. Each follows a space.
    """
    found = ""
    for version in versions:
        if not is_model(version.spec):
            continue
        budget = ModelSettings.of(version.options).budget
        spent = store.calls.spent(tournament, version.id)
        if budget is not None and spent >= budget:
            more = float(f"{2 * spent:.2g}") or 1.0
            found += f" --bot-budget {shlex.quote(f'{version.name}={more:g}')}"
    return found
