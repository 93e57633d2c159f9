"""Submissions that are web servers: off unless the organiser allows them, and never inside."""

from dataclasses import replace
from pathlib import Path

import pytest

from league.hosting.model.errors import RefusedUploadError
from league.hosting.model.people import Person
from league.hosting.model.season import ServerRule, Submission, SubmissionState, UploadRefusal
from league.hosting.season.intake import receive, work_once
from league.hosting.season.packing import packed
from league.hosting.season.servers import server_fault
from league.hosting.season.settings import changed_settings, written
from league.hosting.season.situation import Faults, look
from league.hosting.store.host_store import HostStore, open_host_store
from league.model.records import Isolation
from tests.league.examining import be_patient
from tests.league.hosting.season.hosting import GOOD, SETTINGS, add_author, season_of
from tests.league.seats.web_server import in_json_lines, serving
from tests.waiting import ENDLESS_S

NO, PUBLIC, ANY = ServerRule
PLAYING, REFUSED = SubmissionState.PLAYING, SubmissionState.REFUSED


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> HostStore:
    """Make a league, whose checks are patient."""
    be_patient(monkeypatch)
    return open_host_store(str(tmp_path / "league.db"), create=True)


@pytest.fixture
def ann(store: HostStore) -> Person:
    """Add an author."""
    return add_author(store, "ann")


def send(
    store: HostStore,
    person: Person,
    rule: ServerRule,
    address: str = "https://example.org/bot",
    **options: str,
) -> Submission:
    """Let somebody submit a server as `league push` does."""
    upload = packed(Path(address), address)
    how = {f"option.{name}": value for name, value in options.items()}
    season = season_of(replace(SETTINGS, web_servers=rule, move_s=ENDLESS_S))
    return receive(store, season, person, upload.file_name, upload.data, how, 0)


def tried(store: HostStore, rule: ServerRule) -> Submission:
    """Check what waits, in a season with that rule."""
    season = season_of(replace(SETTINGS, web_servers=rule, move_s=ENDLESS_S))
    done = work_once(store, season, isolation=Isolation.LIMITS)
    assert done is not None
    return done


def test_the_setting_is_off_unless_it_is_given() -> None:
    assert written(SETTINGS)["web-servers"] == "no"
    assert changed_settings(SETTINGS, {"web-servers": "Public"}).web_servers is PUBLIC


def test_an_address_is_refused_while_servers_are_off(store: HostStore, ann: Person) -> None:
    with pytest.raises(RefusedUploadError) as caught:
        send(store, ann, NO)
    assert str(caught.value) == "this season takes no web servers"
    assert caught.value.reason is UploadRefusal.UNSUITABLE
    assert store.submissions.page() == []


@pytest.mark.parametrize("text", ["", "mine", "ftp://x", "http://a/\nhttp://b/", "http://u:p@x/"])
def test_a_file_without_an_address_is_refused(store: HostStore, ann: Person, text: str) -> None:
    season = season_of(replace(SETTINGS, web_servers=ANY))
    with pytest.raises(RefusedUploadError, match="expected the address of a server alone"):
        receive(store, season, ann, "server.url", f" {text}\n".encode(), {}, 0)


@pytest.mark.parametrize("name", ["secret-env", "addresses", "dialect"])
def test_options_that_are_the_organisers_are_refused(
    store: HostStore, ann: Person, name: str
) -> None:
    with pytest.raises(RefusedUploadError):
        send(store, ann, ANY, **{name: "HOME"})
    assert store.submissions.page() == []


def test_a_server_plays_where_any_are_allowed(store: HostStore, ann: Person) -> None:
    with serving(in_json_lines) as served:
        send(store, ann, ANY, served.url, depth="3")
        done = tried(store, ANY)
        assert (done.state, done.label, done.message) == (PLAYING, "ann@1", "")
        assert done.version is not None
        version = store.bots.version(done.version)
        assert version.options == {"depth": "3", "addresses": "any"}
        assert version.spec == served.url
        send(store, ann, ANY, served.url, depth="3")
        assert tried(store, ANY).message.startswith("unchanged: it is version 1")
        # A team may go from one form to the other, and back.
        receive(store, season_of(SETTINGS), ann, "mine.py", GOOD.format(0).encode(), {}, 0)
        assert tried(store, ANY).label == "ann@2"
        send(store, ann, ANY, served.url)
        assert tried(store, ANY).label == "ann@3"


def test_a_server_inside_is_refused_without_a_request(store: HostStore, ann: Person) -> None:
    with serving(in_json_lines) as served:
        send(store, ann, PUBLIC, served.url)
        done = tried(store, PUBLIC)
        assert not served.clients
    assert done.state is REFUSED
    assert "it is at no public address" in done.message
    assert f"league check {served.url} --game tictactoe" in done.message


def test_a_server_that_waits_is_refused_once_they_are_off(store: HostStore, ann: Person) -> None:
    with serving(in_json_lines) as served:
        send(store, ann, ANY, served.url)
        done = tried(store, NO)
        assert not served.clients
    assert (done.state, done.message) == (REFUSED, "this season takes no web servers")


def test_a_team_is_suspended_once_its_server_is_not_allowed(store: HostStore, ann: Person) -> None:
    settings = replace(SETTINGS, web_servers=ANY, move_s=ENDLESS_S)
    with serving(in_json_lines) as served:
        send(store, ann, ANY, served.url)
        tried(store, ANY)
    reasons = {
        rule: list(look(store, season_of(replace(settings, web_servers=rule)), Faults()).failing)
        for rule in ServerRule
    }
    assert reasons == {NO: [ann.team], PUBLIC: [ann.team], ANY: []}


def test_other_bots_are_no_servers() -> None:
    assert server_fault(NO, "mine.py", {}) == ""
    assert server_fault(NO, "exec:./run", {}) == ""
    assert server_fault(PUBLIC, "https://example.org", {"addresses": "public"}) == ""
