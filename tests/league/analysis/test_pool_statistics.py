"""A pool of matches, counted by hand."""

from collections.abc import Collection

import pytest

from games.support.moves import WireMove
from league.analysis.pool_statistics import pool
from league.analysis.versus import versus
from league.interchange.documents.catalogue import document_of
from league.interchange.documents.document import to_dict
from league.model.records import (
    Limits,
    MatchKey,
    MatchRecord,
    MoveRecord,
    Termination,
    TournamentConfig,
)
from league.ratings.elo_difference import Counts, difference
from league.render.text.pool_statistics import pool_blocks
from league.store.store import Store
from tests.league.matches import add_tournament, save_encounter, won_match

GAME = "connectfour"


def test_every_figure_by_hand(store: Store) -> None:
    number = add_tournament(store, 1, 2, 3)
    # The first to move wins both matches of the first encounter and loses both of the second.
    save_encounter(store, number, 0, (1, 2), "WL")
    save_encounter(store, number, 1, (1, 3), "LW", (2,))
    save_encounter(store, number, 2, (3, 2), "WL")
    save_encounter(store, number, 3, (2, 3), "DD", moves=(MoveRecord(1),) * 9)
    save_encounter(store, number, 4, (2, 3), "W", termination=Termination.CRASH, fault_seat=1)
    found = pool(store, GAME)
    assert (found.matches, found.encounters, len(found.bots)) == (9, 5, 3)
    assert found.draw_rate == 2 / 9
    assert (found.first.wins, found.first.draws, found.first.losses) == (5, 2, 2)
    assert found.first.counts == Counts.of_encounters(1, 0, 0, 1, 0, 2)
    assert found.seats == (6 / 9, 3 / 9)
    assert (found.median_plies, found.plies_longest, found.longest) == (3, 10, 7)
    assert [
        (part.name, part.head_to_head.points, part.head_to_head.matches) for part in found.openings
    ] == [
        ("4", 6, 7),
        ("3", 0, 2),
    ]
    told = to_dict(document_of(found))
    assert told["draw_rate"] == pytest.approx(2 / 9, abs=1e-4)
    assert told["terminations"] == {"rules": 8, "crash": 1}
    assert told["first_seat"]["elo"] == pytest.approx(difference(found.first.counts).elo, abs=0.01)


def test_encounters_that_ended_alike_are_counted_at_once(store: Store) -> None:
    number = add_tournament(store, 1, 2, 3)
    for encounter in range(4):
        save_encounter(store, number, encounter, (1, 2), "WL", (3,) if encounter % 2 else (2,))
    save_encounter(store, number, 4, (1, 2), "LW", (2,))
    save_encounter(store, number, 5, (1, 3), "WL", (2,), moves=(MoveRecord(1),) * 5)
    totals = store.results.pool_totals(GAME)
    ways = [
        (tuple(each.versions for each in matches), sum(each.encounters for each in of_opening))
        for matches, of_opening in totals.encounters
    ]
    assert ways == [(((1, 2), (2, 1)), 4), (((1, 2), (2, 1)), 1), (((1, 3), (3, 1)), 1)]
    told = {each for _, of_opening in totals.encounters for each in of_opening}
    assert sum(each.encounters for each in told) == 6
    assert (totals.plies.total(), totals.longest) == (12, 11)
    newest = store.results.pool_totals(GAME, newest=2)
    assert (newest.plies, newest.longest) == ({6: 2}, 11)
    assert len(newest.encounters) == 1


def test_a_ring_is_pointed_out_where_each_beats_the_next(store: Store) -> None:
    number = add_tournament(store, 1, 2, 3, 4)
    encounter = 0
    for one, other in [(1, 2), (2, 3), (3, 1), (1, 4), (2, 4), (3, 4)]:
        for _ in range(6):
            save_encounter(store, number, encounter, (one, other), "WD")
            encounter += 1
    (ring,) = pool(store, GAME).cycles
    assert ring.bots == ("a", "b", "c")
    assert (ring.won, ring.lost) == ((6, 6, 6), (0, 0, 0))


