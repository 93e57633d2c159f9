"""`league standings` shows kept standings exactly as it shows computed ones, and no stale ones."""

import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from league.api.kept_standings import keep_standings, kept_standings
from league.model.records import BotVersion, MatchKey, Termination
from league.store import kept_standings as rows
from league.store.store import Store, open_store
from tests.league.command import league
from tests.league.matches import add_bots, add_tournament, save_encounter, won_match


def _empty(store: Store) -> None:
    add_bots(store, "a", "b")


def _plain(store: Store) -> None:
    number = add_tournament(store, *add_bots(store, "a", "b", "c"))
    for each, pair in enumerate([(1, 2), (2, 3), (3, 1), (1, 2)]):
        save_encounter(store, number, each, pair, "WD", (each % 3, 3))


def _pools(store: Store) -> None:
    _plain(store)
    other = add_tournament(store, *add_bots(store, "a", "b", "c", "d", "e")[-2:])
    save_encounter(store, other, 0, (4, 5), "WL")


def _long_names(store: Store) -> None:
    first, second = add_bots(store, "[red]\x1b[31mb" + 60 * "x", "囲碁" * 20)
    save_encounter(store, add_tournament(store, first, second), 0, (first, second), "WW")


def _versions(store: Store) -> None:
    _plain(store)
    newer = store.bots.register(BotVersion("a", "random", digest="9" * 64)).id
    number = add_tournament(store, newer, 2)
    save_encounter(store, number, 0, (newer, 2), "LW")
    store.bots.retire("c")


def _forfeits(store: Store) -> None:
    _plain(store)
    number = add_tournament(store, 1, 2)
    save_encounter(store, number, 0, (1, 2), "W", termination=Termination.CRASH, fault_seat=1)


LEAGUES = (_empty, _plain, _pools, _long_names, _versions, _forfeits)


@pytest.fixture(params=LEAGUES, ids=lambda make: make.__name__.strip("_"))
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Make a folder with one of the leagues, which keeps its standings."""
    with open_store(str(tmp_path / "league.db"), create=True) as store:
        request.param(store)
        keep_standings(store)
    return tmp_path


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Make the plain league, which keeps its standings."""
    with open_store(str(tmp_path / "league.db"), create=True) as store:
        _plain(store)
        keep_standings(store)
    return tmp_path / "league.db"


@pytest.mark.slow
def test_kept_and_computed_are_the_same_bytes(folder: Path) -> None:
    path = str(folder / "league.db")
    assert kept_standings(path) is not None
    kept = league(folder, "standings")
    # Naming a default is an option too: then they are computed.
    assert kept == league(folder, "standings", "--system", "fitted")
    with open_store(path) as store:
        store.settings.set(rows.KEY, "{}")
    assert kept_standings(path) is None
    assert kept == league(folder, "standings")


OTHERS = (
    ["--system", "elo"],
    ["--anchor", "a=1000"],
    ["--include-retired"],
    ["--versions", "all"],
    ["--since", "2000-01-01"],
    ["--tournament", "1"],
    ["--game", "connectfour"],
    ["--time", "50ms"],
    ["--matrix"],
    ["--json"],
    ["--csv"],
)


@pytest.mark.parametrize("options", OTHERS, ids=" ".join)
def test_options_are_obeyed(path: Path, options: list[str]) -> None:
    found = league(path.parent, "standings", *options)
    with open_store(str(path)) as store:
        store.settings.set(rows.KEY, "{}")
    assert found == league(path.parent, "standings", *options)


def _match(store: Store) -> None:
    store.matches.save(1, [(MatchKey(9, 0), won_match(1, 2))])


def _tournament(store: Store) -> None:
    add_tournament(store, 1, 2)


CHANGES: tuple[Callable[[Store], object], ...] = (
    _match,
    _tournament,
    lambda store: store.bots.retire("c"),
    lambda store: store.bots.rename("c", "d"),
    lambda store: store.settings.set("initial", "1000"),
    lambda store: store.tournaments.cancel(1),
    lambda store: store.totals.recount(),
)


@pytest.mark.parametrize("change", CHANGES)
def test_they_hold_no_longer_than_what_they_follow_from(
    path: Path, change: Callable[[Store], object]
) -> None:
    with open_store(str(path)) as store:
        change(store)
    assert kept_standings(str(path)) is None


def test_a_registration_changes_no_standings(path: Path) -> None:
    with open_store(str(path)) as store:
        store.bots.register(BotVersion("new", "random", digest="8" * 64))
    assert kept_standings(str(path)) is not None


def test_they_do_not_outlive_the_code(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows, "_code", lambda: "other")
    assert kept_standings(str(path)) is None


def test_what_changes_while_they_are_computed_is_not_kept(path: Path) -> None:
    with open_store(str(path)) as store:
        basis = store.standings_basis()
        assert basis is not None
        _match(store)
        store.keep_standings(basis, ["old"])
    assert kept_standings(str(path)) is None


def test_those_of_many_tournaments_are_not_kept(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rows, "MOST", 0)
    with open_store(str(path)) as store:
        assert store.standings_basis() is None


def test_those_of_seats_with_sides_are_not_kept(path: Path) -> None:
    with open_store(str(path)) as store:
        record = replace(won_match(1, 2, (1.0, 0.0, 0.0)), versions=(1, 2, 3))
        store.matches.save(1, [(MatchKey(9, 0), record)])
        assert store.standings_basis() is None


def test_a_server_keeps_none() -> None:
    assert kept_standings("postgresql://localhost/league") is None


def test_a_league_that_cannot_be_rated_ends_its_run_nevertheless(path: Path) -> None:
    with open_store(str(path)) as store:
        store.settings.set("initial", "no number")
        keep_standings(store)
    assert kept_standings(str(path)) is None


@pytest.mark.slow
def test_a_run_keeps_them_and_they_need_no_sqlalchemy(tmp_path: Path) -> None:
    for name in ("a", "b"):
        league(tmp_path, "register", name, "random", "--no-check")
    league(tmp_path, "run", "--game", "tictactoe", "--bots", "all", "--rounds", "1", "--quiet")
    path = str(tmp_path / "league.db")
    code = (
        "import sys\nfrom league.cli.main import cli\n"
        f"cli(['standings', '--db', {path!r}], standalone_mode=False)\n"
        "print([name for name in ('sqlalchemy', 'rich', 'numpy') if name in sys.modules])"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    *shown, heavy = found.stdout.splitlines()
    assert heavy == "[]"
    assert "\n".join(shown) + "\n" == league(tmp_path, "standings", "--system", "fitted")
