"""What every rating system must keep to, on matches that are drawn."""

import json
import random
from collections.abc import Sequence

import numpy as np
import pytest

from benchmarks.simulation import draw_score
from games.support.errors import InputError
from league.ratings.rating_system import MatchSystem, RatingSystem, SystemRatings, TotalsSystem
from league.ratings.result_table import ResultColumns
from league.ratings.system_specs import SYSTEMS, make_system, settings_of
from tests.parts import check_texts

Matches = list[tuple[tuple[int, ...], tuple[float, ...]]]

every_system = pytest.mark.parametrize("name", SYSTEMS.names())
ELO = (500.0, 250.0, 0.0, -250.0, -500.0)
BOTS = range(len(ELO))
SIDES = (0, 1, 1)


def made(name: str) -> RatingSystem:
    """Make a system as it comes, or skip where its package is missing."""
    if name == "openskill":
        pytest.importorskip("openskill")
    return make_system(name)


def duels(count: int, seed: int = 1) -> Matches:
    source = random.Random(seed)
    found: Matches = []
    for _ in range(count):
        one, other = source.sample(BOTS, 2)
        score = draw_score(ELO[one] - ELO[other], 0.3, source)
        found.append(((one, other), (score, 1 - score)))
    return found


def threesomes(count: int, seed: int = 1) -> Matches:
    source = random.Random(seed)
    found: Matches = []
    for _ in range(count):
        bots = tuple(source.sample(BOTS, 3))
        drawn = [ELO[bot] / 174 + source.gauss(0, 1.5) for bot in bots]
        found.append((bots, tuple(sum(b < a for b in drawn) / 2 for a in drawn)))
    return found


def rated(system: RatingSystem, matches: Matches, sides: Sequence[int] = ()) -> SystemRatings:
    if isinstance(system, TotalsSystem):
        results = ResultColumns.of([(bots, scores, 1) for bots, scores in matches], sides)
        return system.rate(len(ELO), results)
    live = system.start(sides)
    for bots, scores in matches:
        live.take(bots, scores)
    return live.rated(BOTS)


@every_system
@pytest.mark.parametrize("seats", [2, 3])
def test_the_stronger_are_rated_higher(name: str, seats: int) -> None:
    matches = duels(800) if seats == 2 else threesomes(800)
    found = rated(made(name), matches)
    assert found.values.shape == (len(ELO),)
    assert sorted(BOTS, key=lambda bot: -found.values[bot]) == list(BOTS)
    if found.errors is not None:
        assert found.errors.shape == (len(ELO),)
        assert (found.errors > 0).all()
        assert np.isfinite(found.errors).all()
    if found.covariance is not None:
        assert found.covariance.shape == (len(ELO), len(ELO))


@every_system
def test_the_same_matches_give_the_same(name: str) -> None:
    one, other = rated(made(name), duels(50)), rated(made(name), duels(50))
    assert one.values.tolist() == other.values.tolist()


@every_system
@pytest.mark.parametrize("stop", [0, 1, 7, 33])
def test_a_live_rating_goes_on_from_its_state_exactly(name: str, stop: int) -> None:
    system = made(name)
    if not isinstance(system, MatchSystem):
        return
    matches = duels(50)
    live = system.start()
    for bots, scores in matches[:stop]:
        live.take(bots, scores)
    live = system.start(state=json.dumps(live.state()))
    for bots, scores in matches[stop:]:
        live.take(bots, scores)
    assert live.rated(BOTS).values.tolist() == rated(system, matches).values.tolist()


@every_system
def test_a_side_is_not_rated_against_itself(name: str) -> None:
    """Two that lose together all the time are as good as each other, and worse than the third."""
    matches: Matches = [((0, 1, 2), (1.0, 0.0, 0.0)), ((0, 2, 1), (1.0, 0.0, 0.0))]
    values = rated(made(name), 4 * matches, SIDES).values
    assert values[0] > values[1]
    assert values[1] == pytest.approx(values[2], rel=1e-3)


