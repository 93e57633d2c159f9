"""People play in the browser: journeys by mouse, keys and touch, and what is refused."""

import http.client
import re
import signal
import urllib.request
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlencode, urlsplit

import pytest

from league.api.sessions import session_of
from league.store.store import Store, open_store
from league.web.play_host import FullError, HostedMatch, PlayHost
from league.web.play_settings import PlaySettings, game_in, settings_in
from tests.browser import NARROW, WIDE, fits, resize, until
from tests.league.command import below, league, start
from tests.league.web.asking import ask
from tests.league.web.serving import served
from tests.league.web.test_pages import FAULTS, FOCUSED, REACHABLE
from tests.waiting import PATIENCE_S, wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

CRASHES = """
import sys

def choose(state, clock):
    print("about to divide <b>", file=sys.stderr)
    return 1 // 0
"""
HANGS = """
def choose(state, clock):
    while True:
        pass
"""
LONG = "a-name-of-sixty-characters-that-should-push-nothing-off-it"
MAX_SESSIONS = 2


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a league of a bot that plays, one that crashes and one that never answers."""
    found = tmp_path_factory.mktemp("league")
    for name, text in {"crashes": CRASHES, "hangs": HANGS}.items():
        (found / f"{name}.py").write_text(text)
        league(found, "register", name, f"{name}.py", "--no-check")
    league(found, "register", "mini", "minimax", "--no-check")
    league(found, "register", LONG, "greedy", "--no-check")
    return found


@pytest.fixture(scope="module")
def link(folder: Path) -> Iterator[str]:
    """Serve that league to people who play."""
    with served(folder, "--play", "--play-sessions", str(MAX_SESSIONS)) as found:
        yield found.rstrip("/")


@pytest.fixture
def store(folder: Path) -> Iterator[Store]:
    """Open that league."""
    with open_store(str(folder / "league.db"), read_only=True) as found:
        yield found


def begin(page: "Page", link: str, game: str, against: str = "mini", seat: int = 0) -> None:
    """Choose a match on the form, and begin it."""
    page.goto(f"{link}/play?game={game}")
    page.select_option("[name=against]", against)
    if against:
        page.check(f"[name=seat][value='{seat}']")
    page.click(".play-form .primary")
    until(page, READY)


READY = "['person', 'over'].includes(document.getElementById('status')?.dataset.phase)"
STATUS = "document.getElementById('status')?.dataset.phase"
PLIES = "document.querySelectorAll('#plies li').length"
PLACES = "document.getElementById('board').shadowRoot.querySelectorAll('.place').length"
SPOT = """([x, y]) => {
  const board = document.getElementById("board").shadowRoot.querySelector("svg");
  const spot = new DOMPoint(x, y).matrixTransform(board.getScreenCTM());
  return [spot.x, spot.y];
}"""


def spot(page: "Page", x: int, y: int) -> tuple[float, float]:
    """Return where in the window a point of the drawing is."""
    page.locator("#board").scroll_into_view_if_needed()
    left, top = page.evaluate(SPOT, [x, y])
    return left, top


def first_place(page: "Page") -> tuple[int, int]:
    """Return the first point of the drawing that can be pressed."""
    place = page.evaluate(
        "document.getElementById('board').shadowRoot.querySelector('.place').dataset.place"
    )
    x, y = place.split(",")
    return int(x), int(y)


def type_move(page: "Page", text: str) -> None:
    """Type a move, and wait until it is made."""
    before = page.evaluate(PLIES)
    page.fill("#text", text)
    page.keyboard.press("Enter")
    until(page, f"{PLIES} > {before}")


def quit_match(page: "Page") -> None:
    """End a match, so that others have room."""
    if page.is_visible(".leave"):
        page.click(".leave")
        page.wait_for_url("**/play")


def test_a_match_is_played_by_mouse(quiet: "Page", link: str) -> None:
    begin(quiet, link, "tictactoe")
    while quiet.evaluate(STATUS) != "over":
        plies = quiet.evaluate(PLIES)
        quiet.mouse.click(*spot(quiet, *first_place(quiet)))
        until(quiet, f"{PLIES} > {plies} && {READY}")
    assert quiet.inner_text("#status") in ("mini won.", "A draw.")
    for name, begins in {"pgn": '[Event "Casual match"]', "json": '{"match":0'}.items():
        with quiet.expect_download() as download:
            quiet.click(f"#files a[href$='/{name}']")
        assert Path(download.value.path()).read_text().startswith(begins)
    swapped = quiet.get_by_role("button", name="Rematch, seats swapped")
    swapped.click()
    until(quiet, f"{STATUS} === 'person' && {PLIES} === 1")
    quit_match(quiet)


def test_a_match_is_typed_with_undo_and_the_reason_of_a_refusal(quiet: "Page", link: str) -> None:
    begin(quiet, link, "tictactoe")
    quiet.focus("#text")
    type_move(quiet, "b2")
    until(quiet, f"{STATUS} === 'person'")
    quiet.keyboard.type("b2")
    quiet.keyboard.press("Enter")
    until(quiet, "!document.getElementById('wrong').hidden")
    assert quiet.inner_text("#wrong") == "illegal move 'b2': the square is taken"
    assert "mini: " in quiet.inner_text("#said")
    # The arrows show earlier positions, in which nothing can be pressed.
    quiet.fill("#text", "")
    quiet.keyboard.press("ArrowLeft")
    until(quiet, "document.getElementById('told').textContent.startsWith('After ply 1 of 2: O to')")
    assert quiet.evaluate(PLACES) == 0
    quiet.keyboard.press("Escape")
    until(quiet, f"{PLACES} === 7")
    quiet.click("#undo")
    until(quiet, f"{PLIES} === 0")
    quiet.focus("#text")
    while quiet.evaluate(STATUS) != "over":
        type_move(quiet, quiet.get_attribute("#known option", "value") or "")
        until(quiet, READY)
    assert not quiet.is_visible("#type")


def test_a_match_is_played_by_touch_on_a_phone(browser: "Browser", link: str) -> None:
    with browser.new_context(has_touch=True, is_mobile=True) as context:
        page = context.new_page()
        resize(page, NARROW)
        begin(page, link, "connectfour", LONG)
        assert fits(page)
        # Any place of a column drops a disc there.
        page.touchscreen.tap(*spot(page, 140, 20))
        until(page, f"{PLIES} === 2 && {STATUS} === 'person'")
        assert page.inner_text("#plies li button >> nth=0") == "4"
        page.click("#resign")
        until(page, f"{STATUS} === 'over'")
        assert page.inner_text("#status") == f"You resigned. {LONG} won."
        assert fits(page)


def test_two_people_play_at_one_screen_by_clicks_and_drags(quiet: "Page", link: str) -> None:
    begin(quiet, link, "breakthrough", "")
    # a2-a3 by clicks, a7-a6 by dragging.
    quiet.mouse.click(*spot(quiet, 20, 260))
    quiet.mouse.click(*spot(quiet, 20, 220))
    until(quiet, f"{PLIES} === 1")
    assert quiet.inner_text("#status") == "Black to move."
    quiet.mouse.move(*spot(quiet, 20, 60))
    quiet.mouse.down()
    quiet.mouse.move(*spot(quiet, 20, 80))
    quiet.mouse.move(*spot(quiet, 20, 100))
    quiet.mouse.up()
    until(quiet, f"{PLIES} === 2")
    assert quiet.inner_text("#plies li button >> nth=1") == "a7-a6"
    # A board that is turned takes presses where the pieces are then.
    quiet.click("#turn")
    quiet.mouse.click(*spot(quiet, 60, 260))
    quiet.mouse.click(*spot(quiet, 60, 220))
    until(quiet, f"{PLIES} === 3")
    assert quiet.inner_text("#plies li button >> nth=2") == "b2-b3"
    quit_match(quiet)


def test_a_pawn_is_promoted_to_what_is_asked_for(quiet: "Page", link: str) -> None:
    pytest.importorskip("chess", reason="needs the extra 'chess'")
    quiet.goto(f"{link}/play?game=chess&option.fen=7k/P7/8/8/8/8/8/7K+w+-+-+0+1")
    quiet.select_option("[name=against]", "")
    quiet.click(".play-form .primary")
    until(quiet, f"{STATUS} === 'person'")
    quiet.mouse.click(*spot(quiet, 22, 66))
    quiet.mouse.click(*spot(quiet, 22, 22))
    quiet.get_by_role("dialog").get_by_role("button", name="a8=N").click()
    until(quiet, f"{PLIES} === 1")
    assert quiet.inner_text("#plies li button") == "a8=N"
    quit_match(quiet)


def test_a_bot_that_crashes_loses_and_the_page_shows_why(quiet: "Page", link: str) -> None:
    begin(quiet, link, "tictactoe", "crashes")
    type_move(quiet, "a1")
    until(quiet, f"{STATUS} === 'over'")
    assert re.fullmatch(
        r"crashes loses by crash: .*ZeroDivisionError.* You won\.", quiet.inner_text("#status")
    )
    assert "about to divide <b>" in quiet.inner_text("#log")


def test_a_bot_that_hangs_is_late_and_blocks_no_other_page(quiet: "Page", link: str) -> None:
    quiet.goto(f"{link}/play?game=tictactoe")
    quiet.select_option("[name=limit]", "1s")
    quiet.select_option("[name=against]", "hangs")
    quiet.click(".play-form .primary")
    until(quiet, f"{STATUS} === 'person'")
    type_move(quiet, "a1")
    with urllib.request.urlopen(f"{link}/bots", timeout=PATIENCE_S) as answer:  # noqa: S310 (our own)
        assert answer.status == 200
    until(quiet, f"{STATUS} === 'over'")
    assert "hangs loses by time forfeit" in quiet.inner_text("#status")
    assert "You won." in quiet.inner_text("#status")


def test_the_pages_are_sound_and_all_of_them_is_reached_by_keys(quiet: "Page", link: str) -> None:
    faults = []
    begin(quiet, link, "othello", LONG)
    table = quiet.url
    for address in (f"{link}/play?game=pacman", table):
        quiet.goto(address)
        for size in (WIDE, NARROW):
            resize(quiet, size)
            for scheme in ("light", "dark"):
                quiet.emulate_media(color_scheme=scheme)
                faults += [
                    f"{address}, {scheme}, {size}: {each}" for each in quiet.evaluate(FAULTS)
                ]
        resize(quiet, WIDE)
        wanted = quiet.evaluate(REACHABLE)
        for _ in range(wanted + 20):
            quiet.keyboard.press("Tab")
            found = quiet.evaluate(FOCUSED)
            assert found is None or found["shown"], found
        # Of radio buttons, the chosen one alone is stopped at.
        radios = quiet.evaluate("document.querySelectorAll('[type=radio]:not(:checked)').length")
        assert (
            quiet.evaluate("document.querySelectorAll('[data-reached]').length") >= wanted - radios
        )
    assert not faults, "\n".join(dict.fromkeys(faults))
    quit_match(quiet)


def test_a_match_can_be_played_without_scripts(browser: "Browser", link: str) -> None:
    with browser.new_context(java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(f"{link}/play?game=tictactoe&against=")
        page.click(".play-form .primary")
        page.fill("#text", "b2")
        page.click("#type button")
        assert page.inner_text("#plies b") == "b2"
        page.fill("#text", "b2")
        page.click("#type button")
        assert "the square is taken" in page.inner_text("#wrong")
        page.click(".leave")
        assert page.url.endswith("/play")


Answer = tuple[int, str, Mapping[str, str]]


def asked(link: str, method: str, path: str, body: str = "", **headers: str) -> Answer:
    """Ask a server; return the status, the text and the headers."""
    connection = http.client.HTTPConnection(urlsplit(link).netloc, timeout=PATIENCE_S)
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    connection.request(method, path, body or None, named)
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer.status, text, dict(answer.getheaders())


class Person:
    """A browser without a window: its cookie, and the token of its forms."""

    def __init__(self, link: str) -> None:
        self.link = link
        _, text, headers = asked(link, "GET", "/play")
        assert "HttpOnly; Path=/; SameSite=strict" in headers["set-cookie"]
        self.cookie = headers["set-cookie"].partition(";")[0]
        self.token = re.findall(r'name="token" value="(\w+)"', text)[0]

    def post(self, path: str, fields: Mapping[str, str], **headers: str) -> Answer:
        """Send a form."""
        sent = urlencode({"token": self.token} | dict(fields))
        return asked(self.link, "POST", path, sent, Cookie=self.cookie, **headers)

    def begin(self, **fields: str) -> Answer:
        """Begin a match, of two people unless it says against whom."""
        return self.post("/play", {"game": "tictactoe", "against": ""} | fields)


@pytest.fixture
def person(link: str) -> Person:
    """Open the first page."""
    return Person(link)


@pytest.mark.parametrize(
    "headers",
    [
        {"Sec_Fetch_Site": "cross-site"},
        {"Sec_Fetch_Site": "same-site", "Origin": "null"},
        {"Origin": "http://localhost:1"},
    ],
)
def test_a_form_of_another_site_is_refused(person: Person, headers: dict[str, str]) -> None:
    status, text, _ = person.post("/play", {"game": "tictactoe"}, **headers)
    assert status == 403
    assert "Only a page of this league" in text


def test_a_form_without_its_cookie_or_token_is_refused(person: Person, link: str) -> None:
    other = Person(link)
    body = urlencode({"token": person.token, "game": "tictactoe", "against": ""})
    assert asked(link, "POST", "/play", body)[0] == 403
    assert asked(link, "POST", "/play", body, Cookie=other.cookie)[0] == 403
    assert person.begin(token="")[0] == 403
    assert asked(link, "POST", "/play", "x" * 10_000, Cookie=other.cookie)[0] == 413


def test_matches_at_a_time_are_bounded_and_belong_to_their_browser(
    person: Person, link: str
) -> None:
    ends = {"do": "end"}
    begun = [person.begin() for _ in range(MAX_SESSIONS)]
    assert [status for status, _, _ in begun] == [303] * MAX_SESSIONS
    status, text, _ = Person(link).begin()
    assert status == 503
    assert f"no room: {MAX_SESSIONS} at a time" in text
    places = [headers["location"] for _, _, headers in begun]
    stranger = Person(link)
    assert asked(link, "GET", places[0], Cookie=stranger.cookie)[0] == 404
    assert stranger.post(places[0], ends)[0] == 404
    for place in places:
        assert asked(link, "GET", place, Cookie=person.cookie)[0] == 200
        assert asked(link, "GET", f"{place}/pgn", Cookie=person.cookie)[0] == 404
        assert person.post(place, {"do": "dance"})[0] == 400
        assert person.post(place, ends, Sec_Fetch_Site="same-origin")[0] == 303
    wait_until(lambda: stranger.begin()[0] == 303)
    _, text, _ = asked(link, "GET", "/play", Cookie=stranger.cookie)
    (key,) = re.findall(r'action="/play/([^"]+)"', text)
    assert stranger.post(f"/play/{key}", ends)[0] == 303


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"game": "evil.py:Game"}, "no game"),
        ({"game": "pacman", "option.layout": "/etc/passwd"}, "no files here"),
        ({"game": "tree", "option.file": "league.db"}, "no files here"),
        ({"game": "connectfour", "option.columns": "99"}, "from 1 to 16"),
        ({"against": "minimax"}, "minimax"),
        ({"against": "hangs.py"}, "hangs.py"),
        ({"seat": "2"}, "seat"),
        ({"limit": "1h"}, "limit"),
    ],
)
def test_what_can_not_be_played_is_refused(
    person: Person, fields: dict[str, str], told: str
) -> None:
    status, text, _ = person.begin(**fields)
    assert status == 400
    alert = re.findall(r'role="alert">([^<]*)', text)
    assert told in alert[0]


def test_without_the_option_nothing_can_be_played(store: Store) -> None:
    assert ask(store, "/play")[0] == 404
    assert "/play" not in ask(store, "/")[1]


def test_an_end_of_the_server_ends_the_bots(folder: Path) -> None:
    server = start(folder, "serve", "--play", "--port", "0")
    assert server.stderr is not None
    link = server.stderr.readline().split()[0].rstrip("/")
    person = Person(link)
    place = person.begin(against="mini")[2]["location"]
    position = f"{place}/position"
    wait_until(lambda: '"phase":"person"' in asked(link, "GET", position, Cookie=person.cookie)[1])
    bots = [pid for pid, _ in below(server.pid)]
    assert bots
    server.send_signal(signal.SIGINT)
    server.communicate(timeout=PATIENCE_S)
    assert server.returncode == 0
    wait_until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in bots))


def hosted(host: PlayHost, store: Store, against: str = "") -> HostedMatch:
    """Begin a match without a browser."""
    settings = settings_in(store, {"game": "tictactoe", "against": against})
    return host.begin("me", settings, lambda: session_of(None, "tictactoe", None, 0))


def test_a_match_without_a_move_ends_and_makes_room(store: Store) -> None:
    host = PlayHost(1, idle_s=0.05)
    match = hosted(host, store)
    wait_until(lambda: not match.is_alive)
    assert "no move for" in match.data()["status"]
    assert match.obey("move", "a1").result() == "the match is over"
    assert hosted(host, store) is not match
    host.close()
    with pytest.raises(FullError):
        hosted(host, store)


def test_options_of_an_address_are_those_of_the_game(store: Store) -> None:
    game = game_in(store, {"game": "mnk?columns=9", "option.rows": "9"})
    assert game.spec == "mnk?columns=9&rows=9"
    assert settings_in(store, {"game": "connectfour", "seat": "1"}) == PlaySettings(
        "connectfour", "", 1, "1s"
    )
