"""Config files: written, read, overridden, and wrong."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.cli.settings_options import read_config, write_config
from league.model.records import OwnLimits, TournamentConfig
from league.model.time_control import read_span, write_span
from league.store.store import open_store
from tests.league.command import league

FULL = (
    *("--game", "connectfour?columns=5", "--format", "swiss:bye=0.5", "--rounds", "2"),
    *("--bots", "ab,rnd,gr", "--seed", "7", "--opening-plies", "1", "--until-error", "9.5"),
    *("--budget", "90s", "--time", "40/60+0.5:30s", "--move-time", "1500ms", "--depth", "2"),
    *("--depth-rounds", "3", "--nodes", "1000", "--grace", "75ms", "--cap", "30s"),
    *("--start-time", "20s", "--memory", "900M", "--max-plies", "30", "--handicap", "ab=0.5"),
    *(
        "--draw",
        "score=0.1,moves=8,after=20",
        "--win",
        "score=6,moves=4,twosided=no",
        "--restart",
        "match",
    ),
    *("--win", "score=6,moves=4,twosided=no"),
    *(
        "--isolation",
        "limits",
        "--pondering",
        "--bot-limits",
        "gr:time=40/1:30+1:20/30,depth=3,restart=never",
    ),
)

QUIETLY = ("--quiet", "--workers", "1")
"""Options of a run that are no part of a config."""


def config_of(folder: Path, tournament: int) -> TournamentConfig:
    """Return what a tournament was asked to be."""
    with open_store(str(folder / "league.db"), read_only=True) as store:
        return store.tournaments.get(tournament).config


@pytest.fixture(scope="module")
def three_bots(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a league of three bots, to be copied."""
    made = tmp_path_factory.mktemp("three")
    for name, spec in {"ab": "minimax", "rnd": "random", "gr": "greedy"}.items():
        league(made, "register", name, spec, "--no-check")
    return made


@pytest.fixture
def folder(tmp_path: Path, three_bots: Path) -> Path:
    """Make a league of three bots."""
    shutil.copytree(three_bots, tmp_path, dirs_exist_ok=True)
    return tmp_path


@pytest.mark.slow
def test_a_saved_file_and_a_stored_tournament_are_held_again(folder: Path) -> None:
    league(folder, "run", *FULL, *QUIETLY, "--save", "league.toml")
    league(folder, "run", "league.toml", *QUIETLY)
    league(folder, "run", "--again", "1", *QUIETLY)
    asked = config_of(folder, 1)
    own = OwnLimits(time="40/90+1:20/30", depth=3, is_restarted=False)
    assert asked.handicaps == (0.5, 1.0, own)
    assert asked.adjudication.draw is not None
    assert asked == config_of(folder, 2) == config_of(folder, 3)
    # What is said on the command line comes first, then the file.
    (folder / "more.toml").write_text('rounds = 1\nmove-time = "2s"\nbots = ["gr", "ab"]\n')
    league(folder, "run", "more.toml", "--again", "1", "--rounds", "3", *QUIETLY)
    changed = config_of(folder, 4)
    assert (changed.rounds, changed.limits.move_s) == (3, 2.0)
    assert changed.entrants == (asked.entrants[2], asked.entrants[0])
    assert replace(changed.limits, move_s=1.5) == asked.limits


@pytest.mark.slow
def test_openings_of_a_file_are_saved_by_its_place_and_held_again_without_it(folder: Path) -> None:
    book, far = folder / "book.txt", folder / "far" / "league.toml"
    book.write_text("1 2\n3 4\n5 6\n")
    far.parent.mkdir()
    asked = ("--game", "connectfour", "--bots", "ab,gr", "--depth", "2", "--rounds", "2", *QUIETLY)
    named = ("--openings", "book.txt", "--openings-order", "random", "--save", str(far))
    league(folder, "run", *asked, *named)
    league(folder, "run", str(far), *QUIETLY)
    book.unlink()
    league(folder, "run", "--again", "2", *QUIETLY)
    assert config_of(folder, 1).openings
    first, second = config_of(folder, 1), config_of(folder, 2)
    # A drawn seed is not saved, and the order of the openings depends on it.
    assert first.seed != second.seed
    assert replace(first, seed=second.seed, openings=second.openings) == second
    assert second.openings == config_of(folder, 3).openings
    assert "book.txt" in league(folder, "run", str(far), "--quiet", code=1)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("rouns = 3", "league.toml: unknown setting 'rouns' (did you mean 'rounds'?)"),
        ("move_time = '1s'", "unknown setting 'move_time' (did you mean 'move-time'?)"),
        ("save = 'x.toml'", "unknown setting 'save'"),
        ("rounds = 'many'", "league.toml: rounds: 'many': expected a whole number from 1 on"),
        ("move-time = 'soon'", "league.toml: move-time: 'soon' is not a time"),
        ("format = 'swis'", "unknown format 'swis' (did you mean 'swiss'?)"),
        ("[handicap]\nab = 'half'", "league.toml: handicap: 'ab=half' is not a handicap"),
        ("rounds = ", "league.toml: Invalid value (at end of document)"),
        ("game = 'tictactoe'", "league.toml: Cannot overwrite a value"),
    ],
)
def test_what_is_wrong_with_a_file_is_told_in_a_line(folder: Path, text: str, told: str) -> None:
    (folder / "league.toml").write_text(f"game = 'connectfour'\nbots = 'all'\n{text}")
    said = league(folder, "run", "league.toml", code=1)
    assert told in said
    assert said.count("\n") == 1
    assert not config_exists(folder)


def test_files_that_are_none(folder: Path) -> None:
    assert "no.toml: No such file" in league(folder, "run", "no.toml", code=1)
    (folder / "latin.toml").write_bytes(b"game = '\xe4'")
    assert "latin.toml: it is not UTF-8 text" in league(folder, "run", "latin.toml", code=1)
    assert "no tournament 9" in league(folder, "run", "--again", "9", code=1)


def config_exists(folder: Path) -> bool:
    """Whether any tournament was stored."""
    with open_store(str(folder / "league.db"), read_only=True) as store:
        return bool(store.tournaments.all())


def test_files_are_meant_from_the_folder_of_the_config(tmp_path: Path) -> None:
    path = tmp_path / "far" / "league.toml"
    path.parent.mkdir()
    write_config(path, {"openings": "book.txt", "tablebases": "a:/b", "db": "sqlite:///x.db"})
    assert read_config(path, dict.fromkeys(["openings", "tablebases", "db"])) == {
        "openings": str(tmp_path / "far" / "book.txt"),
        "tablebases": f"{tmp_path / 'far' / 'a'}:/b",
        "db": "sqlite:///x.db",
    }


@given(st.integers(1, 10**12).map(lambda number: number / 10**6))
def test_a_span_is_read_as_it_was_written(seconds: float) -> None:
    assert read_span(write_span(seconds)) == seconds
