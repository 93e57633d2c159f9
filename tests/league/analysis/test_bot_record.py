"""The record of one bot: results that stand out, versions, openings, tournaments."""

import pytest

from league.analysis.bot_record import (
    notable_results,
    openings_of_bot,
    placements,
    version_steps,
)
from league.analysis.sentences import superiority_told
from league.model.records import BotVersion, Termination
from league.ratings.head_to_head import HeadToHead
from league.store.store import Store
from tests.league.matches import add_tournament, save_encounter

GAME = "connectfour"


def fill(store: Store) -> int:
    """Store matches by which d is the best, then c, a and b."""
    number = add_tournament(store, 1, 2, 3, 4)
    pairs = ((4, 3, "WW"), (4, 2, "WW"), (3, 2, "WW"), (1, 2, "WW"), (3, 1, "WL"), (4, 1, "WL"))
    for encounter, (one, other, results) in enumerate(pairs):
        save_encounter(store, number, encounter, (one, other), results)
    return number


@pytest.mark.slow
def test_wins_and_losses_stand_out_by_the_rating_of_the_opponent(store: Store) -> None:
    fill(store)
    found = notable_results(store, GAME, store.bots.get("a"))
    assert [each.opponent for each in found.wins] == ["d", "c", "b"]
    assert [each.opponent for each in found.losses] == ["c", "d"]
    ratings = [each.rating for each in found.wins]
    assert ratings == sorted(ratings, reverse=True)
    best = found.wins[0].match
    seat = [version.bot for version in best.versions].index("a")
    assert best.scores[seat] == 1.0
    assert notable_results(store, GAME, store.bots.get("d")).losses[0].opponent == "a"


def test_a_win_by_a_crash_of_the_opponent_is_no_best_win(store: Store) -> None:
    number = add_tournament(store, 1, 2)
    save_encounter(store, number, 0, (1, 2), "W", termination=Termination.CRASH, fault_seat=1)
    assert notable_results(store, GAME, store.bots.get("a")).wins == ()
    # An older win by the rules counts, and is the one that is shown.
    save_encounter(store, number, 1, (1, 2), "W")
    save_encounter(store, number, 2, (1, 2), "W", termination=Termination.CRASH, fault_seat=1)
    assert [each.match.id for each in notable_results(store, GAME, store.bots.get("a")).wins] == [2]
    assert len(notable_results(store, GAME, store.bots.get("b")).losses) == 1


def test_each_version_is_held_against_the_last(store: Store) -> None:
    later = [store.bots.register(BotVersion("a", "random", digest=f"later {n}")).id for n in (2, 3)]
    number = add_tournament(store, 1, 2, *later)
    save_encounter(store, number, 0, (later[0], 1), "WD")
    save_encounter(store, number, 1, (later[1], 2), "WW")
    steps = version_steps(store, GAME, store.bots.get("a"))
    assert [step.version.number for step in steps] == [3, 2, 1]
    newest, middle, first = steps
    # The third never met the second.
    assert newest.against_last is None
    assert first.against_last is None
    assert middle.against_last is not None
    assert (middle.against_last.wins, middle.against_last.draws) == (1, 1)
    assert newest.row is not None
    assert newest.row.matches == 2
    assert [step.version.number for step in version_steps(store, GAME, store.bots.get("a"), 2)] == [
        3,
        2,
    ]
    # That the older of them is cut off changes nothing for the one above.
    assert version_steps(store, GAME, store.bots.get("a"), 2)[1].against_last == middle.against_last


def test_openings_are_seen_from_the_bot_in_either_seat(store: Store) -> None:
    number = add_tournament(store, 1, 2)
    save_encounter(store, number, 0, (1, 2), "WW", opening=(3,))
    save_encounter(store, number, 1, (1, 2), "L", opening=(0,))
    found = openings_of_bot(store, GAME, store.bots.get("a"))
    assert [(each.name, each.head_to_head.score) for each in found] == [("4", 1.0), ("1", 0.0)]
    assert [
        each.head_to_head.score for each in openings_of_bot(store, GAME, store.bots.get("b"))
    ] == [
        0.0,
        1.0,
    ]
    assert openings_of_bot(store, GAME, store.bots.get("c")) == []


def test_tournaments_tell_the_place_of_the_best_version(store: Store) -> None:
    first, second = fill(store), add_tournament(store, 1, 2, 3)
    save_encounter(store, second, 0, (1, 2), "LL")
    found, count = placements(store, store.bots.get("b"), 5)
    assert count == 2
    assert [(each.tournament.id, each.row.rank, each.count) for each in found] == [
        (second, 1, 3),
        (first, 4, 4),
    ]
    assert [each.tournament.id for each in placements(store, store.bots.get("b"), 1)[0]] == [second]
    assert placements(store, store.bots.get("d"), 5)[1] == 1


def test_superiority_is_said_no_surer_than_it_is() -> None:
    def told(wins: int, losses: int) -> str:
        return superiority_told("a", "b", HeadToHead(wins=wins, losses=losses))

    assert told(60, 20) == "a is almost certainly stronger than b"
    assert told(20, 60) == "b is almost certainly stronger than a"
    assert told(12, 8) == "No clear difference between a and b yet"
    assert told(0, 0) == ""


def test_a_bot_is_not_said_to_be_stronger_by_two_encounters() -> None:
    found = HeadToHead()
    for results in ([1, 0], [1, 1]):
        found.add(results, is_pair=True)
    assert found.difference is not None
    assert 0.5 < found.difference.los < 0.9
    assert superiority_told("a", "b", found) == "No clear difference between a and b yet"
    for _ in range(10):
        found.add([1, 1], is_pair=True)
    assert superiority_told("a", "b", found) == "a is almost certainly stronger than b"


def test_a_few_wins_in_a_row_are_no_certainty() -> None:
    def told(encounters: int, results: list[int]) -> str:
        found = HeadToHead()
        for _ in range(encounters):
            found.add(results, is_pair=True)
        return superiority_told("a", "b", found)

    # Of a coin, three heads in a row come once in eight times.
    assert told(3, [1, 1]) == "No clear difference between a and b yet"
    assert told(5, [1, 1]) == "a is probably stronger than b"
    assert told(5, [-1, -1]) == "b is probably stronger than a"
    assert told(12, [1, 1]) == "a is almost certainly stronger than b"
    assert told(50, [0, 0]) == "No clear difference between a and b yet"
