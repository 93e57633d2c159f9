"""Taking the files of a bot from the disk, where a stranger may have made them."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from league.model.bot_files import (
    FILES_BYTES,
    is_left_out,
    path_fault,
    room_fault,
    without_wrapper,
)
from league.model.errors import SpecError


def read_folder(folder: Path, spec: str) -> dict[str, bytes]:
    """Return the files below a folder, by relative path; raise `SpecError`.

    Hidden files and caches are left out; links and whatever else is not a regular file are refused.
    """
    files: dict[str, bytes] = {}
    room = FILES_BYTES
    for path in _below(folder, spec):
        name = path.relative_to(folder).as_posix()
        if fault := room_fault(len(files) + 1, 0):
            raise _refused(folder.resolve().name, fault, spec)
        files[name] = read_plain(path, spec, room)
        room -= len(files[name])
    return without_wrapper(files)


def read_plain(path: Path, spec: str, room: int = FILES_BYTES) -> bytes:
    """Return the content of a plain file of at most `room` bytes; raise `SpecError`."""
    try:
        # Neither follows a link nor waits for somebody who writes to a named pipe.
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        with os.fdopen(descriptor, "rb") as file:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise SpecError(f"{path.name} is not a regular file", spec)
            data = file.read(room + 1)
    except OSError as error:
        raise SpecError(f"{path.name} can't be read: {error.strerror}", spec) from None
    if len(data) > room:
        raise _refused(path.name, room_fault(1, FILES_BYTES + 1), spec)
    return data


def _below(folder: Path, spec: str) -> Iterator[Path]:
    """Yield the files below a folder; raise `SpecError` for a link and for what is too deep."""
    inside = [folder]
    while inside:
        here = inside.pop()
        try:
            entries = sorted(here.iterdir())
        except OSError as error:
            raise SpecError(f"folder {here.name!r} can't be read: {error.strerror}", spec) from None
        for path in entries:
            if is_left_out(Path(path.name)):
                continue
            fault = f"{path.name!r} is a link" if path.is_symlink() else ""
            if fault := fault or path_fault(path.relative_to(folder).as_posix()):
                raise _refused(folder.resolve().name, fault, spec)
            if path.is_dir():
                inside.append(path)
            else:
                yield path


def _refused(what: str, fault: str, spec: str) -> SpecError:
    return SpecError(f"{what!r} can't be a bot: {fault}", spec)
