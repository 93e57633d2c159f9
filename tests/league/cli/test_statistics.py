"""`league stats versus`, `stats`, `health` and `calibration` as a user reads them."""

import json
import re
import shutil
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

from league.cli.main import cli
from league.model.errors import UnknownRowError
from league.model.records import (
    Limits,
    MatchKey,
    MatchRecord,
    MoveRecord,
    Termination,
    TournamentConfig,
)
from league.store.store import open_store
from tests.league.command import league
from tests.league.matches import add_bots, add_tournament, save_encounter

ODD = "[red]\x1b[31mb"
PAIRS = [(1, 2), (2, 3), (3, 1)]
EVERY = (
    ("stats", "versus", "a", ODD),
    ("stats",),
    ("stats", "health"),
    ("stats", "health", "a"),
    ("stats", "calibration"),
)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a league of three bots, each of which beats the next."""
    path = tmp_path_factory.mktemp("league") / "league.db"
    with open_store(str(path), create=True) as store:
        add_bots(store, "a", ODD, "c")
        number = add_tournament(store, 1, 2, 3)
        for place, pair in enumerate(PAIRS):
            for each, results in enumerate(("WW", "WW", "WW", "WL", "WD", "WW", "WW")):
                opening = (each % 3, 3)
                save_encounter(store, number, 7 * place + each, pair, results, opening)
    return path


@pytest.fixture
def folder(made: Path, tmp_path: Path) -> Path:
    """Return a folder with that league, to change at will."""
    shutil.copy(made, tmp_path)
    return tmp_path


def run(folder: Path, *arguments: str, code: int = 0) -> str:
    """Run a command in this process, at the width of a pipe."""
    found = CliRunner().invoke(cli, [*arguments, "--db", str(folder / "league.db")])
    assert found.exit_code == code, found.output
    return found.output


def data(folder: Path, *arguments: str) -> Any:
    return json.loads(run(folder, *arguments, "--json"))


def test_two_bots(folder: Path) -> None:
    text = run(folder, "stats", "versus", "a", ODD)
    assert "matches     14: 12 won, 1 drawn (7.1%), 1 lost" in text
    assert "encounters  7: LL 0, LD 0, WL 1, DD 0, WD 1, WW 5" in text
    newest = re.findall(r"^ +(\d+) ", text.split(" newest ")[1], re.MULTILINE)
    assert newest == ["14", "13", "12", "11", "10"]
    (found,) = data(folder, "stats", "versus", "a", ODD)
    assert f"nElo        {found['nelo']:+.1f} ± {found['nelo_error']:.1f}" in text
    counts = ",".join(str(found["encounters"][kind]) for kind in found["encounters"])
    calculated = json.loads(CliRunner().invoke(cli, ["sprt", "--counts", counts, "--json"]).output)
    assert found["score"] == pytest.approx(calculated["score"], abs=0.0001)
    # A test that is not near a bound is hardly corrected.
    assert found["elo"] == pytest.approx(calculated["elo"], rel=0.01)
    # So near the end of the scale half an interval is endless, but not the whole of it.
    assert found["elo_error"] is None
    assert re.search(r"Elo +\+\d+\.\d to \+\d+\.\d\n", text)


def test_what_never_ends_is_no_number_in_json(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "league.db"), create=True) as store:
        add_bots(store, "a", "b")
        save_encounter(store, add_tournament(store, 1, 2), 0, (1, 2), "WW")
    assert data(tmp_path, "stats", "versus", "a", "b")[0]["elo_error"] is None
    for arguments in (("stats",), ("stats", "calibration"), ("stats", "health")):
        out = run(tmp_path, *arguments, "--json")
        assert "Infinity" not in out
        assert "NaN" not in out


def test_the_share_of_draws_of_a_pool(folder: Path) -> None:
    assert "draws       7.1%" in run(folder, "stats"), "3 of 42"


def test_the_ring_is_pointed_out(folder: Path) -> None:
    text = run(folder, "stats")
    assert f"cycle: a beats (6:0) {ODD[:5]}\\x1b[31mb beats (6:0) c beats (6:0) a" in text
    assert "One number for each bot does not describe this pool." in run(
        folder, "stats", "calibration"
    )
    assert data(folder, "stats", "calibration")[0]["verdict"] == "fails"


def test_bots_as_programs(folder: Path) -> None:
    text = run(folder, "stats", "health", "c", "--matches", "5")
    assert "newest 5 matches at most" in text
    assert "moves       5, 5 of them without a report" in text
    (found,) = data(folder, "stats", "health", "--matches", "5")
    assert [row["matches"] for row in found["bots"]] == [5, 5, 5]
    assert found["bots"][0]["wall_s"] in (0.005, 0.006)


@pytest.mark.parametrize("arguments", EVERY)
def test_names_are_text_and_lines_keep_within_80_columns(
    folder: Path, arguments: tuple[str, ...]
) -> None:
    text = run(folder, *arguments)
    assert "\x1b" not in text
    assert max(len(line.rstrip()) for line in text.splitlines()) <= 80
    if arguments != ("stats", "health", "a"):
        assert "[red]" in text


def test_long_openings_are_cut_in_the_table_alone(tmp_path: Path) -> None:
    opening = tuple(each % 7 for each in range(20))
    with open_store(str(tmp_path / "league.db"), create=True) as store:
        add_bots(store, "a", "b")
        save_encounter(store, add_tournament(store, 1, 2), 0, (1, 2), "WW", opening)
    text = run(tmp_path, "stats")
    assert "1 2 3 4 5 6 7 1 2 3 4 5 6 …" in text
    assert max(len(line.rstrip()) for line in text.splitlines()) <= 80
    assert len(data(tmp_path, "stats")[0]["openings"][0]["opening"].split()) == 20


def test_the_plot_in_a_file(folder: Path) -> None:
    run(folder, "stats", "calibration", "--svg", str(folder / "plot.svg"))
    ElementTree.parse(folder / "plot.svg")  # noqa: S314 (our own drawing)
    assert run(folder, "stats", "calibration", "--svg", "-").startswith("<svg")


def test_every_game_in_turn_but_one_in_a_picture(folder: Path) -> None:
    with open_store(str(folder / "league.db")) as store:
        config = TournamentConfig(
            game="othello",
            entrants=(1, 2),
            rounds=1,
            seed=1,
            opening_plies=0,
            limits=Limits(depth=1),
        )
        record = MatchRecord(
            game="othello",
            versions=(1, 2),
            seed=1,
            opening=(),
            moves=(MoveRecord(19),),
            scores=(0.5, 0.5),
            termination=Termination.ADJUDICATED,
        )
        store.matches.save(store.tournaments.add(config, 2), [(MatchKey(0, 0), record)])
    assert [each["game"] for each in data(folder, "stats")] == ["connectfour", "othello"]
    assert [
        each["game"] for each in data(folder, "stats", "versus", "a", ODD, "--game", "othello")
    ] == ["othello"]
    assert "choose --game connectfour | othello" in league(
        folder, "stats", "calibration", "--svg", "plot.svg", code=1
    )


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("stats", "versus", "a", "x"), "no bot 'x'"),
        (("stats", "versus", "a", "a"), "'a' against itself: name two bots"),
        (("stats", "versus", "a", "d"), "'a' and 'd' have not met in connectfour"),
        (("stats", "--game", "conectfour"), "did you mean 'connectfour'"),
        (("stats", "--tournament", "9"), "no tournament 9"),
        (("stats", "cost", "--game", "conectfour"), "did you mean 'connectfour'"),
        (("stats", "cost", "--tournament", "9"), "no tournament 9"),
        (("stats", "health", "x"), "no bot 'x'"),
        (("stats", "health", "d"), "no matches of 'd' in connectfour yet"),
        (("stats", "calibration", "--svg", "no/such/plot.svg"), "can't write"),
    ],
)
def test_mistakes(folder: Path, arguments: tuple[str, ...], told: str) -> None:
    with open_store(str(folder / "league.db")) as store:
        add_bots(store, "a", ODD, "c", "d")
    said = league(folder, *arguments, code=1)
    assert told in said
    assert "Traceback" not in said


@pytest.mark.slow
@pytest.mark.parametrize("more", [(), ("health",), ("calibration",)])
def test_a_league_without_matches(tmp_path: Path, more: tuple[str, ...]) -> None:
    with open_store(str(tmp_path / "league.db"), create=True) as store:
        add_bots(store, "a", "b")
        add_tournament(store, 1, 2)
    assert "no matches yet" in league(tmp_path, "stats", *more, code=1)
    league(tmp_path, "stats", *more, "--tournament", "1", code=1 if "health" in more else 0)


@pytest.mark.parametrize(
    "command",
    ["standings", "stats", "crosstable", "stats versus a c", "stats health", "stats cost"],
)
def test_another_game_than_the_tournaments_is_refused(folder: Path, command: str) -> None:
    arguments = (*command.split(), "--game", "othello", "--tournament", "1")
    found = CliRunner().invoke(cli, [*arguments, "--db", str(folder / "league.db")])
    assert isinstance(found.exception, UnknownRowError)
    assert str(found.exception) == "tournament 1 is of 'connectfour', not of 'othello'"
    run(folder, *command.split(), "--game", "connectfour", "--tournament", "1")
