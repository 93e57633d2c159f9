"""The final of a season: one tournament of each active team's chosen version."""

from league.model.people import TeamStanding
from league.model.season import Contender
from league.model.tournament_spec import TournamentSpec
from league.season.legs import LegOptions, limits_of
from league.season.situation import Situation
from league.store.store import Store
from league.tournament.create import prepare_tournament


def finalists(found: Situation) -> list[Contender]:
    """Return the teams of the final; house bots are none."""
    return [each for each in found.contenders if each.standing is TeamStanding.ACTIVE]


def make_final(store: Store, found: Situation, options: LegOptions) -> int | None:
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
            bots=store.entrant_names([each.for_final for each in teams]),
            format=settings.final_format,
            rounds=settings.final_rounds,
            openings=settings.final_openings,
            limits=limits_of(settings, options.isolation),
        ),
    )
    return store.begin_final(found.season, config, total)
