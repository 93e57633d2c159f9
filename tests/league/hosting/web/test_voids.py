"""The organiser voids matches on a page and by the API; visitors read why a match is void."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from league.hosting.accounts.tokens import new_token
from tests.league.hosting.web.secret_league import SecretLeague, make_secret_league


@pytest.fixture
def league(tmp_path: Path) -> Iterator[SecretLeague]:
    """Make a league and open it."""
    make_secret_league(tmp_path / "league.db", visibility="everything")
    found = SecretLeague(tmp_path / "league.db")
    yield found
    found.close()


@pytest.mark.slow
def test_the_page_tells_how_many_and_then_voids_them(league: SecretLeague) -> None:
    boss, before = league.visitor(""), league.store.matches.numbers()
    asked = {"numbers": str(before[0]), "reason": "the <b>clock</b> was wrong"}
    page = boss.post("/organise/voids", **asked)
    assert page.status_code == 200
    assert "Void 1 match in 1 encounter of tournament 1?" in page.text
    assert league.store.matches.numbers() == before
    wrong = boss.post("/organise/voids", **asked, count="2")
    assert (wrong.status_code, "1 matches by now" in wrong.text) == (422, True)
    done = boss.post("/organise/voids", **asked, count="1")
    assert (done.status_code, done.headers["location"]) == (303, "/organise/voids?done=void")
    assert league.store.matches.numbers() == before[1:]
    assert "&lt;b&gt;clock" in boss.ask("/organise/voids?done=void").text
    (entry,) = league.store.sign_ins.audit(1)
    assert (entry.action, entry.subject) == ("voided matches", "void 1")
    for viewer in (league.visitor(), boss):
        gone = viewer.ask(f"/matches/{before[0]}")
        assert gone.status_code == 404
        assert f"Match {before[0]} is void since" in gone.text
        assert "&lt;b&gt;clock&lt;/b&gt; was wrong" in gone.text
    document = league.visitor().ask(f"/api/matches/{before[0]}").json()
    assert document["error"].endswith("the <b>clock</b> was wrong")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({}, "expected the numbers of matches, or a bot"),
        ({"numbers": "1", "bot": "Ants"}, "expected the numbers of matches, or a bot"),
        ({"numbers": "one"}, "expected a number"),
        ({"numbers": "999"}, "no match 999"),
        ({"bot": "nobody"}, "no bot"),
        ({"tournament": "99"}, "no tournament 99"),
        ({"since": "soon"}, "expected a date"),
        ({"until": "2020-01-01"}, "there are no such matches"),
    ],
)
def test_a_wrong_choice_is_refused(league: SecretLeague, fields: dict[str, str], told: str) -> None:
    boss = league.visitor("")
    assert told in boss.post("/organise/voids", **fields, reason="x").text
    answer = boss.ask("/api/voids", "POST", {**fields, "reason": "x"}, **as_boss(league))
    assert answer.status_code in (404, 422)
    assert told in answer.json()["error"]
    assert league.store.voids.all() == ()


def as_boss(league: SecretLeague) -> dict[str, str]:
    """Return the header of an organiser's program."""
    boss = next(each for each in league.store.people.all() if each.is_organiser)
    return {"authorization": f"Bearer {new_token(league.store, boss, 'test')}"}


@pytest.mark.slow
def test_programs_of_organisers_void_matches(league: SecretLeague) -> None:
    program, header = league.visitor(), as_boss(league)
    before = league.store.matches.numbers()
    given = {"tournament": "1", "reason": "a bug"}
    wrong = program.ask("/api/voids", "POST", {**given, "colour": "red"}, **header)
    assert (wrong.status_code, "unknown field 'colour'" in wrong.text) == (422, True)
    assert program.ask("/api/voids", "POST", {**given, "reason": " "}, **header).status_code == 422
    answer = program.ask("/api/voids", "POST", {**given, "count": str(len(before))}, **header)
    assert answer.status_code == 201
    made = answer.json()
    assert (made["void"], made["matches"], made["tournaments"]) == (1, list(before), [1])
    (row,) = program.ask("/api/voids", **header).json()
    assert (row["reason"], row["matches"], row["first"]) == ("a bug", len(before), before[0])
    assert league.store.matches.numbers() == ()


@pytest.mark.slow
def test_only_organisers_void(league: SecretLeague) -> None:
    author = league.visitor("Ants")
    assert author.ask("/organise/voids").status_code == 403
    assert author.ask("/api/voids").status_code == 403
    assert league.visitor().ask("/api/voids").status_code == 401
    token = author.token("/me")
    body = {"token": token, "numbers": "1", "reason": "I lost", "count": "1"}
    for path in ("/organise/voids", "/api/voids"):
        assert author.ask(path, "POST", body).status_code == 403
    assert league.store.voids.all() == ()
