"""A list in an address: its filters, its order and its page, each as a parameter."""

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from datetime import UTC, date, datetime
from typing import Any
from urllib.parse import urlencode

from starlette.datastructures import QueryParams

from league.render.template import ROOT

PAGE = 50
"""How many rows a page has."""

TEXT_MAX = 100
"""More of a text is not looked at."""

DAY_S = 24 * 3600

PAGE_MAX = 10**7


@dataclass(frozen=True, slots=True)
class Field:
    """What a list can be filtered by: a text, a number, a date, or one of several choices.

    `choices` are values with their labels. `offers` are texts to choose from, besides any other
    text. A field that `is_more` stands among those that a page shows on demand.
    """

    name: str
    label: str
    kind: str = "text"
    _: KW_ONLY
    choices: Sequence[tuple[str, str]] = ()
    offers: Sequence[str] = ()
    is_more: bool = False

    def fault(self, text: str) -> str:
        """Say why a text is no value of this field; '' if it is one."""
        if self.kind == "choice" and text not in dict(self.choices):
            return f"{self.label} {text!r} is not known here"
        if self.kind == "number" and not (text.isascii() and text.isdigit() and len(text) < 16):
            return f"{self.label} {text!r} is no number"
        if self.kind == "date" and _day(text) is None:
            return f"{self.label} {text!r} is no date such as 2026-03-31"
        return ""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a list; one with a `sort` can be ordered by, at first descending or not."""

    label: str
    sort: str = ""
    _: KW_ONLY
    is_number: bool = False
    is_descending: bool = False


@dataclass(frozen=True, slots=True)
class ListKind:
    """A list at an address: what its rows are called, its columns, and its usual order."""

    path: str
    noun: str
    columns: Sequence[Column]
    usual: str
    size: int = PAGE


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """What an address asks of a list, and how many rows there are.

    `values` are the filters given, by name; texts that are no value of their field are in `faults`
    instead. `sort` is a column's, with a minus if descending. `page` counts from 1, and `rows` are
    those of the page.
    """

    kind: ListKind
    fields: Sequence[Field]
    values: Mapping[str, str]
    sort: str
    page: int = 1
    total: int = 0
    faults: Sequence[str] = ()
    rows: Sequence[Any] = ()

    @property
    def size(self) -> int:
        """How many rows a page has."""
        return self.kind.size

    @property
    def offset(self) -> int:
        """How many rows are before the page."""
        return (self.page - 1) * self.size

    @property
    def pages(self) -> int:
        """The number of pages, 1 of an empty list."""
        return max(1, -(-self.total // self.size))

    @property
    def told(self) -> str:
        """Say which rows these are: "1–50 of 100,000 matches"."""
        if not self.total:
            return f"No {self.kind.noun}"
        last = min(self.offset + self.size, self.total)
        if last - self.offset == self.total:
            return f"{self.total:,} {self.kind.noun if self.total > 1 else _single(self.kind.noun)}"
        return f"{self.offset + 1:,}–{last:,} of {self.total:,} {self.kind.noun}"

    @property
    def active(self) -> list[tuple[str, str, str]]:
        """List the filters in force: label, value in words, and the address without it."""
        found = []
        for each in self.fields:
            if text := self.values.get(each.name, ""):
                shown = dict(each.choices).get(text, text)
                found.append((each.label, shown, self.link(**{each.name: ""})))
        return found

    @property
    def has_more(self) -> bool:
        """Whether a field that is shown on demand is in force."""
        return any(each.is_more and self.values.get(each.name) for each in self.fields)

    def value(self, name: str) -> str | None:
        """Return the text of a filter, None if it is not given."""
        return self.values.get(name) or None

    def number(self, name: str) -> int | None:
        """Return the number of a filter, None if it is not given."""
        text = self.values.get(name)
        return int(text) if text else None

    def begin_s(self, name: str) -> int | None:
        """Return the begin of a filter's day in seconds since 1970, None if it is not given."""
        return _day(self.values.get(name, ""))

    def end_s(self, name: str) -> int | None:
        """Return the end of a filter's day."""
        begin = self.begin_s(name)
        return None if begin is None else begin + DAY_S

    def link(self, **changes: str | int) -> str:
        """Return the address with other values; a change of anything but the page leads to page 1.

        '' leaves a parameter out.
        """
        asked: dict[str, str | int] = dict(self.values)
        if self.sort != self.kind.usual:
            asked["sort"] = self.sort
        asked |= changes
        if asked.get("page") == 1:
            del asked["page"]
        if asked.get("sort") == self.kind.usual:
            del asked["sort"]
        query = urlencode({name: value for name, value in asked.items() if value != ""})
        return f"{ROOT.get()}{self.kind.path}{'?' if query else ''}{query}"

    def page_link(self, page: int) -> str:
        """Return the address of a page."""
        return self.link(page=page)

    def sort_link(self, column: Column) -> str:
        """Return the address ordered by a column: the other way round if it is already."""
        first = f"-{column.sort}" if column.is_descending else column.sort
        if self.sort == first:
            return self.link(sort=column.sort if column.is_descending else f"-{column.sort}")
        return self.link(sort=first)

    def order_of(self, column: Column) -> str:
        """Return how the list is ordered by a column, in the words of `aria-sort`; '' for not."""
        orders = {column.sort: "ascending", f"-{column.sort}": "descending"}
        return orders.get(self.sort, "") if column.sort else ""

    def counted(self, total: int) -> "Listing":
        """Return the list with its number of rows, and with its last page instead of none."""
        found = replace(self, total=total)
        return replace(found, page=min(found.page, found.pages))

    def cut(self, rows: Sequence[Any]) -> "Listing":
        """Return the list with the rows of its page, of all those that its filters leave."""
        found = self.counted(len(rows))
        return replace(found, rows=rows[found.offset : found.offset + found.size])


def read_listing(asked: QueryParams, kind: ListKind, fields: Sequence[Field]) -> Listing:
    """Read what an address asks of a list; nothing in it is an error."""
    values, faults = {}, []
    for each in fields:
        text = asked.get(each.name, "").strip()[:TEXT_MAX]
        if text and (fault := each.fault(text)):
            faults.append(f"{fault}: left out.")
        elif text:
            values[each.name] = text
    sorts = {each.sort for each in kind.columns if each.sort}
    sort, page = asked.get("sort", ""), asked.get("page", "")
    is_page = page.isascii() and page.isdigit()
    return Listing(
        kind=kind,
        fields=fields,
        values=values,
        sort=sort if sort.removeprefix("-") in sorts else kind.usual,
        page=min(PAGE_MAX, max(1, int(page[:20]))) if is_page else 1,
        faults=faults,
    )


def plain_address(asked: QueryParams, path: str) -> str:
    """Return the address without its blank parameters, as forms send them; '' if it has none."""
    given = asked.multi_items()
    kept = [(name, text) for name, text in given if text.strip()]
    if len(kept) == len(given):
        return ""
    return f"{ROOT.get()}{path}{'?' if kept else ''}{urlencode(kept)}"


def _day(text: str) -> int | None:
    """Return the begin of a day of UTC in seconds since 1970; None for what is no date."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return None
    return int(datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp())


def _single(noun: str) -> str:
    return noun.removesuffix("es") if noun == "matches" else noun.removesuffix("s")
