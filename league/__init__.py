"""A tournament and bot-league platform.

>>> from league import League
>>> with League("cup.db") as cup:
...     _ = cup.register("shallow", "minimax:depth=2")
...     _ = cup.register("chance", "random")
...     tournament = cup.run("tictactoe", bots=["shallow", "chance"], rounds=2, depth=2)
>>> tournament
tournament 1: tictactoe, 2 bots, 4/4 matches, finished
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from league.api import (
        Answer,
        Explanation,
        InputError,
        League,
        LeagueError,
        Match,
        Matches,
        ReplayView,
        Session,
        Tournament,
        TournamentSpec,
    )

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


def __getattr__(name: str) -> Any:
    # The command line imports this package too, and must not wait for what it does not use.
    if name not in __all__:
        raise AttributeError(f"module 'league' has no attribute {name!r}")
    from league import api  # noqa: PLC0415

    return getattr(api, name)


def __dir__() -> list[str]:
    return __all__
