"""Which matches count for standings: by time, version, tournament and limits; copies count once."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine, text

from games.support.errors import InputError
from league.analysis.match_selection import read_selection, read_since
from league.analysis.standings import Standings, newest_standings, standings
from league.model.records import BotVersion, Limits, MatchKey
from league.model.tournament_spec import TournamentSpec
from league.registration.register import register
from league.store.store import Store, open_store
from league.tournament.create import create_tournament
from tests.league.in_process import run_here
from tests.league.matches import add_bots, add_tournament, won_match

GAME = "connectfour"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """Make a league of two bots, one with two versions, and a retired one."""
    with open_store(str(tmp_path / "league.db"), create=True) as store:
        yield store


def limited(store: Store, limits: Limits, one: int, other: int) -> int:
    """Add a tournament under limits, in which the first bot beats the second four times."""
    number = add_tournament(store, one, other)
    row = store.tournaments.get(number)
    assert store.tournaments.revise(row, replace(row.config, limits=limits), row.total, None)
    batch = [won_match(one, other), won_match(other, one, (0.0, 1.0))] * 2
    store.matches.save(number, [(MatchKey(place, 0), each) for place, each in enumerate(batch)])
    return number


def seen(store: Store, **words: Any) -> dict[str, int]:
    """Return the rows of the standings: names and matches."""
    found = standings(store, GAME, selection=read_selection(**words))
    return {row.bot: row.matches for row in found.rows}


@pytest.mark.slow
def test_newest_versions_of_active_bots_have_a_row_and_the_others_count(store: Store) -> None:
    (one,) = add_bots(store, "one")
    two, gone = add_bots(store, "two", "gone")
    limited(store, Limits(depth=2), one, two)
    again = store.bots.register(BotVersion("one", "random", digest="a" * 64)).id
    limited(store, Limits(depth=2), again, gone)
    limited(store, Limits(depth=2), two, gone)
    store.bots.retire("gone")
    assert seen(store) == {"one v2": 4, "two": 8}
    assert seen(store, versions="all") == {"one": 4, "one v2": 4, "two": 8}
    assert seen(store, include_retired=True) == {"one v2": 4, "two": 8, "gone": 8}
    everything = seen(store, versions="all", include_retired=True)
    assert everything == {"one": 4, "one v2": 4, "two": 8, "gone": 8}
    found = newest_standings(store, GAME)
    whole = {row.bot: row.rating for row in standings(store, GAME).rows}
    assert [row.rank for row in found.rows] == [1, 2]
    assert {row.bot: row.rating for row in found.rows} == {
        name: whole[name] for name in ("one v2", "two")
    }
    assert found.remarks == (
        "counted as opponents, without a row: 1 older version (--versions all) and "
        "1 retired bot (--include-retired)",
    )
    # A version that has not played hides none that has.
    store.bots.register(BotVersion("two", "random", digest="b" * 64))
    assert seen(store) == {"one v2": 4, "two": 8}


def test_older_versions_of_retired_bots_need_the_other_option(store: Store) -> None:
    one, two = add_bots(store, "one", "two")
    newer = store.bots.register(BotVersion("one", "random", digest="a" * 64)).id
    limited(store, Limits(depth=1), one, two)
    limited(store, Limits(depth=1), newer, two)
    store.bots.retire("one")
    found = standings(store, GAME, selection=read_selection(include_retired=True))
    assert found.remarks == (
        "counted as opponents, without a row: 1 older version (--versions all)",
    )


@pytest.mark.slow
def test_matches_are_chosen_by_tournament_limits_and_date(store: Store) -> None:
    one, two, three = add_bots(store, "one", "two", "three")
    first = limited(store, Limits(move_s=0.05), one, two)
    second = limited(store, Limits(time="60+0.5"), two, three)
    third = limited(store, Limits(depth=4), one, three)
    assert seen(store, tournaments=f"{first}, {third}") == {"one": 8, "two": 4, "three": 4}
    assert seen(store, tournaments=[second]) == {"two": 4, "three": 4}
    assert seen(store, time="50ms") == {"one": 4, "two": 4}
    assert seen(store, time="1m+0.5") == {"two": 4, "three": 4}
    assert seen(store, time="1m") == {}
    unlike = "pooled from unlike limits (50\N{NO-BREAK SPACE}ms per move; 60+0.5; depth 4): "
    assert newest_standings(store, GAME).remarks == (
        f"{unlike}--time or --tournament tells them apart",
    )
    assert standings(store, GAME, selection=read_selection(time="50ms")).remarks == ()
    engine = create_engine(f"sqlite:///{store.path}")
    with engine.begin() as connection:
        connection.execute(text("UPDATE match SET finished_at = 1000 WHERE tournament_id < 3"))
        connection.execute(text("UPDATE match SET finished_at = 2000 WHERE id = 1"))
    engine.dispose()
    assert seen(store, since="1970-01-01T00:30") == {"one": 5, "two": 1, "three": 4}
    assert seen(store, since="7d") == {"one": 4, "three": 4}
    live = standings(store, GAME, None, "elo", selection=read_selection(since="7d"))
    assert {row.bot for row in live.rows} == {"one", "three"}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"since": "soon"}, "since 'soon': expected a date"),
        ({"since": "²d"}, "since '²d': expected a date"),
        ({"time": "soon"}, "'soon' is not a time control"),
        ({"versions": "old"}, "versions 'old': expected newest or all"),
        ({"tournaments": "3;4"}, "tournaments '3;4': expected numbers with commas"),
    ],
)
def test_a_word_that_does_not_fit_is_refused(words: dict[str, str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_selection(**words)  # type: ignore[arg-type]


def test_since_is_a_moment_or_a_span_ago() -> None:
    assert read_since("1970-01-02") == 24 * 3600
    assert read_since("1970-01-01T02:00+01:00") == 3600
    now = datetime.now(UTC).timestamp()
    assert now - 86400 - 60 < read_since("1d") <= now - 86400 + 1
    assert now - 7200 - 60 < read_since("2h") <= now - 7200 + 1


def nightly(store: Store, seed: int, **limits: Any) -> Standings:
    """Run a tournament of the league's bots and return the standings."""
    spec = TournamentSpec(
        game=GAME,
        bots=["one", "two"],
        rounds=3,
        seed=seed,
        limits=Limits(start_s=20, **limits),
    )
    run_here(store, create_tournament(store, spec).id, workers=1)
    return newest_standings(store, GAME)


