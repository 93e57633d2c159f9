"""The file of one-time links, and that of a roster."""

import csv
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from league.model.errors import PeopleError

if TYPE_CHECKING:
    from league.api.people import Invited

ROSTER_MAX = 8 << 20
"""A roster has at most so many bytes."""


def read_text(path: Path) -> str:
    """Return the text of a roster; raise `PeopleError` if it can't be read."""
    try:
        with path.open("rb") as file:
            data = file.read(ROSTER_MAX + 1)
        if len(data) > ROSTER_MAX:
            raise PeopleError(f"{str(path)!r} is too long: expected at most 8 MB")
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise PeopleError(f"{str(path)!r} is not UTF-8: save it as 'CSV UTF-8'") from None
    except OSError as error:
        raise PeopleError(f"can't read {str(path)!r}: {error.strerror}") from None


@contextmanager
def open_links(path: Path | None) -> Iterator[Callable[[Sequence["Invited"]], None]]:
    """Open a file for links before anybody is added, and yield what writes them.

    Nobody else can read the file. Without a path or a link nothing is written.
    """
    if path is None:
        yield lambda invited: None
        return
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        raise PeopleError(f"{str(path)!r} exists: give another name to --links") from None
    except OSError as error:
        raise PeopleError(f"can't write {str(path)!r}: {error.strerror}") from None
    is_kept = False
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:

            def write(invited: Sequence["Invited"]) -> None:
                nonlocal is_kept
                is_kept = bool(invited)
                _write(file, invited)

            yield write
    except BaseException:
        is_kept = False
        raise
    finally:
        if not is_kept:
            path.unlink(missing_ok=True)


def _write(file: TextIO, invited: Sequence["Invited"]) -> None:
    from league.interchange.exports.csv import cell

    rows = csv.writer(file)
    rows.writerow(("login", "name", "email", "team", "link"))
    for each in invited:
        person = each.person
        rows.writerow([*map(cell, (person.login, person.name, person.email, each.team)), each.link])
