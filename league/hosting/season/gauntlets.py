"""The gauntlets of a season: encounters that its marks ask for and that nobody has played.

The pairing of a season follows ratings, so a team may never meet a bot that it has to beat. After
the final, each such bot runs a gauntlet against the teams that have met it too seldom.
"""

import logging
from collections.abc import Iterator, Sequence
from math import ceil, comb

from bots.support.specs import is_built_in
from games.support.errors import InputError
from games.support.specs import find_game
from league.hosting.model.people import TeamStanding
from league.hosting.model.season import Season
from league.hosting.season.legs import LegOptions, limits_of
from league.hosting.season.mark_rules import encounters_asked, read_rules
from league.hosting.season.results import SeasonResults
from league.hosting.season.situation import AFTER_LEGS, GauntletPlan, Situation
from league.hosting.store.host_store import HostStore
from league.model.errors import SettingError
from league.model.records import Isolation
from league.model.tournament_spec import TournamentSpec
from league.registration.register import register
from league.tournament.create import checked_entrants, prepare_tournament

log = logging.getLogger(__name__)


def lacking(store: HostStore, season: Season) -> tuple[GauntletPlan, ...]:
    """Return the gauntlets that the marks of a season need beside those that it has.

    Bots that can't play have none. Raises `SettingError` for a rival that does not exist.
    """
    rules = read_rules(season.settings.marks)
    if not any(rule.kind == "beats" for rule in rules):
        return ()
    results = SeasonResults(store, season)
    asked = encounters_asked(rules, results.house)
    found = (_gauntlet(results, name, least) for name, least in asked.items())
    return tuple(each for each in found if each is not None)


def _gauntlet(results: SeasonResults, name: str, least: int) -> GauntletPlan | None:
    """Return the gauntlet of a bot, None if all teams have met it often enough."""
    rivals = results.rivals(name)
    teams = [
        results.version_of(each)
        for each in results.teams
        if each.standing is TeamStanding.ACTIVE and each.bot != name
    ]
    seats = find_game(results.season.settings.game).seats
    met = {each: sum(results.met[frozenset((each, rival))] for rival in rivals) for each in teams}
    for each, encounters in _planned(results, rivals, seats):
        if each in met:
            met[each] += encounters
    few = [each for each in teams if met[each] < least and _can_play(results, each)]
    if not few or (rivals and not _can_play(results, _rival_of(results, name))):
        return None
    others = [each for each in teams if each not in few]
    versions = tuple(few + others[: max(0, seats - 1 - len(few))])
    if len(versions) < seats - 1:
        return None
    rounds = ceil((least - min(met[each] for each in few)) / _meetings(len(versions), seats))
    return GauntletPlan(rival=name, versions=versions, rounds=rounds, seats=seats)


def _meetings(versions: int, seats: int) -> int:
    """Return how often each of some versions meets the bot in a round of its gauntlet."""
    return comb(versions - 1, seats - 2)


def _planned(
    results: SeasonResults, rivals: Sequence[int], seats: int
) -> Iterator[tuple[int, int]]:
    """Yield the versions in the gauntlets that a bot has, with how often each meets it there."""
    for number in results.season.gauntlets:
        config = results.store.tournaments.get(number).config
        rival, *versions = config.entrants
        if rival in rivals:
            often = config.rounds * _meetings(len(versions), seats)
            yield from ((each, often) for each in versions)


def _rival_of(results: SeasonResults, name: str) -> int:
    """Return the version of a bot that runs its gauntlet: of a team's bot, the one in the final."""
    team = next((each for each in results.teams if each.bot == name), None)
    return results.rivals(name)[-1] if team is None else results.version_of(team)


def _can_play(results: SeasonResults, version: int) -> bool:
    settings, store = results.season.settings, results.store
    limits = limits_of(settings, Isolation.AUTO)
    try:
        checked_entrants(
            store, find_game(settings.game), limits, store.bots.entrant_names([version])
        )
    except InputError as error:
        log.warning("no gauntlet: %s", error)
        return False
    return True


class Lacking:
    """The gauntlets that a season lacks once its final is over, looked for when it changes."""

    def __init__(self) -> None:
        self._basis: object = None
        self._found: tuple[GauntletPlan, ...] = ()

    def of(self, store: HostStore, found: Situation) -> tuple[GauntletPlan, ...]:
        """Return the gauntlets that are due in a situation."""
        season = found.season
        is_early = season.state not in AFTER_LEGS or found.reopened is not None
        if is_early or (season.final is not None and not found.is_final_over):
            return ()
        if self._basis != (season, found.contenders):
            self._basis = season, found.contenders
            try:
                self._found = lacking(store, season)
            except SettingError as error:
                # Rules that can't be read are told where marks are asked for.
                log.warning("no gauntlets: %s", error)
                self._found = ()
        return self._found


def make_gauntlet(
    store: HostStore, season: Season, wanted: GauntletPlan, options: LegOptions
) -> int:
    """Create the tournament of a gauntlet; return its number."""
    settings = season.settings
    if is_built_in(wanted.rival) and not SeasonResults(store, season).rivals(wanted.rival):
        register(store, wanted.rival, wanted.rival, options={}, is_checked=False)
    versions = [_rival_of(SeasonResults(store, season), wanted.rival), *wanted.versions]
    config, total = prepare_tournament(
        store,
        TournamentSpec(
            game=settings.game,
            bots=store.bots.entrant_names(versions),
            format="gauntlet",
            rounds=wanted.rounds,
            limits=limits_of(settings, options.isolation),
        ),
    )
    tournament = store.seasons.add_gauntlet(season.id, config, total)
    log.info("%s meets %d versions: tournament %d", wanted.rival, len(wanted.versions), tournament)
    return tournament


def left_to_play(store: HostStore, season: Season) -> int:
    """Count the encounters that the marks of a season ask for and that are not played yet.

    Raises `SettingError` for a rival that does not exist.
    """
    missing = sum(each.encounters for each in lacking(store, season))
    seats = find_game(season.settings.game).seats
    for number in store.seasons.open_among(season.gauntlets):
        row = store.tournaments.get(number)
        missing += max(0, (row.total or 0) - row.played) // seats
    return missing
