"""Renaming and removing bots."""

from collections.abc import Sequence
from typing import NamedTuple

from games.support.errors import listed
from league.model.errors import SetupError
from league.registration.register import checked_name
from league.store.rows import BotRow, TournamentRow, TournamentState
from league.store.store import Store


class Removal(NamedTuple):
    """A removed bot, its matches, and the name that these have now; '' if there are none."""

    name: str
    matches: int
    kept_as: str


def rename(store: Store, old: str, new: str) -> None:
    """Give a bot another name; raise `UnknownRowError` or `NameInUseError`."""
    bot = store.bots.get(old)
    store.bots.rename(bot.name, checked_name(store, new, renamed=bot.name))


def remove(store: Store, name: str, *, is_purged: bool = False) -> Removal:
    """Delete a bot, or all of it but its results; raise `SetupError` if it must stay.

    Results are those of opponents too: without them their ratings and tables would change.
    """
    bot = store.bots.get(name)
    versions = {version.id for version in bot.versions}
    entered = [row for row in store.tournaments.all() if versions & set(row.config.entrants)]
    if busy := [row.id for row in entered if _needs(row, versions)]:
        numbers = listed([str(each) for each in busy])
        raise SetupError(
            f"bot {name!r} is in tournament {numbers}, not finished yet: 'league tournament "
            "withdraw' takes it out, 'league tournament cancel' ends the tournament"
        )
    if not entered:
        store.bots.delete(bot)
        return Removal(name, 0, "")
    matches = store.results.count(versions)
    if not is_purged:
        raise SetupError(
            f"bot {name!r} {_results(entered, matches)}: 'league retire {name}' takes it out of "
            f"future tournaments; 'league remove {name} --purge' deletes its name and sources"
        )
    kept_as = _free_name(store, bot)
    store.bots.forget(bot, kept_as)
    return Removal(name, matches, kept_as)


def _needs(row: TournamentRow, versions: set[int]) -> bool:
    """Whether a tournament may still play one of the versions."""
    gone = {entrant for entrant, _ in row.config.withdrawn}
    present = {version for number, version in enumerate(row.config.entrants) if number not in gone}
    is_open = row.state is TournamentState.OPEN and not row.config.is_imported
    return is_open and bool(versions & present)


def _results(entered: Sequence[TournamentRow], matches: int) -> str:
    if matches:
        return f"has {matches} matches, which are results of its opponents too"
    numbers = listed([str(row.id) for row in entered])
    return f"is an entrant of tournament {numbers}, without a match"


def _free_name(store: Store, bot: BotRow) -> str:
    names = {each.name.casefold() for each in store.bots.all(include_retired=True)}
    wanted = f"removed-{bot.id}"
    while wanted in names:
        wanted += "-x"
    return wanted
