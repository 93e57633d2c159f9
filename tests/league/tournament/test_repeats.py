"""Matches that repeat others are stored and shown, and count once as evidence."""

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from league.analysis.outlook import outlook
from league.analysis.standings import Standings, standings
from league.analysis.verify import verify
from league.analysis.versus import versus
from league.formats.schedule import EXHAUSTED
from league.interchange.report.contents import contents_of
from league.model.records import Limits
from league.model.tournament_spec import TournamentSpec
from league.registration.register import register
from league.store.store import Store, open_store
from league.tournament.create import create_tournament
from tests.league.in_process import run_here

BOTS = ("ab", "mini", "greedy")
ALIKE = TournamentSpec(
    game="tictactoe", bots=BOTS, rounds=1, limits=Limits(depth=2), seed=1, opening_plies=0
)


def play(store: Store, spec: TournamentSpec) -> int:
    """Create a tournament of bots that draw nothing, play it, and return its number."""
    row = create_tournament(store, spec)
    run_here(store, row.id, workers=1)
    return row.id


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """Make a league of three bots that draw nothing, and one round between them."""
    opened = open_store(str(tmp_path / "league.db"), create=True)
    for name, spec in zip(BOTS, ("alphabeta", "minimax", "greedy"), strict=True):
        register(opened, name, spec, options={}, is_checked=False)
    play(opened, ALIKE)
    return opened


def rated(found: Standings) -> dict[str, float]:
    """Return the ratings and their errors."""
    errors = {f"{row.bot}'s error": row.error or 0.0 for row in found.rows}
    return {row.bot: row.rating for row in found.rows} | errors


@pytest.mark.slow
@pytest.mark.parametrize("system", ["fitted", "elo", "glicko2", "nash"])
def test_repeats_count_once_in_every_rating(store: Store, system: str) -> None:
    once = standings(store, "tictactoe", spec=system)
    more = play(store, replace(ALIKE, rounds=4, seed=2))
    for found in (
        standings(store, "tictactoe", spec=system),
        standings(store, "tictactoe", more, spec=system),
    ):
        assert rated(found) == pytest.approx(rated(once))
    league = standings(store, "tictactoe", spec=system)
    assert sum(row.matches for row in league.rows) == 2 * (6 + 24)
    assert "24 of 30 matches repeat others move for move: ratings count each once" in (
        league.sentences()
    )
    assert versus(store, "tictactoe", "ab", "mini").whole.matches == 2


@pytest.mark.slow
@pytest.mark.parametrize(
    "spec",
    [
        replace(ALIKE, rounds=None, until_error=20.0),
        replace(ALIKE, rounds=None, until_error=20.0, format="adaptive"),
        replace(ALIKE, rounds=None, until_best=0.95, format="adaptive"),
        replace(ALIKE, rounds=None, format="sprt", bots=BOTS[:2]),
    ],
)
def test_a_tournament_for_evidence_ends_when_all_repeats(
    store: Store, spec: TournamentSpec
) -> None:
    number = play(store, spec)
    row = store.tournaments.get(number)
    assert row.is_finished
    assert row.played < 200
    assert outlook(store, row).says.endswith(EXHAUSTED)
    assert verify(store)[1] == []


def test_a_row_that_says_so_falsely_is_found(store: Store) -> None:
    play(store, replace(ALIKE, rounds=2, seed=2))
    assert verify(store)[1] == []
    with closing(sqlite3.connect(store.path or "")) as database:
        database.execute("UPDATE match SET repeat = 2 WHERE id = 3")
        database.commit()
    store.totals.recount()
    (finding,) = verify(store)[1]
    assert finding.match == 3
    assert "it repeats no match of its tournament" in finding.text


@pytest.mark.slow
def test_a_report_draws_the_ratings_of_distinct_matches(store: Store) -> None:
    more = play(store, replace(ALIKE, rounds=4, seed=2))
    ends = [
        {
            trend.bot: trend.line.points[-1][1]
            for trend in contents_of(store, store.tournaments.get(number)).trends
        }
        for number in (1, more)
    ]
    assert ends[0] == pytest.approx(ends[1])
