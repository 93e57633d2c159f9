"""Rosters: what they may hold, and what is told of a faulty one."""

import pytest

from league.hosting.accounts.roster import SHOWN, read_roster
from league.hosting.model.errors import PeopleError
from league.hosting.model.people import Role
from league.hosting.store.people import PersonEntry


def test_a_roster_has_its_columns_in_any_order() -> None:
    text = "\ufeffTeam,login,ROLE,name,email\nrooks, ada ,Organiser,Ada King,a@b.org\n\n,eve,,,\n"
    assert read_roster(text) == [
        PersonEntry(
            login="ada", role=Role.ORGANISER, name="Ada King", email="a@b.org", team="rooks"
        ),
        PersonEntry(login="eve", role=None, name="", email="", team=""),
    ]
    # As spreadsheets of some countries write it, and with a line break in a cell that has quotes.
    assert read_roster('login;name\r\nada;"King, Ada"\r\n') == [
        PersonEntry(login="ada", name="King, Ada")
    ]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "is empty"),
        ("name,email\nada,a@b.org\n", "expected the columns"),
        ("login,password\nada,x\n", "expected the columns"),
        ("login,login\nada,ada\n", "expected the columns"),
        ("login\n" + "x\n" * 10_001, "at most 10000"),
    ],
)
def test_a_file_that_is_no_roster_is_refused(text: str, reason: str) -> None:
    with pytest.raises(PeopleError, match=reason):
        read_roster(text)


def test_every_faulty_line_is_named() -> None:
    lines = [
        "login,name,email,team,role",
        "ada,Ada,a@b.org,rooks,author",
        "a da,,,,",
        "eve,,nowhere,,",
        "ben,,,all,",
        "fay,,,,boss",
        "Ada,,,,",
        "gus,,",
        'hal,"x\x1b[2J",,,',
        ",,,rooks,",
    ]
    with pytest.raises(PeopleError) as caught:
        read_roster("\n".join(lines))
    told = str(caught.value).splitlines()
    assert told[0] == "nobody was added:"
    assert [line.partition(":")[0] for line in told[1:]] == [f"line {n}" for n in range(3, 11)]
    assert "stands in line 2 too" in told[5]
    many = "login\n" + "a b\n" * (SHOWN + 5)
    with pytest.raises(PeopleError, match="and 5 more"):
        read_roster(many)


def test_a_cell_without_an_end_is_told() -> None:
    with pytest.raises(PeopleError, match="is not a table in CSV: field larger than"):
        read_roster("login\n" + "x" * 200_000)
