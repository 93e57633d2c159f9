"""Ratings of collections that are in no league."""

import pytest

from games.support.errors import OptionError, UnknownNameError
from league.interchange import rate_pgn
from league.interchange.pgn.results import Results
from league.interchange.rate_pgn import Rating, rate
from league.model.errors import SetupError
from league.ratings.elo_difference import expected_score


def results(**scores: list[int]) -> Results:
    """Return results of pairs, each named by two letters."""
    found = Results()
    for pair, counts in scores.items():
        found.scores[pair[0], pair[1]] = counts
    return found


def elo(rating: Rating) -> dict[str, float]:
    """Return the ratings by name."""
    return {row.name: row.elo for row in rating.rows}


def test_pools_that_never_met_are_rated_apart() -> None:
    rating = rate(results(ab=[6, 2, 2], ba=[3, 4, 3], cd=[1, 0, 3]), anchor=("d", 2000))
    assert rating.pools == 2
    assert rating.matches == 24
    assert [(row.pool, row.rank, row.name) for row in rating.rows] == [
        (1, 1, "a"),
        (1, 2, "b"),
        (2, 1, "d"),
        (2, 2, "c"),
    ]
    found = elo(rating)
    assert found["d"] == 2000
    assert found["a"] + found["b"] == pytest.approx(2 * 2000), "the mean of the other pool"
    first, second = rating.rows[:2]
    assert (first.wins, first.draws, first.losses) == (9, 6, 5)
    assert first.score == 0.6
    assert first.los is not None
    assert 0.6 < first.los < 0.9
    assert second.los is None
    assert first.error is not None
    assert first.error > 0


def test_draws_are_told_as_their_share_between_equals() -> None:
    rating = rate(results(ab=[3, 4, 3], ba=[3, 4, 3]))
    # One decisive match more than there were: a few draws alone prove little.
    assert rating.draw_rate == pytest.approx(8 / 21)


def test_without_a_prior_everybody_scored_exactly_what_was_expected() -> None:
    """What Ordo solves, with its switches -W, -D and the scale -z 200.2405 of 400 Elo."""
    found = results(
        ab=[30, 30, 10],
        ba=[8, 25, 27],
        ac=[40, 15, 5],
        ca=[4, 30, 30],
        bc=[22, 20, 9],
        cb=[9, 9, 9],
    )
    rating = rate(found, prior=0)
    elos, surplus, of_first = elo(rating), dict.fromkeys("abc", 0.0), 0.0
    for (white, black), (wins, draws, losses) in found.scores.items():
        matches = wins + draws + losses
        gap = elos[white] - elos[black] + rating.advantage
        extra = wins + draws / 2 - matches * expected_score(gap)
        surplus[white] += extra
        surplus[black] -= extra
        of_first += extra
    assert [*surplus.values(), of_first] == pytest.approx([0] * 4, abs=1e-6)
    assert sum(elos.values()) == pytest.approx(0)
    with_prior = elo(rate(found))
    assert 0 < elos["a"] - with_prior["a"] < 3


@pytest.mark.parametrize(
    ("scores", "text"),
    [
        ({"ab": [3, 0, 0], "ba": [0, 0, 3]}, "'a': took every point"),
        (
            {"ab": [1, 1, 1], "cd": [1, 1, 1], "ac": [3, 0, 0], "db": [0, 0, 2]},
            "'a', 'b': took every point",
        ),
        ({"ab": [1, 0, 0], "ba": [1, 0, 0]}, "'a', 'b': the first seat alone can explain"),
        ({"ab": [0, 0, 9], "bc": [0, 0, 9], "ca": [0, 0, 9]}, "the second seat alone"),
        ({"ab": [3, 1, 1]}, "first seat's advantage are inseparable"),
    ],
)
def test_without_a_prior_not_all_results_have_likeliest_ratings(
    scores: dict[str, list[int]], text: str
) -> None:
    with pytest.raises(OptionError, match=text):
        rate(results(**scores), prior=0)
    assert len(rate(results(**scores)).rows) == len({name for pair in scores for name in pair})


def test_rare_names_are_left_out_with_their_matches() -> None:
    found = results(ab=[6, 2, 2], ac=[1, 0, 0])
    assert elo(rate(found, at_least=2)).keys() == {"a", "b"}
    assert rate(found, at_least=2).rare == 1
    assert rate(found, at_least=2).matches == 10
    with pytest.raises(SetupError, match="no two who met have 99 each"):
        rate(found, at_least=99)


def test_what_can_not_be_rated_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    found = results(ab=[6, 2, 2], ac=[1, 0, 0])
    with pytest.raises(UnknownNameError, match="unknown name to anchor 'A'"):
        rate(found, anchor=("A", 0))
    empty = Results()
    empty.left_out["unfinished"] = 7
    with pytest.raises(SetupError, match="of its games 7 unfinished"):
        rate(empty)
    monkeypatch.setattr(rate_pgn, "NAMES_MAX", 2)
    with pytest.raises(SetupError, match="3 names, at most 2 can be rated together"):
        rate(found)
