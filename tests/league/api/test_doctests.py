"""The examples of the Python API, and what of it is public."""

import doctest
import inspect
from pathlib import Path
from types import ModuleType

import pytest

import league
from league import League
from league.api import answer, match, sessions, statistics, tools, tournament
from league.api import league as league_module
from league.match import session
from league.model import tournament_spec

MODULES = (
    *(league, answer, league_module, match, session, sessions, statistics, tools),
    *(tournament, tournament_spec),
)

OF_A_LEAGUE = (league_module, match, statistics, tournament)
"""The modules whose examples begin with a league that has played."""

NAMES = [
    *("Answer", "Explanation", "Gate", "InputError", "League", "LeagueError", "Match"),
    *("Matches", "ReplayView", "RunOptions", "Session", "Tournament", "TournamentSpec"),
]

EXPLAINED = ("League", "Tournament", "Match", "Matches", "ReplayView", "Session", "Answer")
"""The names whose methods people call."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_examples_print_what_they_say(module: ModuleType, folder: Path) -> None:
    names: dict[str, object] = {"League": League}
    with League("cup.db") as cup:
        if module in OF_A_LEAGUE:
            cup.register("shallow", "minimax:depth=2", check=False)
            cup.register("chance", "random", check=False)
            held = cup.run("tictactoe", bots=["shallow", "chance"], rounds=2, depth=2, seed=2)
            names |= {"cup": cup, "tournament": held}
        found = doctest.testmod(module, extraglobs=None if module is league else names)
        assert (found.failed, found.attempted > 0 or module is sessions) == (0, True)


def test_the_public_names_are_these() -> None:
    assert league.__all__ == NAMES == dir(league)
    assert all(getattr(league, name).__name__ == name for name in NAMES)
    with pytest.raises(AttributeError, match="no attribute 'Leage'"):
        league.Leage  # noqa: B018


@pytest.mark.parametrize("name", EXPLAINED)
def test_every_public_method_says_what_it_does(name: str) -> None:
    kind = getattr(league, name)
    assert ">>>" in (kind.__doc__ or "")
    for each, member in inspect.getmembers(kind):
        if not each.startswith("_") and (inspect.isroutine(member) or isinstance(member, property)):
            assert member.__doc__, f"{name}.{each}"
