"""Tournaments that end with a champion: asked for, played, resumed and extended."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from league.analysis.outlook import outlook
from league.analysis.verify import verify
from league.formats.schedule import EXHAUSTED
from league.model.errors import SettingError, SetupError
from league.model.tournament_spec import TournamentSpec
from league.registration.register import register
from league.store.store import Store, open_store
from league.tournament.create import create_tournament
from league.tournament.lifecycle import extend
from league.tournament.progress import Progress
from league.tournament.settings import probability, read_settings, spec_of, write_settings
from tests.league.in_process import run_here
from tests.league.tournament.test_runner import contents, league_of

SETTINGS = {"game": "tictactoe", "bots": "rnd,greedy,deep", "depth": 2, "seed": 5}


def held(folder: Path, until_best: object = "95%", **settings: object) -> Store:
    """Make a league with a tournament that ends when the best of three bots is known."""
    store = drawing_league(folder)
    create_tournament(store, read_settings({**SETTINGS, "until-best": until_best, **settings}))
    return store


def drawing_league(folder: Path) -> Store:
    """Make a league with bots whose matches do not repeat."""
    store = league_of(folder)
    for name, spec in {"greedy": "greedy", "deep": "alphabeta:depth=3"}.items():
        register(store, name, spec, options={"ties": "random"}, is_checked=False)
    return store


@pytest.mark.parametrize("value", ["95%", "0.95", 0.95, " 95 % "])
def test_a_probability_is_a_share_or_in_percent(value: object) -> None:
    assert probability(value) == 0.95


@pytest.mark.parametrize("value", ["95", "100%", 1, "49.9%", 0, "nan", "much", True, "-95%"])
def test_other_probabilities_are_refused_with_a_hint(value: object) -> None:
    with pytest.raises(SettingError, match=r"expected from 50% to below 100%, as 95% or 0\.95"):
        read_settings({**SETTINGS, "until-best": value})


def test_the_format_is_adaptive_unless_one_is_given() -> None:
    assert read_settings({**SETTINGS, "until-best": "95%"}).format == "adaptive"
    given = read_settings({**SETTINGS, "until-best": "95%", "format": "roundrobin"})
    assert given.format == "roundrobin"
    assert read_settings(write_settings(given)) == given


def test_a_value_of_a_spec_is_checked_too(tmp_path: Path) -> None:
    store = league_of(tmp_path)
    spec = TournamentSpec(game="tictactoe", bots=["rnd", "gr"], until_best=95.0)
    with pytest.raises(SettingError, match=r"'95\.0': expected from 50%"):
        create_tournament(store, spec)


@pytest.mark.slow
def test_a_tournament_is_played_until_its_best_bot_is_known(tmp_path: Path) -> None:
    store = held(tmp_path)
    assert store.tournaments.get(1).total is None
    run_here(store, 1, workers=2)
    row = store.tournaments.get(1)
    assert row.is_finished
    assert outlook(store, row).says.startswith("deep is the best bot, with 95% probability, after ")
    assert verify(store)[1] == []
    again = spec_of(store, row)
    assert (again.until_best, again.format) == (0.95, "adaptive")


@pytest.mark.slow
def test_resumed_equals_uninterrupted(tmp_path: Path) -> None:
    straight, store = held(tmp_path / "straight"), held(tmp_path / "stopped")
    run_here(straight, 1, workers=2)

    def stop(progress: Progress) -> None:
        if progress.played >= 10:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_here(store, 1, workers=1, on_progress=stop)
    store.close()
    with open_store(str(tmp_path / "stopped" / "league.db")) as again:
        assert not again.tournaments.get(1).is_finished
        run_here(again, 1, workers=1)
        assert contents(again, 1) == contents(straight, 1)
        ends = [outlook(each, each.tournaments.get(1)).says for each in (again, straight)]
    assert ends[0] == ends[1]


def test_a_limit_of_rounds_ends_it_without_a_champion(tmp_path: Path) -> None:
    store = held(tmp_path, bots="rnd,gr", rounds=3)
    run_here(store, 1, workers=1)
    assert store.tournaments.get(1).is_finished
    says = outlook(store, store.tournaments.get(1)).says
    assert re.fullmatch(r"no champion: \w+ and \w+ are not separated after 8 matches \(.*\)", says)
    assert says.endswith("95% asked for)")


@pytest.mark.slow
def test_a_champion_takes_no_more_rounds_but_more_certainty(tmp_path: Path) -> None:
    store = held(tmp_path)
    run_here(store, 1, workers=1)
    played = store.tournaments.get(1).played
    with pytest.raises(SetupError, match=r"has found its best bot.*more than 95%"):
        extend(store, 1, 3)
    for less in (0.9, 0.95, 1.0):
        with pytest.raises(SetupError, match="tournament 1 ends with 95%: give more, below 100%"):
            extend(store, 1, 0, until_best=less)
    with pytest.raises(
        SetupError, match="ends when the best bot is known: give --until-best or --rounds"
    ):
        extend(store, 1, 0, until_error=10)
    extend(store, 1, 0, until_best=0.9999)
    run_here(store, 1, workers=1)
    assert store.tournaments.get(1).played > played
    assert "with 99.9% probability" in outlook(store, store.tournaments.get(1)).says
    assert verify(store)[1] == []


def test_other_tournaments_get_no_champion_later(tmp_path: Path) -> None:
    store = drawing_league(tmp_path)
    spec = read_settings({**SETTINGS, "rounds": 1})
    create_tournament(store, spec)
    create_tournament(store, replace(spec, until_error=100.0))
    with pytest.raises(SetupError, match=r"tournament 1 ends after its rounds.*give --rounds"):
        extend(store, 1, 0, until_best=0.95)
    with pytest.raises(SetupError, match=r"tournament 2 ends at an error.*give --until-error"):
        extend(store, 2, 0, until_best=0.95)


def test_matches_that_only_repeat_choose_nobody(tmp_path: Path) -> None:
    store = drawing_league(tmp_path)
    spec = read_settings({**SETTINGS, "bots": "ab,gr", "until-best": "95%"})
    row = create_tournament(store, spec)
    run_here(store, row.id, workers=1)
    row = store.tournaments.get(row.id)
    distinct = sum(store.totals.columns(tournament=row.id).distinct)
    assert row.is_finished
    assert 0 < distinct < row.played
    assert outlook(store, row).says.endswith(EXHAUSTED)
    assert verify(store)[1] == []
