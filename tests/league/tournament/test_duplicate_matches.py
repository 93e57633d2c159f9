"""Copies of matches: only of those that were played on the same terms."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from games.support.specs import find_game
from league.match.play import MatchSetup, play_match
from league.model.records import Adjudication, DrawRule, Limits, WinRule
from league.model.tournament_spec import TournamentSpec
from league.registration.register import register
from league.store.store import Store, open_store
from league.tournament.create import create_tournament
from league.tournament.duplicate_matches import DuplicateMatches
from league.tournament.planner import Planner
from tests.league.seats.firstmove import FirstMove

LIMITS = Limits(nodes=50)
BOTS = ("minimax", "alphabeta")
OTHER_TERMS: dict[str, dict[str, Any]] = {
    "limits": {"limits": Limits(nodes=60)},
    "draws adjudicated": {"adjudication": Adjudication(draw=DrawRule(0.5, 3, 12))},
    "wins adjudicated": {"adjudication": Adjudication(win=WinRule(3, 2))},
    "a handicap": {"handicaps": {BOTS[0]: 0.5}},
}


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """Open a league of two bots that draw nothing, with one encounter between them."""
    with open_store(str(tmp_path / "league.db"), create=True) as opened:
        for name in BOTS:
            register(opened, name, name, options={}, is_checked=False)
        planner = planner_of(opened)
        game = find_game("tictactoe")
        played = [
            (
                job.key,
                play_match(
                    MatchSetup(
                        game=game,
                        versions=[each.id for each in job.versions],
                        opening=job.opening,
                        limits=job.limits,
                        seed=job.seed,
                    ),
                    (FirstMove(), FirstMove()),
                ),
            )
            for job in planner.more(opened, 1) or ()
        ]
        assert opened.matches.save(planner.tournament, played) == 2
        yield opened


def planner_of(store: Store, limits: Limits = LIMITS, **settings: Any) -> Planner:
    """Create a tournament of one encounter from the first position, and plan it."""
    row = create_tournament(
        store,
        TournamentSpec(
            game="tictactoe",
            bots=BOTS,
            rounds=1,
            limits=limits,
            seed=1,
            opening_plies=0,
            **settings,
        ),
    )
    return Planner(store, row.id)


def sifted(store: Store, planner: Planner) -> tuple[int, int]:
    """Count the matches of a tournament that are to be played, and those that are copied."""
    to_play, copies = DuplicateMatches(store, planner).sift(planner.more(store, 1) or ())
    return len(to_play), len(copies)


def test_matches_on_the_same_terms_are_copied(store: Store) -> None:
    assert sifted(store, planner_of(store)) == (0, 2)


@pytest.mark.parametrize("what", OTHER_TERMS)
def test_matches_on_other_terms_are_played(store: Store, what: str) -> None:
    """Adjudication ends a match early, and limits and handicaps change its moves."""
    assert sifted(store, planner_of(store, **OTHER_TERMS[what])) == (2, 0)
