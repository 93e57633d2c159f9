"""The season: newcomers wait for nobody, slow bots take no more time, close bots meet, all meet."""

import random
from collections import Counter
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.simulation import Luck, by_strength
from league.formats.format import EncounterResult, Field
from league.formats.season import NEW, SLACK, Season, ratings_of
from tests.examples import examples
from tests.league.formats.playing import luck

FIELD = Field(entrants=12, seats=2, rounds=10_000, seed=7)
some = examples(12, quick=2)


def held(
    schedule: Season,
    field: Field,
    stages: int,
    scores: Luck,
    costs: list[float],
    results: list[EncounterResult] | None = None,
) -> list[EncounterResult]:
    """Play so many stages more, each bot adding its cost to the time of its encounters."""
    found = list(results or [])
    begin = found[-1].encounter.stage + 1 if found else 0
    for number in range(begin, begin + stages):
        known = [each for each in found if each.encounter.stage < number - 1]
        for each in schedule.stage(number, field, known):
            points = tuple(scores(each, rotation) for rotation in range(field.seats))
            wall_s = sum(costs[entrant] for entrant in each.entrants)
            found.append(EncounterResult(each, points, wall_s=wall_s))
    return found


def counted(results: list[EncounterResult]) -> Counter[int]:
    return Counter(entrant for each in results for entrant in each.encounter.entrants)


@pytest.mark.slow
@given(st.integers(2, 20), st.integers(2, 4), st.integers(0, 99))
@some
def test_everybody_plays_as_much_where_all_are_as_quick(
    entrants: int, seats: int, seed: int
) -> None:
    field = Field(entrants=max(entrants, seats), seats=seats, rounds=10_000, seed=seed)
    results = held(Season(), field, 40, luck(seed), [1.0] * field.entrants)
    played = counted(results)
    assert len(played) == field.entrants
    # A bot is drawn by others as long as it is within its slack, in two stages that are in play.
    least, most = min(played.values()), max(played.values())
    assert most - least <= 4 * SLACK + 6


@pytest.mark.slow
@given(st.integers(6, 16), st.floats(3, 20), st.integers(0, 99))
@some
def test_a_slow_bot_gets_its_share_of_time_to_within_one_encounter(
    entrants: int, slow: float, seed: int
) -> None:
    field = replace(FIELD, entrants=entrants, seed=seed)
    costs = [slow] + [1.0] * (entrants - 1)
    results = held(Season(), field, 200, luck(seed), costs)
    played = counted(results)
    spent = [played[entrant] * costs[entrant] for entrant in range(entrants)]
    assert abs(spent[0] - sum(spent) / entrants) <= slow


# After 20 stages the other bots are no longer new: new bots take turns by their encounters.
@given(st.integers(4, 10), st.integers(20, 30), st.integers(0, 99))
@some
def test_a_newcomer_plays_at_once_and_over_the_range(entrants: int, begin: int, seed: int) -> None:
    field = replace(FIELD, entrants=entrants, seed=seed)
    results = held(Season(), field, begin, luck(seed), [1.0] * entrants)
    joined = (0,) * entrants + (begin,)
    wider = replace(field, entrants=entrants + 1, joined=joined)
    more = held(Season(), wider, 8, luck(seed), [1.0] * (entrants + 1), results)
    new = [each.encounter for each in more if entrants in each.encounter.entrants]
    assert new[0].stage == begin
    # First of its stage, and in each of the next ones.
    first = next(each.encounter for each in more if each.encounter.stage == begin)
    assert entrants in first.entrants
    assert {each.stage for each in new} >= set(range(begin, begin + 4))
    rivals = {each for encounter in new for each in encounter.entrants} - {entrants}
    assert len(rivals) >= min(3, entrants)


@pytest.mark.slow
def test_close_bots_meet_and_no_pair_is_left_out() -> None:
    elo = [100.0 * entrant for entrant in range(12)]
    scores = by_strength(elo, 0.1, random.Random(1))
    results = held(Season(), FIELD, 150, scores, [1.0] * 12)
    met = Counter(tuple(sorted(each.encounter.entrants)) for each in results)
    assert set(met) == set(combinations(range(12), 2))
    late = results[len(results) // 4 :]
    gaps = [abs(one - other) for one, other in (each.encounter.entrants for each in late)]
    # Of all pairs the mean gap is 4.3.
    assert sum(gaps) / len(gaps) < 3
    # "My bot only meets the same two": nobody's most frequent two opponents are all it meets.
    for entrant in range(12):
        own = sorted((count for pair, count in met.items() if entrant in pair), reverse=True)
        assert sum(own[:2]) < 0.6 * sum(own)
    without = held(Season(explored=0.0), FIELD, 150, scores, [1.0] * 12)
    apart = Counter(tuple(sorted(each.encounter.entrants)) for each in without)
    assert met[0, 11] > apart[0, 11]


@pytest.mark.slow
def test_ratings_begin_as_they_are_believed_and_follow_results() -> None:
    field = replace(FIELD, entrants=3, starting_ratings=(150.0, -50.0))
    assert ratings_of(field, []).elo[:3] == pytest.approx([150, -50, 0], abs=2)
    elo = [0.0, 300.0, 0.0]
    results = held(Season(), field, 200, by_strength(elo, 0.0, random.Random(3)), [1.0] * 3)
    found = ratings_of(field, results).elo
    assert found[1] - found[0] == pytest.approx(300, abs=60)


@pytest.mark.slow
def test_who_withdrew_takes_no_share() -> None:
    results = held(Season(), FIELD, 100, luck(1), [1.0] * 12)
    field = replace(FIELD, withdrawn=dict.fromkeys(range(6), 0))
    more = held(Season(), field, 100, luck(1), [1.0] * 12, results)
    before, after = counted(results), counted(more)
    added = [after[entrant] - before[entrant] for entrant in range(6, 12)]
    assert max(added) - min(added) <= 4 * SLACK + 6
    assert all(after[entrant] == before[entrant] for entrant in range(6))


def test_a_stage_is_a_quarter_of_the_field_and_no_pair_meets_twice_in_it() -> None:
    for entrants, size in ((2, 4), (3, 4), (16, 4), (17, 5), (300, 75)):
        stage = Season().stage(0, replace(FIELD, entrants=entrants), ())
        assert len(stage) == size
        pairs = Counter(tuple(sorted(each.entrants)) for each in stage)
        assert max(pairs.values()) == 1 or entrants < 4
    assert len(Season(least=9).stage(0, replace(FIELD, entrants=2), ())) == 9
    assert NEW > 4
