"""Fresh leagues of both kinds of database, whose runners look for requests all the time."""

import pytest

from tests.league.store.conftest import fresh_db

__all__ = ["fresh_db"]


@pytest.fixture(autouse=True)
def _asked_always(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("league.tournament.runner.ASK_EVERY_S", 0.0)
