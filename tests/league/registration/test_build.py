"""Bots of other languages: what builds a folder, and what a build must not do."""

import shutil
from pathlib import Path

import pytest

from games.support.specs import find_game
from league.model.bot_files import FILES_BYTES
from league.model.errors import SpecError
from league.model.records import BotVersion, Isolation
from league.registration import build
from league.registration.build import Recipe, recipe_of
from league.registration.check import check
from league.registration.reader import SandboxReader
from league.registration.source_snapshot import Intake, take_snapshot
from league.registration.trial import TrialSetup
from league.seats.process.isolation import why_no_sandbox
from tests.paths import EXAMPLES

RUN = b"#!/bin/sh\nexec ./bot\n"
PROGRAMS = EXAMPLES / "connectfour"
CRATE = '[package]\nname = "crab"\nversion = "0.1.0"\nedition = "2021"\n'


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"run": RUN}, Recipe("", "run")),
        ({"Makefile": b""}, Recipe("make", "bot")),
        ({"Makefile": b"", "run": RUN}, Recipe("make", "run")),
        (
            {"Cargo.toml": CRATE.encode()},
            Recipe("cargo build --release --offline --quiet && cp target/release/crab bot", "bot"),
        ),
        ({"package.json": b"{}"}, Recipe("", "index.js", "node")),
        (
            {"package.json": b'{"main": "./a b.js", "scripts": {"build": "tsc"}}'},
            Recipe("npm run build", "a b.js", "node"),
        ),
        ({"bot.c": b""}, None),
    ],
)
def test_files_say_how_they_become_a_program(
    files: dict[str, bytes], expected: Recipe | None
) -> None:
    assert recipe_of(files, "mine", SandboxReader(Isolation.LIMITS)) == expected


def test_a_recipe_is_a_command_line() -> None:
    assert Recipe("", "run").spec == "exec:./run"
    assert Recipe("", "a b.js", "node").spec == "exec:node 'a b.js'"


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"Cargo.toml": b"[workspace]"}, "Cargo.toml names no package"),
        ({"Cargo.toml": b'[package]\nname = "../../bin/sh"'}, "Cargo.toml names no package"),
        ({"Cargo.toml": b"\xff"}, "Cargo.toml names no package"),
        ({"package.json": b"["}, "package.json can't be read"),
        ({"package.json": b"[" * 100_000}, "package.json can't be read"),
        ({"package.json": b'{"main": "/bin/sh"}'}, "is not a file of the folder"),
        ({"package.json": b"{}"}, "the folder has no file 'index.js'"),
        ({"run": b"echo"}, "'run' is no program: begin a script with a line such as"),
    ],
)
def test_what_is_wrong_with_a_folder_is_said(
    files: dict[str, bytes], expected: str, tmp_path: Path
) -> None:
    with pytest.raises(SpecError) as caught:
        snapshot(tmp_path, files)
    assert expected in str(caught.value)


def snapshot(
    folder: Path, files: dict[str, bytes], level: Isolation = Isolation.LIMITS
) -> BotVersion:
    """Register a folder of files."""
    made = folder / "mine"
    for name, data in files.items():
        (made / name).parent.mkdir(parents=True, exist_ok=True)
        (made / name).write_bytes(data)
    return take_snapshot("x", str(made), {}, None, Intake(isolation=level))


def test_a_script_is_a_bot(tmp_path: Path) -> None:
    source = (PROGRAMS / "bot.py").read_bytes()
    found = snapshot(tmp_path, {"run": b"#!/usr/bin/env python3\n" + source})
    assert found.spec == "exec:./run"
    assert check(found, [find_game("connectfour")])[0].times.moves


needs_make = pytest.mark.skipif(shutil.which("make") is None, reason="needs make")


