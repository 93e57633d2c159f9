"""Unpacking an upload in the sandbox: nothing of it is read in a process of the league."""

import json
import sys
import time
from base64 import b64decode
from binascii import Error as Base64Error
from typing import Any

from league.model.bot_files import clash_fault, path_fault, room_fault
from league.model.errors import SpecError
from league.model.records import Isolation, Limits
from league.seats.process.bot_process import (
    BotProcess,
    ProcessEnded,
    ProcessFlood,
    ProcessLate,
)
from league.seats.process.environment import BotEnvironment
from league.seats.process.launch import BotCommand, launch, python_path

UNPACK_S = 30.0
"""Longest time to read an upload."""

PROGRAM = "league.season.unpack_program"
"""The module that runs in the sandbox."""

FAULT_MAX = 1000


def unpacked(
    data: bytes, file_name: str, isolation: Isolation, environment: BotEnvironment
) -> dict[str, bytes]:
    """Return the files of an upload, a Python file or a zip; raise `SpecError`.

    The process in the sandbox reads the zip, and may be taken over by it: nothing that it writes is
    believed to keep to the limits.
    """
    words = [sys.executable, "-B", "-P", "-m", PROGRAM, str(len(data)), file_name]
    command = BotCommand(words=words, python_path=python_path())
    process = launch(command, Limits(isolation=isolation), environment)
    deadline_ns = time.monotonic_ns() + int(UNPACK_S * 1e9)
    try:
        process.write(data, deadline_ns)
        return _files(process, file_name, deadline_ns)
    except ProcessEnded as ended:
        raise _unread(file_name, f"it can't be read within the limits ({ended})") from None
    except ProcessLate:
        raise _unread(file_name, f"it takes more than {UNPACK_S:g} s to read") from None
    except (ProcessFlood, Base64Error, ValueError, KeyError, TypeError, RecursionError):
        raise _unread(file_name, "reading it gave invalid data") from None
    finally:
        process.kill()


def _files(process: BotProcess, file_name: str, deadline_ns: int) -> dict[str, bytes]:
    """Read what the program writes: for each file its name and size, then its content."""
    files: dict[str, bytes] = {}
    size = 0
    while True:
        told = _object(process.read_line(deadline_ns))
        if "fault" in told:
            raise SpecError(str(told["fault"])[:FAULT_MAX], file_name)
        if "end" in told:
            if fault := clash_fault(files):
                raise _unread(file_name, fault)
            return files
        name, chunks = str(told["name"]), int(told["chunks"])
        if fault := path_fault(name) or room_fault(len(files) + 1, size):
            raise _unread(file_name, fault)
        parts = []
        for _ in range(chunks):
            parts.append(b64decode(process.read_line(deadline_ns), validate=True))
            size += len(parts[-1])
            if fault := room_fault(1, size):
                raise _unread(file_name, fault)
        files[name] = b"".join(parts)


def _object(line: bytes) -> dict[str, Any]:
    found = json.loads(line)
    if not isinstance(found, dict):
        raise TypeError
    return found


def _unread(file_name: str, fault: str) -> SpecError:
    return SpecError(f"{file_name!r} can't be a bot: {fault}", file_name)
