"""The legs of a season: ordinary tournaments of the format `season`, one after the other."""

import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from games.support.errors import InputError
from games.support.specs import find_game
from league.formats.season import ratings_of
from league.hosting.model.season import SeasonSettings
from league.hosting.season.situation import Situation
from league.hosting.store.host_store import HostStore
from league.model.records import Isolation, Limits
from league.model.tournament_spec import TournamentSpec
from league.tournament.create import ROUNDS_MAX, checked_entrants, prepare_tournament
from league.tournament.lifecycle import change_field
from league.tournament.planner import Planner

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class LegOptions:
    """Options for playing legs: the `isolation` of bots, and the least encounters of a stage."""

    isolation: Isolation = Isolation.SANDBOX
    least: int = 4


def limits_of(settings: SeasonSettings, isolation: Isolation) -> Limits:
    """Return the limits of a season's matches."""
    return Limits(move_s=settings.move_s, memory_mb=settings.memory_mb, isolation=isolation)


def make_leg(
    store: HostStore, found: Situation, versions: Sequence[int], options: LegOptions
) -> int:
    """Create the next leg, with ratings as of the last one; return its number."""
    settings = found.season.settings
    elo = current_ratings(store, found)
    names = store.bots.entrant_names(versions)
    believed = starting_ratings(found, versions, elo)
    config, total = prepare_tournament(
        store,
        TournamentSpec(
            game=settings.game,
            bots=names,
            format=f"season:explored={settings.explored:g},least={options.least}",
            rounds=ROUNDS_MAX,
            limits=limits_of(settings, options.isolation),
            starting_ratings=dict(zip(names, believed, strict=True)) if any(believed) else {},
        ),
    )
    season, number = found.season.id, len(found.season.legs) + 1
    tournament = store.seasons.add_leg(season, config, total)
    log.info("leg %d of season %d: tournament %d", number, season, tournament)
    return tournament


def change_leg(
    store: HostStore,
    found: Situation,
    joining: Sequence[int],
    leaving: Sequence[int],
    elo: Mapping[int, float],
) -> None:
    """Let versions join and leave the leg in play, in one revision of it."""
    if found.leg is None:
        return
    names = [found.names[each] for each in joining]
    believed = starting_ratings(found, joining, elo)
    labels = store.bots.labels(leaving)
    change_field(
        store,
        found.leg.tournament,
        names,
        [f"{labels[each].bot}@{labels[each].number}" for each in leaving],
        {name: rating for name, rating in zip(names, believed, strict=True) if rating},
    )
    log.info("leg %d: %s join, %d leave", found.leg.tournament, names or "none", len(leaving))


def current_ratings(
    store: HostStore, found: Situation, planner: Planner | None = None
) -> dict[int, float]:
    """Return the ratings of the newest leg by version; `planner` is that of the leg, if there."""
    if found.leg is None:
        return {}
    if planner is None or planner.tournament != found.leg.tournament:
        planner = Planner(store, found.leg.tournament)
    schedule = planner.schedule
    elo = ratings_of(schedule.field, schedule.results).elo
    rated = dict(zip(planner.config.entrants, elo.tolist(), strict=False))
    return {version: round(rating, 1) for version, rating in rated.items()}


def starting_ratings(
    found: Situation, versions: Iterable[int], elo: Mapping[int, float]
) -> list[float]:
    """Return what versions are believed to be: as they were rated, or as their predecessor was."""
    return [_believed(found, version, elo) for version in versions]


def _believed(found: Situation, version: int, elo: Mapping[int, float]) -> float:
    if version in elo:
        return elo[version]
    team = found.team_of(version)
    if team is None:
        return 0.0
    before = [each for each, _ in team.versions if each < version and each in elo]
    return elo[before[-1]] if before else 0.0


def unfit(
    store: HostStore, found: Situation, versions: Sequence[int], options: LegOptions
) -> dict[int, str]:
    """Return which versions no tournament of the season takes, and why."""
    game = find_game(found.season.settings.game)
    limits = limits_of(found.season.settings, options.isolation)
    reasons = {}
    for version in versions:
        try:
            checked_entrants(store, game, limits, [found.names[version]])
        except InputError as error:
            # Authors submit a bot; they do not register it.
            reasons[version] = str(error).partition(": register it again")[0]
    return reasons
