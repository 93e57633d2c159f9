"""PGN files in blocks of whole games; packed files are unpacked on the way."""

import bz2
import gzip
import importlib.util
import lzma
import sys
import zlib
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from league.model.errors import SetupError

STDIN = "-"
"""The name by which standard input is read."""

BLOCK = 1 << 22
BLOCK_MAX = 1 << 26
"""A text longer than this without a boundary between games is split at any line."""

_CHUNK = 1 << 18
_MARK = b"\xef\xbb\xbf"
_DAMAGED = (OSError, EOFError, zlib.error, lzma.LZMAError)


@dataclass(frozen=True, slots=True)
class GameBlock:
    """Whole games as bytes: a line break, then lines; `before` lines of the file precede it."""

    text: bytes
    before: int

    def line(self, position: int) -> int:
        """Return the number in the file, from 1, of the line that begins at `position`."""
        return self.before + self.text.count(b"\n", 0, position)


class PgnFile:
    """One file, or standard input, read once.

    `fault` says what is wrong with it as soon as that is found, '' for nothing; what came before
    is read. `size` counts the bytes read so far, unpacked.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self.fault = ""
        self.size = 0

    def blocks(self) -> Iterator[GameBlock]:
        """Yield the file; lines end in one byte. Raises `SetupError` where it can't be opened."""
        with ExitStack() as stack:
            chunks = self._chunks(stack)
            text, before, is_first = b"\n", 0, True
            while block := self._fill(chunks):
                text += block.removeprefix(_MARK) if is_first else block
                is_first = False
                cut = _cut(text)
                if not cut and len(text) >= BLOCK_MAX:
                    cut = text.rfind(b"\n", 1)
                if cut > 0:
                    yield GameBlock(text[:cut], before)
                    before += text.count(b"\n", 0, cut)
                    text = text[cut:]
            if text.strip():
                yield GameBlock(text, before)

    def _fill(self, chunks: Iterator[bytes]) -> bytes:
        found: list[bytes] = []
        size = 0
        for chunk in chunks:
            found.append(chunk)
            size += len(chunk)
            # A line break of two bytes stays whole.
            if size >= BLOCK and not chunk.endswith(b"\r"):
                break
        whole = b"".join(found)
        return whole.replace(b"\r\n", b"\n") if b"\r" in whole else whole

    def _chunks(self, stack: ExitStack) -> Iterator[bytes]:
        try:
            file, damaged = _opened(self.path, stack)
        except OSError as error:
            raise SetupError(f"can't read {self.path!r}: {error.strerror}") from None
        while True:
            try:
                chunk: bytes = file.read1(_CHUNK)
            except damaged as error:
                self.fault = f"damaged after {self.size:,} bytes of text: {error}"
                return
            if not chunk:
                return
            self.size += len(chunk)
            yield chunk


def _opened(path: str, stack: ExitStack) -> tuple[Any, tuple[type[Exception], ...]]:
    if path == STDIN:
        return _unpacked(path, sys.stdin.buffer)
    return _unpacked(path, stack.enter_context(Path(path).open("rb")))


def _unpacked(path: str, raw: Any) -> tuple[Any, tuple[type[Exception], ...]]:
    """Return a reader for what a file begins with, and what it raises where that is damaged."""
    head = raw.peek(6)
    if head.startswith(b"\x1f\x8b"):
        return gzip.GzipFile(fileobj=raw), _DAMAGED
    if head.startswith(b"BZh"):
        return bz2.BZ2File(raw), _DAMAGED
    if head.startswith(b"\xfd7zXZ\x00"):
        return lzma.LZMAFile(raw), _DAMAGED
    if head.startswith(b"\x28\xb5\x2f\xfd"):
        return _zstandard(path, raw)
    return raw, _DAMAGED


def _zstandard(path: str, raw: Any) -> tuple[Any, tuple[type[Exception], ...]]:
    # Python has it since 3.14.
    if sys.version_info < (3, 14) or importlib.util.find_spec("compression.zstd") is None:
        raise SetupError(
            f"{path!r} is packed by zstd, which this Python can't read: "
            f"zstd -dc {path} | league rate-pgn {STDIN}"
        )
    zstd = import_module("compression.zstd")
    return zstd.ZstdFile(raw), (*_DAMAGED, zstd.ZstdError)


def _cut(text: bytes) -> int:
    """Return where the last game begins: at the line break before its first tag; 0 for nowhere."""
    at = len(text)
    while (at := text.rfind(b"\n\n[", 0, at)) > 0:
        # A blank line between two tags parts no games.
        last = text[max(0, at - 4096) : at].rstrip().rpartition(b"\n")[2]
        if last and not last.startswith(b"["):
            return at + 1
    return 0
