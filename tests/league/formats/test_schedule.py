"""Schedules: whatever ends first, and whatever is interrupted, the same encounters come about."""

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.support.game import Game
from games.support.specs import find_game
from league.formats.format import BracketTie, Encounter
from league.formats.schedule import Schedule, checked_format, field_of
from league.formats.specs import FORMATS, make_format
from league.model.records import Limits, MatchKey, TournamentConfig
from tests.examples import examples
from tests.league.formats.playing import PARAMETERS, Luck, able, luck, play_out

few = examples(12, quick=3)
every_format = pytest.mark.parametrize("spec", able(FORMATS.names()))

SIZES = {"knockout": 6, "sprt": 2, "roundrobin": 4}
GAME = find_game("tictactoe")


def config_of(spec: str, entrants: int, rounds: int, seed: int = 1) -> TournamentConfig:
    """Return what a tournament of so many bots was asked to be."""
    ids = tuple(range(1, entrants + 1))
    return TournamentConfig(
        game=GAME.spec,
        entrants=ids,
        rounds=rounds,
        seed=seed,
        opening_plies=0,
        limits=Limits(),
        format=spec,
        parameters=PARAMETERS if make_format(spec).is_tuning else (),
    )


class Table:
    """A tournament whose matches are drawn, one after another in an order that is drawn too."""

    def __init__(
        self, config: TournamentConfig, scores: Luck, seed: int, game: Game = GAME
    ) -> None:
        self.schedule = Schedule(config, game)
        self.scores = scores
        self.results: dict[MatchKey, tuple[float, ...]] = {}
        self.source = random.Random(seed)
        self.todo: list[MatchKey] = []
        self.begin = 0

    def plan(self) -> None:
        """Plan what can be planned."""
        self.schedule.plan(self.source.randint(1, 9))
        self.todo += self.keys(self.begin)
        self.begin = len(self.schedule.encounters)

    def play(self, matches: int = 1_000_000) -> None:
        """Play to the end, or at most so many matches."""
        for _ in range(matches):
            self.plan()
            if not self.todo:
                assert self.schedule.is_over
                return
            key = self.todo.pop(self.source.randrange(min(4, len(self.todo))))
            encounter = self.schedule.encounters[key.encounter]
            points = self.scores(encounter, key.rotation)
            seated = points[key.rotation :] + points[: key.rotation]
            self.results[key] = seated
            self.schedule.take(key, seated)

    def resume(self, config: TournamentConfig) -> None:
        """Go on as a runner does that knows what is stored alone."""
        self.schedule = Schedule(config, self.schedule.game, self.schedule.encounters, self.results)
        self.todo = [
            key
            for key in self.keys(0)
            if key not in self.results and not self.schedule.is_dropped(key.encounter)
        ]

    def keys(self, begin: int) -> list[MatchKey]:
        """List the matches of the encounters planned from number `begin` on."""
        planned, seats = range(begin, len(self.encounters)), range(self.schedule.game.seats)
        return [MatchKey(number, rotation) for number in planned for rotation in seats]

    @property
    def encounters(self) -> list[Encounter]:
        """What was planned."""
        return self.schedule.encounters


@every_format
@given(st.integers(0, 99), st.integers(1, 4), st.integers(0, 99))
@few
def test_encounters_follow_from_the_results_in_whatever_order_they_come(
    spec: str, seed: int, rounds: int, order: int
) -> None:
    config = config_of(spec, SIZES.get(spec, 5), rounds, seed)
    table = Table(config, luck(seed), order)
    table.play()
    schedule = checked_format(config, GAME)
    straight = play_out(schedule, field_of(config, GAME), luck(seed))
    assert table.encounters == [result.encounter for result in straight]
    assert table.schedule.planned == len(table.results) == 2 * len(straight)
    assert set(table.schedule.remade()) == set(table.encounters)


@every_format
@given(st.integers(0, 99), st.lists(st.integers(0, 12), max_size=4))
@few
def test_interruptions_change_nothing(spec: str, seed: int, stops: list[int]) -> None:
    config = config_of(spec, SIZES.get(spec, 5), 3, seed)
    straight, table = Table(config, luck(seed), 1), Table(config, luck(seed), 2)
    straight.play()
    for stop in stops:
        table.play(stop)
        table.resume(config)
    table.play()
    assert table.encounters == straight.encounters
    assert table.results == straight.results


@every_format
@given(st.integers(0, 99), st.integers(0, 30))
@few
def test_more_rounds_are_what_they_would_have_been(spec: str, seed: int, stop: int) -> None:
    config = config_of(spec, SIZES.get(spec, 5), 2, seed)
    if not make_format(spec).is_extensible:
        return
    longer = replace(config, rounds=4)
    straight, table = Table(longer, luck(seed), 1), Table(config, luck(seed), 2)
    straight.play()
    table.play(stop)
    table.resume(longer)
    table.play()
    assert table.encounters == straight.encounters
    assert table.results == straight.results


