"""JSON lines over HTTP: what is asked, secrets, and the addresses that are allowed."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from games.support.game import Game
from games.support.specs import find_game
from league.api.league import League
from league.match.play import MatchSetup, play_match
from league.model.errors import CheckError
from league.model.network import is_public
from league.model.records import BotVersion, Limits, MatchRecord, Termination
from league.registration.source_snapshot import take_snapshot
from league.seats.bot_specs import make_seat
from league.seats.protocols.http import HttpSeat
from league.seats.seat import MoveBudget, SeatAnswer, SeatFault
from tests.league.examining import be_patient
from tests.league.seats.web_server import (
    GREETING,
    Answer,
    Reply,
    in_json_lines,
    of_json,
    serving,
)
from tests.waiting import ENDLESS_S

GAME = find_game("connectfour")
SNAKES = find_game("snakes?snakes=2&turns=3")
LIMITS = Limits(move_s=ENDLESS_S, start_s=ENDLESS_S)
BUDGET = MoveBudget(move_s=ENDLESS_S)


@contextmanager
def seat_of(
    url: str, limits: Limits = LIMITS, options: dict[str, str] | None = None
) -> Iterator[HttpSeat]:
    """Yield the seat of a server that has these options, and end it."""
    seat = make_seat(take_snapshot("bot", url, options or {}), limits)
    assert isinstance(seat, HttpSeat)
    try:
        yield seat
    finally:
        seat.stop()


def asked(url: str, limits: Limits = LIMITS, options: dict[str, str] | None = None) -> SeatAnswer:
    """Start a bot, let it begin a match, and return its first answer."""
    with seat_of(url, limits, options) as seat:
        seat.start()
        seat.new_match(GAME, 0, 7, ())
        return seat.ask(GAME.initial(), (), MoveBudget.of(limits, 2))


def answering(kind: str, reply: Reply) -> Answer:
    """Return a server that answers so to one type of question."""
    return lambda path, told: reply if told and told["type"] == kind else in_json_lines(path, told)


def played(game: Game, urls: list[str]) -> MatchRecord:
    """Play a match of servers."""
    seats = [make_seat(take_snapshot("bot", url, {}), LIMITS) for url in urls]
    setup = MatchSetup(game=game, versions=[0] * len(urls), opening=(), limits=LIMITS, seed=3)
    try:
        return play_match(setup, seats)
    finally:
        for seat in seats:
            seat.rest()
            seat.stop()


def test_each_message_is_a_request_to_its_own_path() -> None:
    with serving(in_json_lines) as served, seat_of(served.url, options={"depth": "3"}) as seat:
        seat.start()
        seat.new_match(GAME, 1, 7, ())
        state = GAME.position("4")
        answer = seat.ask(state, (3,), BUDGET)
        # It remembers nothing: no request says that the match is over.
        seat.rest()
    match = {"game": "connectfour", "seat": 1}
    assert answer.wire == "1"
    assert served.asked == [
        ("GET /", None),
        ("POST /hello", {"type": "hello", "id": 1, "protocol": 1}),
        (
            "POST /match",
            {
                **match,
                **{"type": "match", "id": 2, "seats": 2, "seed": 7, "match": f"{7:016x}"},
                "rules": {"columns": 7, "rows": 6, "connect": 4},
                "options": {"depth": "3"},
            },
        ),
        (
            "POST /move",
            {
                **match,
                **{"type": "move", "id": 3, "match": f"{7:016x}"},
                **{"seconds": ENDLESS_S, "depth": None, "nodes": None},
                **{"moves": ["4"], "legal": list("1234567"), "fen": state.fen()},
            },
        ),
    ]


def test_a_server_says_which_fields_it_wants() -> None:
    def answer(path: str, told: Any) -> Reply:
        if told and told["type"] == "move":
            return of_json({"move": 4, "report": {"depth": 3, "pv": ["4", "4", "99"], "text": "x"}})
        return of_json({"protocol": 1, "legal": False, "fen": False, "board": True, "author": "me"})

    with serving(answer) as served, seat_of(served.url) as seat:
        seat.start()
        seat.new_match(GAME, 0, 7, ())
        wire, *_, report = seat.ask(GAME.initial(), (), BUDGET)
        assert seat.version.author == "me"
    _, told = served.asked[-1]
    assert told["board"] == GAME.initial().render()
    assert not {"legal", "fen"} & set(told)
    assert wire == "4"
    assert report is not None
    assert (report.depth, report.pv, report.text) == (3, (3, 3), "x")


def test_a_server_is_told_what_its_seat_sees_and_no_more() -> None:
    game = find_game("kuhn")
    with serving(in_json_lines) as one, serving(in_json_lines) as two:
        record = played(game, [one.url, two.url])
    assert record.termination is Termination.RULES
    cards = []
    for served in (one, two):
        told = [told for path, told in served.asked if path == "POST /move"]
        assert told
        assert not any("moves" in each for each in told)
        cards.append({each["events"][0] for each in told})
    # Each sees one card, its own.
    assert [len(each) for each in cards] == [1, 1]
    assert cards[0] != cards[1]


CRASH, ILLEGAL = Termination.CRASH, Termination.ILLEGAL_MOVE


@pytest.mark.parametrize(
    ("kind", "reply", "termination", "detail"),
    [
        ("hello", Reply(status=500), CRASH, "answered POST /hello with status 500"),
        ("hello", Reply(status=401), CRASH, "answered POST /hello with status 401: it may want a"),
        ("hello", Reply(status=404), CRASH, "answered POST /hello with status 404: no bot answers"),
        ("hello", Reply(b"<html>"), ILLEGAL, "answered POST /hello with a web page, so look at"),
        ("hello", Reply(b"hi"), ILLEGAL, "answered POST /hello with no object of JSON: 'hi'"),
        ("hello", Reply(b"{}"), CRASH, "greeted with no version of the protocol: the league"),
        ("hello", Reply(b'{"protocol":2}'), CRASH, "greeted with version 2 of the protocol"),
        ("match", Reply(status=404), CRASH, "answered POST /match with status 404"),
        ("match", Reply(None), CRASH, "closed the connection instead of answering POST /match"),
        ("match", Reply(b"ok"), ILLEGAL, "answered POST /match with no object of JSON: 'ok'"),
        ("move", Reply(status=503), CRASH, "answered POST /move with status 503"),
        (
            "move",
            Reply(status=307, location="/move"),
            CRASH,
            "answered POST /move with status 307: redirects to '/move' are not followed",
        ),
        ("move", Reply(b"4"), ILLEGAL, "answered POST /move with no object of JSON: '4'"),
        ("move", Reply(b'{"id":3}'), ILLEGAL, """answered no move: '{"id":3}'"""),
        ("move", Reply(b'{"move":[4]}'), ILLEGAL, """answered no move: '{"move":[4]}'"""),
        ("move", Reply(b'{"resign":true}'), Termination.RESIGNATION, "resigned"),
    ],
)
def test_a_bad_answer_is_the_bots_fault(
    kind: str, reply: Reply, termination: Termination, detail: str
) -> None:
    with serving(answering(kind, reply)) as served, pytest.raises(SeatFault) as caught:
        asked(served.url)
    assert caught.value.termination is termination
    assert caught.value.detail.startswith(detail)
    assert len(caught.value.detail) < 300


@pytest.mark.parametrize("kind", ["hello", "match", "move"])
def test_a_server_that_does_not_answer_is_late(kind: str) -> None:
    over = threading.Event()

    def answer(path: str, told: Any) -> Reply:
        if told and told["type"] == kind:
            over.wait(ENDLESS_S)
        return in_json_lines(path, told)

    short = Limits(move_s=0.05, grace_s=0.05, start_s=0.2)
    with serving(answer) as served:
        try:
            with pytest.raises(SeatFault) as caught:
                asked(served.url, short)
        finally:
            over.set()
    assert caught.value.termination is Termination.TIME_FORFEIT
    told = {
        "hello": "did not answer POST /hello within 0.2 s",
        "match": "did not answer POST /match within 0.2 s",
        "move": "; allowed: 0.05 s and 0.05 s grace",
    }
    assert told[kind] in caught.value.detail


def test_an_illegal_move_loses() -> None:
    with serving(answering("move", of_json({"move": "9"}))) as bad, serving(in_json_lines) as good:
        record = played(GAME, [good.url, bad.url])
    assert (record.termination, record.fault_seat) == (ILLEGAL, 1)
    assert "illegal move '9'" in record.detail


def both(path: str, told: Any) -> Reply:
    """Answer in either dialect."""
    if told is None:
        return of_json(GREETING)
    return in_json_lines(path, told) if "type" in told else of_json({"move": "up"})


@pytest.mark.parametrize(
    ("answer", "options", "first", "later"),
    [
        (both, {}, ["GET /"], "POST /start"),
        (both, {"dialect": "battlesnake"}, ["GET /"], "POST /start"),
        (both, {"dialect": "json_lines"}, ["POST /hello"], "POST /match"),
        (in_json_lines, {}, ["GET /", "POST /hello"], "POST /match"),
    ],
)
def test_snakes_are_told_as_the_server_greets(
    answer: Answer, options: dict[str, str], first: list[str], later: str
) -> None:
    with serving(answer) as served, seat_of(served.url, options=options) as seat:
        seat.start()
        assert served.paths == first
        seat.new_match(SNAKES, 0, 7, ())
        state = SNAKES.position("1,1 9,9 0,2 10,8")
        assert seat.ask(state.view(0), (), BUDGET).wire == "up"
        # A server that starts again is not asked for its dialect again.
        seat.stop()
        seat.start()
    assert served.paths[len(first)] == later
    assert served.paths.count(first[-1]) == 2
    assert served.paths[0 : len(first)] == first
    assert served.paths.count("GET /") == (2 if later == "POST /start" else first.count("GET /"))


def test_a_match_that_goes_on_after_a_failure_is_announced_again() -> None:
    fails = iter([True])

    def answer(path: str, told: Any) -> Reply:
        if told and told["type"] == "move" and next(fails, False):
            return Reply(status=500)
        return in_json_lines(path, told)

    with serving(answer) as one, serving(in_json_lines) as two:
        record = played(SNAKES, [one.url, two.url])
    assert record.termination is Termination.RULES
    assert len(record.move_faults) == 1
    assert one.paths.count("POST /match") == 2
    assert two.paths.count("POST /match") == 1


SECRET = "correct-horse/battery"  # noqa: S105 (of this test)


def test_the_secret_goes_to_the_server_and_nowhere_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    be_patient(monkeypatch)
    monkeypatch.setenv("BOT_SECRET", SECRET)
    seen = 0

    def answer(path: str, told: Any) -> Reply:
        nonlocal seen
        if not told or told["type"] != "move":
            return in_json_lines(path, told)
        seen += 1
        # It repeats the secret wherever a bot can say anything, and loses by it now and then.
        move = SECRET if seen % 7 == 0 else told["legal"][0]
        escaped = SECRET.replace("/", r"\/")
        text = f'{{"move":"{move}","report":{{"text":"{SECRET} {escaped}"}},"author":"{SECRET}"}}'
        return Reply(text.encode())

    with serving(answer) as served, League(tmp_path / "cup.db") as cup:
        options = {"secret-env": "BOT_SECRET"}
        cup.register("bot", served.url, options=options, check=False, games=["tictactoe"])
        cup.register("random", "random", check=False)
        tournament = cup.run(
            "tictactoe", bots=["bot", "random"], rounds=5, seed=1, move_time="60s", progress=False
        )
        assert {match.termination for match in tournament.matches} >= {"illegal move"}
        told = "".join(str(match.replay(show=False).value.record) for match in tournament.matches)
    assert "***" in told
    assert SECRET not in told
    assert served.authorizations == {f"Bearer {SECRET}"}
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert files
    content = b"".join(path.read_bytes() for path in files)
    assert b"BOT_SECRET" in content
    assert SECRET.encode() not in content
    assert SECRET.replace("/", r"\/").encode() not in content


def test_a_wrong_secret_is_the_only_advice_in_the_log(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOT_SECRET", "secret-of-a-bot")

    def answer(path: str, told: Any) -> Reply:
        return Reply(status=501 if path.startswith("GET") else 401)

    with serving(answer) as served:
        version = BotVersion("bot", served.url, options={"secret-env": "BOT_SECRET"})
        seat = make_seat(version, Limits(start_s=ENDLESS_S))
        with pytest.raises(SeatFault, match="refuses the secret"):
            seat.start()
    assert "! answered GET / with status 501" in seat.log.splitlines()
    assert "look at the address" not in seat.log


@pytest.mark.parametrize(
    "value", [None, "", "short", "with a space", "line\nSet-Cookie: x", "ä" * 9]
)
def test_a_secret_that_is_none_is_told_without_it(
    value: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("BOT_SECRET", raising=False)
    if value is not None:
        monkeypatch.setenv("BOT_SECRET", value)
    with serving(in_json_lines) as served, League(tmp_path / "cup.db") as cup:
        with pytest.raises(CheckError) as caught:
            cup.register("bot", served.url, options={"secret-env": "BOT_SECRET"})
        assert not served.asked
    assert "the environment variable BOT_SECRET must hold a secret" in str(caught.value)
    assert not value or value not in str(caught.value)


@pytest.mark.parametrize(
    ("address", "is_of_internet"),
    [
        ("192.0.43.8", True),
        ("2606:2800:220:1::1", True),
        ("127.0.0.1", False),
        ("0.0.0.0", False),  # noqa: S104 (an address to refuse)
        ("10.1.2.3", False),
        ("172.16.0.1", False),
        ("192.168.1.1", False),
        ("169.254.169.254", False),
        ("100.64.0.1", False),
        ("224.0.0.1", False),
        ("255.255.255.255", False),
        ("240.0.0.1", False),
        ("::", False),
        ("::1", False),
        ("::127.0.0.1", False),
        ("::ffff:10.0.0.1", False),
        ("64:ff9b::a00:1", False),
        ("2002:7f00:1::", False),
        ("2001:0:4136:e378:8000:63bf:80ff:fffe", False),
        ("fe80::1%eth0", False),
        ("fec0::1", False),
        ("fc00::1", False),
        ("ff02::1", False),
        ("localhost", False),
    ],
)
def test_addresses_inside_of_networks_are_known(address: str, is_of_internet: bool) -> None:
    assert is_public(address) is is_of_internet


INSIDE = "it is at no public address, and this league asks no other servers"


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "0x7f.1", "2130706433", "[::1]"])
def test_a_server_inside_is_not_asked_where_only_public_ones_are(host: str) -> None:
    with serving(in_json_lines) as served:
        url = served.url.replace("127.0.0.1", host)
        with pytest.raises(SeatFault) as caught:
            asked(url, options={"addresses": "public"})
        assert not served.clients
    assert caught.value.termination is CRASH
    assert INSIDE in caught.value.detail


def test_the_address_that_is_connected_to_is_the_one_that_is_judged(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A name server may give other addresses each time."""
    judge = "league.seats.server.connection.is_public"
    monkeypatch.setattr(judge, lambda address: address == "127.0.0.1")
    kind = (socket.AF_INET, socket.SOCK_STREAM, 0, "")
    with serving(in_json_lines) as outside, serving(in_json_lines) as inside:
        port = int(outside.url.rpartition(":")[2])
        secret = (*kind, ("127.0.0.2", int(inside.url.rpartition(":")[2])))
        places = [secret, (*kind, ("127.0.0.1", port))]
        monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: places)
        with seat_of("http://bot.example", options={"addresses": "public"}) as seat:
            seat.start()
            places[:] = [secret]
            # Its next connection, to the address that the name has now.
            seat.stop()
            with pytest.raises(SeatFault, match=INSIDE):
                seat.start()
        assert outside.paths == ["GET /", "POST /hello"]
        assert not inside.clients
