"""Places of bots in games of more than two sides: in every medium, and in replays."""

import csv
import io
import json
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league import League
from league.analysis.overview import BotRecord
from league.analysis.places import record_head, record_told, result_told, sum_of_places
from league.match.scores import places_of, results_of_scores, scores_of
from league.model.records import Result
from tests.league.command import league
from tests.league.web.serving import served
from tests.paths import EXAMPLES

PIG = f"{EXAMPLES / 'pig.py'}:Pig"


@given(st.lists(st.integers(0, 3), min_size=2, max_size=5))
def test_places_are_those_of_a_contest(placing: list[int]) -> None:
    seats = tuple(range(len(placing)))
    scores = scores_of(placing, seats)
    places, results = places_of(scores, seats), results_of_scores(scores)
    assert places == tuple(1 + sum(other > mine for other in placing) for mine in placing)
    for seat, mine in enumerate(placing):
        others = [each for at, each in enumerate(placing) if at != seat]
        assert (results[seat] is Result.WON) == (mine > max(others))
        is_last = mine == min(placing) and mine < max(placing)
        assert (results[seat] is Result.LOST) == is_last


def test_a_side_has_one_place() -> None:
    assert places_of(scores_of((5, 3, 3), (0, 1, 1)), (0, 1, 1)) == (1, 2, 2)
    assert places_of(scores_of((1, 1, 9, 4), (0, 0, 1, 2)), (0, 0, 1, 2)) == (3, 3, 1, 2)


def test_bots_that_never_started_have_lost() -> None:
    for scores in ((0.0, 0.0), (0.0, 0.0, 0.0)):
        assert results_of_scores(scores) == (Result.LOST,) * len(scores)
        assert places_of(scores) == (len(scores),) * len(scores)
    assert places_of((0.0, 1.0, 1.0)) == (3, 1, 1)


def test_results_in_words() -> None:
    assert result_told((1.0, 0.0), ()) == "1 – 0"
    assert result_told((0.25, 0.25, 1.0), ()) == "2nd – 2nd – 1st"
    assert result_told((1.0, 0.0, 0.0), (0, 1, 1)) == "1 – 0 – 0"
    two, three = BotRecord(wins=2, draws=1), BotRecord(wins=1, draws=2, places=(1, 2, 0))
    assert (record_told(two), record_head([two])) == ("+2 =1 −0", "+W =D −L")
    assert (record_told(three), record_head([three])) == ("1/2/0", "1st/2nd/3rd")
    assert sum_of_places([three, three]) == (2, 4, 0)
    assert sum_of_places([two, three]) == sum_of_places([]) == ()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Play matches of three seats."""
    made = tmp_path_factory.mktemp("three")
    for name, spec in (("careful", "maxn"), ("lucky", "random"), ("wary", "paranoid")):
        league(made, "register", name, spec, "--no-check")
    run = ("run", "--game", PIG, "--bots", "all", "--rounds", "2", "--depth", "2", "--seed", "1")
    league(made, *run, "--quiet")
    return made


@pytest.fixture
def pigs(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[League]:
    """Open the league of these matches."""
    monkeypatch.chdir(folder)
    with League("league.db", read_only=True) as found:
        yield found


@pytest.mark.slow
def test_standings_tell_places_in_every_medium(pigs: League, folder: Path) -> None:
    table = pigs.standings().value[0]
    assert [sum(column) for column in zip(*(row.places for row in table.rows), strict=True)]
    for row in table.rows:
        assert sum(row.places) == row.matches == row.wins + row.draws + row.losses
    told = league(folder, "standings")
    assert "1st/2nd/3rd" in told
    assert "+W" not in told
    for row in json.loads(league(folder, "standings", "--json"))[0]["standings"]:
        assert (row["wins"], row["draws"], row["losses"]) == (None, None, None)
        assert sum(row["places"]) == row["matches"]
    for line in csv.DictReader(io.StringIO(league(folder, "standings", "--csv"))):
        assert line["W"] == line["D"] == line["L"] == ""
        assert sum(int(line[name]) for name in ("1st", "2nd", "3rd")) == int(line["matches"])
    assert "1st/2nd/3rd" in pigs.tournament().report("html")


def page_at(link: str) -> str:
    """Return the text of a page."""
    with urllib.request.urlopen(link) as answer:  # noqa: S310 (our own server)
        text: str = answer.read().decode()
        return text


@pytest.mark.slow
def test_pages_tell_places(folder: Path) -> None:
    with served(folder) as link:
        for path in ("/tournaments/1", f"/games/{PIG.replace('/', '%2F')}", "/bots/lucky", "/bots"):
            page = page_at(f"{link.rstrip('/')}{path}")
            assert not [each for each in ("+W =D −L", "+ = −") if each in page.split("Opponent")[0]]
            assert "2nd" in page or "1st/2nd/3rd" in page, path
        assert "0.25" not in page_at(f"{link.rstrip('/')}/matches")


@pytest.mark.slow
def test_replays_tell_places_and_blame_nobody_for_a_roll(pigs: League, folder: Path) -> None:
    for match in pigs.matches():
        assert not match.replay(show=False).value.blunders()
        page = match.replay(show=False).to_html()
        assert "then drawn" not in page
        assert "1st" in page
        assert match.replay(show=False).value.ending.count("1st") == 1
    assert "1st" in league(folder, "matches")
    lost = pigs.matches(bot="lucky", result=Result.LOST)
    places = {row["place"] for row in lost.to_rows() if row["bot"] == "lucky"}
    assert places <= {2, 3}
    of_all = [len(pigs.matches(bot="lucky", result=result)) for result in Result]
    row = next(each for each in pigs.standings().value[0].rows if each.bot == "lucky")
    assert of_all == [row.wins, row.draws, row.losses]
