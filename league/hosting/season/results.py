"""The results of a season that its marks need."""

from collections import Counter
from dataclasses import replace
from functools import cached_property
from itertools import combinations

from bots.support.specs import is_built_in
from games.support.specs import find_game
from league.analysis.outlook import outlook
from league.analysis.standings import standings
from league.analysis.versus import head_to_head
from league.hosting.model.people import Team, TeamStanding
from league.hosting.model.season import Contender, Season, SeasonState
from league.hosting.season.mark_rules import SETTING
from league.hosting.season.standings import season_standings
from league.hosting.store.host_store import HostStore
from league.model.errors import SettingError, UnknownRowError
from league.ratings.head_to_head import HeadToHead


class SeasonResults:
    """The results of a season, each read once; `teams` are those with a bot.

    Teams have the standing that they had in that season.
    """

    def __init__(self, store: HostStore, season: Season) -> None:
        self.store, self.season = store, season
        self.all_teams = [_in_season(season, each) for each in store.people.teams()]
        standings = {each.id: each.standing for each in self.all_teams}
        self.teams = tuple(
            replace(each, standing=standings.get(each.team, each.standing))
            for each in store.seasons.contenders()
        )
        self.tournaments = season.tournaments
        self.is_final = season.final is not None and season.is_over

    @cached_property
    def finalists(self) -> frozenset[int]:
        """The versions in the final."""
        final = self.season.final
        return frozenset() if final is None else frozenset(self.store.tournaments.entrants(final))

    def version_of(self, team: Contender) -> int:
        """Return the version of a team that is marked: the one that played in the final."""
        played = [version for version, _ in team.versions if version in self.finalists]
        if not played and self.season.state is SeasonState.PUBLISHED:
            # A newer version is one of the next season.
            played = [version for version, _ in team.versions if version in self.entered]
        return played[-1] if played else team.for_final

    @cached_property
    def entered(self) -> frozenset[int]:
        """The versions in the legs."""
        return frozenset(
            each for leg in self.season.legs for each in self.store.tournaments.entrants(leg)
        )

    @cached_property
    def ranks(self) -> dict[int, int]:
        """The places of teams: in the final's table, or else among the ratings of the season."""
        versions = {self.version_of(team): team.team for team in self.teams}
        game = self.season.settings.game
        order: list[tuple[float, int]] = []
        if self.is_final and self.season.final is not None:
            row = self.store.tournaments.get(self.season.final)
            table = outlook(self.store, row).table
            if table is not None:
                order = [(each.rank, row.config.entrants[each.entrant]) for each in table.rows]
            else:
                rated = standings(self.store, game, row.id).rows
                order = [(-each.rating, each.version) for each in rated if each.rank]
        else:
            rows = season_standings(self.store, self.season, has_all_versions=True)
            order = [(-each.rating, each.version) for each in rows]
        found = [(key, versions[version]) for key, version in order if version in versions]
        # A suspension after the final takes no place in it away.
        counted = (TeamStanding.ACTIVE, *([TeamStanding.SUSPENDED] if self.is_final else []))
        placed = {each.team for each in self.teams if each.standing in counted}
        found = sorted((key, team) for key, team in found if team in placed)
        return {team: 1 + sum(key < own for key, _ in found) for own, team in found}

    @cached_property
    def house(self) -> tuple[str, ...]:
        """The names of the house bots."""
        return tuple(dict.fromkeys(self.season.settings.house_bots))

    def matches_of(self, version: int) -> int:
        """Return how many matches of the season a version has played."""
        return self.store.seasons.matches(version, self.tournaments)

    def against(self, team: Contender, rival: str) -> HeadToHead:
        """Return a team's score against the bot of a name, all its versions."""
        rivals = self.rivals(rival)
        return head_to_head(
            self.store,
            self.season.settings.game,
            [self.version_of(team)],
            rivals,
            tournaments=self.tournaments,
        )

    def rivals(self, name: str) -> tuple[int, ...]:
        """Return the versions of a bot; none of a built-in one that nobody has registered yet.

        Raises `SettingError` for no such bot.
        """
        try:
            return tuple(version.id for version in self.store.bots.get(name).versions)
        except UnknownRowError as error:
            if is_built_in(name):
                return ()
            raise SettingError(f"{error}: it can't be beaten", SETTING) from None

    @cached_property
    def met(self) -> Counter[frozenset[int]]:
        """The encounters of each two versions in the legs and the final, with repeats."""
        numbers = [each for each in self.tournaments if each not in self.season.gauntlets]
        columns = self.store.totals.columns(tournament=numbers)
        found: Counter[frozenset[int]] = Counter()
        for seating, count in zip(columns.of_seating, columns.counts, strict=True):
            for pair in combinations(sorted(set(columns.seatings[seating])), 2):
                found[frozenset(pair)] += count
        seats = find_game(self.season.settings.game).seats
        return Counter({pair: count // seats for pair, count in found.items()})


def _in_season(season: Season, team: Team) -> Team:
    standing, reason = season.standing_of(team)
    return replace(team, standing=standing, standing_reason=reason)