@pytest.mark.parametrize("spec", ["roundrobin", "gauntlet"])
@given(st.integers(0, 99), st.integers(0, 30))
@few
def test_who_joins_late_has_played_the_same_in_the_end(spec: str, seed: int, stop: int) -> None:
    config, wider = config_of(spec, 4, 3, seed), config_of(spec, 5, 3, seed)
    straight, table = Table(wider, luck(seed), 1), Table(config, luck(seed), 2)
    straight.play()
    table.play(stop)
    table.resume(wider)
    table.play()
    assert set(table.encounters) == set(straight.encounters)


@pytest.mark.parametrize("spec", ["swiss", "ladder", "adaptive"])
@given(st.integers(0, 99), st.integers(0, 30))
@few
def test_who_joins_later_plays_from_then_on(spec: str, seed: int, stop: int) -> None:
    config = config_of(spec, 4, 6, seed)
    table = Table(config, luck(seed), 1)
    table.play(stop)
    before = list(table.encounters)
    begin = max((each.stage for each in before), default=-1) + 1
    wider = replace(config, entrants=(*config.entrants, 5), joined=(0, 0, 0, 0, begin))
    table.resume(wider)
    table.play()
    assert table.encounters[: len(before)] == before
    assert all(4 not in each.entrants for each in before)
    assert set(table.schedule.remade()) == set(table.encounters)


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["roundrobin", "adaptive"])
def test_a_tournament_ends_when_its_bars_are_as_asked_for(spec: str) -> None:
    config = replace(config_of(spec, 4, 10_000), until_error=60.0)
    table = Table(config, luck(3), 1)
    table.play(30)
    assert table.schedule.planned is None
    expected = table.schedule.expected()
    assert expected is not None
    said = table.schedule.says(["a", "b", "c", "d"])
    assert "Elo, ±60 asked for" in said
    table.play()
    assert table.schedule.planned == len(table.results)
    assert 0.5 < len(table.results) / expected < 2
    # The last stages were begun before the end was known.
    straight = Table(config, luck(3), 5)
    straight.play()
    assert straight.encounters == table.encounters
    wider = replace(config, until_error=120.0)
    short = Table(wider, luck(3), 1)
    short.play()
    assert 2.5 < len(table.results) / len(short.results) < 5


def test_a_test_tells_where_it_stands() -> None:
    config = config_of("sprt:elo0=-40,elo1=40,model=logistic,batch=4", 2, 4000)
    table = Table(config, luck(1), 1)
    names = ["new", "old"]
    assert table.schedule.says(names) == ""
    table.play(40)
    assert "Elo, new against old: LLR" in table.schedule.says(names)
    assert (table.schedule.expected() or 0) > 40
    table.play()
    assert "evidence favours" in table.schedule.says(names)


def test_more_rounds_complete_the_last_batch_of_a_test() -> None:
    spec = "sprt:elo0=0,elo1=1,batch=16"
    table = Table(config_of(spec, 2, 12), luck(1), 1)
    table.play()
    assert len(table.encounters) == 12
    table.resume(config_of(spec, 2, 20))
    table.play()
    assert [each.opening for each in table.encounters] == list(range(20))
    assert table.schedule.remade() == table.encounters


@pytest.mark.parametrize(
    "spec", ["roundrobin", "gauntlet", "swiss", "ladder", "adaptive", "knockout"]
)
@given(st.integers(0, 99), st.integers(0, 30))
@few
def test_who_withdraws_plays_no_more_and_the_others_end(spec: str, seed: int, stop: int) -> None:
    config = config_of(spec, 6, 3, seed)
    table = Table(config, luck(seed), 1)
    table.play(stop)
    before = dict(table.results)
    end = max((each.stage for each in table.encounters), default=-1) + 1
    table.resume(replace(config, withdrawn=((2, end),)))
    table.play()
    fresh = [table.encounters[key.encounter] for key in table.results if key not in before]
    assert all(2 not in each.entrants for each in fresh)
    assert table.schedule.planned == len(table.results)
    remade = set(table.schedule.remade())
    assert {each for each in table.encounters if 2 not in each.entrants} <= remade
    if table.schedule.lag is not None:
        assert remade == set(table.encounters)


def test_points_by_seat_go_to_the_entrants_that_sat_there_among_three() -> None:
    """With two seats a rotation is its own inverse: three tell in which direction it goes."""
    game = find_game("pacman")
    config = TournamentConfig(
        game=game.spec,
        entrants=(1, 2, 3),
        rounds=1,
        seed=1,
        opening_plies=0,
        limits=Limits(),
        format="swiss",
    )
    schedule = Schedule(config, game)
    (encounter,) = schedule.plan(1)
    worth = dict(zip(encounter.entrants, (1.0, 0.5, 0.0), strict=True))
    for number in range(game.seats):
        by_seat = tuple(worth[entrant] for entrant in encounter.rotation(number))
        schedule.take(MatchKey(0, number), by_seat)
    assert schedule.ties() == [BracketTie(0, encounter.entrants, (3.0, 1.5, 0.0))]
