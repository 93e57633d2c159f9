"""A list's address: what is read from it, and the addresses that lead on."""

import pytest
from starlette.datastructures import QueryParams

from league.render.template import ROOT
from league.web.listing import Column, FilterField, Listing, ListKind, plain_address, read_listing

KIND = ListKind(
    "/things",
    "match",
    (Column("Number", "number", is_descending=True), Column("Name", "name"), Column("Note")),
    "-number",
    10,
)
FIELDS = (
    FilterField("q", "Search"),
    FilterField("state", "State", "choice", choices=[("on", "is on"), ("off", "is off")]),
    FilterField("number", "Number", "number"),
    FilterField("from", "From", "date", is_more=True),
)


def read(query: str, total: int = 95) -> Listing:
    return read_listing(QueryParams(query), KIND, FIELDS).counted(total)


def test_a_bare_address_is_the_first_page_in_the_usual_order() -> None:
    found = read("")
    assert (found.page, found.pages, found.offset, found.sort) == (1, 10, 0, "-number")
    assert found.told == "1–10 of 95 matches"
    assert found.page_link(1) == "/things"
    assert found.page_link(3) == "/things?page=3"


def test_what_is_asked_for_stays_in_every_link() -> None:
    found = read("q=a%26b&state=on&sort=name&page=4")
    assert found.page_link(5) == "/things?q=a%26b&state=on&sort=name&page=5"
    # Other rows begin anew.
    assert found.link(state="") == "/things?q=a%26b&sort=name"
    assert [(label, text) for label, text, _ in found.active] == [
        ("Search", "a&b"),
        ("State", "is on"),
    ]


def test_a_column_turns_the_order_round() -> None:
    number, name, _ = KIND.columns
    found = read("")
    assert (found.order_of(number), found.order_of(name)) == ("descending", "")
    assert found.sort_link(number) == "/things?sort=number"
    assert found.sort_link(name) == "/things?sort=name"
    turned = read("sort=number")
    assert turned.order_of(number) == "ascending"
    assert turned.sort_link(number) == "/things"
    assert read("sort=name").sort_link(name) == "/things?sort=-name"


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("state=x", "State 'x' is not known here: left out."),
        ("number=1.5", "Number '1.5' is no number: left out."),
        ("number=²", "Number '²' is no number: left out."),
        ("from=31.3.2026", "From '31.3.2026' is no date such as 2026-03-31: left out."),
        ("from=9999-99-99", "From '9999-99-99' is no date such as 2026-03-31: left out."),
    ],
)
def test_what_does_not_fit_is_left_out_and_said(query: str, told: str) -> None:
    found = read(query)
    assert found.faults == [told]
    assert not found.values


@pytest.mark.parametrize("page", ["x", "-1", "0", "", "²"])
def test_what_is_no_page_is_the_first_one(page: str) -> None:
    assert read(f"page={page}").page == 1


def test_a_page_past_the_last_one_is_the_last_one() -> None:
    found = read("page=" + "9" * 5000)
    assert (found.page, found.told) == (10, "91–95 of 95 matches")
    assert read("page=7", 0).told == "No matches"
    assert read("", 1).told == "1 match"
    assert read("", 10).told == "10 matches"


def test_a_list_shows_the_rows_of_its_page() -> None:
    found = read_listing(QueryParams("page=2"), KIND, FIELDS).cut(list(range(15)))
    assert (found.rows, found.told) == ([10, 11, 12, 13, 14], "11–15 of 15 matches")


def test_a_day_ends_where_the_next_one_begins() -> None:
    found = read("from=1970-01-02")
    assert (found.begin_s("from"), found.end_s("from")) == (86_400, 172_800)
    assert (found.begin_s("to"), found.end_s("to")) == (None, None)
    assert found.has_more


def test_blank_parameters_are_dropped_below_any_path() -> None:
    assert plain_address(QueryParams("q=a&state="), "/things") == "/things?q=a"
    assert plain_address(QueryParams("q=+&state="), "/things") == "/things"
    assert plain_address(QueryParams("q=a"), "/things") == ""
    token = ROOT.set("/league")
    try:
        assert plain_address(QueryParams("q="), "/things") == "/league/things"
        assert read("").page_link(2) == "/league/things?page=2"
    finally:
        ROOT.reset(token)
