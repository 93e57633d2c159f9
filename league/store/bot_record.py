"""Queries about one bot: its tournaments, and its newest match with some ending."""

from collections.abc import Collection, Sequence

from sqlalchemy import func, select, tuple_

from league.model.records import Termination
from league.store.seating_codec import encode_scores, encode_seating
from league.store.tables import LINEUP, LINEUP_SEAT, MATCH, TOURNAMENT
from league.store.transactions import Transactions


class BotRecordTable(Transactions):
    """Storage of what single bots did."""

    def tournaments_with(self, versions: Collection[int]) -> tuple[int, ...]:
        """Return the numbers of the tournaments in which these versions have matches, ascending."""
        query = (
            select(LINEUP.c.tournament_id)
            .distinct()
            .join(LINEUP_SEAT, LINEUP_SEAT.c.lineup_id == LINEUP.c.id)
            .where(LINEUP_SEAT.c.version_id.in_(versions))
            .order_by(LINEUP.c.tournament_id)
        )
        with self.reading() as connection:
            return tuple(connection.execute(query).scalars())

    def newest_ending(
        self, game: str, endings: Collection[tuple[Sequence[int], Sequence[float], Termination]]
    ) -> int | None:
        """Return the newest match of a game with one of these endings, or None.

        An ending is the versions and the points by seat, and why the match ended.
        """
        alike: dict[str, set[tuple[str, str]]] = {}
        for versions, scores, termination in endings:
            ended = encode_scores(scores), str(termination)
            alike.setdefault(encode_seating(versions), set()).add(ended)
        query = (
            select(func.max(MATCH.c.id))
            .join(LINEUP, LINEUP.c.id == MATCH.c.lineup_id)
            .join(TOURNAMENT, TOURNAMENT.c.id == LINEUP.c.tournament_id)
            .where(TOURNAMENT.c.game == game)
        )
        with self.reading() as connection:
            found = [
                connection.execute(
                    query.where(
                        LINEUP.c.versions == seating,
                        tuple_(MATCH.c.scores, MATCH.c.termination).in_(sorted(ended)),
                    )
                ).scalar()
                for seating, ended in alike.items()
            ]
        return max((match for match in found if match is not None), default=None)
