"""The standings of a season: by the matches of its legs and of its final alone."""

from collections.abc import Sequence

from league.analysis.match_selection import Selection
from league.analysis.standing_rows import Standing
from league.analysis.standings import standings
from league.hosting.model.season import Season
from league.store.store import StoreReader


def season_standings(
    store: StoreReader, season: Season, *, has_all_versions: bool = False
) -> Sequence[Standing]:
    """Return the rows of the bots that played in a season, in the order of their ratings.

    The newest version of each active bot has one, or each version of each bot.
    """
    if not season.tournaments:
        return ()
    selection = Selection(
        tournaments=season.tournaments,
        has_all_versions=has_all_versions,
        has_retired=has_all_versions,
    )
    found = standings(store, season.settings.game, selection=selection)
    return [row for row in found.rows if row.rank]


def final_standings(store: StoreReader, season: Season) -> Sequence[Standing]:
    """Return the rows of the final, in the order of its format; none before its first match."""
    if season.final is None:
        return ()
    found = standings(store, season.settings.game, season.final)
    return [row for row in found.rows if row.rank]
