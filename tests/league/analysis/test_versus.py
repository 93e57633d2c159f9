"""Two bots against each other, counted by hand."""

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.analysis.crosstable import crosstable
from league.analysis.sentences import elo_told, nelo_told
from league.analysis.versus import versus
from league.interchange.documents.catalogue import document_of
from league.interchange.documents.document import to_dict
from league.model.errors import SetupError, UnknownRowError
from league.model.records import (
    BotVersion,
    Limits,
    MatchKey,
    MatchRecord,
    Termination,
    TournamentConfig,
)
from league.ratings.elo_difference import Counts, difference, elo_of, score_interval
from league.ratings.head_to_head import HeadToHead
from league.store.rows import EncounterRow
from league.store.store import Store
from tests.league.matches import add_tournament, save_encounter

GAME = "connectfour"


def test_an_even_score_has_no_minus() -> None:
    even = HeadToHead(wins=5, losses=5)
    assert even.difference is not None
    assert even.difference.elo == 0
    assert elo_told(even).startswith("+0.0 ±")


def test_every_figure_by_hand(store: Store) -> None:
    number = add_tournament(store, 1, 2, 3)
    # a against b, seen from a: 4 won, 2 drawn, 2 lost in whole encounters, and one won besides.
    for encounter, results in enumerate(("WW", "WL", "DD", "LW", "W")):
        save_encounter(store, number, encounter, (1, 2), results)
    save_encounter(store, number, 9, (1, 3), "LL")
    found = versus(store, GAME, "a", "b")
    whole = found.whole
    assert (whole.wins, whole.draws, whole.losses, whole.left_out) == (5, 2, 2, 1)
    assert whole.counts == Counts.of_encounters(0, 0, 2, 1, 0, 1)
    assert {
        part.name: (part.head_to_head.wins, part.head_to_head.losses) for part in found.seats
    } == {
        "1": (3, 1),
        "2": (2, 1),
    }
    assert [row.id for row in found.newest] == [9, 8, 7, 6, 5, 4, 3, 2, 1]
    told = to_dict(document_of(found))
    counted = difference(whole.counts)
    assert told["elo"] == pytest.approx(counted.elo, abs=0.01)
    low, high = score_interval(whole.counts)
    assert told["elo_error"] == pytest.approx((elo_of(high) - elo_of(low)) / 2, abs=0.01)
    assert told["nelo"] == pytest.approx(counted.nelo, abs=0.01)
    assert told["los"] == pytest.approx(counted.los, abs=1e-4)
    assert (told["score_low"], told["score_high"]) == pytest.approx(
        score_interval(whole.counts), abs=1e-4
    )
    assert told["encounters"] == {"LL": 0, "LD": 0, "WL": 2, "DD": 1, "WD": 0, "WW": 1}
    assert told["draw_rate"] == pytest.approx(2 / 9, abs=1e-4)


def test_it_is_the_other_way_round_for_the_other(store: Store) -> None:
    number = add_tournament(store, 1, 2)
    for encounter, results in enumerate(("WW", "WD", "LW", "DL", "WW")):
        save_encounter(store, number, encounter, (1, 2), results)
    mine, theirs = versus(store, GAME, "a", "b").whole, versus(store, GAME, "b", "a").whole
    assert (mine.wins, mine.draws, mine.losses) == (theirs.losses, theirs.draws, theirs.wins)
    assert mine.counts.numbers == theirs.counts.numbers[::-1]
    one, other = mine.difference, theirs.difference
    assert one is not None
    assert other is not None
    assert one.elo == pytest.approx(-other.elo)


def test_ends_say_whose_fault_it_was(store: Store) -> None:
    number = add_tournament(store, 1, 2)
    save_encounter(store, number, 0, (1, 2), "WW")
    save_encounter(
        store, number, 1, (1, 2), "W", termination=Termination.TIME_FORFEIT, fault_seat=1
    )
    found = versus(store, GAME, "a", "b")
    assert [(part.name, part.head_to_head.matches) for part in found.ends] == [
        ("rules", 2),
        ("time forfeit of b", 1),
    ]


def test_openings_are_known_by_their_moves(store: Store) -> None:
    one, other = add_tournament(store, 1, 2), add_tournament(store, 1, 2)
    for tournament, drawn in ((one, (5, 6)), (other, (6, 5))):
        rows = [EncounterRow(0, opening, (0, 1)) for opening in drawn]
        assert store.tournaments.add_encounters(tournament, 1, 0, rows)
    save_encounter(store, one, 0, (1, 2), "WW", (3, 3))
    save_encounter(store, one, 1, (1, 2), "WL", (0,))
    save_encounter(store, other, 0, (1, 2), "WD", (3, 3))
    # Without a plan, as an import has it.
    save_encounter(store, other, 6, (1, 2), "LL", ())
    found = versus(store, GAME, "a", "b").openings
    assert [(part.name, part.head_to_head.points, part.head_to_head.matches) for part in found] == [
        ("4 4", 3.5, 4),
        ("the first position", 0, 2),
        ("1", 1, 2),
    ]


