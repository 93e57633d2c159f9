"""The conduct of bots in tournaments besides their moves."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import asdict

from sqlalchemy import delete, insert, select

from league.model.records import Conduct
from league.store.database import Queries
from league.store.tables import CONDUCT, TOURNAMENT


class ConductReader(Queries):
    """The bots' conduct."""

    def of(self, tournament: int) -> dict[int, Conduct]:
        """Return the notable conduct in a tournament, by version."""
        return dict(self._conduct(tournament=tournament))

    def totals(self, game: str, tournament: int | None = None) -> dict[int, Conduct]:
        """Return the notable conduct in a game, or in one tournament of it, by version."""
        found: defaultdict[int, list[Conduct]] = defaultdict(list)
        for version, each in self._conduct(game=game, tournament=tournament):
            found[version].append(each)
        return {version: Conduct.total(each) for version, each in found.items()}

    def _conduct(
        self, tournament: int | None = None, game: str | None = None
    ) -> list[tuple[int, Conduct]]:
        query = select(CONDUCT)
        if game is not None:
            query = query.join(TOURNAMENT).where(TOURNAMENT.c.game == game)
        if tournament is not None:
            query = query.where(CONDUCT.c.tournament_id == tournament)
        with self._db.reading() as connection:
            rows = [dict(row) for row in connection.execute(query).mappings()]
        for row in rows:
            del row["tournament_id"]
        return [(row.pop("version_id"), Conduct(**row)) for row in rows]


class ConductTable(ConductReader):
    """Storage of the bots' conduct, written by the runner alone."""

    def save(self, tournament: int, conduct: Mapping[int, Conduct]) -> None:
        """Replace the conduct of some versions in a tournament."""
        values = [
            {"tournament_id": tournament, "version_id": version, **asdict(each)}
            for version, each in conduct.items()
        ]
        if not values:
            return
        old = CONDUCT.c.tournament_id == tournament, CONDUCT.c.version_id.in_(conduct)
        with self._db.writing() as connection:
            connection.execute(delete(CONDUCT).where(*old))
            connection.execute(insert(CONDUCT), values)
