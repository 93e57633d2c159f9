"""Reading the files of a bot from a folder or a zip, which a stranger may have made."""

import os
import stat
import zlib
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path, PurePosixPath
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from league.model.bot_files import FILES_BYTES, FILES_MAX, clash_fault, path_fault, room_fault
from league.model.errors import SpecError

_LEFT_OUT = {"__pycache__", "__MACOSX", "target"}
"""Folders that can be made again, or that a system adds; hidden files are left out too."""

_ENTRY = b"PK\x01\x02"
"""The first bytes of each entry in the table of a zip."""

_ENCRYPTED = 0x1
_IS_UTF8 = 0x800


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
    return _without_wrapper(files)


def read_zip(path: Path, spec: str) -> dict[str, bytes]:
    """Return the files in a zip, by path; raise `SpecError`.

    No size that the zip claims is believed, and nothing is written to the disk.
    """
    return files_of_zip(read_plain(path, spec), path.name, spec)


def files_of_zip(data: bytes, name: str, spec: str) -> dict[str, bytes]:
    """Return the files in the zip of that name as `read_zip` does; raise `SpecError`."""
    # Each entry of the table takes far more memory than room in the file.
    if data.count(_ENTRY) > 10 * FILES_MAX:
        raise _refused(name, room_fault(FILES_MAX + 1, 0), spec)
    files: dict[str, bytes] = {}
    try:
        with ZipFile(BytesIO(data)) as found:
            room = FILES_BYTES
            for entry in found.infolist():
                path = _path_of(entry)
                if entry.is_dir() or is_left_out(PurePosixPath(path or entry.filename)):
                    continue
                fault = _entry_fault(entry, path) or room_fault(len(files) + 1, 0)
                if fault := fault or (f"two files are called {path!r}" if path in files else ""):
                    raise _refused(name, fault, spec)
                with found.open(entry) as file:
                    content = file.read(room + 1)
                room -= len(content)
                if room < 0:
                    raise _refused(name, room_fault(1, FILES_BYTES + 1), spec)
                files[path] = content
            if fault := clash_fault(files):
                raise _refused(name, fault, spec)
    except (BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, ValueError) as error:
        raise SpecError(f"{name} is not a readable zip: {error}", spec) from None
    return _without_wrapper(files)


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


def is_left_out(path: PurePosixPath | Path) -> bool:
    """Whether a file is no part of a bot: hidden, a cache, or something that a system adds."""
    return any((part.startswith(".") and part != "..") or part in _LEFT_OUT for part in path.parts)


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


def _path_of(entry: ZipInfo) -> str:
    """Return the path of an entry, '' if it is not UTF-8; many programs do not say that it is."""
    if entry.flag_bits & _IS_UTF8:
        return entry.filename
    try:
        # So the library reads a name of which nothing is said; it can read any bytes so.
        return entry.filename.encode("cp437").decode()
    except UnicodeError:
        return ""


def _entry_fault(entry: ZipInfo, path: str) -> str:
    if not path:
        return f"the name {entry.filename!r} is not UTF-8"
    if stat.S_ISLNK(entry.external_attr >> 16):
        return f"{entry.filename!r} is a link"
    if entry.flag_bits & _ENCRYPTED:
        return f"{entry.filename!r} is encrypted"
    if entry.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
        return f"{entry.filename!r} is compressed by a method other than deflate"
    return path_fault(path)


def _without_wrapper(files: dict[str, bytes]) -> dict[str, bytes]:
    """Return files without the only folder that they are all in, as zips often have one."""
    heads = {name.partition("/")[0] for name in files}
    if len(heads) != 1 or any("/" not in name for name in files):
        return files
    return {name.partition("/")[2]: data for name, data in files.items()}


def _refused(what: str, fault: str, spec: str) -> SpecError:
    return SpecError(f"{what!r} can't be a bot: {fault}", spec)
