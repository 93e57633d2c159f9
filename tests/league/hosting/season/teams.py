"""A league with teams, whose bots scripts play, and seasons of them."""

import random
from pathlib import Path
from typing import Any

from sqlalchemy import insert, update

from league.hosting.model.people import TeamStanding
from league.hosting.model.season import Season, SeasonSettings
from league.hosting.season.director import DirectorOptions
from league.hosting.store.host_store import HostStore, open_host_store
from league.hosting.store.tables import SEASON_LEG, SUBMISSION, TEAM
from league.model.bot_files import files_digest
from league.model.records import BotVersion, Isolation
from league.tournament.run_options import RunOptions
from tests.league.in_process import InProcessPool, Script

_SOURCE = random.Random(1)

LUCKY = Script(move=lambda state: _SOURCE.choice(state.legal_moves()))
"""A bot that moves at random."""


def _winning(state: Any) -> Any:
    moves = state.legal_moves()
    won = (move for move in moves if (state.play(move).outcome() or (0,) * 2)[state.to_move] > 0)
    found = next(won, None)
    return _SOURCE.choice(moves) if found is None else found


CLEVER = Script(move=_winning)
"""A bot that wins where one move is enough, and else moves at random: better than `LUCKY`."""

FAULTY = Script(move=lambda state: 99)
"""A bot whose first move no game has."""


def league_of(target: str | Path) -> HostStore:
    """Open a new league."""
    return open_host_store(str(target), create=True)


def add_team(store: HostStore, name: str) -> int:
    """Add a team without a bot."""
    row = {"name": name, "name_folded": name.casefold(), "created_at": 0}
    with store.writing() as connection:
        found: int = connection.execute(insert(TEAM).values(row).returning(TEAM.c.id)).scalar_one()
    return found


def change_team(store: HostStore, team: int, **values: Any) -> None:
    """Change columns of a team."""
    with store.writing() as connection:
        connection.execute(update(TEAM).where(TEAM.c.id == team).values(**values))


def new_version(store: HostStore, name: str, team: int, number: int = 1) -> int:
    """Give a team's bot another version, which moves at random; return its number."""
    files = {"bot.py": f"# {name} {number}".encode()}
    version = BotVersion(name, "bot.py:Bot", files=files, digest=files_digest(files))
    found = store.bots.register(version)
    bot = store.bots.get(name).id
    change_team(store, team, bot_id=bot)
    return found.id


def team_of(store: HostStore, name: str) -> int:
    """Add a team with one version of its bot; return the team."""
    team = add_team(store, name)
    new_version(store, name, team)
    return team


def lift(store: HostStore, team: int) -> None:
    """Lift a suspension, as an accepted submission does."""
    change_team(store, team, standing=str(TeamStanding.ACTIVE), standing_reason="")


def season_of(store: HostStore, **settings: Any) -> Season:
    """Open a season of tic-tac-toe."""
    usual: dict[str, Any] = {"name": "Test", "game": "tictactoe", "active_versions": 1}
    return store.seasons.create(SeasonSettings(**usual | settings))


def add_leg(store: HostStore, season: int, tournament: int) -> None:
    """Make a tournament the first leg of a season."""
    row = {"season_id": season, "number": 1, "tournament_id": tournament}
    with store.writing() as connection:
        connection.execute(insert(SEASON_LEG).values(row))


def wait(store: HostStore, team: int, state: str) -> None:
    """HostStore a submission in a state."""
    row = {
        "team_id": team,
        "received_ms": 0,
        "file_name": "bot.py",
        "size": 1,
        "digest": "0" * 64,
        "state": state,
    }
    with store.writing() as connection:
        connection.execute(insert(SUBMISSION).values(row))


def options(scripts: dict[str, Script], **more: Any) -> DirectorOptions:
    """Return options that play in this process, and take a step after every batch."""
    usual: dict[str, Any] = {
        "run": RunOptions(workers=2),
        "isolation": Isolation.LIMITS,
        "look_s": 0.0,
        "idle_s": 0.0,
        "retry_s": 0.0,
        "open_pool": lambda size: InProcessPool(size, scripts),
    }
    return DirectorOptions(**usual | more)
