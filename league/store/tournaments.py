"""Tournaments and the league's settings."""

import json
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict
from typing import Any

from sqlalchemy import delete, func, insert, select, update

from league.errors import DatabaseError, UnknownRowError
from league.records import Isolation, Limits, TournamentConfig
from league.store.lock import file_lock, server_lock
from league.store.models import MATCH, SETTING, TOURNAMENT
from league.store.rows import TournamentRow
from league.store.transactions import Transactions, now


class TournamentTable(Transactions):
    """The part of the store that keeps tournaments."""

    def add_tournament(self, config: TournamentConfig, total: int) -> int:
        """Store a tournament of `total` matches and return its number."""
        added = insert(TOURNAMENT).values(
            game=config.game, config=json.dumps(asdict(config)), total=total, created_at=now()
        )
        with self.writing() as connection:
            number: int = connection.execute(added.returning(TOURNAMENT.c.id)).scalar_one()
        return number

    def tournament(self, tournament: int) -> TournamentRow:
        """Return one tournament; raise `UnknownRowError`."""
        found = self._tournaments(tournament)
        if not found:
            known = [row.id for row in self._tournaments(None)]
            listed = f" (there are {_ranges(known)})" if known else " (there are none yet)"
            raise UnknownRowError(f"no tournament {tournament}{listed}", "tournament", tournament)
        return found[0]

    def tournaments(self) -> tuple[TournamentRow, ...]:
        """List all tournaments in order of number."""
        return self._tournaments(None)

    def set_stop_reason(self, tournament: int, reason: str | None) -> None:
        """Note why a tournament had to stop, or that it goes on (None)."""
        changed = update(TOURNAMENT).where(
            TOURNAMENT.c.id == tournament, TOURNAMENT.c.stop_reason.is_distinct_from(reason)
        )
        with self.writing() as connection:
            connection.execute(changed.values(stop_reason=reason))

    def runner_lock(self, tournament: int) -> AbstractContextManager[None]:
        """Hold a tournament against other runners; raises `SetupError` when one holds it."""
        if self.path is not None:
            return file_lock(self.path, tournament)
        return server_lock(self._engine, tournament)

    def setting(self, key: str, default: str) -> str:
        """Return a setting of the league."""
        with self.reading() as connection:
            value = connection.execute(
                select(SETTING.c.value).where(SETTING.c.key == key)
            ).scalar_one_or_none()
        return default if value is None else value

    def set_setting(self, key: str, value: str) -> None:
        """Change a setting of the league."""
        with self.writing() as connection:
            connection.execute(delete(SETTING).where(SETTING.c.key == key))
            connection.execute(insert(SETTING).values(key=key, value=value))

    def _tournaments(self, only: int | None) -> tuple[TournamentRow, ...]:
        query = (
            select(
                TOURNAMENT, func.count(MATCH.c.id).label("played"), func.max(MATCH.c.finished_at)
            )
            .outerjoin(MATCH, MATCH.c.tournament_id == TOURNAMENT.c.id)
            .group_by(TOURNAMENT.c.id)
            .order_by(TOURNAMENT.c.id)
        )
        if only is not None:
            query = query.where(TOURNAMENT.c.id == only)
        with self.reading() as connection:
            return tuple(self._row(row) for row in connection.execute(query))

    def _row(self, row: Any) -> TournamentRow:
        try:
            config = _config(json.loads(row.config))
        except (KeyError, TypeError, ValueError) as error:
            text = f"tournament {row.id} has a damaged config: {error}"
            raise DatabaseError(text, self.target) from None
        if config.game != row.game:
            text = f"tournament {row.id} is {row.game!r} in its row, {config.game!r} in its config"
            raise DatabaseError(text, self.target)
        return TournamentRow(
            row.id,
            config,
            row.total,
            row.played,
            row.created_at,
            row[-1],
            row.stop_reason,
        )


def _config(stored: dict[str, Any]) -> TournamentConfig:
    limits = stored["limits"]
    # Tournaments of before there were levels have none.
    level = Isolation(limits.get("isolation", Isolation.LIMITS))
    return TournamentConfig(
        **{
            **stored,
            "entrants": tuple(stored["entrants"]),
            "limits": Limits(**{**limits, "isolation": level}),
        }
    )


def _ranges(numbers: Sequence[int]) -> str:
    return f"{numbers[0]} to {numbers[-1]}" if len(numbers) > 1 else str(numbers[0])
