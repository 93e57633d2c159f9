"""Reading a roster: a CSV file with a line for each person."""

import csv
import re
from collections.abc import Mapping, Sequence

from league.hosting.model.errors import PeopleError
from league.hosting.model.people import Role
from league.hosting.store.people import PersonEntry
from league.model.errors import NameInUseError
from league.model.names import check_name, normal_name

COLUMNS = ("login", "name", "email", "team", "role")

LINES_MAX = 10_000

_LOGIN = re.compile(r"[\w][\w.@+-]{0,79}")
_EMAIL = re.compile(r"[^\s@,;<>\"]+@[^\s@,;<>\"]+\.[^\s@,;<>\"]+")

SHOWN = 20
"""So many faulty lines are named; the text says how many there are."""


def read_roster(text: str) -> list[PersonEntry]:
    """Return the people of a roster; raise `PeopleError` that names every faulty line."""
    text = text.removeprefix("\ufeff")
    head = text.partition("\n")[0]
    separator = ";" if head.count(";") > head.count(",") else ","
    try:
        lines = list(csv.reader(text.splitlines(keepends=True), delimiter=separator))
    except csv.Error as error:
        raise PeopleError(f"the roster is not a table in CSV: {error}") from None
    if not lines:
        raise PeopleError(f"the roster is empty: expected the columns {', '.join(COLUMNS)}")
    columns = [each.strip().casefold() for each in lines[0]]
    unknown = [each for each in columns if each not in COLUMNS]
    if "login" not in columns or unknown or len(set(columns)) < len(columns):
        raise PeopleError(
            f"line 1: expected the columns {', '.join(COLUMNS)} ('login' is required), "
            f"not {', '.join(columns)}"
        )
    if len(lines) > LINES_MAX:
        raise PeopleError(f"the roster has {len(lines)} lines: expected at most {LINES_MAX}")
    return _entries(columns, lines[1:])


def _entries(columns: Sequence[str], lines: Sequence[Sequence[str]]) -> list[PersonEntry]:
    found: list[PersonEntry] = []
    faults: list[str] = []
    seen: dict[str, int] = {}
    for number, line in enumerate(lines, 2):
        cells = [each.strip() for each in line]
        if not any(cells):
            continue
        if len(cells) != len(columns):
            faults.append(f"line {number}: {len(cells)} cells, expected {len(columns)}")
            continue
        try:
            entry = checked(dict(zip(columns, cells, strict=True)))
        except PeopleError as error:
            faults.append(f"line {number}: {error}")
            continue
        first = seen.setdefault(entry.login.casefold(), number)
        if first != number:
            faults.append(f"line {number}: login {entry.login!r} stands in line {first} too")
        found.append(entry)
    if faults:
        more = f"\n… and {len(faults) - SHOWN} more" if len(faults) > SHOWN else ""
        raise PeopleError("nobody was added:\n" + "\n".join(faults[:SHOWN]) + more)
    return found


def checked(values: Mapping[str, str]) -> PersonEntry:
    """Return a person as described by texts; raise `PeopleError` for what does not fit."""
    login = normal_name(values.get("login", ""))
    if not _LOGIN.fullmatch(login):
        raise PeopleError(
            f"login {login[:90]!r}: expected up to 80 letters, digits and '.', '@', '+', '-', '_'"
        )
    role = values.get("role", "").casefold()
    if role and role not in list(Role):
        raise PeopleError(f"role {role[:90]!r}: expected {' or '.join(Role)}")
    return PersonEntry(
        login=login,
        role=Role(role) if role else None,
        name=_name(values.get("name")),
        email=_email(values.get("email")),
        team=_team(values.get("team")),
    )


def _name(text: str | None) -> str | None:
    name = None if text is None else normal_name(text)
    if name and (len(name) > 200 or not name.isprintable()):
        raise PeopleError(f"name {name[:90]!r}: expected up to 200 characters")
    return name


def _email(text: str | None) -> str | None:
    if text and (len(text) > 254 or not _EMAIL.fullmatch(text)):
        raise PeopleError(f"email {text[:90]!r}: expected an address like ada@example.org")
    return text


def _team(text: str | None) -> str | None:
    name = None if text is None else normal_name(text)
    if name:
        try:
            check_name(name)
        except NameInUseError as error:
            raise PeopleError(f"team: {error}") from None
    return name
