"""Sequential tests as a format: batches, what they decide, how often they err."""

import math
import random
from dataclasses import replace

import pytest

from league.formats.format import Encounter, EncounterResult, Field
from league.formats.specs import make_format
from league.formats.sprt import PATH_MAX
from league.ratings.elo_difference import expected_score
from tests.league.formats.playing import Luck, luck, play_out

NAMES = ("new", "old")
FIELD = Field(entrants=2, seats=2, rounds=20_000, seed=0)


def strength(elo: float, source: random.Random, draws: float = 0.3) -> Luck:
    """Return results of a first bot that is `elo` stronger, each drawn anew."""
    score = expected_score(elo)
    chances = (score - draws / 2, draws, 1 - score - draws / 2)

    def scores(encounter: Encounter, rotation: int) -> tuple[float, ...]:
        points = source.choices((1.0, 0.5, 0.0), chances)[0]
        return points, 1 - points

    return scores


def test_it_goes_on_until_it_is_decided() -> None:
    test = make_format("sprt:elo0=0,elo1=100,batch=5,model=logistic")
    results = play_out(test, FIELD, strength(150, random.Random(1)))
    assert len(results) % 5 == 0
    assert {result.encounter.entrants for result in results} == {(0, 1)}
    assert [result.encounter.opening for result in results] == list(range(len(results)))
    verdict = test.verdict(FIELD, results, NAMES)
    assert verdict.startswith("evidence favours 100 logistic Elo over 0, new against old: LLR +")
    assert "(-2.94 to 2.94), logistic Elo [0, 100], pentanomial [" in verdict
    # The batch that was in play when it decided counts no more.
    assert f"] of {2 * (len(results) - 5)} matches; Elo +" in verdict
    assert verdict.endswith("; 10 matches in play at the decision do not count")
    assert verdict.startswith(test.verdict(FIELD, results[:-5], NAMES))
    assert test.verdict(FIELD, results[:5], NAMES).startswith(
        "undecided between 0 and 100 logistic Elo, new against old: LLR "
    )


@pytest.mark.parametrize("rounds", [12, 16, 20])
def test_rounds_are_exact(rounds: int) -> None:
    test = make_format("sprt:elo0=0,elo1=1,batch=16")
    assert len(play_out(test, replace(FIELD, rounds=rounds), luck(1))) == rounds


def test_more_rounds_fill_the_last_batch() -> None:
    """A batch that the rounds cut short is completed, and nothing is planned twice."""
    test = make_format("sprt:elo0=0,elo1=1,batch=16")
    short = play_out(test, replace(FIELD, rounds=12), luck(1))
    assert test.fills_last_stage
    longer = play_out(test, replace(FIELD, rounds=20), luck(1))
    assert [each.encounter for each in longer[:12]] == [each.encounter for each in short]


def test_the_bayesian_model_tests_single_matches() -> None:
    with pytest.raises(ValueError, match="counts=trinomial"):
        make_format("sprt:model=bayesian").check(FIELD)
    test = make_format("sprt:elo1=100,model=bayesian,counts=trinomial")
    test.check(FIELD)
    results = play_out(test, FIELD, strength(150, random.Random(1)))
    assert "favours 100 BayesElo over 0" in test.verdict(FIELD, results, NAMES)


def test_encounters_or_matches_are_counted() -> None:
    """Encounters whose two matches always cancel tell a lot of a difference; matches don't."""
    encounters = [Encounter(stage, stage, (0, 1)) for stage in range(40)]
    scores = ((1.0, 0.0), (0.0, 1.0))
    results = [EncounterResult(each, scores) for each in encounters]
    paired = make_format("sprt:elo0=0,elo1=30,batch=1,model=logistic")
    single = make_format("sprt:elo0=0,elo1=30,batch=1,model=logistic,counts=trinomial")
    assert "favours 0 logistic Elo over 30" in paired.verdict(FIELD, results, NAMES)
    assert "undecided" in single.verdict(FIELD, results, NAMES)
    assert "trinomial [40, 40, 0] of 80 matches" in single.verdict(FIELD, results, NAMES)


