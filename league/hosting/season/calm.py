"""Calm: a season that has learnt enough plays only now and then."""

from math import inf

from league.analysis.standings import newest_standings
from league.hosting.model.season import SeasonState
from league.hosting.season.situation import Situation
from league.hosting.store.host_store import HostStore

EACH_S = 15.0
"""The rest after each match in a calm season: four matches a minute."""

LONGEST_S = 900.0
"""The longest rest, however many matches were played before it."""


def is_calm(store: HostStore, found: Situation) -> bool:
    """Whether the newest version of every bot in play has a bar as small as the setting asks.

    No submission waits, and the season is open.
    """
    season = found.season
    if not season.settings.calm_elo or season.state is not SeasonState.OPEN or found.undecided:
        return False
    newest = {*found.house}.union(*(each.active(1) for each in found.contenders))
    bars = {row.version: row.error for row in newest_standings(store, season.settings.game).rows}
    return all((bars.get(each) or inf) <= season.settings.calm_elo for each in newest)
