"""The calibration of a stored pool, in figures, in words and drawn."""

from xml.etree import ElementTree

import pytest

from league.analysis.calibration_report import calibration
from league.interchange.documents.catalogue import document_of
from league.interchange.documents.document import to_dict
from league.model.records import Limits, MatchKey, MatchRecord, Termination, TournamentConfig
from league.render.calibration_plot import draw_calibration
from league.store.store import Store
from tests.league.matches import add_tournament, save_encounter

GAME = "connectfour"


def play(store: Store, pairs: list[tuple[int, int]], results: list[str]) -> int:
    """Store these encounters of each of the pairs."""
    number = add_tournament(store, 1, 2, 3)
    for place, pair in enumerate(pairs):
        for each, result in enumerate(results):
            save_encounter(store, number, place * len(results) + each, pair, result)
    return number


def test_an_order_is_one_number(store: Store) -> None:
    play(store, [(1, 2), (2, 3)], ["WW", "WL", "WD", "WL"] * 6)
    found = calibration(store, GAME)
    assert found.bots == ("a", "b", "c")
    assert sum(each.matches for each in found.found.bins) == 96
    told = to_dict(document_of(found))
    # Two pairs and three ratings: nothing is left that could not fit.
    assert told["by_pairs"] is None
    assert {pair["actual"] for pair in told["pairs"]} == {(48 * 0.6875) / 48}
    assert all(pair["expected"] == pytest.approx(0.6875, abs=0.01) for pair in told["pairs"])


def test_a_ring_is_said_to_be_none(store: Store) -> None:
    play(store, [(1, 2), (2, 3), (3, 1)], ["WW", "WW", "WW", "WL"] * 2)
    found = calibration(store, GAME)
    assert to_dict(document_of(found))["verdict"] == "fails"
    assert found.sentences()[0] == "One number for each bot does not describe this pool."
    assert "pair by pair: does not fit (chi-square" in found.sentences()[2]


def test_few_matches_say_so(store: Store) -> None:
    play(store, [(1, 2)], ["WL"])
    assert "too few matches" in calibration(store, GAME).sentences()[0]
    assert calibration(store, "othello").found.bins == ()


def test_bots_on_one_side_are_not_against_each_other(store: Store) -> None:
    game = "pacman?layout=small&ghosts=2"
    config = TournamentConfig(
        game=game, entrants=(1, 2, 3), rounds=1, seed=1, opening_plies=0, limits=Limits(depth=1)
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
    store.matches.save(store.tournaments.add(config, 3), [(MatchKey(0, 0), record)])
    found = calibration(store, game)
    assert [(each.one, each.other) for each in found.found.pairs] == [(0, 1), (0, 2)]


def test_the_plot_is_a_document_that_holds_no_markup_of_ours(store: Store) -> None:
    play(store, [(1, 2), (2, 3), (3, 1)], ["WW", "WL"] * 5)
    found = calibration(store, GAME).found
    drawn = draw_calibration(found, "<b>\x1b[31m&")
    root = ElementTree.fromstring(drawn)  # noqa: S314 (our own drawing)
    tags = [each.tag.rpartition("}")[2] for each in root.iter()]
    assert tags.count("circle") == len(found.bins)
    assert "b" not in tags
    assert "\x1b" not in drawn
