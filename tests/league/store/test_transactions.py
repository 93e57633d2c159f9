"""Consistent reads."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import func, select

from league.model.records import MatchKey
from league.store.store import Store, open_store
from league.store.tables import MATCH
from tests.league.matches import add_bots, add_tournament, won_match


def test_all_reads_of_a_transaction_see_one_state(fresh_db: Store, target: str) -> None:
    one, two = add_bots(fresh_db, "one", "two")
    tournament = add_tournament(fresh_db, one, two)
    count = select(func.count()).select_from(MATCH)
    with fresh_db.reading() as connection:
        before = connection.execute(count).scalar()
        with open_store(target) as other:
            other.matches.save(tournament, [(MatchKey(0, 0), won_match(one, two))])
        assert connection.execute(count).scalar() == before == 0
    with open_store(target, read_only=True) as reader, reader.reading() as connection:
        assert connection.execute(count).scalar() == 1


def test_all_reads_of_a_thread_can_see_one_state(fresh_db: Store, target: str) -> None:
    one, two = add_bots(fresh_db, "one", "two")
    tournament = add_tournament(fresh_db, one, two)

    def counted() -> tuple[int, int]:
        return len(fresh_db.matches.page(limit=9)), fresh_db.tournaments.get(tournament).played

    with ThreadPoolExecutor(1) as elsewhere, open_store(target) as other:
        with fresh_db.one_state():
            assert counted() == (0, 0)
            other.matches.save(tournament, [(MatchKey(0, 0), won_match(one, two))])
            assert counted() == (0, 0)
            assert elsewhere.submit(counted).result() == (1, 1)
        assert counted() == (1, 1)


def test_an_error_while_a_state_is_read_stays_what_it_is(fresh_db: Store) -> None:
    with pytest.raises(KeyError), fresh_db.one_state():
        raise KeyError
    assert not fresh_db.matches.page(limit=9)