@needs_make
@pytest.mark.parametrize("level", [Isolation.LIMITS, Isolation.SANDBOX])
def test_a_build_leaves_its_files_and_harms_nothing_else(level: Isolation, tmp_path: Path) -> None:
    if level is Isolation.SANDBOX and why_no_sandbox():
        pytest.skip(why_no_sandbox())
    makefile = (
        "bot:\n\tprintf '#!/bin/sh\\n' > bot\n\tln -s /etc/passwd link\n"
        "\tmkdir -p deep target && echo data > deep/made && echo > target/left\n"
        "\tpython3 -c 'import socket; socket.create_connection((\"127.0.0.1\", 1))' || true\n"
        "\tsleep 1000 &\n"
    )
    before = {"Makefile": makefile.encode(), "data": bytes(range(256))}
    found = snapshot(tmp_path, before, level)
    assert dict(found.files) == {**before, "bot": b"#!/bin/sh\n", "deep/made": b"data\n"}
    assert found.spec == "exec:./bot"
    assert sorted(each.name for each in (tmp_path / "mine").iterdir()) == ["Makefile", "data"]


MAKEFILES = {
    "fails": (
        "@echo $$((6 * 7)) is the answer >&2\n\tfalse",
        "exited with status 2\n  | 42 is the",
    ),
    "says much after its error": (
        "@echo bot.c:3: error: expected a semicolon >&2; seq 20 >&2; false",
        "exited with status 2\n  | bot.c:3: error: expected a semicolon\n  | 1\n",
    ),
    "makes nothing": ("true", "'make' makes no file 'bot'"),
    "never ends": ("sleep 1000", "took more than 0.5 s"),
    "writes nonsense": ("echo '!!!' > /proc/$$PPID/fd/1; echo > bot", "'bot' is no program"),
    "fills": (f"truncate -s {FILES_BYTES + 1} bot", "leaves more than 32 MB of files"),
    "has odd names": ("echo > \"$$(printf 'a\\033[31mb')\"", "has a control character"),
}


@pytest.mark.slow
@needs_make
@pytest.mark.parametrize("what", MAKEFILES)
def test_what_is_wrong_with_a_build_is_said(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if what == "never ends":
        monkeypatch.setattr(build, "BUILD_S", 0.5)
    command, expected = MAKEFILES[what]
    with pytest.raises(SpecError) as caught:
        snapshot(tmp_path, {"Makefile": f"bot:\n\t{command}\n".encode()})
    assert expected in str(caught.value)


@pytest.mark.slow
@needs_make
def test_a_build_that_forks_is_ended_in_the_sandbox(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if why_no_sandbox():
        pytest.skip(why_no_sandbox())
    monkeypatch.setattr(build, "BUILD_S", 3.0)
    bomb = b"bot:\n\tsh -c 'f() { f | f & f; }; f' || sleep 1000\n"
    with pytest.raises(SpecError, match="the build 'make'"):
        snapshot(tmp_path, {"Makefile": bomb}, Isolation.SANDBOX)


@pytest.mark.slow
@pytest.mark.parametrize("tool", ["cc", "cargo", "node"])
def test_the_example_of_each_language_is_built_and_plays(tool: str, tmp_path: Path) -> None:
    if shutil.which(tool) is None or shutil.which("make") is None:
        pytest.skip(f"{tool} or make is not installed")
    sources = {name: (PROGRAMS / name).read_bytes() for name in ("bot.c", "bot.rs", "bot.js")}
    files = {
        "cc": {"bot.c": sources["bot.c"], "Makefile": b"bot: bot.c\n\tcc -O2 -o bot bot.c\n"},
        "cargo": {"src/main.rs": sources["bot.rs"], "Cargo.toml": CRATE.encode()},
        "node": {"bot.js": sources["bot.js"], "package.json": b'{"main": "bot.js"}'},
    }
    level = Isolation.LIMITS if why_no_sandbox() else Isolation.SANDBOX
    found = snapshot(tmp_path, files[tool], level)
    assert check(found, [find_game("connectfour")], TrialSetup(isolation=level))[0].times.moves
