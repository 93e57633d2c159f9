"""How bots behave in tournaments besides their matches."""

from collections.abc import Mapping
from dataclasses import asdict

from sqlalchemy import delete, insert, select

from league.model.records import Conduct
from league.store.tables import CONDUCT, TOURNAMENT
from league.store.transactions import Transactions


class ConductTable(Transactions):
    """Storage of the bots' conduct, written by the runner alone."""

    def conduct(
        self, tournament: int | None = None, game: str | None = None
    ) -> dict[tuple[int, int], Conduct]:
        """Return the conduct by tournament and version, of one tournament, a game or all."""
        query = select(CONDUCT)
        if game is not None:
            query = query.join(TOURNAMENT).where(TOURNAMENT.c.game == game)
        if tournament is not None:
            query = query.where(CONDUCT.c.tournament_id == tournament)
        with self.reading() as connection:
            rows = [dict(row) for row in connection.execute(query).mappings()]
        return {(row.pop("tournament_id"), row.pop("version_id")): Conduct(**row) for row in rows}

    def save_conduct(self, tournament: int, conduct: Mapping[int, Conduct]) -> None:
        """Replace the conduct of some versions in a tournament."""
        values = [
            {"tournament_id": tournament, "version_id": version, **asdict(each)}
            for version, each in conduct.items()
        ]
        if not values:
            return
        old = CONDUCT.c.tournament_id == tournament, CONDUCT.c.version_id.in_(conduct)
        with self.writing() as connection:
            connection.execute(delete(CONDUCT).where(*old))
            connection.execute(insert(CONDUCT), values)
