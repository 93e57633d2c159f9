"""Mean payoffs: their intervals hold, and a tournament may be ranked by them."""

import csv
import io
import random
from dataclasses import replace
from pathlib import Path

import pytest

from games.kuhn import Kuhn
from games.support.specs import find_game
from league.analysis.payoffs import Payoff, mean_payoffs, student
from league.analysis.standings import standings
from league.api.league import League
from league.formats.schedule import checked_format
from league.model.errors import SetupError
from league.model.records import TournamentConfig
from league.store.rows import PayoffRow
from tests.league.command import league

KUHN = Kuhn()


def rows(payoffs: list[tuple[float, ...]], versions: tuple[int, ...] = (1, 2)) -> list[PayoffRow]:
    """Return a match of each of the payoffs, each in an encounter of its own."""
    return [PayoffRow(1, place, versions, each, None) for place, each in enumerate(payoffs)]


def test_the_mean_is_of_matches() -> None:
    found = mean_payoffs(rows([(2.0, -2.0), (-1.0, 1.0), (-1.0, 1.0), (1.0, -1.0)]), KUHN)
    assert (found[1].mean, found[2].mean) == (0.25, -0.25)
    # The standard error is sqrt(6.75 / 3 / 4) = 0.75, and the quantile of 3 degrees 3.18.
    assert found[1].error == pytest.approx(0.75 * 3.18, abs=0.01)
    assert (found[1].matches, found[1].unit) == (4, "chips")


def test_one_encounter_tells_no_interval() -> None:
    found = mean_payoffs(rows([(2.0, -2.0)]), KUHN)
    assert found[1] == Payoff(2.0, None, 1, "chips")
    assert str(found[1]) == "+2"


def test_the_matches_of_an_encounter_are_one_observation() -> None:
    """The same luck with the seats changed cancels out."""
    deals = [2.0, -1.0, 1.0, -2.0]
    met = [
        PayoffRow(1, place, seats, won, None)
        for place, luck in enumerate(deals)
        for seats, won in (((1, 2), (luck, -luck)), ((2, 1), (luck, -luck)))
    ]
    found = mean_payoffs(met, KUHN)[1]
    assert (found.mean, found.error, found.matches) == (0.0, 0.0, 8)
    alone = mean_payoffs([each._replace(encounter=place) for place, each in enumerate(met)], KUHN)
    assert (alone[1].error or 0.0) > 1.0


def test_whom_a_bot_meets_is_no_luck() -> None:
    weak = rows([(1.0, -1.0), (2.0, -2.0)] * 10, (1, 2))
    strong = rows([(-1.0, 1.0), (-2.0, 2.0)] * 10, (1, 3))
    met = [*weak, *(each._replace(encounter=each.encounter + 100) for each in strong)]
    both, one = mean_payoffs(met, KUHN)[1], mean_payoffs(weak, KUHN)[1]
    assert both.mean == 0.0
    assert (both.error or 9.0) < (one.error or 0.0)


def test_who_fails_has_the_least_and_the_others_nothing() -> None:
    lost = PayoffRow(1, 9, (1, 2), None, 1)
    found = mean_payoffs([*rows([(1.0, -1.0)]), lost], KUHN)
    assert (found[1].mean, found[1].matches) == (1.0, 1)
    assert (found[2].mean, found[2].matches) == (-1.5, 2)
    adjudicated = PayoffRow(1, 9, (1, 2), None, None)
    assert mean_payoffs([*rows([(1.0, -1.0)]), adjudicated], KUHN)[2].matches == 1


def test_luck_may_explain_a_lead() -> None:
    def payoff(mean: float, error: float | None) -> Payoff:
        return Payoff(mean, error, 100, "chips")

    assert payoff(1.0, 0.6).may_equal(payoff(0.0, 0.5))
    assert not payoff(1.0, 0.4).may_equal(payoff(0.0, 0.5))
    assert payoff(1.0, None).may_equal(payoff(-9.0, 0.1))


@pytest.mark.parametrize(
    ("freedom", "quantile"),
    [(1, 12.706), (2, 4.303), (3, 3.182), (5, 2.571), (10, 2.228), (30, 2.042), (1000, 1.962)],
)
def test_the_quantile_is_that_of_tables(freedom: int, quantile: float) -> None:
    assert student(freedom) == pytest.approx(quantile, abs=0.005)


@pytest.mark.parametrize(("encounters", "least"), [(5, 0.90), (20, 0.925), (100, 0.94)])
def test_intervals_hold(encounters: int, least: float) -> None:
    """Of 2,000 tournaments with very skewed payoffs and shared luck, 95% cover the true mean.

    Fewer where there are only some encounters: Student's distribution is of payoffs without skew.
    """
    source = random.Random(encounters)
    covered = 0
    for _ in range(2000):
        met = []
        for opponent in (2, 3):
            for place in range(encounters):
                luck = source.expovariate(1.0) - 1.0
                for seats in ((1, opponent), (opponent, 1)):
                    mine = opponent + luck + source.gauss(0, 0.5)
                    won = (mine, -mine) if seats[0] == 1 else (-mine, mine)
                    met.append(PayoffRow(1, 1000 * opponent + place, seats, won, None))
        found = mean_payoffs(met, KUHN)[1]
        covered += abs(found.mean - 2.5) <= (found.error or 0.0)
    assert least < covered / 2000 < 0.965


def test_a_tournament_is_ranked_by_payoff(tmp_path: Path) -> None:
    """Who bluffs well wins fewer matches of Kuhn poker, and more chips."""
    with League(str(tmp_path / "league.db")) as cup:
        cup.register("chance", "random", check=False)
        cup.register("solver", "cfr", games=["kuhn"], check=False)
        tournament = cup.run(
            "kuhn",
            progress=False,
            bots="chance,solver",
            rounds=400,
            seed=5,
            rank_by="payoff",
        )
        found = standings(cup.store, "kuhn", tournament.number)
        assert [row.name for row in found.rows] == ["solver", "chance"]
        first, second = found.rows
        assert first.payoff is not None
        assert second.payoff is not None
        assert first.payoff.mean == -second.payoff.mean > 0
        assert first.wins < second.wins
        assert found.says.startswith(f"solver wins with {first.payoff} chips a match")
        assert not any("another bot" in line for line in found.sentences())
        by_rating = standings(cup.store, "kuhn")
        assert by_rating.rows[0].name == "chance"
        assert any("another bot has the best payoff" in line for line in by_rating.sentences())
    assert "chips/match" in league(tmp_path, "standings", "--tournament", "1")
    told = league(tmp_path, "standings", "--tournament", "1", "--csv")
    best = next(csv.DictReader(io.StringIO(told)))
    assert best["bot"] == "solver"
    assert float(best["payoff"]) == pytest.approx(first.payoff.mean)


@pytest.mark.parametrize(
    ("game", "changes", "reason"),
    [
        ("tictactoe", {}, "Tic-tac-toe does not say what its utilities count"),
        ("kuhn", {"format": "swiss"}, "format 'swiss' goes by results"),
        ("kuhn", {"format": "knockout"}, "format 'knockout' goes by results"),
    ],
)
def test_what_cannot_be_ranked_by_payoff(game: str, changes: dict[str, str], reason: str) -> None:
    config = TournamentConfig(
        game=game, entrants=(1, 2), rounds=1, seed=1, opening_plies=0, is_ranked_by_payoff=True
    )
    with pytest.raises(SetupError, match=reason):
        checked_format(replace(config, **changes), find_game(game))  # type: ignore[arg-type]
