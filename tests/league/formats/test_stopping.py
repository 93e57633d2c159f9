"""Tournaments that end when the best bot is known."""

import random
from dataclasses import replace

import pytest

from benchmarks.simulation import Luck, draw_score
from games.support.specs import find_game
from league.formats.format import Encounter, Field
from league.formats.specs import make_format
from league.formats.stopping import BestSearch
from league.match.seeds import seed_of
from league.model.errors import SetupError
from league.model.records import TournamentConfig
from league.ratings.best_bot import BestBot
from tests.league.formats.playing import luck
from tests.league.formats.test_schedule import Table, config_of

NAMES = ["a", "b", "c", "d", "e"]

FORMATS = pytest.mark.parametrize("spec", ["adaptive", "roundrobin", "gauntlet", "swiss", "ladder"])


def of_strength(elo: list[float], seed: int = 1) -> Luck:
    """Return results by true ratings, the same for an encounter whenever it is played."""

    def scores(encounter: Encounter, rotation: int) -> tuple[float, ...]:
        one, other = encounter.entrants
        path = (encounter.stage, encounter.opening, one, other, rotation)
        score = draw_score(elo[one] - elo[other], 0.3, random.Random(seed_of(seed, *path)))
        return score, 1 - score

    return scores


CLEAR = of_strength([0, 60, 300, 180, 40])


def until(best: float, spec: str = "adaptive", rounds: int = 10_000) -> TournamentConfig:
    """Return a tournament of five bots that ends when the best one is known."""
    return replace(config_of(spec, 5, rounds), until_best=best)


@pytest.mark.slow
@FORMATS
def test_a_tournament_ends_when_its_best_bot_is_known(spec: str) -> None:
    table = Table(until(0.95, spec), CLEAR, 1)
    assert table.schedule.says(NAMES) == ""
    table.play(12)
    assert table.schedule.planned is None
    assert table.schedule.says(NAMES).startswith("no champion: ")
    table.play()
    says = table.schedule.says(NAMES)
    found = table.schedule.champion()
    assert found is not None
    assert says == f"c is the best bot, with 95% probability, after {found.matches:,} matches"
    assert 30 < found.matches <= len(table.results) < 1500
    assert table.schedule.planned == len(table.results)
    assert set(table.schedule.remade()) == set(table.encounters)
    assert table.schedule.plan(1) == []


@pytest.mark.slow
@FORMATS
def test_interruptions_change_neither_the_matches_nor_the_champion(spec: str) -> None:
    straight, table = Table(until(0.9, spec), CLEAR, 5), Table(until(0.9, spec), CLEAR, 6)
    straight.play()
    for stop in (1, 7, 30, 2):
        table.play(stop)
        table.resume(until(0.9, spec))
    table.play()
    assert table.encounters == straight.encounters
    assert table.schedule.says(NAMES) == straight.schedule.says(NAMES)
    # What is read again says the same as what was told match by match.
    table.resume(until(0.9, spec))
    assert table.schedule.says(NAMES) == straight.schedule.says(NAMES)


def test_the_closest_bots_meet_most() -> None:
    table = Table(until(0.95), of_strength([250, 200, -200, -250, -300]), 1)
    table.play()
    met = [frozenset(each.entrants) for each in table.encounters]
    assert met.count(frozenset({0, 1})) > len(met) / 2
    assert len(set(table.encounters)) == len(met)


def test_bots_that_are_not_told_apart_have_no_champion() -> None:
    table = Table(until(0.95, rounds=20), of_strength([0, 0, -300, -300, -300]), 2)
    table.play()
    assert len(table.encounters) == 40
    assert table.schedule.champion() is None
    says = table.schedule.says(NAMES)
    assert says.startswith("no champion: ")
    assert says.partition(" are not")[0].removeprefix("no champion: ") in ("a and b", "b and a")
    assert says.endswith("95% asked for)")


@pytest.mark.slow
def test_more_certainty_takes_more_matches_of_the_same_tournament() -> None:
    table = Table(until(0.8), CLEAR, 1)
    table.play()
    first, before = table.schedule.champion(), list(table.encounters)
    table.resume(until(0.999))
    table.play()
    found = table.schedule.champion()
    assert first is not None
    assert found is not None
    assert found.matches > first.matches
    assert table.encounters[: len(before)] == before
    assert set(table.schedule.remade()) == set(table.encounters)


def test_a_bot_that_withdrew_is_no_champion() -> None:
    table = Table(until(0.95), CLEAR, 1)
    table.play(60)
    stage = max(each.stage for each in table.encounters) + 1
    smaller = replace(until(0.95), withdrawn=((2, stage),))
    table.resume(smaller)
    table.play()
    assert table.schedule.champion() is not None
    assert not table.schedule.says(NAMES).startswith("c is")
    assert set(table.encounters) <= set(table.schedule.remade())


def test_the_end_is_foreseen() -> None:
    table = Table(until(0.95), CLEAR, 1)
    table.play(100)
    expected = table.schedule.expected()
    table.play()
    assert expected is not None
    assert 0.3 < len(table.results) / expected < 3
    assert BestSearch(BestBot(0, 1, 0.0, 0.1), 50, 0.95).expected is None


def test_three_seats_have_a_champion() -> None:
    game = find_game("tree?file=three-seats")
    config = replace(until(0.95), game=game.spec, entrants=(1, 2, 3, 4))

    def scores(encounter: Encounter, rotation: int) -> tuple[float, ...]:
        drawn = luck(7)(encounter, rotation)
        ordered = sorted(drawn, reverse=True)
        # The first entrant wins half of what it would lose.
        if 0 in encounter.entrants and rotation:
            rest = iter(ordered[1:])
            return tuple(ordered[0] if each == 0 else next(rest) for each in encounter.entrants)
        return drawn

    table = Table(config, scores, 1, game)
    table.play()
    assert table.schedule.says(NAMES).startswith("a is the best bot, with 95% probability")


@pytest.mark.parametrize("spec", ["knockout", "sprt"])
def test_formats_with_an_end_of_their_own_are_refused(spec: str) -> None:
    entrants = (1, 2)
    with pytest.raises(SetupError, match=f"format '{spec}' has an end of its own: .*adaptive"):
        Table(replace(until(0.95, spec), entrants=entrants), CLEAR, 1)


def test_two_ends_by_ratings_are_refused() -> None:
    with pytest.raises(SetupError, match=r"until-error and until-best .*: give one"):
        Table(replace(until(0.95), until_error=20.0), CLEAR, 1)


def test_stages_grow_with_the_tournament() -> None:
    schedule = make_format("adaptive:batch=2")
    field = Field(entrants=4, seats=2, rounds=59, seed=1, is_for_best=True)
    sizes = [len(schedule.stage(number, field, ())) for number in (0, 31, 32, 45, 46)]
    # 32 stages of 2 and 14 of 4 make 120 encounters; 118 were asked for.
    assert sizes == [2, 2, 4, 4, 0]


def test_more_rounds_change_no_stage() -> None:
    equal = of_strength([0, 0, -300, -300, -300])
    table, straight = (Table(until(0.95, rounds=rounds), equal, 2) for rounds in (9, 30))
    table.play()
    table.resume(until(0.95, rounds=30))
    table.play()
    straight.play()
    assert table.encounters == straight.encounters
    assert set(table.schedule.remade()) == set(table.encounters)
