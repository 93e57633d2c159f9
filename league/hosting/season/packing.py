"""Packing a bot for its way to a league: what `league push` and a browser send."""

from collections.abc import Iterable
from io import BytesIO
from pathlib import Path
from typing import NamedTuple
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from league.hosting.season.servers import SUFFIX
from league.model.errors import SpecError
from league.model.web_address import is_web_address
from league.registration.bot_files import read_folder, read_plain
from league.registration.source_snapshot import local_files

_BEGINNING = (1980, 1, 1, 0, 0, 0)
"""The time of every packed file, so that the same files are the same upload."""


class Packed(NamedTuple):
    """An upload: the file's name, its content, and the bot's own file in a zip, '' for none."""

    file_name: str
    data: bytes
    own: str = ""


def packed(path: Path, spec: str) -> Packed:
    """Return the upload of a Python file, a zip or a folder; raise `SpecError`.

    The address of a web server becomes a file, too. A Python file that imports modules beside it is
    packed with them.
    """
    if is_web_address(spec):
        return Packed(f"server{SUFFIX}", f"{spec}\n".encode())
    if path.is_dir():
        name = path.resolve().name
        return Packed(f"{name}.zip", zip_of(read_folder(path, spec).items()))
    if not path.exists():
        raise SpecError(f"no file {str(path)!r}", spec)
    if path.suffix not in (".py", ".zip"):
        raise SpecError(
            f"{path.name!r} is not a Python file, zip or folder: put a program into a folder with "
            "a Makefile, Cargo.toml, package.json or a script 'run'",
            spec,
        )
    if path.suffix == ".py" and (files := _with_modules(path)):
        return Packed(f"{path.stem}.zip", zip_of(files.items()), path.name)
    return Packed(path.name, read_plain(path, spec))


def zip_of(files: Iterable[tuple[str, bytes]]) -> bytes:
    """Return a zip of files, the same for the same files."""
    out = BytesIO()
    with ZipFile(out, "w", ZIP_DEFLATED) as archive:
        for name, data in files:
            entry = ZipInfo(name, _BEGINNING)
            entry.compress_type = ZIP_DEFLATED
            archive.writestr(entry, data)
    return out.getvalue()


def _with_modules(path: Path) -> dict[str, bytes]:
    """Return the file and the modules beside it that it imports, nothing if it imports none.

    A file that can't be read as Python goes alone: the league says what is wrong with it.
    """
    try:
        files = local_files(path)
    except SpecError:
        return {}
    return files if len(files) > 1 else {}
