"""Reading what a stranger wrote, in a process of its own: nothing of it is parsed in the league's.

That process may be taken over by what it reads. It hands out a list of names and bytes, of which
nothing is believed to keep to the bounds.
"""

import sys
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from league.model.errors import SetupError, SpecError
from league.model.records import Isolation, Limits
from league.registration.file_lines import FileList, FileListError, lines_of
from league.seats.process.bot_process import (
    BotProcess,
    ProcessEnded,
    ProcessFlood,
    ProcessLate,
)
from league.seats.process.environment import NO_ENVIRONMENT, BotEnvironment
from league.seats.process.isolation import resolve
from league.seats.process.launch import BotCommand, launch

READ_S = 30.0
"""Longest time to read what a stranger wrote."""

PROGRAM = "league.registration.reader_program"
"""The module that runs in the process."""

_HOME = Path(__file__).parents[2]
"""The folder of this package: all that the reader needs besides Python."""


class ReadKind(StrEnum):
    """What is read, and what comes out.

    The files in a `ZIP`; those that a build left, in a `TAR`; the names that each `PYTHON` file
    imports; the name of the program of a Cargo.toml; the main file of a package.json.
    """

    ZIP = "zip"
    TAR = "tar"
    PYTHON = "python"
    CARGO = "cargo"
    PACKAGE = "package"


@dataclass(frozen=True, slots=True)
class SandboxReader:
    """Reads in processes of this isolation and environment, but never without bounds."""

    isolation: Isolation = Isolation.AUTO
    environment: BotEnvironment = NO_ENVIRONMENT

    @property
    def level(self) -> Isolation:
        """The level at which a stranger's files are read and built; raise `SetupError`."""
        level = resolve(self.isolation)[0]
        return Isolation.LIMITS if level is Isolation.NONE else level

    def read(self, kind: ReadKind, files: Mapping[str, bytes], spec: str) -> dict[str, bytes]:
        """Return what is in the files; raise `SpecError` for what can't be read within bounds."""
        name = next(iter(files))
        process = self._launched(kind)
        deadline_ns = time.monotonic_ns() + int(READ_S * 1e9)
        try:
            return exchanged(process, lines_of(files), deadline_ns)
        except FileListError as error:
            raise SpecError(str(error), spec) from None
        except ProcessEnded as ended:
            fault = f"it can't be read within the limits ({ended})"
        except ProcessLate:
            fault = f"it takes more than {READ_S:g} s to read"
        except (ProcessFlood, ValueError):
            fault = "reading it gave invalid data"
        finally:
            process.kill()
        raise SpecError(f"{name!r} can't be a bot: {fault}", spec)

    def _launched(self, kind: ReadKind) -> BotProcess:
        words = [sys.executable, "-B", "-P", "-m", PROGRAM, kind]
        command = BotCommand(words=words, python_path=[str(_HOME)])
        try:
            return launch(command, Limits(isolation=self.level), self.environment)
        except OSError as error:
            raise SetupError(f"{PROGRAM} can't be started: {error}") from None


def exchanged(process: BotProcess, lines: Iterable[bytes], deadline_ns: int) -> dict[str, bytes]:
    """Write lines to a process, and return the list of files that it writes.

    Raises `FileListError`, `ProcessEnded`, `ProcessLate`, `ProcessFlood`, and `ValueError` if it
    writes anything else.
    """
    for line in lines:
        process.write(line, deadline_ns)
    found = FileList()
    while not found.take(process.read_line(deadline_ns)):
        continue
    return found.files
