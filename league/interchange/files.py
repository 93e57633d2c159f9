"""Files that the league writes to a path the user gives."""

from collections.abc import Iterable
from pathlib import Path

from league.model.errors import SetupError


def write_file(path: str | Path, parts: Iterable[str | bytes]) -> None:
    """Write a file from its parts, texts in UTF-8; raise `SetupError` if it can't be written."""
    data = (part if isinstance(part, bytes) else part.encode() for part in parts)
    # Before the file is opened: an error in the making must not empty it.
    first = next(data, b"")
    try:
        with Path(path).open("wb") as file:
            file.write(first)
            file.writelines(data)
    except OSError as error:
        raise SetupError(f"can't write {str(path)!r}: {error.strerror}") from None
