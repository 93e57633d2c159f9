"""The API of submissions: who may send and see what, and what is refused."""

import http.client
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from league.hosting.model.people import Person, Role
from league.hosting.model.season import SeasonSettings, SubmissionState
from league.hosting.store.host_store import HostStore, open_host_store
from league.hosting.store.submissions import Verdict
from league.hosting.web import inbox
from league.web.openapi import description
from tests.league.hosting.season.hosted_app import app_of, serving
from tests.league.hosting.season.hosting import GOOD, SETTINGS, add_author, zipped
from tests.waiting import PATIENCE_S


class Hosted:
    """A hosted league with two teams and an organiser."""

    def __init__(self, store: HostStore) -> None:
        self.store = store
        self.begin(SETTINGS)
        self.ann, self.bob = (add_author(store, name) for name in ("ann", "bob"))
        self.link = ""

    def begin(self, settings: SeasonSettings) -> None:
        """Begin a season with these settings."""
        self.store.seasons.create(settings)

    def people(self) -> list[Person]:
        """List who may sign in."""
        return [self.ann, self.bob, Person(3, "org", Role.ORGANISER)]

    def ask(
        self, method: str, path: str, who: str = "", body: bytes = b"", **headers: str
    ) -> tuple[int, Any]:
        """Ask as somebody; return the status, and the JSON or the text of the answer."""
        connection = http.client.HTTPConnection(urlsplit(self.link).netloc, timeout=PATIENCE_S)
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        if who:
            named["Authorization"] = f"Bearer {who}"
        connection.request(method, path, body or None, named)
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        is_json = answer.getheader("content-type") == "application/json"
        return answer.status, json.loads(text) if is_json else text

    def send(
        self, who: str = "ann", body: bytes = b"x", query: str = "", name: str = "mine.py"
    ) -> tuple[int, Any]:
        """Submit a file as a raw body."""
        return self.ask("POST", f"/api/submissions{query}", who, body, X_File_Name=name)


@pytest.fixture
def hosted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hosted]:
    """Serve a hosted league."""
    with open_host_store(str(tmp_path / "league.db"), create=True) as store:
        found = Hosted(store)
        with serving(app_of(store, *found.people())) as found.link:
            yield found


def form(*parts: tuple[str, str, bytes]) -> tuple[bytes, str]:
    """Return a form as browsers send it, and its type; a part with a file name is a file."""
    lines = b""
    for name, file_name, data in parts:
        file = f'; filename="{file_name}"' if file_name else ""
        head = f'--x\r\nContent-Disposition: form-data; name="{name}"{file}\r\n\r\n'
        lines += head.encode() + data + b"\r\n"
    return lines + b"--x--\r\n", "multipart/form-data; boundary=x"


def test_a_file_is_received_as_it_was_sent(hosted: Hosted) -> None:
    status, found = hosted.send(
        body=b"\0\xff", query="?class=Bot&option.depth=4", name="m%C3%BC.py"
    )
    assert status == 201
    assert (found["state"], found["team"], found["file_name"]) == ("received", "ann", "mü.py")
    assert found["settings"] == {"class": "Bot", "option.depth": "4"}
    assert hosted.store.submissions.archive(found["id"]) == b"\0\xff"


def test_a_form_is_received_too(hosted: Hosted) -> None:
    body, kind = form(("file", "mine.py", b"x"), ("class", "", b"Bot"), ("option.a", "", b""))
    status, found = hosted.ask("POST", "/api/submissions", "ann", body, Content_Type=kind)
    assert (status, found["settings"]) == (201, {"class": "Bot"})
    assert hosted.store.submissions.archive(found["id"]) == b"x"


def test_the_files_of_a_folder_are_packed(hosted: Hosted) -> None:
    body, kind = form(("file", "mine/bot.py", b"x"), ("file", "mine/a/b.txt", b"y"))
    status, found = hosted.ask("POST", "/api/submissions", "ann", body, Content_Type=kind)
    assert (status, found["file_name"]) == (201, "mine.zip")
    data = hosted.store.submissions.archive(found["id"]) or b""
    assert b"mine/a/b.txt" in data


@pytest.mark.slow
def test_what_is_not_received_is_said(hosted: Hosted) -> None:
    assert hosted.send("")[0] == 401
    assert hosted.send("nobody")[0] == 401
    status, found = hosted.send("org")
    assert (status, found["error"][:24]) == (403, "you belong to no team: a")
    assert hosted.send(name="mine.tar")[0] == 422
    assert hosted.send(query="?clas=X")[0] == 422
    assert hosted.ask("POST", "/api/submissions", "ann", b"x")[0] == 422
    body, kind = form(("class", "", b"Bot"))
    assert hosted.ask("POST", "/api/submissions", "ann", body, Content_Type=kind)[0] == 422
    assert hosted.ask("POST", "/api/submissions", "ann", b"-", Content_Type=kind)[0] in (400, 422)
    hosted.begin(replace(SETTINGS, submissions_per_day=1))
    assert hosted.send()[0] == 201
    assert hosted.send()[0] == 429
    hosted.begin(replace(SETTINGS, closes_at=1))
    assert hosted.send("bob")[0] == 403
    assert len(hosted.store.submissions.page()) == 1


