"""The situation of a season: its teams, its leg in play, and the faults of its bots."""

import logging
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from math import comb

from bots.support.specs import is_built_in
from games.support.specs import find_game
from league.hosting.model.season import Contender, Season, SeasonState
from league.hosting.season.servers import server_fault
from league.hosting.store.host_store import HostStore
from league.model.errors import UnknownRowError
from league.registration.register import register
from league.store.bots import VERSION_SIGN
from league.store.rows import FinishedMatch, TournamentState

log = logging.getLogger(__name__)

AFTER_LEGS = (SeasonState.FINAL, SeasonState.FINISHED, SeasonState.PUBLISHED)
"""The states of a season in which only void matches of its legs are played."""

READ_AT_ONCE = 5_000

REMEMBERED = 1_000
"""So many faults of a version in a row are remembered at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Leg:
    """The newest leg of a season; `gone` are its versions that have withdrawn."""

    tournament: int
    entrants: tuple[int, ...]
    gone: frozenset[int] = frozenset()
    encounters: int = 0
    is_finished: bool = False
    is_ending: bool = False

    @property
    def present(self) -> tuple[int, ...]:
        """The versions that still play."""
        return tuple(each for each in self.entrants if each not in self.gone)


@dataclass(frozen=True, slots=True, kw_only=True)
class GauntletPlan:
    """A bot that meets versions of teams in each of some rounds, `seats` at a time."""

    rival: str
    versions: tuple[int, ...]
    rounds: int
    seats: int = 2

    @property
    def encounters(self) -> int:
        """How many encounters it has."""
        return self.rounds * comb(len(self.versions), self.seats - 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """All that decides what a director does next.

    `lacking` are the gauntlets that the season still needs for its marks.
    `house` are the versions of house bots, `names` names all versions that may play (`team@2`), and
    `failing` are the teams to suspend with the reason. `undecided` counts submissions.
    """

    season: Season
    seats: int = 2
    contenders: tuple[Contender, ...] = ()
    house: tuple[int, ...] = ()
    names: Mapping[int, str]
    leg: Leg | None = None
    undecided: int = 0
    reopened: int | None = None
    failing: Mapping[int, str]
    is_final_over: bool = False
    lacking: tuple[GauntletPlan, ...] = ()

    @property
    def wanted(self) -> tuple[int, ...]:
        """The versions that are to play, house bots first."""
        most = self.season.settings.active_versions
        return self.house + tuple(
            version for each in self.contenders for version in each.active(most)
        )

    @property
    def leg_to_play(self) -> int | None:
        """The tournament of the leg in play, None for none."""
        return None if self.leg is None or self.leg.is_finished else self.leg.tournament

    def team_of(self, version: int) -> Contender | None:
        """Return the team of a version, None for a house bot."""
        return next((each for each in self.contenders if version in dict(each.versions)), None)


class Faults:
    """The faults in a row of each version, read from the matches of the leg in play."""

    def __init__(self) -> None:
        self._tournament = self._after = self._void = 0
        self._faults: defaultdict[int, list[FinishedMatch]] = defaultdict(list)

    def read(self, store: HostStore, tournament: int) -> None:
        """Read the news of a leg; another leg, or one with a new void, is read from its start."""
        void = store.voids.newest(tournament)
        if (tournament, void) != (self._tournament, self._void):
            self._tournament, self._after, self._void = tournament, 0, void
            self._faults.clear()
        while found := store.results.following(tournament, self._after, READ_AT_ONCE):
            for each in found:
                self._take(each)
            self._after = found[-1].id

    def _take(self, match: FinishedMatch) -> None:
        for seat, version in enumerate(match.versions):
            if seat == match.fault_seat:
                self._faults[version].append(match)
                del self._faults[version][:-REMEMBERED]
            else:
                self._faults.pop(version, None)

    def in_a_row(self, version: int, after: int) -> list[FinishedMatch]:
        """Return a version's faults in a row in matches after number `after`."""
        return [each for each in self._faults.get(version, ()) if each.id > after]


def look(store: HostStore, season: Season, faults: Faults) -> Situation:
    """Read how a season stands."""
    contenders = store.seasons.contenders()
    house = _house(store, season)
    leg = _leg(store, season)
    if leg is not None:
        faults.read(store, leg.tournament)
    names = {version: each.name_of(version) for each in contenders for version, _ in each.versions}
    for version, label in store.bots.labels(house).items():
        names[version] = f"{label.bot}{VERSION_SIGN}{label.number}"
    unfinished = store.seasons.open_among(season.tournaments)
    is_after = season.state in AFTER_LEGS
    before = (*season.legs, *season.gauntlets) if is_after else season.legs[:-1]
    return Situation(
        season=season,
        seats=find_game(season.settings.game).seats,
        contenders=contenders,
        house=house,
        names=names,
        leg=leg,
        undecided=store.seasons.undecided(),
        reopened=next((each for each in before if each in unfinished), None),
        failing=_failing(store, season, contenders, faults),
        is_final_over=season.final is not None and season.final not in unfinished,
    )


def _failing(
    store: HostStore, season: Season, contenders: tuple[Contender, ...], faults: Faults
) -> dict[int, str]:
    """Return the teams to suspend, by faults in a row or because their server is not allowed."""
    most, found = season.settings.suspended_after, {}
    active = {each: each.active(season.settings.active_versions) for each in contenders}
    specs = store.bots.specs(version for versions in active.values() for version in versions)
    for each, versions in active.items():
        for version in versions:
            what = specs[version]
            if fault := server_fault(season.settings.web_servers, what.spec, what.options):
                found[each.team] = fault
                continue
            row = faults.in_a_row(version, each.faults_after)
            if 0 < most <= len(row):
                last = row[-1]
                found[each.team] = (
                    f"{each.name_of(version)} failed in {len(row)} matches in a row, "
                    f"the last one match {last.id}, by {last.termination}"
                )
    return found


def _leg(store: HostStore, season: Season) -> Leg | None:
    if not season.legs:
        return None
    row = store.tournaments.get(season.legs[-1])
    config = row.config
    return Leg(
        tournament=row.id,
        entrants=config.entrants,
        gone=frozenset(config.entrants[who] for who, _ in config.withdrawn),
        encounters=store.seasons.encounter_count(row.id),
        is_finished=row.state is not TournamentState.OPEN,
        is_ending=config.ended_at is not None,
    )


def _house(store: HostStore, season: Season) -> tuple[int, ...]:
    """Return the newest versions of the house bots; built-in ones are registered if need be."""
    found = []
    for name in dict.fromkeys(season.settings.house_bots):
        try:
            found.append(store.bots.get(name).versions[-1].id)
        except UnknownRowError as error:
            if not is_built_in(name):
                log.warning("house bot left out: %s", error)
                continue
            registered = register(store, name, name, options={}, is_checked=False)
            found.append(registered.version.id)
    return tuple(found)
