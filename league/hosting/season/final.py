"""The final of a season: one tournament of each active team's chosen version."""

from league.hosting.model.people import TeamStanding
from league.hosting.model.season import Contender
from league.hosting.season.legs import LegOptions, limits_of
from league.hosting.season.situation import Situation
from league.hosting.store.host_store import HostStore
from league.model.tournament_spec import TournamentSpec
from league.tournament.create import prepare_tournament


def finalists(found: Situation) -> list[Contender]:
    """Return the teams of the final; house bots are none."""
    return [each for each in found.contenders if each.standing is TeamStanding.ACTIVE]


def make_final(store: HostStore, found: Situation, options: LegOptions) -> int | None:
    """Begin the final and return its number.

    None if the teams are too few for a match, or the season has another state meanwhile. Raises
    `LeagueError` if the format or the openings of the settings do not fit.
    """
    settings, teams = found.season.settings, finalists(found)
    if len(teams) < found.seats:
        return None
    config, total = prepare_tournament(
        store,
        TournamentSpec(
            game=settings.game,
            bots=store.bots.entrant_names([each.for_final for each in teams]),
            format=settings.final_format,
            rounds=settings.final_rounds,
            openings=settings.final_openings,
            limits=limits_of(settings, options.isolation),
        ),
    )
    return store.seasons.begin_final(found.season, config, total)
