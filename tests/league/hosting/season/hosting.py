"""Hosted leagues for tests: a season, teams and authors, and what they upload."""

from io import BytesIO
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from sqlalchemy import insert

from league.hosting.model.people import Person, Role
from league.hosting.model.season import Season, SeasonSettings, SeasonState
from league.hosting.store.tables import PERSON, TEAM
from league.store.store import Store

GOOD = """\
def choose(state, clock):
    return state.legal_moves()[{}]
"""

SETTINGS = SeasonSettings(name="AI 2026", game="tictactoe", move_s=0.1)


def season_of(settings: SeasonSettings = SETTINGS, state: SeasonState = SeasonState.OPEN) -> Season:
    """Return a season that is in no database."""
    return Season(1, settings, state, created_at=0)


def add_author(store: Store, name: str) -> Person:
    """Add a team with one author, who has its name."""
    with store.writing() as connection:
        values = {"name": name, "name_folded": name.casefold(), "created_at": 0}
        team = connection.execute(insert(TEAM).values(values).returning(TEAM.c.id)).scalar_one()
        values = {
            "login": name,
            "login_folded": name.casefold(),
            "role": Role.AUTHOR,
            "team_id": team,
            "created_at": 0,
        }
        added = insert(PERSON).values(values).returning(PERSON.c.id)
        return Person(connection.execute(added).scalar_one(), name, Role.AUTHOR, team=team)


def zipped(*files: tuple[str | ZipInfo, bytes]) -> bytes:
    """Return a zip of files."""
    out = BytesIO()
    with ZipFile(out, "w", ZIP_DEFLATED) as archive:
        for name, data in files:
            archive.writestr(name, data)
    return out.getvalue()
