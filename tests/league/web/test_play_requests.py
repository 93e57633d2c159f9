"""Whose requests begin matches in the browser, which ones, how many, and how they end."""

import http.client
import re
import signal
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import pytest

from games.support.specs import find_game
from league.api.sessions import session_of
from league.model.records import BotVersion
from league.render.play_page import Phase
from league.store.store import Store, open_store
from league.web.play_host import FullError, HostedMatch, OrderKind, PlayHost
from league.web.play_settings import (
    PlaySettings,
    game_in,
    opponents_in,
    session_for,
    settings_in,
    usual_opponent,
)
from tests.league.command import below, start
from tests.league.web.asking import ask
from tests.league.web.serving import PLAY_SESSIONS
from tests.waiting import PATIENCE_S, wait_until


@pytest.fixture
def store(play_folder: Path) -> Iterator[Store]:
    """Open that league."""
    with open_store(str(play_folder / "league.db"), read_only=True) as found:
        yield found


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
def person(play_link: str) -> Person:
    """Open the first page."""
    return Person(play_link)


@pytest.mark.slow
@pytest.mark.parametrize(
    "headers",
    [
        {"Sec_Fetch_Site": "cross-site"},
        {"Sec_Fetch_Site": "same-site"},
        {"Origin": "http://evil.example"},
    ],
)
def test_a_form_of_another_site_is_refused(person: Person, headers: dict[str, str]) -> None:
    status, text, _ = person.post("/play", {"game": "tictactoe"}, **headers)
    assert status == 403
    assert "Another site's page may not do this." in text


def test_a_form_without_its_cookie_or_token_is_refused(person: Person, play_link: str) -> None:
    other = Person(play_link)
    body = urlencode({"token": person.token, "game": "tictactoe", "against": ""})
    assert asked(play_link, "POST", "/play", body)[0] == 403
    assert asked(play_link, "POST", "/play", body, Cookie=other.cookie)[0] == 403
    assert person.begin(token="")[0] == 403
    assert asked(play_link, "POST", "/play", "x" * 10_000, Cookie=other.cookie)[0] == 413


def test_matches_at_a_time_are_bounded_and_belong_to_their_browser(
    person: Person, play_link: str
) -> None:
    ends = {"do": "end"}
    begun = [person.begin() for _ in range(PLAY_SESSIONS)]
    assert [status for status, _, _ in begun] == [303] * PLAY_SESSIONS
    status, text, _ = Person(play_link).begin()
    assert status == 503
    assert f"All {PLAY_SESSIONS} places are taken." in text
    assert "<details>" in text, "the options of the game have nothing to do with it"
    places = [headers["location"] for _, _, headers in begun]
    stranger = Person(play_link)
    assert asked(play_link, "GET", places[0], Cookie=stranger.cookie)[0] == 404
    assert stranger.post(places[0], ends)[0] == 404
    for place in places:
        assert asked(play_link, "GET", place, Cookie=person.cookie)[0] == 200
        assert asked(play_link, "GET", f"{place}/pgn", Cookie=person.cookie)[0] == 404
        assert person.post(place, {"do": "dance"})[0] == 400
        assert person.post(place, ends, Sec_Fetch_Site="same-origin")[0] == 303
    wait_until(lambda: stranger.begin()[0] == 303)
    _, text, _ = asked(play_link, "GET", "/play", Cookie=stranger.cookie)
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
        ({"seat": "0" * 5000}, "seat"),
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


@pytest.mark.slow
def test_an_end_of_the_server_ends_the_bots(play_folder: Path) -> None:
    server = start(play_folder, "serve", "--play", "--port", "0")
    assert server.stderr is not None
    link = server.stderr.readline().split()[0].rstrip("/")
    person = Person(link)
    place = person.begin(against="hangs", seat="1", limit="30s")[2]["location"]
    position = f"{place}/position"

    def position_after(known: int) -> str:
        return asked(link, "GET", f"{position}?known={known}", Cookie=person.cookie)[1]

    wait_until(lambda: '"phase":"bot"' in position_after(0))
    bots = [pid for pid, _ in below(server.pid)]
    assert bots
    with ThreadPoolExecutor(1) as threads:
        # A page that waits for the bot's move is told the end, and nothing is said of it.
        waiting = threads.submit(position_after, 2)
        server.send_signal(signal.SIGINT)
        _, said = server.communicate(timeout=PATIENCE_S)
        assert "Stopped, without a result." in waiting.result()
    assert (server.returncode, said) == (0, "")
    wait_until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in bots))


