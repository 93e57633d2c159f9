"""The league's database: models, transactions, queries. Nobody else writes SQL."""

from league.store.migration import Upgrade, upgrade_database
from league.store.rows import (
    BotRef,
    BotRow,
    EncounterRow,
    MatchRow,
    Request,
    ResultRow,
    State,
    Total,
    TournamentRow,
    VersionRow,
)
from league.store.store import Store, open_store

__all__ = [
    "BotRef",
    "BotRow",
    "EncounterRow",
    "MatchRow",
    "Request",
    "ResultRow",
    "State",
    "Store",
    "Total",
    "TournamentRow",
    "Upgrade",
    "VersionRow",
    "open_store",
    "upgrade_database",
]
