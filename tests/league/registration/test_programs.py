"""Programs as bots: how their command is read, what is wrong with it, and when it has changed."""

import os
import sys
from pathlib import Path

import pytest

from league.model.errors import CheckError, SetupError, SpecError
from league.model.records import Limits
from league.model.tournament_spec import TournamentSpec
from league.registration.register import Registration, register, register_version
from league.registration.source_snapshot import take_snapshot
from league.store.store import Store, open_store
from league.tournament.create import create_tournament
from league.tournament.run_options import RunOptions
from league.tournament.runner import run_tournament

BOT = f"""\
#!{sys.executable}
import json, sys
assert sys.argv[1:] == WANTED, sys.argv
for line in sys.stdin:
    question = json.loads(line)
    answer = {{"id": question["id"], "protocol": 1}}
    if question["type"] == "move":
        answer["move"] = question["legal"][0]
    print(json.dumps(answer), flush=True)
"""

LIMITS = Limits(move_s=1.0)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return open_store(str(tmp_path / "league.db"), create=True)


def write(path: Path, *wanted: str) -> None:
    """Write a program that plays when its arguments are those it wants."""
    path.write_text(BOT.replace("WANTED", repr(list(wanted))))
    path.chmod(0o755)


def register_program(
    store: Store, command: str, folder: Path, is_checked: bool = True
) -> Registration:
    """Register a command that runs in a folder as bot 'x'."""
    return register_version(store, take_snapshot("x", command, {}, folder), is_checked=is_checked)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "wanted"),
    [
        ("./bot", []),
        ("./bot --depth 3", ["--depth", "3"]),
        ("./bot 'two words' \"and 'more'\"", ["two words", "and 'more'"]),
        ("./bot a\\ b ''", ["a b", ""]),
        ("./bot ; touch harm", [";", "touch", "harm"]),
        ("./bot $HOME `id` *", ["$HOME", "`id`", "*"]),
        ("'./with space' x", ["x"]),
        ("deeper/../bot", []),
    ],
)
def test_a_command_is_split_as_a_shell_does_it_and_run_by_none(
    command: str, wanted: list[str], store: Store, tmp_path: Path
) -> None:
    (tmp_path / "deeper").mkdir()
    write(tmp_path / ("with space" if "with space" in command else "bot"), *wanted)
    version, is_new, found = register_program(store, f"exec:{command}", tmp_path)
    assert (is_new, version.folder, found[0].times.matches) == (True, str(tmp_path), 7)
    assert not (tmp_path / "harm").exists()


@pytest.mark.slow
def test_a_word_of_a_command_may_be_longer_than_the_name_of_a_file(
    store: Store, tmp_path: Path
) -> None:
    write(tmp_path / "bot", "x" * 5000)
    assert register_program(store, f"exec:./bot {'x' * 5000}", tmp_path).is_new


@pytest.mark.slow
def test_an_interpreter_of_a_virtual_environment_is_run_by_its_own_name(
    store: Store, tmp_path: Path
) -> None:
    write(tmp_path / "real")
    text = (tmp_path / "real").read_text()
    (tmp_path / "real").write_text(text.replace("sys.argv[1:] == []", "sys.argv[0][-4:] == 'link'"))
    (tmp_path / "link").symlink_to("real")
    register_program(store, "exec:./link", tmp_path)


def no_program(path: Path) -> None:
    """Leave the place empty."""


def not_executable(path: Path) -> None:
    """Write a program that may not be run."""
    write(path)
    path.chmod(0o644)


def no_interpreter(path: Path) -> None:
    """Write a script for an interpreter that is not here."""
    path.write_text("#!/no/such/interpreter\n")
    path.chmod(0o755)


def no_first_line(path: Path) -> None:
    """Write a script that does not say what runs it."""
    path.write_text("print('hello')\n")
    path.chmod(0o755)


def a_folder(path: Path) -> None:
    """Make a folder of the program's name."""
    path.mkdir()


@pytest.mark.parametrize(
    ("make", "expected"),
    [
        (no_program, "no program './bot' in "),
        (a_folder, "no program './bot' in "),
        (not_executable, "is not executable: chmod +x it, or name its interpreter before it"),
        (no_interpreter, "names no interpreter that is here"),
        (no_first_line, "names no interpreter that is here"),
    ],
)
def test_what_is_wrong_with_a_program_is_said_in_a_line(
    make: object, expected: str, store: Store, tmp_path: Path
) -> None:
    assert callable(make)
    make(tmp_path / "bot")
    with pytest.raises((SpecError, CheckError)) as caught:
        register_program(store, "exec:./bot", tmp_path)
    assert expected in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1
    assert store.bots.all() == ()


