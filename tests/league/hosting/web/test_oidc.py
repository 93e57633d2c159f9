"""Signing in by OpenID Connect, with a provider in a process of its own."""

import gzip
import subprocess
import sys
import threading
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest

from league.hosting.model.people import Person, Role
from league.hosting.pages import WING
from league.hosting.store.host_store import HostStore, open_host_store
from league.hosting.web.hosted import Hosted
from league.hosting.web.oidc import BEGUN_S, Begun, Provider
from league.hosting.web.sign_in import BEGUN
from league.model.errors import SetupError
from league.web.app import make_app
from tests.league.hosting.web import provider as lies
from tests.league.hosting.web.visiting import Visitor
from tests.paths import ROOT

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def issuer() -> Iterator[str]:
    """Start the provider."""
    words = [sys.executable, "-m", "tests.league.hosting.web.provider"]
    with subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
        process.terminate()


@pytest.fixture
def store(tmp_path: Path, issuer: str) -> Iterator[HostStore]:
    """Open a new league, at a provider that tells the truth."""
    httpx.get(f"{issuer}/become")
    with open_host_store(str(tmp_path / "league.db"), create=True) as found:
        yield found


@pytest.fixture
def ada(store: HostStore) -> Person:
    """Add the person whom the provider knows."""
    return store.people.add("ada", Role.AUTHOR, email="ada@example.org")


@pytest.fixture
def browser(store: HostStore, issuer: str) -> Visitor:
    """Open a browser on the league."""
    known = Provider(issuer, lies.CLIENT, lies.SECRET, "Example University")
    return Visitor(make_app(store, "AI 2026", given={WING: Hosted(store, provider=known)}))


def _to_provider(browser: Visitor) -> str:
    """Follow the button to the provider; return the address to which it sends the browser back."""
    answer = browser.ask("/sign-in/provider?next=/me")
    assert answer.status_code == 303
    back = httpx.get(answer.headers["location"]).headers["location"]
    assert isinstance(back, str)
    return back.removeprefix("http://localhost")


def test_a_person_signs_in_at_the_provider(browser: Visitor, store: HostStore, ada: Person) -> None:
    assert "Sign in with Example University" in browser.ask("/sign-in").text
    back = _to_provider(browser)
    answer = browser.ask(back)
    assert (answer.status_code, answer.headers["location"]) == (303, "/me")
    assert browser.login() == "ada"
    # The code, and what the browser kept, are good once.
    assert browser.ask(back).status_code == 403
    # Later sign-ins find the person by the provider's number, even if the address has changed.
    store.people.update(ada.id, email="other@example.org")
    browser.post("/sign-out", "/me")
    browser.ask(_to_provider(browser))
    assert browser.login() == "ada"
    assert {each.action for each in store.sign_ins.audit(9)} == {"bound to provider", "signed in"}


@pytest.mark.parametrize("fault", lies.FAULTS)
def test_a_provider_that_lies_signs_in_nobody(
    browser: Visitor, ada: Person, issuer: str, fault: str
) -> None:
    httpx.get(f"{issuer}/become", params={"fault": fault})
    answer = browser.ask(_to_provider(browser))
    assert answer.status_code == 403
    assert "did not confirm who you are" in answer.text
    assert browser.login() == ""


@pytest.mark.parametrize("change", ["state", "code", "browser"])
def test_an_answer_that_is_not_for_this_browser_counts_for_nothing(
    browser: Visitor, ada: Person, change: str
) -> None:
    back = _to_provider(browser)
    asked = {name: each[0] for name, each in parse_qs(urlsplit(back).query).items()}
    if change == "browser":
        # Somebody leads another browser to their own answer.
        browser = Visitor(browser.app)
    else:
        asked[change] = "x"
    answer = browser.ask(f"/sign-in/provider/back?code={asked['code']}&state={asked['state']}")
    assert answer.status_code == 403
    assert browser.login() == ""


@pytest.mark.parametrize("verified", [each for each in lies.VERIFIED if each != "yes"])
def test_an_address_that_the_provider_has_not_verified_signs_in_nobody(
    browser: Visitor, store: HostStore, ada: Person, issuer: str, verified: str
) -> None:
    httpx.get(f"{issuer}/become", params={"verified": verified})
    answer = browser.ask(_to_provider(browser))
    assert (answer.status_code, "ask the organiser" in answer.text) == (403, True)
    assert browser.login() == ""
    # Nor is the person bound to the provider, so that the next sign-in fails too.
    assert store.people.subject_of(ada.id) == ""
    assert browser.ask(_to_provider(browser)).status_code == 403


