"""Reading the files in a zip or tar, which a stranger made: only the reader's process does it."""

import stat
import tarfile
import zlib
from io import BytesIO
from pathlib import PurePosixPath
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from league.model.bot_files import (
    FILES_BYTES,
    FILES_MAX,
    clash_fault,
    is_left_out,
    path_fault,
    room_fault,
    without_wrapper,
)
from league.registration.file_lines import FileListError

MEMBERS_MAX = 20 * FILES_MAX
"""The most entries of a tar, with those that are no files of a bot."""

_ENTRY = b"PK\x01\x02"
"""The first bytes of each entry in the table of a zip."""

_ENCRYPTED = 0x1
_IS_UTF8 = 0x800


def files_of_zip(data: bytes, name: str) -> dict[str, bytes]:
    """Return the files in the zip of that name, by path; raise `FileListError`.

    No size that the zip claims is believed, and nothing is written to the disk.
    """
    # Each entry of the table takes far more memory than room in the file.
    if data.count(_ENTRY) > 10 * FILES_MAX:
        raise _refused(name, room_fault(FILES_MAX + 1, 0))
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
                    raise _refused(name, fault)
                with found.open(entry) as file:
                    content = file.read(room + 1)
                room -= len(content)
                if room < 0:
                    raise _refused(name, room_fault(1, FILES_BYTES + 1))
                files[path] = content
            if fault := clash_fault(files):
                raise _refused(name, fault)
    except (BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, ValueError) as error:
        raise FileListError(f"{name} is not a readable zip: {error}") from None
    return without_wrapper(files)


def files_of_tar(data: bytes) -> dict[str, bytes]:
    """Return the plain files in a tar that a build left, without objects; raise `FileListError`."""
    files: dict[str, bytes] = {}
    size = 0
    try:
        with tarfile.open(fileobj=BytesIO(data), mode="r:") as archive:
            for number, member in enumerate(archive):
                # An entry of a negative size leads back to one before it.
                if number >= MEMBERS_MAX or member.size < 0:
                    raise FileListError(f"more than {MEMBERS_MAX} entries")
                name = member.name.removeprefix("./")
                if not member.isreg() or name.endswith(".o") or name.startswith("."):
                    continue
                size += member.size
                if fault := path_fault(name) or room_fault(len(files) + 1, size):
                    raise FileListError(fault)
                content = archive.extractfile(member)
                files[name] = content.read() if content else b""
    except (tarfile.TarError, EOFError, OSError, ValueError) as error:
        raise FileListError(f"an archive that can't be read: {error}") from None
    return files


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


def _refused(what: str, fault: str) -> FileListError:
    return FileListError(f"{what!r} can't be a bot: {fault}")
