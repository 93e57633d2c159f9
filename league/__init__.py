"""A tournament and bot-league platform.

>>> from league import League
>>> with League("cup.db") as cup:
...     _ = cup.register("shallow", "minimax:depth=2")
...     _ = cup.register("chance", "random")
...     print(cup.run("tictactoe", bots=["shallow", "chance"], rounds=2, depth=2))
tournament 1: tictactoe, 2 bots, 4/4 matches, finished
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from games.support.errors import InputError
    from league.api.answer import Answer
    from league.api.gate import Gate
    from league.api.league import League
    from league.api.match import Match, Matches, ReplayView
    from league.api.tools import Explanation
    from league.api.tournament import Tournament
    from league.match.session import Session
    from league.model.errors import LeagueError
    from league.model.tournament_spec import TournamentSpec
    from league.tournament.run_options import RunOptions

__all__ = [
    "Answer",
    "Explanation",
    "Gate",
    "InputError",
    "League",
    "LeagueError",
    "Match",
    "Matches",
    "ReplayView",
    "RunOptions",
    "Session",
    "Tournament",
    "TournamentSpec",
]

_MODULES = {
    "Answer": "league.api.answer",
    "Explanation": "league.api.tools",
    "Gate": "league.api.gate",
    "InputError": "games.support.errors",
    "League": "league.api.league",
    "LeagueError": "league.model.errors",
    "Match": "league.api.match",
    "Matches": "league.api.match",
    "ReplayView": "league.api.match",
    "RunOptions": "league.tournament.run_options",
    "Session": "league.match.session",
    "Tournament": "league.api.tournament",
    "TournamentSpec": "league.model.tournament_spec",
}


def __getattr__(name: str) -> Any:
    # The command line imports this package too, and must not wait for what it does not use.
    if name not in _MODULES:
        raise AttributeError(f"module 'league' has no attribute {name!r}")
    return getattr(import_module(_MODULES[name]), name)


def __dir__() -> list[str]:
    return __all__
