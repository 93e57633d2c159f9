"""The teams of a season as its organiser sees them: their bots, uploads and places."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from league.hosting.model.people import Team, TeamStanding
from league.hosting.model.season import Season, SubmissionState
from league.hosting.season.likeness import Likeness, likenesses
from league.hosting.season.standings import final_standings, season_standings
from league.hosting.store.host_store import HostStore
from league.hosting.store.upload_counts import Uploads
from league.store.store import StoreReader


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedTeam:
    """A team; `bot` is the bot's name and `version` its newest one, '' and None without one.

    `rank` is its place in the final, or in the standings before; None without a place. `uploads`
    are those of the season, None for none.
    """

    team: Team
    bot: str
    version: int | None
    number: int
    rank: int | None
    uploads: Uploads | None

    @property
    def is_refused(self) -> bool:
        """Whether its newest submission was refused."""
        return self.uploads is not None and self.uploads.state is SubmissionState.REFUSED

    @property
    def state(self) -> str:
        """Its state in a word or two."""
        if self.team.standing is not TeamStanding.ACTIVE:
            return str(self.team.standing)
        if self.bot:
            return "playing"
        if self.uploads is None:
            return "no bot yet"
        return "refused" if self.is_refused else "checking"


FILTERS: Mapping[str, tuple[str, Callable[[ListedTeam], bool]]] = {
    "": ("All", lambda each: True),
    "none": ("No bot yet", lambda each: not each.bot),
    "refused": ("Refused", lambda each: each.is_refused),
    "suspended": ("Suspended", lambda each: each.team.standing is TeamStanding.SUSPENDED),
    "out": (
        "Withdrawn or disqualified",
        lambda each: each.team.standing in (TeamStanding.WITHDRAWN, TeamStanding.DISQUALIFIED),
    ),
}
"""The filters of the list by their words in addresses, each with its title."""


def listed_teams(store: HostStore, results: StoreReader, season: Season | None) -> list[ListedTeam]:
    """Return all teams by name; `results` is the store that answers with standings."""
    contenders = {each.team: each for each in store.seasons.contenders()}
    uploads = store.uploads.counts(1000 * season.created_at) if season else {}
    ranks = _ranks(results, season) if season else {}
    found = []
    for team in store.people.teams():
        contender = contenders.get(team.id)
        version, number = contender.versions[-1] if contender else (None, 0)
        bot = contender.bot if contender else ""
        found.append(
            ListedTeam(
                team=team,
                bot=bot,
                version=version,
                number=number,
                rank=ranks.get(bot),
                uploads=uploads.get(team.id),
            )
        )
    return found


def _ranks(results: StoreReader, season: Season) -> dict[str, int]:
    """Return the places of bots by name, without house bots."""
    rows = final_standings(results, season) or season_standings(results, season)
    order = [row for row in rows if row.name not in season.settings.house_bots]
    return {row.name: 1 + sum(each.rank < row.rank for each in order) for row in order}


def alike_teams(store: HostStore, teams: Sequence[ListedTeam]) -> tuple[Likeness, ...]:
    """Return the pairs of teams whose newest versions have almost the same source."""
    newest = [(each.team.name, each.version) for each in teams if each.version is not None]
    return likenesses((name, store.bots.version(version).files) for name, version in newest)
