"""`league void`: it asks, voids, and says what plays the matches again."""

import json
import re
from pathlib import Path

import pytest

from league.store.store import open_store
from tests.league.command import both, league
from tests.league.tournament.test_runner import held, league_of


@pytest.fixture
def played(tmp_path: Path) -> Path:
    """Play a round robin of two bots."""
    with league_of(tmp_path) as store:
        held(store, "tictactoe", ["rnd", "gr"], rounds=2)
    league(tmp_path, "resume", "1", "-q")
    return tmp_path


@pytest.mark.slow
def test_void_matches_are_played_again(played: Path) -> None:
    told = "nobody answered: give --yes"
    assert told in league(played, "void", "1", "--reason", "a bug", code=2)
    out = league(played, "void", "1", "--reason", "a bug", "--yes")
    first = "void 1: 2 matches in 1 encounter of tournament 1: a bug"
    assert out.splitlines() == [first, "'league resume 1' plays tournament 1 on"]
    assert league(played, "why", "1", code=1).startswith("league: match 1 is void since 20")
    assert league(played, "db", "verify").startswith("2 matches replayed, 0 findings")
    league(played, "resume", "1", "-q")
    with open_store(str(played / "league.db")) as store:
        assert len(store.matches.numbers()) == 4
        assert max(store.matches.numbers()) == 6
        assert store.tournaments.get(1).is_finished
    assert re.search("; match [56] was played in its place", league(played, "why", "1", code=1))


@pytest.mark.slow
def test_the_organiser_has_the_same_command(played: Path) -> None:
    voided = ("--tournament", "1", "--since", "1h", "--reason", "a bug", "--yes", "--json")
    out, _ = both(played, "host", "void", *voided)
    found = json.loads(out)
    assert found["matches"] == [1, 2, 3, 4]
    assert (found["encounters"], found["to_resume"]) == (2, [1])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "told"),
    [
        (
            (),
            "expected the numbers of matches, or a bot, a tournament, a machine or a time instead",
        ),
        (("1", "--bot", "gr"), "expected the numbers of matches, or a bot"),
        (("9",), "no match 9"),
        (("--bot", "it"), "there are no such matches"),
    ],
)
def test_a_wrong_choice_is_told_in_a_line(played: Path, words: tuple[str, ...], told: str) -> None:
    assert told in league(played, "void", *words, "--reason", "x", "--yes", code=1)
