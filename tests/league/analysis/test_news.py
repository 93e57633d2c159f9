"""News of a league, by tournaments made by hand."""

import pytest

from league.analysis.news import finished_tournaments, new_leaders
from league.analysis.rating_history import keep
from league.model.records import BotVersion
from league.store.store import Store
from tests.league.matches import add_tournament, save_encounter

GAME = "connectfour"


def finish(store: Store, bots: tuple[int, int], results: list[str]) -> int:
    """Store a finished tournament of two."""
    number = add_tournament(store, *bots)
    for encounter, each in enumerate(results):
        save_encounter(store, number, encounter, bots, each)
    assert store.tournaments.finish(number, 1, 2 * len(results))
    keep(store, GAME)
    return number


@pytest.mark.slow
def test_a_leader_is_new_once(store: Store) -> None:
    assert new_leaders(store, GAME) == []
    first = finish(store, (1, 2), ["WW", "WL", "WD"])
    finish(store, (1, 2), ["WW", "WL", "LL", "DD"])
    third = finish(store, (3, 1), ["WW", "WW", "WL"])
    found = new_leaders(store, GAME)
    assert [(each.tournament, str(each.bot), str(each.before)) for each in found] == [
        (first, "a", "None"),
        (third, "c", "a"),
    ]
    assert all(each.error is not None and each.at > 0 for each in found)
    assert new_leaders(store, "othello") == []


def test_a_new_version_may_lead(store: Store) -> None:
    finish(store, (1, 2), ["WW", "WL", "WD"])
    second = store.bots.register(BotVersion("a", "random", digest="2")).id
    finish(store, (second, 1), ["WW", "WW", "WL"])
    assert [str(each.bot) for each in new_leaders(store, GAME)] == ["a", "a v2"]


def test_finished_tournaments_newest_first(store: Store) -> None:
    first = finish(store, (1, 2), ["WW", "WL"])
    add_tournament(store, 1, 2)
    third = finish(store, (2, 3), ["LL"])
    found = finished_tournaments(store, 10)
    assert [each.row.id for each in found] == [third, first]
    assert [place.bot for place in found[1].places] == ["a", "b"]
    assert [each.row.id for each in finished_tournaments(store, 2)] == [third]
