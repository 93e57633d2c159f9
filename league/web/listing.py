"""The state of a list, kept in its address: filters, order and page."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from typing import Any, TypeVar
from urllib.parse import urlencode

from starlette.datastructures import QueryParams

from games.support.counts import counted, noun_for
from league.analysis.match_selection import DAY_S, day_of
from league.render.template import ROOT

PAGE = 50
"""Number of rows of a page."""

TEXT_MAX = 100
"""Longer texts are cut."""

PAGE_MAX = 10**7

Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class FilterField:
    """A filter of a list: a text, a number, a date, or one of several choices.

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
        """Return why a text is not valid for this field; '' if it is."""
        if self.kind == "choice" and text not in dict(self.choices):
            return f"{self.label} {text!r} is not known here"
        if self.kind == "number" and not (text.isascii() and text.isdigit() and len(text) < 16):
            return f"{self.label} {text!r} is no number"
        if self.kind == "date" and day_of(text) is None:
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
    """A kind of list: its path, the noun for its rows, its columns, and its default order."""

    path: str
    noun: str
    columns: Sequence[Column]
    usual: str
    size: int = PAGE


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """The state of a list, and the rows of one page.

    `values` are the filters in force, by name; `faults` say why others were ignored. `sort` names a
    column, with a minus for descending order. `page` counts from 1.
    """

    kind: ListKind
    fields: Sequence[FilterField]
    values: Mapping[str, str]
    sort: str
    page: int = 1
    total: int = 0
    faults: Sequence[str] = ()
    rows: Sequence[Any] = ()

    @property
    def size(self) -> int:
        """Return the number of rows of a page."""
        return self.kind.size

    @property
    def offset(self) -> int:
        """Number of rows before the page."""
        return (self.page - 1) * self.size

    @property
    def pages(self) -> int:
        """The number of pages; 1 for an empty list."""
        return max(1, -(-self.total // self.size))

    @property
    def told(self) -> str:
        """Say which rows these are: "1–50 of 100,000 matches"."""
        if not self.total:
            return f"No {noun_for(0, self.kind.noun)}"
        last = min(self.offset + self.size, self.total)
        if last - self.offset == self.total:
            return counted(self.total, self.kind.noun)
        return f"{self.offset + 1:,}–{last:,} of {counted(self.total, self.kind.noun)}"

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
        return day_of(self.values.get(name, ""))

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

    def ordered(self, rows: Sequence[Row], keys: Mapping[str, Callable[[Row], Any]]) -> list[Row]:
        """Sort rows by the column of this list; equal ones keep their order."""
        is_descending = self.sort.startswith("-")
        return sorted(rows, key=keys[self.sort.removeprefix("-")], reverse=is_descending)

    def cut(self, rows: Sequence[Any]) -> "Listing":
        """Return the list with the rows of its page, of all those that its filters leave."""
        found = self.counted(len(rows))
        return replace(found, rows=rows[found.offset : found.offset + found.size])


def read_listing(asked: QueryParams, kind: ListKind, fields: Sequence[FilterField]) -> Listing:
    """Read the state of a list from its address; invalid values become faults."""
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
