"""Void matches in files and on a server."""

from dataclasses import replace

import pytest

from league.analysis.rating_history import keep
from league.model.errors import UnknownRowError
from league.model.records import MatchKey, Repeat
from league.store.record_codec.packed_match import PackedMatch
from league.store.store import Store
from tests.league.matches import add_bots, add_tournament, save_encounter, won_match

GAME = "connectfour"


def test_matches_leave_what_counts_and_their_numbers_stay_theirs(fresh_db: Store) -> None:
    first, second = add_bots(fresh_db, "ann", "bob")
    number = add_tournament(fresh_db, first, second)
    for encounter in range(3):
        save_encounter(fresh_db, number, encounter, (first, second), "WL")
    keep(fresh_db, GAME)
    before = fresh_db.matches.numbers()
    revision = fresh_db.tournaments.get(number).revision
    chosen = fresh_db.voids.whole([before[-1]])
    assert [each.id for each in chosen] == list(before[-2:])
    assert fresh_db.voids.chosen(bot="ann", tournament=number) == before
    made = fresh_db.voids.add([each.id for each in chosen], "a bug")
    assert fresh_db.matches.numbers() == before[:-2]
    assert fresh_db.totals.wrong(number) == 0
    assert fresh_db.tournaments.get(number).revision > revision
    assert fresh_db.voids.newest() == fresh_db.voids.newest(number) == made
    assert fresh_db.voids.newest(number + 1) == 0
    (row,) = fresh_db.voids.all()
    assert (row.id, row.matches, row.first, row.last) == (made, 2, *before[-2:])
    void = fresh_db.voids.of_tournament(number)
    assert [(each.key, each.scores) for each in void] == [
        (MatchKey(2, 0), (1.0, 0.0)),
        (MatchKey(2, 1), (1.0, 0.0)),
    ]
    with pytest.raises(UnknownRowError, match=r"is void since .*: a bug$"):
        fresh_db.matches.get(before[-1])
    save_encounter(fresh_db, number, 2, (first, second), "LL")
    assert min(set(fresh_db.matches.numbers()) - set(before)) > before[-1]
    assert fresh_db.totals.wrong(number) == 0
    fresh_db.voids.add(fresh_db.matches.numbers(), "all")
    # Nobody has played: the seatings are gone, too.
    assert fresh_db.results.played(GAME, [first, second]) == set()
    assert fresh_db.totals.all(game=GAME) == []


def test_a_record_that_is_void_is_known(fresh_db: Store) -> None:
    first, second = add_bots(fresh_db, "ann", "bob")
    number = add_tournament(fresh_db, first, second)
    packed = PackedMatch.of(won_match(first, second))
    key = MatchKey(0, 0)
    fresh_db.matches.save_packed(number, [(key, packed)])
    assert not fresh_db.voids.is_void(number, key, packed.data)
    fresh_db.voids.add(fresh_db.matches.numbers(), "a bug")
    assert fresh_db.voids.is_void(number, key, packed.data)
    assert not fresh_db.voids.is_void(number, MatchKey(0, 1), packed.data)
    assert not fresh_db.voids.is_void(number, key, packed.data + b"x")


def test_copies_are_void_together_in_all_tournaments(fresh_db: Store) -> None:
    first, second = add_bots(fresh_db, "ann", "bob")
    numbers = [add_tournament(fresh_db, first, second) for _ in range(3)]
    repeats = (Repeat.NOTHING, Repeat.OF_LEAGUE, Repeat.NOTHING)
    lines = ("4 3 4", "4 3 4", "4 3 5")
    for number, repeat, line in zip(numbers, repeats, lines, strict=True):
        record = replace(won_match(first, second), notation=line)
        fresh_db.matches.save_packed(number, [(MatchKey(0, 0), PackedMatch.of(record, repeat))])
    original, copy, other = fresh_db.matches.numbers()
    for chosen in (original, copy):
        assert [each.id for each in fresh_db.voids.whole([chosen])] == [original, copy]
    assert [each.id for each in fresh_db.voids.whole([other])] == [other]