@pytest.mark.parametrize("trouble", ["nobody", "two", "disabled", "bound"])
def test_a_provider_signs_in_no_one_whom_the_league_does_not_know(
    browser: Visitor, store: HostStore, trouble: str
) -> None:
    if trouble != "nobody":
        ada = store.people.add("ada", Role.AUTHOR, email="ada@example.org")
    if trouble == "two":
        store.people.add("eve", Role.AUTHOR, email="ADA@example.org")
    if trouble == "disabled":
        store.people.update(ada.id, is_active=False)
    if trouble == "bound":
        store.people.update(ada.id, subject="https://other.example 1")
    answer = browser.ask(_to_provider(browser))
    assert (answer.status_code, "ask the organiser" in answer.text) == (403, True)
    assert browser.login() == ""


def test_a_provider_that_is_away_is_told(store: HostStore) -> None:
    known = Provider("http://localhost:9", lies.CLIENT, lies.SECRET)
    browser = Visitor(make_app(store, "AI 2026", given={WING: Hosted(store, provider=known)}))
    answer = browser.ask("/sign-in/provider")
    assert (answer.status_code, "try later" in answer.text) == (503, True)


class Odd(BaseHTTPRequestHandler):
    """Answers more than anybody should read."""

    written = 0

    def do_GET(self) -> None:
        """Answer what the address names."""
        self.send_response(200)
        if self.path.startswith("/packed"):
            self.send_header("Content-Encoding", "gzip")
        self.end_headers()
        parts = {"/deep": [b"[" * 500_000], "/packed": [gzip.compress(b" " * (64 << 20))]}
        kind = self.path.removesuffix("/.well-known/openid-configuration")
        for part in parts.get(kind) or [b" " * 65536] * 4096:
            try:
                self.wfile.write(part)
            except OSError:
                return
            type(self).written += len(part)

    def log_message(self, format: str, *arguments: object) -> None:
        """Say nothing."""


@pytest.mark.parametrize("kind", ["deep", "packed", "endless"])
def test_an_answer_of_a_provider_is_read_within_bounds(store: HostStore, kind: str) -> None:
    Odd.written = 0
    with HTTPServer(("127.0.0.1", 0), Odd) as server:
        thread = threading.Thread(target=server.handle_request)
        thread.start()
        known = Provider(f"http://localhost:{server.server_port}/{kind}", lies.CLIENT, lies.SECRET)
        browser = Visitor(make_app(store, "AI 2026", given={WING: Hosted(store, provider=known)}))
        answer = browser.ask("/sign-in/provider")
        thread.join()
    assert (answer.status_code, "try later" in answer.text) == (503, True)
    assert Odd.written < 32 << 20


def test_a_deep_cookie_is_no_sign_in(browser: Visitor) -> None:
    browser.cookies[BEGUN] = urlsafe_b64encode(b"[" * 40_000).decode()
    answer = browser.ask("/sign-in/provider/back?code=x&state=y")
    assert answer.status_code == 403


@pytest.mark.parametrize(
    ("issuer_of", "secret", "reason"),
    [
        ("http://sso.example.org", "x", "begins with https"),
        ("sso.example.org", "x", "begins with https"),
        ("https://sso.example.org", "", "the id and the secret"),
    ],
)
def test_odd_settings_are_refused(issuer_of: str, secret: str, reason: str) -> None:
    with pytest.raises(SetupError, match=reason):
        Provider(issuer_of, "league", secret)


def test_a_sign_in_that_took_too_long_counts_no_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    begun = Begun("a", "b", "c", "/", 1000)
    for at, is_good in ((1000 + BEGUN_S, True), (1001 + BEGUN_S, False), (999, False)):
        monkeypatch.setattr("time.time", lambda at=at: at)
        assert (Begun.read(begun.values()) == begun) is is_good
    odds: list[object] = [None, [], {"state": "a"}, {**begun.values(), "at": "x"}, {"x": 1}]
    for odd in odds:
        assert Begun.read(odd) is None