def hosted(host: PlayHost, store: Store, against: str = "") -> HostedMatch:
    """Begin a match without a browser."""
    settings = settings_in(store, {"game": "tictactoe", "against": against})
    return host.begin("me", settings, lambda: session_of(None, "tictactoe", None, 0))


def test_a_match_without_a_move_ends_and_makes_room(store: Store) -> None:
    host = PlayHost(1, idle_s=0.05)
    match = hosted(host, store)
    wait_until(lambda: not match.is_alive)
    assert "no move for" in match.view.status
    assert match.obey(OrderKind.MOVE, "a1").result() == "the match is over"
    assert hosted(host, store) is not match
    host.close()
    with pytest.raises(FullError):
        hosted(host, store)


@pytest.mark.slow
def test_a_person_leaves_while_a_bot_thinks(store: Store) -> None:
    host = PlayHost(1)
    given = {"game": "tictactoe", "against": "hangs", "seat": "1", "limit": "30s"}
    settings = settings_in(store, given)
    match = host.begin("me", settings, lambda: session_for(store, settings, "auto", None))
    wait_until(lambda: match.view.phase is Phase.BOT)
    assert match.view.status == "hangs is thinking…"
    assert match.obey(OrderKind.MOVE, "a1").result() == "hangs is thinking"
    assert match.obey(OrderKind.RESIGN).result(PATIENCE_S) == ""
    assert match.view.status == "You resigned. hangs won."
    assert match.obey(OrderKind.END).result() == ""
    host.close()


def test_options_of_an_address_are_those_of_the_game(store: Store) -> None:
    game = game_in(store, {"game": "mnk?columns=9", "option.rows": "9"})
    assert game.spec == "mnk?columns=9&rows=9"
    assert settings_in(store, {"game": "connectfour", "seat": "1"}) == PlaySettings(
        "connectfour", "", 1, "1s"
    )


def test_opponents_are_listed_by_strength_and_a_medium_one_is_offered(odd_folder: Path) -> None:
    with open_store(str(odd_folder / "league.db")) as store:
        found = opponents_in(store, find_game("connectfour"))
    ratings = [each.rating for each in found if each.rating is not None]
    assert len(ratings) > 1
    assert ratings == sorted(ratings, reverse=True)
    assert [each.rating for each in found[len(ratings) :]] == [None] * (len(found) - len(ratings))
    assert (found[0].strength, found[-1].strength) == ("strong", "")
    assert usual_opponent(found) == found[len(ratings) // 2].bot.name
    assert usual_opponent(found[len(ratings) :]) == found[len(ratings)].bot.name
    assert usual_opponent([]) == ""


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["kuhn", "rps?rounds=2", "phantom_tictactoe"])
def test_a_game_with_secrets_shows_a_person_what_its_seat_sees(store: Store, spec: str) -> None:
    host = PlayHost(1)
    settings = settings_in(store, {"game": "tictactoe", "against": ""})
    random = BotVersion("random", "random", id=1)
    match = host.begin("me", settings, lambda: session_of(None, spec, random, 1, seed=2))
    while not match.view.is_over:
        wait_until(lambda: match.view.phase in (Phase.PERSON, Phase.OVER))
        if match.view.phase is Phase.PERSON:
            told = " ".join(ply.text for ply in match.view.plies)
            assert "First has" not in told + match.view.board.board
            (move, *_) = match.view.board.moves
            assert match.obey(OrderKind.MOVE, move.text).result(PATIENCE_S) == ""
    assert match.view.results is not None
    host.close()
