"""Which matches a filter finds, in which order, and how many: on SQLite and on PostgreSQL."""

from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import update

from league.model.records import BotVersion, MatchKey, Termination
from league.store.match_filter import MatchOrder
from league.store.rows import Activity
from league.store.store import Store
from league.store.tables import MATCH
from tests.league.matches import add_bots, add_tournament, won_match

BEGIN_S, DAY_S = 1_800_000_000, 86_400


@pytest.fixture
def filled(fresh_db: Store) -> Store:
    """Store six matches, one a day: of three bots, one of them in two versions."""
    one, two, odd = add_bots(fresh_db, "One", "two", "100%_x")
    newer = fresh_db.bots.register(
        BotVersion("One", "random", options={"seed": "1"}, digest="b")
    ).id
    tournament = add_tournament(fresh_db, one, two, odd)
    crash = replace(won_match(odd, two), termination=Termination.CRASH, fault_seat=1)
    matches = [
        won_match(one, two),
        won_match(two, one),
        won_match(one, odd, (0.5, 0.5)),
        crash,
        won_match(newer, one, (0.25, 0.75)),
        replace(won_match(two, newer, (0.0, 1.0)), moves=()),
    ]
    fresh_db.matches.save(
        tournament, [(MatchKey(number, 0), match) for number, match in enumerate(matches)]
    )
    with fresh_db.writing() as connection:
        for number in range(len(matches)):
            changed = {"finished_at": BEGIN_S + number * DAY_S, "wall_ms": 100 - number}
            connection.execute(update(MATCH).where(MATCH.c.encounter == number).values(**changed))
    return fresh_db


def found(store: Store, **wanted: Any) -> list[int]:
    """Return the encounters of the matches found, newest first."""
    rows = store.matches.page(**wanted)
    assert store.matches.count(**wanted) == len(rows)
    return [row.key.encounter for row in rows]


def test_nothing_asked_for_is_all(filled: Store) -> None:
    assert found(filled) == [5, 4, 3, 2, 1, 0]
    assert found(filled, game=None, search=None) == [5, 4, 3, 2, 1, 0]


@pytest.mark.parametrize(
    ("search", "encounters"),
    [
        ("ONE", [5, 4, 2, 1, 0]),
        (" tw ", [5, 3, 1, 0]),
        ("%", [3, 2]),
        ("_", [3, 2]),
        ("nobody", []),
        ("9" * 40, []),
        ("", [5, 4, 3, 2, 1, 0]),
    ],
)
def test_a_part_of_a_name_is_found_as_it_stands(
    filled: Store, search: str, encounters: list[int]
) -> None:
    assert found(filled, search=search) == encounters


def test_the_number_of_a_match_is_found(filled: Store) -> None:
    match = filled.matches.page(limit=1)[0]
    assert match.id in [row.id for row in filled.matches.page(search=str(match.id))]


def test_a_bot_meets_an_opponent(filled: Store) -> None:
    assert found(filled, bot="One", opponent="two") == [5, 1, 0]
    assert found(filled, opponent="100%_x") == [3, 2]
    assert found(filled, bot="One", opponent="One") == [4]
    assert found(filled, bot="One@2") == found(filled, bot="One@newest") == [5, 4]
    assert found(filled, bot="two@newest") == found(filled, bot="two")
    assert found(filled, bot="nobody") == []


@pytest.mark.parametrize(
    ("bot", "result", "encounters"),
    [
        ("One", "won", [5, 0]),
        # In its match against itself, neither seat has a point or none: one has the least points.
        ("One", "drawn", [4, 2]),
        ("One", "lost", [4, 1]),
        ("two", "won", [1]),
        ("two", "lost", [5, 3, 0]),
        ("100%_x", "won", [3]),
        (None, "won", [5, 3, 1, 0]),
        (None, "drawn", [4, 2]),
    ],
)
def test_a_result_is_that_of_the_bot(
    filled: Store, bot: str | None, result: str, encounters: list[int]
) -> None:
    assert found(filled, bot=bot, result=result) == encounters


def test_faults_are_of_the_bot_that_failed(filled: Store) -> None:
    assert found(filled, fault_of="two") == found(filled, faults_only=True) == [3]
    assert found(filled, fault_of="100%_x") == []


def test_dates_include_their_begin_and_not_their_end(filled: Store) -> None:
    assert found(filled, ended_from=BEGIN_S + DAY_S, ended_before=BEGIN_S + 3 * DAY_S) == [2, 1]
    assert found(filled, ended_before=BEGIN_S) == []


def test_filters_hold_together(filled: Store) -> None:
    asked = {"search": "tw", "bot": "One", "result": "won", "ended_from": BEGIN_S + 1}
    assert found(filled, **asked) == [5]


@pytest.mark.parametrize(
    ("order", "first", "last"),
    [
        (MatchOrder.NEWEST, 5, 0),
        (MatchOrder.OLDEST, 0, 5),
        (MatchOrder.LONGEST, 4, 5),
        (MatchOrder.SHORTEST, 5, 0),
        (MatchOrder.SLOWEST, 0, 5),
        (MatchOrder.QUICKEST, 5, 0),
    ],
)
def test_matches_are_in_order(filled: Store, order: MatchOrder, first: int, last: int) -> None:
    rows = [row.key.encounter for row in filled.matches.page(order=order)]
    assert (rows[0], rows[-1]) == (first, last)
    pages = [filled.matches.page(order=order, limit=2, offset=begin) for begin in (0, 2, 4)]
    assert [row.key.encounter for page in pages for row in page] == rows


def test_activity_is_counted_by_seating(filled: Store) -> None:
    rows = filled.totals.activity()
    assert sum(row.matches for row in rows) == 6
    one, two = (filled.bots.get(name).versions[0].id for name in ("One", "two"))
    assert Activity("connectfour", (one, two), 1, BEGIN_S) in rows