def test_the_newest_versions_count_unless_all_are_asked_for(store: Store) -> None:
    newer = store.bots.register(
        BotVersion("a", "random", options={"ties": "random"}, digest="new")
    ).id
    number = add_tournament(store, 1, 2, newer)
    save_encounter(store, number, 0, (1, 2), "LL")
    save_encounter(store, number, 1, (newer, 2), "WW")
    newest = versus(store, GAME, "a", "b")
    assert (newest.one, newest.whole.wins, newest.whole.losses) == ("a v2", 2, 0)
    every = versus(store, GAME, "a", "b", is_all_versions=True)
    assert (every.one, every.whole.wins, every.whole.losses) == ("a", 2, 2)
    assert [(part.name, part.head_to_head.points) for part in every.versions] == [
        ("a – b", 0),
        ("a v2 – b", 2),
    ]


def test_one_tournament_alone(store: Store) -> None:
    one, other = add_tournament(store, 1, 2), add_tournament(store, 1, 2)
    save_encounter(store, one, 0, (1, 2), "WW")
    save_encounter(store, other, 0, (1, 2), "LL")
    assert versus(store, GAME, "a", "b", tournament=other).whole.losses == 2
    assert versus(store, GAME, "a", "b").whole.matches == 4
    assert versus(store, "othello", "a", "b").whole.matches == 0


def test_bots_on_one_side_are_not_against_each_other(store: Store) -> None:
    game = "pacman?layout=small&ghosts=2"
    config = TournamentConfig(
        game=game, entrants=(1, 2, 3), rounds=1, seed=1, opening_plies=0, limits=Limits(depth=1)
    )
    number = store.tournaments.add(config, 3)
    batch = []
    # Two ghosts win together against whoever is Pacman.
    for rotation, versions in enumerate([(1, 2, 3), (2, 3, 1), (3, 1, 2)]):
        record = MatchRecord(
            game=game,
            versions=versions,
            seed=1,
            opening=(),
            moves=(),
            scores=(0.0, 1.0, 1.0),
            termination=Termination.RULES,
        )
        batch.append((MatchKey(0, rotation), record))
    store.matches.save(number, batch)
    found = versus(store, game, "a", "b")
    assert (found.whole.wins, found.whole.draws, found.whole.losses) == (1, 0, 1)
    assert not found.whole.kinds
    assert len(found.newest) == 2
    # The crosstable counts the same.
    cells = crosstable(store, game, number)[1]
    assert {met: (cell.wins, cell.draws, cell.losses) for met, cell in cells.items()} == {
        (one, other): (1, 0, 1) for one in (1, 2, 3) for other in (1, 2, 3) if one != other
    }


def test_who_is_not_there(store: Store) -> None:
    with pytest.raises(UnknownRowError, match="no bot 'x'"):
        versus(store, GAME, "a", "x")
    with pytest.raises(SetupError, match="against itself"):
        versus(store, GAME, "a", "a")


@pytest.mark.parametrize(
    ("results", "elo", "nelo"),
    [
        ({"losses": 12}, "at most −197.8,", "at most −2"),
        ({"wins": 12}, "at least +197.8,", "at least +2"),
        ({"losses": 1}, "at most +234", "unknown yet"),
        ({"draws": 12}, "+0.0 ±", "unknown yet"),
    ],
)
def test_results_that_are_all_alike_bound_a_difference_on_one_side(
    results: dict[str, Any], elo: str, nelo: str
) -> None:
    found = HeadToHead(**results)
    told = elo_told(found), nelo_told(found)
    assert told[0].startswith(elo)
    assert told[1].startswith(nelo)
    for each in told:
        assert "∞" not in each
        assert "nan" not in each
        assert ("no upper bound yet" in each) == each.startswith("at least")
        assert ("no lower bound yet" in each) == each.startswith("at most")


@given(st.lists(st.integers(0, 60), min_size=3, max_size=5).filter(lambda each: len(each) != 4))
def test_the_bounds_of_normalized_elo_are_on_the_side_of_even(numbers: list[int]) -> None:
    counts = Counts(tuple(numbers))
    if not counts.total:
        return
    found = difference(counts)
    assert found.nelo_low <= found.nelo_high
    if counts.are_alike and found.score < 0.25:
        assert found.nelo_low == -math.inf
        assert found.nelo_high < 0 or found.nelo_high == math.inf
