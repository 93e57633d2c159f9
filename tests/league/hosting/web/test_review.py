"""The security review: the tests that it names are there, and what no other test holds it to."""

import csv
import io
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from league.hosting.accounts.invitations import invite
from league.hosting.api.marks import marks_csv
from league.hosting.model.people import Role
from league.hosting.model.season import Credit, Mark, Member
from league.hosting.store.host_store import open_host_store
from tests.league.hosting.web.secret_league import SecretLeague, a_secret_league
from tests.paths import ROOT, with_source

REVIEW = (ROOT / "docs" / "explanation" / "security-review.md").read_text("utf-8")
NAMED = re.compile(r"`([\w/]+\.py)`(?::\s([\w\s,-]+))?")


@pytest.fixture(scope="module")
def league(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SecretLeague]:
    """Open a hosted league."""
    with a_secret_league(tmp_path_factory.mktemp("review")) as found:
        yield found


@with_source
def test_every_test_that_the_review_names_is_there() -> None:
    named = NAMED.findall(REVIEW)
    assert len(named) > 40
    for file, words in named:
        path = ROOT / ("league" if (ROOT / "league" / file).exists() else "tests/league") / file
        tests = re.findall(r"^def (test_\w+)", path.read_text("utf-8"), re.MULTILINE)
        for each in filter(None, map(str.strip, words.split(","))):
            name = re.sub(r"[\s-]+", "_", each)
            assert any(name in test for test in tests), f"{file}: {each}"


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/season", 200),
        ("/nothing", 404),
        ("/organise", 403),
        ("/api/bots", 200),
        ("/api/nothing", 404),
        ("/static/style.css", 200),
        ("/feed.atom", 200),
        ("/submissions/1", 200),
        ("/api/submissions/1/log", 200),
        ("/team/source/1", 200),
    ],
)
def test_every_answer_has_strict_headers(league: SecretLeague, path: str, status: int) -> None:
    answer = league.visitor("Ants").ask(path)
    assert answer.status_code == status
    headers = answer.headers
    policy = headers["content-security-policy"]
    assert "frame-ancestors 'none'" in policy
    assert "script-src 'self'" in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"
    assert not {"access-control-allow-origin", "server", "x-powered-by"} & set(headers)
    kind = headers["content-type"]
    assert "charset=utf-8" in kind or kind in ("application/json", "application/zip")


def test_sources_are_attachments(league: SecretLeague) -> None:
    answer = league.visitor("Ants").ask("/team/source/1")
    assert answer.headers["content-disposition"] == 'attachment; filename="Ants-1.zip"'
    assert answer.content.startswith(b"PK")


def test_password_managers_know_the_fields(league: SecretLeague) -> None:
    text = league.visitor().ask("/sign-in").text
    assert 'autocomplete="username"' in text
    assert 'autocomplete="current-password"' in text
    person = league.store.people.add("new", Role.AUTHOR)
    text = league.visitor().ask(f"/invitation/{invite(league.store, person)}").text
    assert text.count('autocomplete="new-password"') == 2
    assert 'value="new" autocomplete="username"' in text
    assert "onpaste" not in text


@pytest.mark.parametrize("word", ["=1+1", "+1", "@SUM(A1)", "\t=1", "\r=1", "-1+cmd"])
def test_a_spreadsheet_computes_no_cell_of_marks(word: str) -> None:
    credit = Credit(word, -2.5, "a reason")
    who = Member(word, word, word)
    mark = Mark(
        team=word, version=word, rank=3, points=-2, credits=(credit,), note=word, members=(who,)
    )
    head, line = csv.reader(io.StringIO(marks_csv([mark]), newline=""))
    quoted = f"'{word}"
    assert head[6] == quoted
    assert line == [*[quoted] * 5, "3", "-2.5", "-2", quoted]


def test_a_new_league_has_no_accounts(tmp_path: Path) -> None:
    with open_host_store(str(tmp_path / "league.db"), create=True) as store:
        assert store.people.all() == ()
