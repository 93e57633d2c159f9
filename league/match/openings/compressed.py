"""Compressed files of openings: `book.epd.gz`, `book.pgn.zst`, `book.pgn.zip`."""

import gzip
import lzma
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from league.model.errors import SetupError
from league.model.zstandard import zstd_module

PLAIN_MAX = 2 << 30
"""The most bytes of a book; a small file may hold far more than the disk has room for."""

_BLOCK = 1 << 20


@contextmanager
def plain_file(path: Path) -> Iterator[Path]:
    """Give a file of the plain text of `path`, whose ending tells its kind, for the time being.

    A file that is not compressed is given itself. Raises `OSError`, and `SetupError` for a damaged
    file, one that grows beyond `PLAIN_MAX`, and an archive without exactly one file.
    """
    path.open("rb").close()
    opened = _OPENERS.get(path.suffix.lower())
    if opened is None:
        yield path
        return
    with tempfile.TemporaryDirectory() as folder:
        try:
            with opened(path) as (name, stream):
                plain = Path(folder) / f"book{Path(name).suffix}"
                with plain.open("wb") as out:
                    while block := stream.read(_BLOCK):
                        out.write(block)
                        if out.tell() > PLAIN_MAX:
                            raise SetupError(f"which holds more than {PLAIN_MAX >> 30} GB")
        except _damages() as error:
            raise SetupError(f"which can't be unpacked: {error}") from None
        yield plain


@contextmanager
def _gzip(path: Path) -> Iterator[tuple[str, Any]]:
    with gzip.open(path) as stream:
        yield path.stem, stream


@contextmanager
def _zstd(path: Path) -> Iterator[tuple[str, Any]]:
    with zstd_module().open(path, "rb") as stream:
        yield path.stem, stream


@contextmanager
def _zip(path: Path) -> Iterator[tuple[str, Any]]:
    with zipfile.ZipFile(path) as archive:
        names = [each.filename for each in archive.infolist() if not each.is_dir()]
        if len(names) != 1:
            raise SetupError(f"an archive of {len(names)} files: expected one")
        with archive.open(names[0]) as stream:
            yield names[0], stream


def _damages() -> tuple[type[Exception], ...]:
    known = (EOFError, gzip.BadGzipFile, zlib.error, lzma.LZMAError, zipfile.BadZipFile)
    return (*known, NotImplementedError, RuntimeError, zstd_module().ZstdError)


_OPENERS: dict[str, Callable[[Path], Any]] = {".gz": _gzip, ".zst": _zstd, ".zip": _zip}

COMPRESSED = tuple(_OPENERS)
"""The endings of compressed files."""