def test_a_program_of_another_protocol_is_quoted(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("league.seats.protocols.exec.ExecSeat.usual_start_s", 0.2)
    (tmp_path / "bot").write_text("#!/bin/sh\nread line; echo 4; read line\n")
    (tmp_path / "bot").chmod(0o755)
    with pytest.raises(CheckError, match=r"took more than 0\.2 s to start") as caught:
        register_program(store, "exec:./bot", tmp_path)
    assert str(caught.value).endswith("  | < 4")


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ("exec:", "names no command"),
        ("exec:   ", "names no command"),
        ("exec:'./bot", "is not a command line"),
        ("exec:no-such-program-anywhere", "no program 'no-such-program-anywhere' on the path"),
    ],
)
def test_bad_command_lines_are_named(spec: str, expected: str, tmp_path: Path) -> None:
    with pytest.raises(SpecError, match=expected):
        take_snapshot("x", spec, {}, tmp_path)


def test_a_folder_is_named_too(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="no folder"):
        take_snapshot("x", "exec:true", {}, tmp_path / "nowhere")
    with pytest.raises(SpecError, match="--folder is for commands only"):
        take_snapshot("x", "random", {}, tmp_path)


def test_a_program_that_may_not_be_run_is_no_bot_unchecked_either(tmp_path: Path) -> None:
    not_executable(tmp_path / "bot")
    with pytest.raises(SpecError, match="is not executable"):
        take_snapshot("x", "exec:./bot", {}, tmp_path)


def test_a_relative_folder_is_kept_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "bot")
    monkeypatch.chdir(tmp_path.parent)
    version = take_snapshot("x", "exec:./bot", {}, Path(tmp_path.name))
    assert version.folder == str(tmp_path)


@pytest.mark.slow
def test_a_changed_program_must_be_registered_again(store: Store, tmp_path: Path) -> None:
    write(tmp_path / "bot", "data.txt")
    (tmp_path / "data.txt").write_text("one")
    register_program(store, "exec:./bot data.txt", tmp_path, is_checked=False)
    register(store, "rnd", "random", options={}, is_checked=False)
    row = create_tournament(
        store, TournamentSpec(game="tictactoe", bots=["x", "rnd"], rounds=1, limits=LIMITS, seed=1)
    )
    (tmp_path / "data.txt").write_text("two")
    with pytest.raises(SetupError, match="bot 'x', or a file that its command names, has changed"):
        run_tournament(store, row.id, RunOptions(workers=1, is_pinned=False))
    with pytest.raises(SetupError, match="register it again, 'league register x SPEC'"):
        create_tournament(
            store,
            TournamentSpec(game="tictactoe", bots=["x", "rnd"], rounds=1, limits=LIMITS, seed=1),
        )
    assert len(store.tournaments.all()) == 1
    again, is_new, _ = register_program(store, "exec:./bot data.txt", tmp_path, is_checked=False)
    assert (again.number, is_new) == (2, True)
    fresh = create_tournament(
        store, TournamentSpec(game="tictactoe", bots=["x", "rnd"], rounds=1, limits=LIMITS, seed=1)
    )
    assert run_tournament(store, fresh.id, RunOptions(workers=1, is_pinned=False)).played == 2
    (tmp_path / "data.txt").write_text("one")
    assert run_tournament(store, row.id, RunOptions(workers=1, is_pinned=False)).played == 2


def test_a_program_that_is_gone_is_said_before_anything_is_played(
    store: Store, tmp_path: Path
) -> None:
    write(tmp_path / "bot")
    register_program(store, "exec:./bot", tmp_path, is_checked=False)
    register(store, "rnd", "random", options={}, is_checked=False)
    (tmp_path / "bot").unlink()
    with pytest.raises(SetupError, match=r"bot 'x' can't be run.*no program '\./bot'"):
        create_tournament(
            store,
            TournamentSpec(game="tictactoe", bots=["x", "rnd"], rounds=1, limits=LIMITS, seed=1),
        )


def test_a_digest_is_of_what_a_file_holds_not_of_its_date(tmp_path: Path) -> None:
    write(tmp_path / "bot")
    before = take_snapshot("x", "exec:./bot", {}, tmp_path)
    os.utime(tmp_path / "bot", ns=(1, 1))
    assert take_snapshot("x", "exec:./bot", {}, tmp_path).digest == before.digest
    write(tmp_path / "bot", "x")
    assert take_snapshot("x", "exec:./bot", {}, tmp_path).digest != before.digest
