"""The options of everything that plays matches, as they reach the pool that plays them."""

from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import click
import pytest
from click.testing import CliRunner

from league.cli.main import cli
from league.cli.match_files import targets_of
from league.cli.play_tournament import RunFlags, _warn_of_load
from league.model.records import BotVersion
from league.platform import core_numbers
from league.registration.source_snapshot import take_snapshot
from league.store.store import open_store
from tests.league.matches import add_bots
from tests.paths import BAD_BOTS
from tests.promises import on_linux

CORES = len(core_numbers())

Asked = tuple[int, bool, object]
"""The workers of a pool, whether they are pinned, and how many bots start at once."""


@pytest.fixture
def asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Asked]:
    """Give a command to a league of two bots, and return what it asks of its pool."""
    with open_store(str(tmp_path / "league.db"), create=True) as store:
        add_bots(store, "a", "b")
    heard: list[Asked] = []

    def open_pool(
        workers: int, *, cores_each: int, starts: int | None, **others: object
    ) -> NoReturn:
        heard.append((workers, bool(cores_each), starts))
        raise KeyboardInterrupt

    monkeypatch.setattr("league.tournament.runner.LocalPool", open_pool)

    def ask(*arguments: str) -> Asked:
        heard.clear()
        found = CliRunner().invoke(cli, [*arguments, "-q", "--db", str(tmp_path / "league.db")])
        assert found.exit_code == 130, found.output
        return heard.pop()

    return ask


RUN = ("run", "--game", "tictactoe", "--bots", "a,b", "--rounds", "50", "--isolation", "limits")

OPTIONS: dict[tuple[str, ...], Asked] = {
    (): (CORES, True, CORES),
    ("--no-pin",): (CORES, False, CORES),
    ("--starts", "7"): (CORES, True, 7),
    ("--workers", "3", "--starts", "1", "--no-pin"): (3, False, 1),
}


@pytest.mark.slow
@pytest.mark.parametrize("options", OPTIONS)
def test_a_run_and_its_resumption_ask_for_workers_as_they_are_told(
    asked: Callable[..., Asked], options: tuple[str, ...]
) -> None:
    assert asked(*RUN, *options) == OPTIONS[options]
    assert asked("resume", "1", *options) == OPTIONS[options]


NO_SANDBOX = "sandbox needs bubblewrap: apt install bubblewrap"
REFUSALS = {
    (): f"--unattended needs the sandbox, which does not work here: {NO_SANDBOX}",
    ("--isolation", "limits"): "isolation is limits: --unattended needs --isolation sandbox",
    ("--isolation", "none"): "isolation is none: --unattended needs --isolation sandbox",
}


@pytest.mark.parametrize("options", REFUSALS)
def test_no_run_is_left_alone_below_the_sandbox(
    options: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("league.seats.process.isolation.why_no_sandbox", lambda: NO_SANDBOX)
    database = str(tmp_path / "league.db")
    with open_store(database, create=True) as store:
        add_bots(store, "a", "b")
    run = ("run", "--game", "tictactoe", "--bots", "a,b", *options, "--db", database)
    found = CliRunner().invoke(cli, [*run, "--unattended"])
    assert (found.exit_code, str(found.exception)) == (1, REFUSALS[options])
    with open_store(database) as store:
        assert not store.tournaments.all()


@pytest.mark.slow
def test_an_unattended_run_or_resumption_has_users_bots_in_the_sandbox(
    asked: Callable[..., Asked], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("league.seats.process.isolation.why_no_sandbox", lambda: "")
    run = ("run", "--game", "tictactoe", "--bots", "a,b", "--rounds", "50")
    asked(*run, "--unattended")
    asked("resume", "1", "--unattended")
    with open_store(str(tmp_path / "league.db")) as store:
        store.bots.register(BotVersion("mine", "mine.py", files={"mine.py": b""}))
    asked(*run)
    asked("resume", "2", "--unattended")
    asked(*run, "--isolation", "limits", "--bots", "a,mine")
    with open_store(str(tmp_path / "league.db")) as store:
        found = [row.config.limits.isolation for row in store.tournaments.all()]
    assert sorted(found) == ["limits", "limits", "sandbox"]
    words = ["resume", "3", "--unattended", "--db", str(tmp_path / "league.db")]
    refused = CliRunner().invoke(cli, words)
    assert "isolation is limits: --unattended needs" in str(refused.exception)


@pytest.mark.slow
@on_linux("there is a sandbox")
def test_a_run_below_the_sandbox_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("league.seats.process.isolation.why_no_sandbox", lambda: NO_SANDBOX)
    database = str(tmp_path / "league.db")
    program = str(BAD_BOTS / "first.py")
    with open_store(database, create=True) as store:
        add_bots(store, "a")
        store.bots.register(take_snapshot("b", program, {}))
    found = CliRunner().invoke(
        cli,
        ["run", "--game", "tictactoe", "--bots", "a,b", "--workers", "1", "--db", database],
    )
    assert found.exit_code == 0, found.output
    assert found.output.count(f"warning: bots are not in the sandbox: {NO_SANDBOX}\n") == 1


def test_what_goes_on_writes_the_same_files() -> None:
    options = RunFlags(pgn="my games.pgn", pgn_with=("pv", "nodes"), epd="e.epd", append=True)
    assert options.words == " --pgn 'my games.pgn' --pgn-with pv,nodes --epd e.epd --append"
    assert RunFlags().words == ""


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (RunFlags(pgn_with=("pv",)), "give --pgn FILE"),
        (RunFlags(append=True), "give one of them"),
    ],
)
def test_how_to_write_a_file_that_is_not_given_is_refused(options: RunFlags, said: str) -> None:
    with pytest.raises(click.UsageError, match=said):
        targets_of(options, "chess")


@pytest.mark.parametrize(("workers", "said"), [(1, "wait"), (2, "wait, or take fewer --workers")])
def test_a_busy_machine_is_told_with_what_to_do(
    workers: int,
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("os.getloadavg", lambda: (500.0, 500.0, 500.0))
    _warn_of_load(workers, 2, False)
    assert capsys.readouterr().err.endswith(f"lack of computing time; {said}\n")