def test_an_upload_that_is_too_large_is_refused_while_it_comes(
    hosted: Hosted, monkeypatch: pytest.MonkeyPatch
) -> None:
    # It gets the whole upload: nothing may come so far.
    monkeypatch.setattr(inbox, "receive", None)
    hosted.begin(replace(SETTINGS, upload_bytes=1 << 20))
    large = b"x" * (5 << 20)
    status, found = hosted.send(body=large)
    assert (status, found) == (413, {"error": "the upload has more than 1 MB"})
    body, kind = form(("file", "mine.py", large))
    status, found = hosted.ask("POST", "/api/submissions", "ann", body, Content_Type=kind)
    assert status == 413
    # Without a length: what comes is counted.
    connection = http.client.HTTPConnection(urlsplit(hosted.link).netloc, timeout=PATIENCE_S)
    headers = {"Authorization": "Bearer ann", "X-File-Name": "mine.py"}
    chunks = iter([b"x" * (1 << 19)] * 10)
    connection.request("POST", "/api/submissions", chunks, headers, encode_chunked=True)
    assert connection.getresponse().status == 413
    connection.close()
    assert hosted.store.submissions.page() == []


def test_a_page_of_another_site_submits_nothing(hosted: Hosted) -> None:
    body, kind = form(("file", "mine.py", b"x"))
    headers = {"Content_Type": kind, "Sec_Fetch_Site": "cross-site"}
    assert hosted.ask("POST", "/api/submissions", "ann", body, **headers)[0] == 403


@pytest.mark.slow
def test_a_submission_is_seen_by_its_team_and_organisers_alone(hosted: Hosted) -> None:
    number = hosted.send(body=GOOD.encode())[1]["id"]
    hosted.store.submissions.claim_next()
    hosted.store.submissions.decide(
        number, Verdict(state=SubmissionState.REFUSED, message="no good")
    )
    paths = [f"/api/submissions/{number}", f"/api/submissions/{number}/log"]
    for path in paths:
        assert [hosted.ask("GET", path, who)[0] for who in ("ann", "org", "bob", "")] == [
            200,
            200,
            404,
            401,
        ]
        # As if it were not there: the same answer as for a number that is not.
        missing = path.replace(str(number), "99")
        assert hosted.ask("GET", path, "bob")[1] == {"error": f"no submission {number}"}
        assert hosted.ask("GET", missing, "bob") == (404, {"error": "no submission 99"})
    assert hosted.ask("GET", paths[0], "ann")[1]["message"] == "no good"
    assert hosted.ask("GET", f"/api/submissions/{10**30}", "ann")[0] == 404
    lists = [hosted.ask("GET", "/api/submissions", who)[1] for who in ("ann", "org", "bob")]
    assert list(map(len, lists)) == [1, 1, 0]
    assert hosted.ask("GET", "/api/submissions", "")[0] == 401
    assert hosted.ask("GET", "/api/submissions?state=playing", "ann") == (200, [])
    assert hosted.ask("GET", "/api/submissions?limit=0", "ann")[0] == 422


def test_an_address_names_all_its_methods(hosted: Hosted) -> None:
    connection = http.client.HTTPConnection(urlsplit(hosted.link).netloc, timeout=PATIENCE_S)
    connection.request("PUT", "/api/submissions", headers={"Authorization": "Bearer ann"})
    answer = connection.getresponse()
    allowed = (answer.getheader("allow") or "").split(", ")
    connection.close()
    assert (answer.status, sorted(allowed)) == (405, ["GET", "HEAD", "POST"])


def test_the_log_is_plain_text(hosted: Hosted) -> None:
    number = hosted.send(body=zipped())[1]["id"]
    assert hosted.ask("GET", f"/api/submissions/{number}/log", "ann") == (200, "")


def test_a_hosted_league_describes_its_submissions(hosted: Hosted) -> None:
    found = hosted.ask("GET", "/api/openapi.json")[1]
    paths = [path for path in found["paths"] if "submission" in path]
    assert paths == [f"/api/submissions{end}" for end in ("", "/{number}", "/{number}/log")]
    assert set(found["paths"][paths[0]]["post"]["responses"]) >= {"201", "413", "429"}
    assert "TeamSubmission" in found["components"]["schemas"]
    assert not any("submission" in path for path in description()["paths"])