@pytest.mark.parametrize(
    ("field", "spec", "text"),
    [
        (
            Field(entrants=3, seats=2, rounds=1, seed=0),
            "sprt",
            "3 entrants: a test is of one bot against another",
        ),
        (Field(entrants=3, seats=3, rounds=1, seed=0), "sprt", "can't fill 3 seats"),
        (
            Field(entrants=2, seats=2, rounds=1, seed=0),
            "sprt:elo0=5,elo1=5",
            "elo0 5 must be less than elo1 5",
        ),
        (
            Field(entrants=2, seats=2, rounds=1, seed=0),
            "sprt:alpha=0",
            "alpha 0 must be more than 0",
        ),
    ],
)
def test_what_is_no_test(field: Field, spec: str, text: str) -> None:
    with pytest.raises(ValueError, match=text):
        make_format(spec).check(field)


@pytest.mark.slow
@pytest.mark.parametrize("counts", ["pentanomial", "trinomial"])
@pytest.mark.parametrize("is_stronger", [False, True])
def test_error_rates_by_simulation(counts: str, is_stronger: bool) -> None:
    """In batches, two of them in play, it errs no more often than it may, but for chance."""
    test = make_format(
        f"sprt:elo0=0,elo1=60,alpha=0.1,beta=0.1,batch=4,model=logistic,counts={counts}"
    )
    source, runs = random.Random(9), 100
    wrong = "favours 0 logistic" if is_stronger else "favours 60 logistic"
    errors = 0
    for _ in range(runs):
        results = play_out(test, FIELD, strength(60 if is_stronger else 0, source))
        errors += wrong in test.verdict(FIELD, results, NAMES)
    assert errors / runs <= 0.1 + 3 * math.sqrt(0.09 / runs)
    assert errors > 0


@pytest.mark.parametrize("counts", ["pentanomial", "trinomial"])
def test_the_path_ends_where_the_test_decided(counts: str) -> None:
    spec = f"sprt:elo0=0,elo1=40,batch=3,model=logistic,counts={counts}"
    test = make_format(spec)
    assert test.trial(FIELD, []) is None
    results = play_out(test, FIELD, strength(80, random.Random(3)))
    trial = test.trial(FIELD, results)
    assert trial is not None
    each = 1 if counts == "pentanomial" else 2
    # The batch that was in play when it decided counts no more.
    assert trial.path[0] == (0, 0)
    assert trial.path[-1][0] == trial.counts.total == each * (len(results) - 3)
    # There is a point for every encounter.
    assert [place for place, _ in trial.path] == [each * n for n in range(len(results) - 2)]
    assert trial.state == "accepted"
    low, high = trial.test.bounds
    assert trial.path[-1][1] >= high
    # It looked only between batches.
    assert trial.batch == 3
    assert all(low < llr < high for _, llr in trial.path[:-1:3])
    verdict = test.verdict(FIELD, results, NAMES)
    assert f"LLR {trial.path[-1][1]:+.2f}" in verdict
    assert sum(trial.record) == 2 * (len(results) - 3)
    won, drawn, _ = trial.record
    points = zip(trial.counts.scores, trial.counts.numbers, strict=True)
    matches_each = trial.counts.matches_each
    assert won + drawn / 2 == sum(score * number * matches_each for score, number in points)
    assert trial.late == 6
    assert f"{trial.late} matches in play at the decision do not count" in verdict


def test_a_long_path_has_fewer_points_and_keeps_those_it_had() -> None:
    test = make_format("sprt:elo0=-1,elo1=1,batch=4")
    source = random.Random(5)
    results = []
    for number in range(2 * PATH_MAX):
        scores = tuple((mine, 1 - mine) for mine in source.choices((0.0, 0.5, 1.0), k=2))
        results.append(EncounterResult(Encounter(number // 4, number, (0, 1)), scores))
    whole = test.trial(FIELD, results)
    part = test.trial(FIELD, results[: PATH_MAX + 1])
    assert whole is not None
    assert part is not None
    assert PATH_MAX / 2 < len(part.path) <= PATH_MAX + 2
    assert [place for place, _ in whole.path] == list(range(0, 2 * PATH_MAX + 1, 2))
    # The last point is where the results end.
    assert part.path[:-1] == whole.path[: len(part.path) - 1]
    assert part.path[-1][0] == PATH_MAX + 1
    # Results come in any order.
    assert test.trial(FIELD, results[::-1]) == whole
