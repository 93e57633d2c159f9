"""Building a bot of another language, once, as strictly isolated as the bot will be."""

import os
import re
import shlex
import shutil
import time
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from games.support.errors import brief
from league.model.bot_files import path_fault
from league.model.errors import SpecError
from league.model.records import Limits
from league.registration.file_lines import FileListError
from league.registration.reader import ReadKind, SandboxReader, exchanged
from league.seats.process.bot_process import (
    BotProcess,
    ProcessEnded,
    ProcessFlood,
    ProcessLate,
)
from league.seats.process.launch import BotCommand, homes_of, launch
from league.seats.process.scratch import ScratchFolder
from league.seats.source_folder import is_executable, write_files

BUILD_S = 120.0
"""Longest time for a build."""

BUILD_MB = 2048
"""The most memory of each process of a build."""

RUN = "run"
BOT = "bot"
"""The program that a build makes, unless the folder has a script `run`."""

LOG_LINES = 6

_ERROR = re.compile(r"\b(?:error|ERR)\b", re.IGNORECASE)
"""Begins what a compiler says about an error."""

_ARCHIVE = "files.tar"
_CHUNK = 60_000

# What it writes is a list of one file, as `file_lines` reads it.
_SCRIPT = f"""\
set -e
cp -R "$0/." build
chmod -R u+w build
cd build
eval "$1" >&2 < /dev/null
echo n{b64encode(_ARCHIVE.encode()).decode()}
tar -cf - --exclude=./target . | base64 -w {_CHUNK} | sed s/^/d/
echo e
"""

_CARGO = "cargo build --release --offline --quiet"


@dataclass(frozen=True, slots=True)
class Recipe:
    """The build of a bot from a folder: a shell command, '' for none, and the resulting program.

    An `interpreter` runs the program if there is one.
    """

    command: str
    program: str
    interpreter: str = ""

    @property
    def spec(self) -> str:
        """The spec of the bot, which speaks JSON lines."""
        words = [self.interpreter, self.program] if self.interpreter else [f"./{self.program}"]
        return f"exec:{shlex.join(words)}"


def recipe_of(files: Mapping[str, bytes], spec: str, reader: SandboxReader) -> Recipe | None:
    """Return how the files become a program; None if nothing says so. Raises `SpecError`."""

    def told(kind: ReadKind, name: str) -> dict[str, str]:
        found = reader.read(kind, {name: files[name]}, spec)
        return {key: text.decode("utf-8", "replace") for key, text in found.items()}

    if "Makefile" in files:
        found = Recipe("make", BOT)
    elif "Cargo.toml" in files:
        found = _of_crate(told(ReadKind.CARGO, "Cargo.toml").get("name", ""), spec)
    elif "package.json" in files:
        found = _of_package(told(ReadKind.PACKAGE, "package.json"), spec)
    elif RUN in files:
        found = Recipe("", RUN)
    else:
        return None
    return Recipe(found.command, RUN) if RUN in files else found


def built(
    files: Mapping[str, bytes], recipe: Recipe, spec: str, reader: SandboxReader
) -> dict[str, bytes]:
    """Return the files after the build; raise `SpecError` if that fails."""
    found = dict(files)
    if recipe.command:
        packed = _packed(files, recipe.command, spec, reader)
        try:
            # By a process that the build can't reach: what it left running may have packed this.
            found = reader.read(ReadKind.TAR, {_ARCHIVE: packed}, spec)
        except SpecError as error:
            text = f"the build {_short(recipe.command)!r} leaves invalid files: {error}"
            raise SpecError(text, spec) from None
    if recipe.program not in found:
        maker = f"{_short(recipe.command)!r} makes" if recipe.command else "the folder has"
        raise SpecError(f"{maker} no file {recipe.program!r}", spec)
    if not recipe.interpreter and not is_executable(found[recipe.program]):
        text = f"{recipe.program!r} is no program: begin a script with a line such as '#!/bin/sh'"
        raise SpecError(text, spec)
    return found


def _of_crate(name: str, spec: str) -> Recipe:
    if path_fault(name) or "/" in name:
        raise SpecError(f"Cargo.toml names no package: {name!r}", spec)
    return Recipe(f"{_CARGO} && cp target/release/{shlex.quote(name)} {BOT}", BOT)


def _of_package(told: Mapping[str, str], spec: str) -> Recipe:
    main = told.get("main", "").removeprefix("./")
    if path_fault(main):
        raise SpecError(f"package.json: main {brief(main)} is not a file of the folder", spec)
    return Recipe("npm run build" if "build" in told else "", main, "node")


def _packed(files: Mapping[str, bytes], command: str, spec: str, reader: SandboxReader) -> bytes:
    """Build, and return the archive of all files then; raise `SpecError`."""
    limits = Limits(memory_mb=BUILD_MB, isolation=reader.level)
    folder = ScratchFolder()
    try:
        sources = folder.path / "sources"
        write_files(sources, files)
        process = launch(_command(sources, command), limits, reader.environment)
        try:
            return _output(process, command, spec)
        finally:
            process.kill()
    except OSError as error:
        raise SpecError(f"{_short(command)!r} can't be run: {error}", spec) from None
    finally:
        folder.remove()


def _command(sources: Path, command: str) -> BotCommand:
    """Return the command line of a build: compilers are visible to it, wherever they are."""
    tools = filter(None, map(shutil.which, ("cc", "make", "cargo", "rustc", "node", "npm")))
    homes = [home for tool in tools for home in homes_of(tool)]
    # Beside its programs, cargo keeps passwords of its user.
    readable = [sources, *(home / "bin" if home.name == ".cargo" else home for home in homes)]
    words = ["/bin/sh", "-c", _SCRIPT, str(sources), command]
    rustup = Path(os.environ.get("RUSTUP_HOME") or Path.home() / ".rustup")
    if rustup.is_dir():
        # The cargo on the path may be rustup's, which looks for compilers in the user's home.
        readable.append(rustup)
        words = ["/usr/bin/env", f"RUSTUP_HOME={rustup}", *words]
    return BotCommand(words=words, readable=readable)


def _output(process: BotProcess, command: str, spec: str) -> bytes:
    """Return the archive that a build writes; raise `SpecError` if it fails or takes too long."""
    deadline_ns = time.monotonic_ns() + int(BUILD_S * 1e9)
    try:
        return exchanged(process, (), deadline_ns).get(_ARCHIVE, b"")
    except ProcessEnded as ended:
        fault = str(ended)
    except ProcessLate:
        fault = f"took more than {BUILD_S:g} s"
    except FileListError as error:
        fault = f"leaves {error}"
    except (ProcessFlood, ValueError):
        fault = "wrote nonsense"
    told = "".join(f"\n  | {line}" for line in _reason(process.log().splitlines()))
    raise SpecError(f"the build {_short(command)!r} {fault}{told}", spec)


def _reason(log: list[str]) -> list[str]:
    """Return the lines of a log that tell most: from its first error on, else the last ones."""
    first = next((number for number, line in enumerate(log) if _ERROR.search(line)), len(log))
    return log[min(first, max(0, len(log) - LOG_LINES)) :][:LOG_LINES]


def _short(command: str) -> str:
    return command.partition(" && ")[0]
