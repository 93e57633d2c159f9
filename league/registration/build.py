"""Building a bot of another language, once, as strictly isolated as the bot will be."""

import json
import os
import re
import shlex
import shutil
import tarfile
import time
from base64 import b64decode
from binascii import Error as Base64Error
from collections.abc import Mapping
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from league.model.bot_files import clash_fault, path_fault, room_fault
from league.model.errors import SpecError
from league.model.records import Isolation, Limits
from league.seats.process.bot_process import (
    BotProcess,
    ProcessEnded,
    ProcessFlood,
    ProcessLate,
)
from league.seats.process.environment import NO_ENVIRONMENT
from league.seats.process.isolation import resolve
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

_CHUNK = 60_000

_SCRIPT = f"""\
set -e
cp -R "$0/." build
chmod -R u+w build
cd build
eval "$1" >&2 < /dev/null
tar -cf - --exclude=./target . | base64 -w {_CHUNK}
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


def recipe_of(files: Mapping[str, bytes], spec: str) -> Recipe | None:
    """Return how the files become a program; None if nothing says so. Raises `SpecError`."""
    if "Makefile" in files:
        found = Recipe("make", BOT)
    elif "Cargo.toml" in files:
        name = shlex.quote(_crate(files["Cargo.toml"], spec))
        found = Recipe(f"{_CARGO} && cp target/release/{name} {BOT}", BOT)
    elif "package.json" in files:
        found = _of_package(files["package.json"], spec)
    elif RUN in files:
        found = Recipe("", RUN)
    else:
        return None
    return Recipe(found.command, RUN) if RUN in files else found


def built(
    files: Mapping[str, bytes], recipe: Recipe, spec: str, isolation: Isolation
) -> dict[str, bytes]:
    """Return the files after the build; raise `SpecError` if that fails."""
    found = dict(files)
    if recipe.command:
        found = _build(files, recipe.command, spec, isolation)
    if recipe.program not in found:
        maker = f"{_short(recipe.command)!r} makes" if recipe.command else "the folder has"
        raise SpecError(f"{maker} no file {recipe.program!r}", spec)
    if not recipe.interpreter and not is_executable(found[recipe.program]):
        text = f"{recipe.program!r} is no program: begin a script with a line such as '#!/bin/sh'"
        raise SpecError(text, spec)
    return found


def _crate(text: bytes, spec: str) -> str:
    # Not above: it is imported with everything that plays, and compiles many patterns.
    import tomllib  # noqa: PLC0415

    try:
        told = tomllib.loads(text.decode())
        name = told["bin"][0]["name"] if "bin" in told else told["package"]["name"]
    except (ValueError, KeyError, IndexError, TypeError, RecursionError) as error:
        raise SpecError(f"Cargo.toml names no package: {error}", spec) from None
    if not isinstance(name, str) or path_fault(name) or "/" in name:
        raise SpecError(f"Cargo.toml names no package: {name!r}", spec)
    return name


def _of_package(text: bytes, spec: str) -> Recipe:
    try:
        told = json.loads(text)
        main = told.get("main", "index.js")
        has_build = "build" in told.get("scripts", {})
    except (ValueError, AttributeError, TypeError, RecursionError) as error:
        raise SpecError(f"package.json can't be read: {error}", spec) from None
    if not isinstance(main, str) or path_fault(main.removeprefix("./")):
        raise SpecError(f"package.json: main {main!r} is not a file of the folder", spec)
    return Recipe("npm run build" if has_build else "", main.removeprefix("./"), "node")


def _build(
    files: Mapping[str, bytes], command: str, spec: str, isolation: Isolation
) -> dict[str, bytes]:
    level = resolve(isolation)[0]
    if level is Isolation.NONE:
        # A build would have no folder of its own to write to.
        level = Isolation.LIMITS
    limits = Limits(memory_mb=BUILD_MB, isolation=level)
    folder = ScratchFolder()
    try:
        sources = folder.path / "sources"
        write_files(sources, files)
        process = launch(_command(sources, command), limits, NO_ENVIRONMENT)
        try:
            packed = _output(process, command, spec)
        finally:
            process.kill()
    except OSError as error:
        raise SpecError(f"{_short(command)!r} can't be run: {error}", spec) from None
    finally:
        folder.remove()
    return _unpacked(packed, command, spec)


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
    """Return what a build writes to its output; raise `SpecError` if it fails or takes too long."""
    deadline_ns = time.monotonic_ns() + int(BUILD_S * 1e9)
    parts: list[bytes] = []
    size = 0
    try:
        while not room_fault(1, size):
            parts.append(b64decode(process.read_line(deadline_ns), validate=True))
            size += len(parts[-1])
    except ProcessEnded as ended:
        if ended.returncode == 0:
            return b"".join(parts)
        fault = str(ended)
    except ProcessLate:
        fault = f"took more than {BUILD_S:g} s"
    except (ProcessFlood, Base64Error):
        fault = "wrote nonsense"
    else:
        fault = f"leaves {room_fault(1, size)}"
    told = "".join(f"\n  | {line}" for line in _reason(process.log().splitlines()))
    raise SpecError(f"the build {_short(command)!r} {fault}{told}", spec)


def _reason(log: list[str]) -> list[str]:
    """Return the lines of a log that tell most: from its first error on, else the last ones."""
    first = next((number for number, line in enumerate(log) if _ERROR.search(line)), len(log))
    return log[min(first, max(0, len(log) - LOG_LINES)) :][:LOG_LINES]


def _unpacked(packed: bytes, command: str, spec: str) -> dict[str, bytes]:
    """Return the plain files of a tar archive; nothing is written to the disk."""
    files: dict[str, bytes] = {}
    size = 0
    try:
        with tarfile.open(fileobj=BytesIO(packed), mode="r:") as archive:
            for member in archive:
                name = member.name.removeprefix("./")
                if not member.isreg() or name.endswith(".o") or name.startswith("."):
                    continue
                size += member.size
                if fault := path_fault(name) or room_fault(len(files) + 1, size):
                    raise SpecError(f"the build {_short(command)!r} leaves {fault}", spec)
                content = archive.extractfile(member)
                files[name] = content.read() if content else b""
        if fault := clash_fault(files):
            raise SpecError(f"the build {_short(command)!r} left invalid files: {fault}", spec)
    except (tarfile.TarError, ValueError, EOFError, OSError) as error:
        raise SpecError(
            f"the build {_short(command)!r} wrote invalid output: {error}", spec
        ) from None
    return files


def _short(command: str) -> str:
    return command.partition(" && ")[0]
