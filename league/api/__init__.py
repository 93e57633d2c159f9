"""The league from Python: for scripts, notebooks, the command line and the dashboard."""

from games.support.errors import InputError
from league.api.answer import Answer
from league.api.league import League
from league.api.match import Match, Matches, ReplayView
from league.api.tools import Explanation
from league.api.tournament import Tournament
from league.match.session import Session
from league.model.errors import LeagueError
from league.model.tournament_spec import TournamentSpec

__all__ = [
    "Answer",
    "Explanation",
    "InputError",
    "League",
    "LeagueError",
    "Match",
    "Matches",
    "ReplayView",
    "Session",
    "Tournament",
    "TournamentSpec",
]
