"""Many matches at once, on SQLite and on PostgreSQL."""

import pytest
from sqlalchemy import update

from league.model.errors import DatabaseError
from league.model.records import MoveRecord
from league.store import results
from league.store.rows import EncounterRow
from league.store.store import Store
from league.store.tables import MATCH, RECORD
from tests.league.matches import add_bots, add_tournament, save_encounter


def test_results_come_encounter_by_encounter(fresh_db: Store) -> None:
    one, two, three = add_bots(fresh_db, "one", "two", "three")
    number = add_tournament(fresh_db, one, two, three)
    planned = [EncounterRow(0, opening, (0, 1)) for opening in (4, 2)]
    assert fresh_db.tournaments.add_encounters(number, 1, 0, planned)
    save_encounter(fresh_db, number, 2, (two, three), "DD")
    save_encounter(fresh_db, number, 0, (one, two), "WL")
    save_encounter(fresh_db, number, 1, (one, three), "W")
    rows = list(fresh_db.results.rows("connectfour"))
    assert [(row.encounter, row.opening, row.versions) for row in rows] == [
        (0, 4, (one, two)),
        (0, 4, (two, one)),
        (1, 2, (one, three)),
        (2, None, (two, three)),
        (2, None, (three, two)),
    ]
    assert [row.scores for row in rows[:2]] == [(1, 0), (1, 0)]
    met = list(fresh_db.results.rows("connectfour", number, ([one], [two, three])))
    assert [row.encounter for row in met] == [0, 0, 1]
    met = list(fresh_db.results.rows("connectfour", None, ([two], [three])))
    assert [row.encounter for row in met] == [2, 2]
    assert list(fresh_db.results.rows("othello")) == []
    assert list(fresh_db.results.rows("connectfour", number + 1)) == []


def test_encounters_that_ended_alike_are_totalled(fresh_db: Store) -> None:
    one, two, three = add_bots(fresh_db, "one", "two", "three")
    number = add_tournament(fresh_db, one, two, three)
    planned = [EncounterRow(0, opening, (0, 1)) for opening in (4, 2, 4)]
    assert fresh_db.tournaments.add_encounters(number, 1, 0, planned)
    for encounter in range(3):
        save_encounter(fresh_db, number, encounter, (one, two), "WL", (encounter,))
    save_encounter(fresh_db, number, 3, (two, three), "DD", moves=(MoveRecord(1),) * 8)
    totals = fresh_db.results.pool_totals("connectfour")
    ways = [
        (tuple(each.versions for each in matches), [each.encounters for each in of_opening])
        for matches, of_opening in totals.encounters
    ]
    # Two of the encounters that ended alike began with opening 4, and one with opening 2.
    assert ways == [(((one, two), (two, one)), [2, 1]), (((two, three), (three, two)), [1])]
    assert (totals.plies, totals.longest) == ({3: 6, 9: 2}, 7)
    newest = fresh_db.results.pool_totals("connectfour", number, newest=2)
    assert (newest.plies, newest.longest, len(newest.encounters)) == ({9: 2}, 7, 1)
    assert fresh_db.results.pool_totals("othello").encounters == ()


def test_newest_matches_and_their_records(fresh_db: Store) -> None:
    one, two = add_bots(fresh_db, "one", "two")
    number = add_tournament(fresh_db, one, two)
    for encounter in range(3):
        save_encounter(fresh_db, number, encounter, (one, two), "WL", (encounter,))
    newest = fresh_db.results.newest([one], "connectfour", number, 3)[one]
    assert newest == [6, 5, 4]
    assert fresh_db.results.newest([one], "othello", None, 3) == {}
    assert fresh_db.results.beginnings([1, 6]) == {
        1: ("connectfour", (0,)),
        6: ("connectfour", (2,)),
    }
    read = list(fresh_db.results.records(newest))
    assert [match for match, _, _ in read] == [4, 5, 6]
    assert all(fresh_db.matches.get(match)[1] == record for match, _, record in read)
    assert all(config.entrants == (one, two) for _, config, _ in read)


@pytest.mark.parametrize(("few", "many"), [(0, 0), (0, 99), (99, 0), (99, 99)])
def test_newest_matches_of_many_versions(
    fresh_db: Store, monkeypatch: pytest.MonkeyPatch, few: int, many: int
) -> None:
    monkeypatch.setattr(results, "FEW", few)
    monkeypatch.setattr(results, "MANY", many)
    one, two, three, idle = add_bots(fresh_db, "one", "two", "three", "idle")
    number = add_tournament(fresh_db, one, two, three)
    save_encounter(fresh_db, number, 0, (one, three), "WL")
    for encounter in range(1, 4):
        save_encounter(fresh_db, number, encounter, (one, two), "WL")
    asked = [one, two, three, idle]
    found = fresh_db.results.newest(asked, "connectfour", None, 3)
    assert found == {one: [8, 7, 6], two: [8, 7, 6], three: [2, 1]}
    assert fresh_db.results.newest([three, idle], "connectfour", number, 1) == {three: [2]}
    assert fresh_db.results.played("connectfour", [one, three, idle], number) == {one, three}
    assert (
        fresh_db.results.played("othello", asked)
        == fresh_db.results.played("connectfour", asked, 9)
        == set()
    )


def test_more_are_read_than_one_query_names(
    fresh_db: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(results, "ASKED_MAX", 2)
    one, two = add_bots(fresh_db, "one", "two")
    number = add_tournament(fresh_db, one, two)
    for encounter in range(3):
        save_encounter(fresh_db, number, encounter, (one, two), "WL")
    assert list(fresh_db.results.beginnings(range(9))) == [1, 2, 3, 4, 5, 6]


def test_damage_names_the_match(fresh_db: Store) -> None:
    one, two = add_bots(fresh_db, "one", "two")
    number = add_tournament(fresh_db, one, two)
    save_encounter(fresh_db, number, 0, (one, two), "WL")
    with fresh_db.writing() as connection:
        connection.execute(update(RECORD).where(RECORD.c.match_id == 2).values(data=b"no"))
        connection.execute(update(MATCH).where(MATCH.c.id == 1).values(termination="no"))
    with pytest.raises(DatabaseError, match="match 2: a damaged match record"):
        fresh_db.results.beginnings([1, 2])
    with pytest.raises(DatabaseError, match="match 2: a damaged match record"):
        list(fresh_db.results.records([1, 2]))
    with pytest.raises(DatabaseError, match="match 1 has a damaged row"):
        list(fresh_db.results.rows("connectfour"))