@pytest.mark.slow
@pytest.mark.parametrize("weakest", [["WW"] * 5, ["WW"] * 5 + ["WL"] * 9, ["WW"] * 7 + ["LL"]])
def test_one_pair_that_proves_too_little_breaks_the_ring(store: Store, weakest: list[str]) -> None:
    number = add_tournament(store, 1, 2, 3)
    for place, (one, other) in enumerate([(1, 2), (2, 3), (3, 1)]):
        for each, results in enumerate(weakest if place else ["WW"] * 6):
            save_encounter(store, number, 100 * place + each, (one, other), results)
    assert pool(store, GAME).cycles == []


def test_an_encounter_of_different_bots_counts_match_by_match(store: Store) -> None:
    number = add_tournament(store, 1, 2, 3)
    save_encounter(store, number, 0, (1, 2), "WL")
    # A damaged database: the second match of an encounter has other bots, or the same seats.
    save_mixed(store, number, 1, [(1, 2), (3, 2)])
    save_mixed(store, number, 2, [(1, 2), (1, 2)])
    found = pool(store, GAME)
    assert (found.matches, found.encounters, found.mixed) == (6, 3, 1)
    assert found.first.kinds.total() == 1
    assert "1 encounter has matches of different bots" in str(pool_blocks(found, None))
    assert to_dict(document_of(found))["mixed"] == 1
    (met,) = versus(store, GAME, "a", "b").versions
    assert (met.head_to_head.matches, met.head_to_head.kinds.total()) == (5, 1)


def save_mixed(store: Store, number: int, encounter: int, seatings: list[tuple[int, int]]) -> None:
    batch = [
        (MatchKey(encounter, rotation), won_match(*seating))
        for rotation, seating in enumerate(seatings)
    ]
    store.matches.save(number, batch)


def test_games_for_more_than_two_have_seats_and_no_first_one(store: Store) -> None:
    game = "pacman?layout=small&ghosts=2"
    number = store.tournaments.add(
        TournamentConfig(
            game=game, entrants=(1, 2, 3), rounds=1, seed=1, opening_plies=0, limits=Limits(depth=1)
        ),
        3,
    )
    record = MatchRecord(
        game=game,
        versions=(1, 2, 3),
        seed=1,
        opening=(),
        moves=(),
        scores=(0.0, 1.0, 1.0),
        termination=Termination.RULES,
    )
    store.matches.save(number, [(MatchKey(0, 0), record)])
    found = pool(store, game)
    assert found.seats == (0, 1, 1)
    assert found.first.matches == 0
    assert found.openings == []
    assert to_dict(document_of(found))["first_seat"] is None


def test_a_tournament_without_matches(store: Store) -> None:
    number = add_tournament(store, 1, 2)
    found = pool(store, GAME, number)
    assert (found.matches, found.draw_rate, found.median_plies) == (0, 0, 0)
    assert to_dict(document_of(found))["longest"] is None


def test_matches_without_openings_are_read_once(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = TournamentConfig(
        game=GAME, entrants=(1, 2), rounds=3, seed=1, opening_plies=0, limits=Limits(depth=1)
    )
    drawn, plain = add_tournament(store, 1, 2), store.tournaments.add(config, 6)
    save_encounter(store, drawn, 0, (1, 2), "WW", (2,))
    for encounter in range(3):
        save_encounter(store, plain, encounter, (1, 2), "WL", ())
    read: list[int] = []
    beginnings = store.results.beginnings

    def noted(matches: Collection[int]) -> dict[int, tuple[str, tuple[WireMove, ...]]]:
        read.extend(matches)
        return beginnings(matches)

    monkeypatch.setattr(store.results, "beginnings", noted)
    found = [(each.name, each.head_to_head.matches) for each in pool(store, GAME).openings]
    assert sorted(found) == [("3", 2), ("the first position", 6)]
    assert len(read) == 2