def test_live_elo_takes_nothing_from_those_on_the_same_side() -> None:
    system = make_system("elo")
    assert isinstance(system, MatchSystem)
    live = system.start(SIDES, json.dumps({"0": 1200, "1": 1500, "2": 1100}))
    live.take((0, 1, 2), (1.0, 0.0, 0.0))
    # A draw with the strong one beside it would have moved the weak one up.
    assert live.rated([2]).values[0] == pytest.approx(1100 - 10 / (1 + 10 ** (100 / 400)))


@every_system
def test_matches_in_which_no_bot_started_rate_nobody(name: str) -> None:
    duel, threesome = ((0, 1), (0.0, 0.0)), ((0, 1, 2), (0.0, 0.0, 0.0))
    matches: list[Matches] = [[duel] * 3, [threesome] * 3]
    for each in matches:
        system = made(name)
        if isinstance(system, TotalsSystem):
            values = rated(system, each).values
            assert np.isfinite(values).all()
            assert np.ptp(values) == 0


@every_system
def test_a_system_says_what_it_is(name: str) -> None:
    check_texts(SYSTEMS.find(name), name)


@every_system
def test_an_unknown_option_is_refused(name: str) -> None:
    with pytest.raises(InputError, match=f"unknown option 'colour' of rating system {name}"):
        make_system(f"{name}:colour=red")


def test_an_unknown_system_gets_a_suggestion() -> None:
    with pytest.raises(InputError, match=r"unknown rating system 'fited' \(did you mean 'fitted'"):
        make_system("fited")


def test_a_package_that_lacks_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(InputError, match=r"pip install 'botleague\[openskill\]'"):
        make_system("openskill")


def test_a_leagues_settings_stand_behind_what_is_asked_for() -> None:
    usual = {"k": "32", "initial": "1000"}
    asked = settings_of(make_system("elo:k=20", usual))
    assert asked == {"k": 20.0, "initial": 1000.0}
    assert "k" not in settings_of(make_system("fitted", usual))


def test_glicko_2_moves_as_in_its_paper() -> None:
    """Source: M. Glickman, Example of the Glicko-2 system (2022), its worked example."""
    system = make_system("glicko2:period=99")
    assert isinstance(system, MatchSystem)
    scale = 173.7178
    begin = {0: (1500, 200), 1: (1400, 30), 2: (1550, 100), 3: (1700, 300)}
    bots = {str(bot): [(r - 1500) / scale, rd / scale, 0.06] for bot, (r, rd) in begin.items()}
    live = system.start(state=json.dumps({"bots": bots, "period": []}))
    for other, score in ((1, 1.0), (2, 0.0), (3, 0.0)):
        live.take((0, other), (score, 1 - score))
    found = live.rated([0])
    assert found.errors is not None
    assert found.values[0] == pytest.approx(1464.06, abs=0.01)
    assert found.errors[0] / 1.959964 == pytest.approx(151.52, abs=0.01)


def test_glicko_2_knows_less_of_who_does_not_play() -> None:
    system = make_system("glicko2:period=1")
    assert isinstance(system, MatchSystem)
    live = system.start()
    live.take((0, 1), (1.0, 0.0))
    before = live.rated([0]).errors
    live.take((1, 2), (1.0, 0.0))
    after = live.rated([0]).errors
    assert before is not None
    assert after is not None
    assert after[0] > before[0]


def test_openskill_says_what_the_package_says() -> None:
    models = pytest.importorskip("openskill.models")
    found = rated(made("openskill"), [((0, 1, 2), (1.0, 0.5, 0.0))])
    model = models.PlackettLuce()
    expected = model.rate([[model.rating()] for _ in range(3)], ranks=[1, 2, 3])
    assert found.values[:3].tolist() == pytest.approx([team[0].mu for team in expected])
