"""What one bot did, on SQLite and on PostgreSQL."""

from league.model.records import Termination
from league.store.store import Store
from tests.league.matches import add_bots, add_tournament, save_encounter


def test_tournaments_and_endings_of_one_bot(fresh_db: Store) -> None:
    one, two, three = add_bots(fresh_db, "one", "two", "three")
    first, second = (add_tournament(fresh_db, one, two, three) for _ in range(2))
    save_encounter(fresh_db, first, 0, (one, two), "WL")
    save_encounter(fresh_db, second, 0, (one, two), "W")
    save_encounter(fresh_db, second, 1, (two, three), "DD")
    assert fresh_db.results.tournaments_with([one]) == (first, second)
    assert fresh_db.results.tournaments_with([three]) == (second,)
    assert fresh_db.results.tournaments_with([]) == ()
    rules, crash = Termination.RULES, Termination.CRASH
    won = ((one, two), (1.0, 0.0), rules)
    assert fresh_db.results.newest_ending("connectfour", [won]) == 3
    # In the other seat it lost: that is an ending of its own.
    assert fresh_db.results.newest_ending("connectfour", [((two, one), (1.0, 0.0), rules)]) == 2
    assert (
        fresh_db.results.newest_ending("connectfour", [won, ((two, three), (0.5, 0.5), rules)]) == 4
    )
    assert fresh_db.results.newest_ending("connectfour", [((one, two), (1.0, 0.0), crash)]) is None
    assert fresh_db.results.newest_ending("connectfour", []) is None
    assert fresh_db.results.newest_ending("othello", [won]) is None


def test_only_the_newest_results_are_read(fresh_db: Store) -> None:
    one, two, three = add_bots(fresh_db, "one", "two", "three")
    number = add_tournament(fresh_db, one, two, three)
    for encounter, pair in enumerate(((one, two), (one, three), (two, three))):
        save_encounter(fresh_db, number, encounter, pair, "WL")
    assert [row.id for row in fresh_db.results.rows("connectfour", newest=3)] == [4, 5, 6]
    met = fresh_db.results.rows("connectfour", None, ([one],), newest=3)
    assert [row.id for row in met] == [2, 3, 4]
    assert len(list(fresh_db.results.rows("connectfour", newest=99))) == 6