@pytest.mark.slow
def test_a_repeated_tournament_counts_once(store: Store) -> None:
    for name in ("one", "two"):
        register(store, name, "random", options={}, is_checked=False)
    first = nightly(store, 7, depth=1)
    again = nightly(store, 7, depth=1)
    assert [(row.bot, row.rating, row.error, row.matches) for row in again.rows] == [
        (row.bot, row.rating, row.error, row.matches) for row in first.rows
    ]
    assert again.remarks == ("left out as repeats of others, move for move: tournament 2",)
    # Other dice, and a clock, make other matches.
    assert nightly(store, 8, depth=1).rows[0].matches == 12
    assert nightly(store, 7, move_s=0.5).rows[0].matches == 18
    assert nightly(store, 7, move_s=0.5).rows[0].matches == 24


def test_a_tournament_with_other_results_is_no_repeat(store: Store) -> None:
    one, two = add_bots(store, "one", "two")
    limited(store, Limits(depth=2), one, two)
    limited(store, Limits(depth=2), one, two)
    assert newest_standings(store, GAME).rows[0].matches == 4
    third = limited(store, Limits(depth=2), one, two)
    store.matches.save(third, [(MatchKey(9, 0), won_match(two, one))])
    assert newest_standings(store, GAME).rows[0].matches == 9
