"""Tournaments in the order of their formats, and what these conclude."""

import json
import re
from pathlib import Path

import pytest

from league.analysis.outlook import outlook
from league.analysis.standings import Standings, standings
from league.formats.format import TableOrder
from league.model.errors import LeagueError
from league.model.records import Limits
from league.model.tiebreak import Tiebreak
from league.model.tournament_spec import TournamentSpec
from league.store.store import Store, open_store
from league.tournament.create import create_tournament
from league.tournament.planner import Planner
from tests.league.command import league
from tests.league.in_process import run_here
from tests.league.matches import add_bots

GAME = "tictactoe"
FORMATS = {
    "swiss": TableOrder.POINTS,
    "roundrobin": TableOrder.POINTS,
    "gauntlet": TableOrder.POINTS,
    "knockout": TableOrder.PLACES,
    "ladder": TableOrder.PLACES,
    "adaptive": TableOrder.RATING,
}


def played(store: Store, format: str, tiebreaks: tuple[Tiebreak, ...] = ()) -> Standings:
    """Play a tournament of a, b, c, d and e to its end."""
    spec = TournamentSpec(
        game=GAME,
        bots=list("abcde"),
        format=format,
        seed=4,
        limits=Limits(depth=1),
        tiebreaks=tiebreaks,
    )
    row = create_tournament(store, spec)
    run_here(store, row.id, workers=1)
    return standings(store, GAME, row.id)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """Open a league of five bots in which every format was played."""
    found = open_store(str(tmp_path_factory.mktemp("outlook") / "league.db"), create=True)
    add_bots(found, *"abcde")
    for format in FORMATS:
        played(found, format)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("number", range(1, 1 + len(FORMATS)))
def test_rows_are_in_the_order_of_the_format(store: Store, number: int) -> None:
    name, order = list(FORMATS.items())[number - 1]
    found = standings(store, GAME, number)
    assert found.outlook.order is order
    ranks = [row.rank for row in found.rows]
    assert ranks == sorted(ranks)
    if order is TableOrder.POINTS:
        totals = [row.total or 0 for row in found.rows]
        assert totals == sorted(totals, reverse=True)
        assert all(len(row.tiebreaks) == len(found.outlook.tiebreaks) for row in found.rows)
    if order is TableOrder.RATING:
        ratings = [row.rating for row in found.rows]
        assert ratings == sorted(ratings, reverse=True)
    assert bool(found.says) == (name not in ("gauntlet", "adaptive"))
    assert not found.says or found.rows[0].bot in found.says


@pytest.mark.slow
@pytest.mark.parametrize("format", ["season", "adaptive"])
def test_one_that_ratings_order_is_told_without_its_results(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, format: str
) -> None:
    with open_store(str(tmp_path / "league.db"), create=True) as store:
        add_bots(store, *"abcde")
        spec = TournamentSpec(
            game=GAME, bots=list("abcde"), format=format, limits=Limits(depth=1), rounds=6
        )
        row = create_tournament(store, spec)
        run_here(store, row.id, workers=1)
        schedule = Planner(store, row.id).schedule
        assert schedule.results
        expected = schedule.expected()
        # Thousands of encounters of a season take longer than a page may.
        monkeypatch.delattr(Planner, "__init__")
        found = outlook(store, store.tournaments.get(row.id))
        assert (found.says, found.expected, found.table) == ("", expected, None)


def test_a_bye_counts_in_the_table_and_in_no_score(store: Store) -> None:
    rows = standings(store, GAME, 1).rows
    byes = {row.bot: (row.total or 0) - row.points for row in rows}
    # Five bots play four stages, each with a bye worth both matches.
    assert sorted(byes.values()) == [0, 2, 2, 2, 2]
    assert all(row.score <= 1 for row in rows)


def test_who_goes_out_later_in_a_knockout_stands_higher(store: Store) -> None:
    rows = standings(store, GAME, 4).rows
    assert [row.rank for row in rows] == [1, 2, 3, 3, 5]
    assert "is the champion" in standings(store, GAME, 4).says


def test_the_tie_breaks_of_a_tournament_are_its_own(store: Store) -> None:
    given = (Tiebreak.DIRECT, Tiebreak.BUCHHOLZ)
    assert played(store, "swiss", given).outlook.tiebreaks == given
    with pytest.raises(LeagueError, match=r"'knockout' takes no tie-breaks: .* by its places"):
        played(store, "knockout", given)


@pytest.mark.slow
def test_every_command_that_shows_a_tournament_says_who_won(store: Store) -> None:
    folder = Path(store.target).parent
    for number in (1, 2, 4, 5):
        says = outlook(store, store.tournaments.get(number)).says
        assert says
        for arguments in (
            ("standings", "--tournament", str(number)),
            ("tournament", "watch", str(number)),
            ("report", str(number)),
            ("report", str(number), "--markdown"),
        ):
            # Markdown escapes points.
            assert says in league(folder, *arguments).replace("\\", "")
        (document,) = json.loads(league(folder, "standings", "--tournament", str(number), "--json"))
        assert document["says"] == says
        report = json.loads(league(folder, "report", str(number), "--json"))
        assert report["standings"]["says"] == says
        (shown,) = [json.loads(league(folder, "tournaments", str(number), "--json"))]
        assert shown["says"] == says


@pytest.mark.slow
def test_a_quiet_run_says_who_won_and_a_file_has_the_tie_breaks(store: Store) -> None:
    folder = Path(store.target).parent
    run = ("run", "--game", GAME, "--bots", "a,b", "--depth", "1", "--isolation", "none")
    asked = ("--tiebreaks", "direct,buchholz", "--save", "saved.toml")
    out = league(folder, *run, *asked, "-q")
    assert re.search("wins with|share the first|tie for first", out)
    assert 'tiebreaks = [\n    "direct",\n    "buchholz",\n]' in (folder / "saved.toml").read_text()
    (document,) = json.loads(league(folder, "run", "saved.toml", "--json"))
    assert document["tiebreaks"] == ["direct", "buchholz"]
    assert document["says"]
    wrong = league(folder, *run, "--tiebreaks", "bucholz", code=2)
    assert "did you mean 'buchholz'?" in wrong
