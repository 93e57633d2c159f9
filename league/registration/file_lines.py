"""Files as lines of text: the only form in which a process that a stranger may control sends them.

Each line is a letter and base64. `n` begins the file of that name, `d` adds to its content, `f` is
a fault and ends the list as `e` does.
"""

from base64 import b64decode, b64encode
from collections.abc import Iterator, Mapping

from league.model.bot_files import FILES_BYTES, clash_fault, path_fault, room_fault

CHUNK = 300_000
"""The most bytes of a file in one line."""

FAULT_MAX = 1000
"""The most letters of a fault."""


class FileListError(Exception):
    """A list of files has a fault that its sender tells, or breaks the bounds on files."""


class FileList:
    """The files of a list, line by line; all of them together have at most `room` bytes."""

    def __init__(self, room: int = FILES_BYTES) -> None:
        self._files: dict[str, bytearray] = {}
        self._newest: bytearray | None = None
        self._left = room

    @property
    def files(self) -> dict[str, bytes]:
        """The files so far."""
        return {name: bytes(content) for name, content in self._files.items()}

    @property
    def first(self) -> str:
        """The name of the first file, '' before there is one."""
        return next(iter(self._files), "")

    def take(self, line: bytes) -> bool:
        """Take the next line; return whether it is the last.

        Raises `FileListError`, and `ValueError` for a line of another form.
        """
        kind, data = line[:1], b64decode(line[1:], validate=True)
        if kind == b"d" and data and self._newest is not None:
            self._left -= len(data)
            if self._left < 0:
                raise FileListError(room_fault(1, FILES_BYTES + 1))
            self._newest += data
        elif kind == b"n":
            self._begin(data.decode())
        elif kind == b"f":
            raise FileListError(data.decode("utf-8", "replace")[:FAULT_MAX])
        elif line == b"e":
            if fault := clash_fault(self._files):
                raise FileListError(fault)
            return True
        else:
            raise ValueError("not a line of a list of files")
        return False

    def _begin(self, name: str) -> None:
        fault = path_fault(name) or room_fault(len(self._files) + 1, 0)
        if fault := fault or (f"two files are called {name!r}" if name in self._files else ""):
            raise FileListError(fault)
        self._newest = self._files[name] = bytearray()


def lines_of(files: Mapping[str, bytes]) -> Iterator[bytes]:
    """Yield the lines of a list of files, with line ends."""
    for name, content in files.items():
        yield _line(b"n", name.encode())
        for at in range(0, len(content), CHUNK):
            yield _line(b"d", content[at : at + CHUNK])
    yield _line(b"e", b"")


def fault_line(text: str) -> bytes:
    """Return the line of a fault, with its end."""
    return _line(b"f", text[:FAULT_MAX].encode("utf-8", "replace"))


def _line(kind: bytes, data: bytes) -> bytes:
    return kind + b64encode(data) + b"\n"
