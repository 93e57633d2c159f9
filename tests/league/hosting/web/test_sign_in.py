"""The dashboard of a hosted league: signing in, forms, one's own account."""

import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import argon2
import pytest
from starlette.requests import Request

from league.hosting.accounts import invitations, passwords, tokens
from league.hosting.model.people import Person, Role
from league.hosting.model.season import SeasonSettings
from league.hosting.pages import WING
from league.hosting.store.host_store import HostStore, open_host_store
from league.hosting.web import callers
from league.hosting.web.hosted import Hosted
from league.model.errors import SetupError
from league.web.access import Access
from league.web.app import make_app
from league.web.proxies import Proxies
from tests.league.hosting.web.visiting import Visitor
from tests.league.web.asking import ask

PASSWORD = "rooks on open files"  # noqa: S105 (a test's own)
COOKIE = callers.SIGN_IN


@pytest.fixture(autouse=True)
def quick_hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hash with the least work."""
    least = argon2.PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
    monkeypatch.setattr(passwords, "hasher", lambda: least)
    passwords._nobodys.cache_clear()


@pytest.fixture
def store(tmp_path: Path) -> Iterator[HostStore]:
    """Open a new league that shows everything to visitors."""
    with open_host_store(str(tmp_path / "league.db"), create=True) as found:
        found.seasons.create(SeasonSettings(name="AI 2026", game="connectfour"))
        yield found


@pytest.fixture
def ada(store: HostStore) -> Person:
    """Add an author with a password."""
    person = store.people.add(
        "ada", Role.AUTHOR, team=store.people.add_team("rooks").id, name="Ada King"
    )
    store.people.set_password_hash(person.id, passwords.hash_password(PASSWORD))
    return store.people.get(person.id)


Makes = Callable[..., Visitor]


@pytest.fixture
def visitor(store: HostStore) -> Iterator[Makes]:
    """Return what makes a browser that knows the league by nothing yet."""
    with open_host_store(store.target, read_only=True) as shown:

        def make(
            access: Access | None = None, base: str = "http://localhost", **more: Any
        ) -> Visitor:
            app = make_app(
                shown, "AI 2026", access or Access(), given={WING: Hosted(store, **more)}
            )
            return Visitor(app, base)

        yield make


def test_without_hosting_there_are_no_accounts(store: HostStore) -> None:
    for path in ("/sign-in", "/me", "/invitation/x", "/api/me", "/sign-out"):
        assert ask(store, path)[0] == 404
    text, headers = ask(store, "/bots")[1:]
    assert "Sign in" not in text
    assert "set-cookie" not in headers


def test_a_person_signs_in_and_out(visitor: Makes, ada: Person) -> None:
    browser = visitor()
    assert "Sign in" in browser.ask("/bots").text
    answer = browser.ask("/me")
    assert answer.headers["location"] == "/sign-in?next=/me"
    token = browser.token("/sign-in?next=/me")
    given = {"token": token, "login": "Ada", "password": PASSWORD, "next": "/me"}
    answer = browser.ask("/sign-in", "POST", given)
    assert (answer.status_code, answer.headers["location"]) == (303, "/me")
    page = browser.ask("/me")
    assert all(word in page.text for word in ("Ada King", "rooks", "this browser"))
    assert page.headers["cache-control"] == "no-store"
    listed = browser.ask("/bots")
    assert ">ada</a>" in listed.text
    assert "Cookie" in listed.headers["vary"]
    assert "private" in listed.headers["cache-control"]
    answer = browser.post("/sign-out", "/me")
    assert answer.headers["location"] == "/"
    assert COOKIE not in browser.cookies
    assert browser.login() == ""


def test_signing_out_ends_the_sign_in_and_not_the_cookie_alone(visitor: Makes, ada: Person) -> None:
    browser = visitor()
    browser.sign_in("ada", PASSWORD)
    kept = browser.cookies[COOKIE]
    browser.post("/sign-out", "/me")
    browser.cookies.set(COOKIE, kept)
    assert browser.login() == ""


@pytest.mark.parametrize(
    "after",
    ["//evil.example", "/\\evil.example", "https://evil.example", "evil", "/a\nb", "/a b", "/ü"],
)
def test_a_sign_in_leads_to_no_other_site(visitor: Makes, ada: Person, after: str) -> None:
    browser = visitor()
    answer = browser.post("/sign-in", login="ada", password=PASSWORD, next=after)
    assert answer.headers["location"] == "/"


def test_a_wrong_password_says_so_and_then_locks(
    visitor: Makes, ada: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = time.time()
    monkeypatch.setattr("time.time", lambda: at)
    browser = visitor()
    for _ in range(5):
        answer = browser.sign_in("ada", "<b>wrong</b>")
        assert answer.status_code == 403
        assert "do not belong together" in answer.text
        assert 'value="ada"' in answer.text
        assert "wrong</b>" not in answer.text
    answer = browser.sign_in("ada", PASSWORD)
    assert (answer.status_code, answer.headers["retry-after"]) == (429, "30")
    assert "Too many attempts" in answer.text
    assert COOKIE not in browser.cookies


def test_signing_in_makes_a_new_token_whatever_the_browser_brought(
    visitor: Makes, ada: Person
) -> None:
    browser = visitor()
    browser.cookies.set(COOKIE, "planted-by-somebody-else")
    browser.sign_in("ada", PASSWORD)
    first = browser.cookies.get(COOKIE, domain="localhost.local")
    assert first not in (None, "planted-by-somebody-else")


def test_a_second_sign_in_ends_the_first(visitor: Makes, ada: Person) -> None:
    browser = visitor()
    browser.sign_in("ada", PASSWORD)
    first = browser.cookies[COOKIE]
    token = browser.token("/me")
    browser.ask("/sign-in", "POST", {"token": token, "login": "ada", "password": PASSWORD})
    assert browser.cookies[COOKIE] != first
    other = visitor()
    other.cookies.set(COOKIE, first)
    assert other.login() == ""
    # A form from before the sign-in counts no longer either.
    assert browser.ask("/me", "POST", {"token": token, "do": "end-all"}).status_code == 403


PLACES = ("/sign-in", "/sign-out", "/invitation/x", "/me")


@pytest.mark.slow
@pytest.mark.parametrize("path", PLACES)
def test_forms_need_the_token_of_their_browser(
    visitor: Makes, store: HostStore, ada: Person, path: str
) -> None:
    browser, other = visitor(), visitor()
    fields = {"login": "ada", "password": PASSWORD, "do": "ask-deletion"}
    # Before there is a cookie, with another browser's token, and with parts of the right one.
    assert browser.ask(path, "POST", {**fields, "token": ""}).status_code == 403
    browser.sign_in("ada", PASSWORD)
    other.sign_in("ada", PASSWORD)
    right = browser.token("/me")
    for token in ("", "x", other.token("/me"), right[:16], right[:-1], right[16:]):
        assert browser.ask(path, "POST", {**fields, "token": token}).status_code == 403
    assert browser.ask(path, "POST", fields).status_code == 403
    assert store.people.get(ada.id).deletion_asked_at is None
    assert browser.login() == "ada"
    assert browser.ask(path, "POST", {**fields, "token": right}).status_code != 403


def test_forms_of_other_sites_are_refused_before_they_are_read(visitor: Makes, ada: Person) -> None:
    browser = visitor()
    browser.sign_in("ada", PASSWORD)
    body = {"token": browser.token("/me"), "do": "end-all"}
    for headers in ({"sec_fetch_site": "cross-site"}, {"origin": "http://evil.example"}):
        assert browser.ask("/me", "POST", body, **headers).status_code == 403
    assert browser.login() == "ada"


def test_the_token_of_forms_differs_each_time(visitor: Makes, ada: Person) -> None:
    browser = visitor()
    browser.sign_in("ada", PASSWORD)
    seen = re.findall(r'name="token" value="([0-9a-f]+)"', browser.ask("/me").text)
    assert len(set(seen)) == len(seen) > 3
    assert browser.cookies[COOKIE] not in browser.ask("/me").text


def test_cookies_are_for_the_browser_alone(visitor: Makes, ada: Person) -> None:
    browser = visitor()
    answer = browser.ask("/sign-in")
    assert re.search("^league-form=.*HttpOnly.*SameSite=lax", answer.headers["set-cookie"])
    answer = browser.sign_in("ada", PASSWORD)
    told = answer.headers["set-cookie"]
    assert re.search("^league-person=.*HttpOnly.*SameSite=lax", told)
    assert "Secure" not in told


def test_over_https_cookies_are_for_one_host_alone(visitor: Makes, ada: Person) -> None:
    access = Access(hosts=("games.example.org",), root="/league", is_secure=True)
    browser = visitor(access, "https://games.example.org")
    answer = browser.post("/league/sign-in", login="ada", password=PASSWORD, next="/bots?q=a")
    assert answer.headers["location"] == "/league/bots?q=a"
    told = answer.headers["set-cookie"]
    assert told.startswith("__Host-league-person=")
    assert all(f"; {word}" in told for word in ("HttpOnly", "Path=/;", "Secure", "SameSite=lax"))
    assert "Domain" not in told
    assert browser.ask("/league/api/me").json()["login"] == "ada"


@pytest.mark.slow
def test_an_invitation_sets_a_password_once(visitor: Makes, store: HostStore) -> None:
    person = store.people.add("eve", Role.AUTHOR, team=store.people.add_team("knights").id)
    path = f"/invitation/{invitations.invite(store, person)}"
    browser = visitor()
    for _ in range(2):
        page = browser.ask(path)
        assert page.status_code == 200
        assert all(word in page.text for word in ("eve", "knights"))
        assert page.headers["cache-control"] == "no-store"
    wrong = browser.post(path, password=PASSWORD, again="other")
    assert (wrong.status_code, "two passwords differ" in wrong.text) == (400, True)
    wrong = browser.post(path, password="short", again="short")  # noqa: S106 (a test's own)
    assert (wrong.status_code, "too short" in wrong.text) == (400, True)
    assert browser.post(path, password=PASSWORD, again=PASSWORD).headers["location"] == "/submit"
    assert browser.login() == "eve"
    late = visitor()
    assert late.ask(path).status_code == 404
    assert "used or has expired" in late.ask(path).text
    assert late.login() == ""


@pytest.mark.slow
def test_a_password_changes_and_other_browsers_are_out(visitor: Makes, ada: Person) -> None:
    browser, other = visitor(), visitor()
    browser.sign_in("ada", PASSWORD)
    other.sign_in("ada", PASSWORD)
    new = "bishops on diagonals"
    wrong = browser.post("/me", do="password", before="no", password=new, again=new)
    assert (wrong.status_code, "not your current password" in wrong.text) == (403, True)
    wrong = browser.post("/me", do="password", before=PASSWORD, password=new, again="x")
    assert wrong.status_code == 400
    answer = browser.post("/me", do="password", before=PASSWORD, password=new, again=new)
    assert answer.headers["location"] == "/me?done=password"
    assert (browser.login(), other.login()) == ("ada", "")
    assert "is changed" in browser.ask("/me?done=password").text


@pytest.mark.slow
def test_sign_ins_are_listed_and_ended(visitor: Makes, store: HostStore, ada: Person) -> None:
    browser, other = visitor(), visitor()
    browser.sign_in("ada", PASSWORD)
    other.sign_in("ada", PASSWORD)
    (key,) = re.findall(r'name="key" value="(\w+)"', browser.ask("/me").text)
    # Another person can't end it, even knowing its key.
    eve = store.people.add("eve", Role.AUTHOR)
    store.people.set_password_hash(eve.id, passwords.hash_password(PASSWORD))
    third = visitor()
    third.sign_in("eve", PASSWORD)
    third.post("/me", do="end", key=key)
    assert other.login() == "ada"
    browser.post("/me", do="end", key=key)
    assert (browser.login(), other.login()) == ("ada", "")
    assert browser.post("/me", do="end-all").headers["location"] == "/sign-in"
    assert (browser.login(), third.login()) == ("", "eve")


@pytest.mark.slow
def test_a_script_signs_in_to_the_api_by_a_token(visitor: Makes, ada: Person) -> None:
    browser, script = visitor(), visitor()
    browser.sign_in("ada", PASSWORD)
    page = browser.post("/me", do="token", label="<b>laptop</b>", days="30")
    (token,) = re.findall(r"<code>(blp_[\w-]+)</code>", page.text)
    assert token not in browser.ask("/me").text
    assert "&lt;b&gt;laptop" in page.text
    answer = script.ask("/api/me", authorization=f"Bearer {token}")
    assert answer.json() == {"login": "ada", "role": "author", "team": "rooks"}
    # For the API alone, and not beside a page's cookie.
    assert script.ask("/me", authorization=f"Bearer {token}").status_code == 303
    assert script.ask("/api/me", authorization=f"Basic {token}").status_code == 401
    assert "league-person" not in script.cookies
    (number,) = re.findall(r'name="number" value="(\d+)"', browser.ask("/me").text)
    browser.post("/me", do="revoke", number=number)
    refused = script.ask("/api/bots", authorization=f"Bearer {token}")
    assert (refused.status_code, "revoked" in refused.json()["error"]) == (401, True)
    assert script.ask("/api/bots").status_code == 200


@pytest.mark.parametrize(
    "fields",
    [
        {"do": "token", "label": "", "days": "1"},
        {"do": "token", "label": "x", "days": "-1"},
        {"do": "token", "label": "x", "days": "٣"},
        {"do": "nonsense"},
        {"do": "__class__"},
        {},
    ],
)
def test_odd_forms_are_refused(
    visitor: Makes, store: HostStore, ada: Person, fields: dict[str, str]
) -> None:
    browser = visitor()
    browser.sign_in("ada", PASSWORD)
    assert browser.post("/me", **fields).status_code == 400
    assert store.sign_ins.personal_tokens(ada.id) == ()


def test_a_person_gets_all_that_is_stored_about_them(
    visitor: Makes, store: HostStore, ada: Person
) -> None:
    browser = visitor()
    browser.sign_in("ada", PASSWORD)
    tokens.new_token(store, ada, "laptop")
    store.people.update(ada.id, subject="https://sso.example.org 1")
    boss = store.people.add("grace", Role.ORGANISER)
    store.sign_ins.add_audit(
        boss, "noted", subject=f"person {ada.id}", detail="", address="192.0.2.9"
    )
    answer = browser.ask("/me/data.json")
    found = answer.json()
    assert "attachment" in answer.headers["content-disposition"]
    assert (found["person"]["name"], found["person"]["team"]) == ("Ada King", "rooks")
    assert found["person"]["provider"] == "https://sso.example.org 1"
    assert [len(found[name]) for name in ("sign_ins", "tokens", "submissions")] == [1, 1, 0]
    assert {each["action"] for each in found["audit"]} == {"signed in", "made token", "noted"}
    # Of others there is nothing in it, and no secret.
    assert all(word not in answer.text for word in ("grace", "192.0.2.9", "argon2"))
    answer = visitor().ask("/me/data.json")
    assert (answer.status_code, answer.headers["location"]) == (303, "/sign-in?next=/me/data.json")


def test_a_person_asks_to_be_deleted(visitor: Makes, store: HostStore, ada: Person) -> None:
    browser = visitor()
    browser.sign_in("ada", PASSWORD)
    assert "organiser sees" in browser.post("/me", do="ask-deletion").text
    assert store.people.get(ada.id).deletion_asked_at is not None
    assert "Your account stays" in browser.post("/me", do="keep").text
    assert store.people.get(ada.id).deletion_asked_at is None


PROXY = Proxies.read(["127.0.0.1", "2001:db8::/48"], "X-Remote-User")


@pytest.mark.parametrize(
    ("peer", "headers", "login"),
    [
        ("127.0.0.1", {"x_remote_user": "ada"}, "ada"),
        ("::ffff:127.0.0.1", {"x_remote_user": " ADA "}, "ada"),
        ("2001:db8::9", {"x_remote_user": "ada"}, "ada"),
        ("127.0.0.2", {"x_remote_user": "ada"}, ""),
        ("192.0.2.1", {"x_remote_user": "ada", "x_forwarded_for": "127.0.0.1"}, ""),
        ("127.0.0.1", {"x_remote_user": "nobody"}, ""),
        ("127.0.0.1", {"x_remote_user": ""}, ""),
        ("127.0.0.1", {"remote_user": "ada"}, ""),
    ],
)
def test_a_proxy_that_is_named_says_who_asks(
    visitor: Makes, ada: Person, peer: str, headers: dict[str, str], login: str
) -> None:
    browser = visitor(proxies=PROXY)
    browser.address = peer
    answer = browser.ask("/api/me", **headers)
    assert (answer.json().get("login", "")) == login


def test_a_proxy_comes_before_a_sign_in_of_somebody_else(
    visitor: Makes, store: HostStore, ada: Person
) -> None:
    store.people.add("eve", Role.AUTHOR)
    browser = visitor(proxies=PROXY)
    browser.sign_in("ada", PASSWORD)
    browser.address = "127.0.0.1"
    assert browser.ask("/api/me", x_remote_user="eve").json()["login"] == "eve"
    assert browser.ask("/api/me", x_remote_user="nobody").status_code == 401
    assert browser.login() == "ada"


def test_two_headers_of_a_proxy_are_none(visitor: Makes, ada: Person) -> None:
    scope = {
        "type": "http",
        "headers": [(b"x-remote-user", b"ada"), (b"x-remote-user", b"eve")],
        "client": ("127.0.0.1", 1),
    }
    assert PROXY.login(Request(scope)) == ""


def test_people_of_a_proxy_send_forms_with_a_token(
    visitor: Makes, store: HostStore, ada: Person
) -> None:
    browser = visitor(proxies=PROXY)
    browser.address = "127.0.0.1"
    body = {"do": "ask-deletion", "token": ""}
    assert browser.ask("/me", "POST", body, x_remote_user="ada").status_code == 403
    page = browser.ask("/me", x_remote_user="ada")
    assert "A proxy in front" in page.text
    found = re.search(r'name="token" value="(\w+)"', page.text)
    assert found is not None
    body["token"] = found[1]
    assert browser.ask("/me", "POST", body, x_remote_user="ada").status_code == 200
    assert store.people.get(ada.id).deletion_asked_at is not None


@pytest.mark.parametrize(
    ("peer", "told", "address"),
    [
        ("192.0.2.7", "", "192.0.2.7"),
        ("192.0.2.7", "192.0.2.8", "192.0.2.7"),
        ("127.0.0.1", "203.0.113.5", "203.0.113.5"),
        ("127.0.0.1", "198.51.100.1, 203.0.113.5", "203.0.113.5"),
        ("127.0.0.1", "203.0.113.5, 127.0.0.1", "203.0.113.5"),
        ("127.0.0.1", "", ""),
    ],
)
def test_the_address_of_whoever_asks_is_the_last_that_no_proxy_has(
    visitor: Makes, store: HostStore, ada: Person, peer: str, told: str, address: str
) -> None:
    browser = visitor(proxies=PROXY)
    browser.address = peer
    headers = {"x_forwarded_for": told} if told else {}
    page = browser.ask("/sign-in", **headers)
    found = re.search(r'name="token" value="(\w+)"', page.text)
    assert found is not None
    body = {"token": found[1], "login": "ada", "password": PASSWORD}
    assert browser.ask("/sign-in", "POST", body, **headers).status_code == 303
    assert store.sign_ins.audit(1)[0].address == address


@pytest.mark.parametrize(
    ("addresses", "header", "reason"),
    [
        (["nonsense"], "", "expected one like 127.0.0.1"),
        (["0.0.0.0/0"], "", "trusts every address"),
        ([], "X-Remote-User", "needs the address"),
        (["127.0.0.1"], "Cookie", "expected a name like"),
        (["127.0.0.1"], "X Remote", "expected a name like"),
    ],
)
def test_odd_proxies_are_refused(addresses: list[str], header: str, reason: str) -> None:
    with pytest.raises(SetupError, match=reason):
        Proxies.read(addresses, header)
