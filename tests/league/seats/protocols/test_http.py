"""Bots that are web servers: what they are asked, and how they fail."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest

from games.support.specs import find_game
from games.support.view import TogetherState
from league.match.play import MatchSetup, play_match
from league.model.records import Limits, MatchRecord, Termination
from league.registration.source_snapshot import take_snapshot
from league.seats.bot_specs import make_seat
from league.seats.protocols.http import HttpSeat
from league.seats.seat import MoveBudget, SeatFault
from league.seats.server.connection import ANSWER_BYTES
from tests.league.seats.web_server import (
    GREETING,
    Reply,
    at_move,
    dripping,
    moves,
    of_json,
    serving,
)
from tests.waiting import ENDLESS_S

GAME = find_game("snakes?snakes=2")
START = "1,1 9,9 0,2 10,8"
LIMITS = Limits(move_s=ENDLESS_S, start_s=ENDLESS_S)
BUDGET = MoveBudget(move_s=ENDLESS_S)
SHORT = MoveBudget(move_s=0.05, grace_s=0.05)
"""For servers that never answer."""


@contextmanager
def seat_of(url: str, limits: Limits = LIMITS) -> Iterator[HttpSeat]:
    """Yield the seat of a server, and end it."""
    seat = make_seat(take_snapshot("bot", url, {}), limits)
    assert isinstance(seat, HttpSeat)
    try:
        yield seat
    finally:
        seat.stop()


def position(line: str = START) -> TogetherState:
    """Return the position after these moves."""
    state = GAME.position(line)
    assert isinstance(state, TogetherState)
    return state


def asked(url: str, budget: MoveBudget = BUDGET) -> object:
    """Start a bot, let it begin a match, and return its first move as it came."""
    with seat_of(url) as seat:
        seat.start()
        seat.new_match(GAME, 0, 7, ())
        return seat.ask(position().view(0), (), budget).wire


def fault_of(url: str, budget: MoveBudget = BUDGET) -> tuple[Termination, str]:
    """Return how a bot fails at its first move."""
    with pytest.raises(SeatFault) as caught:
        asked(url, budget)
    return caught.value.termination, caught.value.detail


def shape(value: object) -> object:
    """Return a value of JSON with types in place of its plain values, and one entry of a list."""
    if isinstance(value, dict):
        return {name: shape(each) for name, each in value.items()}
    if isinstance(value, list):
        return [shape(each) for each in value[:1]]
    return type(value).__name__


POINT = {"x": "int", "y": "int"}
SNAKE = {
    "id": "str",
    "name": "str",
    "latency": "str",
    "health": "int",
    "body": [POINT],
    "head": POINT,
    "length": "int",
    "shout": "str",
    "squad": "str",
    "customizations": {"color": "str", "head": "str", "tail": "str"},
}
OFFICIAL = {
    "game": {
        "id": "str",
        "ruleset": {
            "name": "str",
            "version": "str",
            "settings": {
                "foodSpawnChance": "int",
                "minimumFood": "int",
                "hazardDamagePerTurn": "int",
                "hazardMap": "str",
                "hazardMapAuthor": "str",
                "royale": {"shrinkEveryNTurns": "int"},
                "squad": {
                    "allowBodyCollisions": "bool",
                    "sharedElimination": "bool",
                    "sharedHealth": "bool",
                    "sharedLength": "bool",
                },
            },
        },
        "map": "str",
        "timeout": "int",
        "source": "str",
    },
    "turn": "int",
    "board": {
        "height": "int",
        "width": "int",
        "snakes": [SNAKE],
        "food": [POINT],
        "hazards": [],
    },
    "you": SNAKE,
}
"""The fields of the official engine's request (client/testdata/snake_request.json)."""


def test_a_match_is_told_as_by_the_official_engine() -> None:
    with serving(moves("right", shout="mine!")) as served, seat_of(served.url) as seat:
        seat.start()
        seat.new_match(GAME, 1, 7, ())
        answer = seat.ask(position().view(1), (), MoveBudget(move_s=0.25, grace_s=ENDLESS_S))
        seat.ask(position(f"{START} right left none").view(1), (), BUDGET)
        seat.rest()
    assert served.paths == ["GET /", "POST /start", "POST /move", "POST /move", "POST /end"]
    start, first, second, end = (told for _, told in served.asked[1:])
    assert shape(first) == OFFICIAL
    assert start == first
    assert end == second
    assert first["game"]["timeout"] == 250
    assert (first["turn"], second["turn"]) == (0, 1)
    assert first["board"]["food"] == [{"x": 0, "y": 2}, {"x": 10, "y": 8}, {"x": 5, "y": 5}]
    assert second["you"]["body"] == [{"x": 8, "y": 9}, {"x": 9, "y": 9}, {"x": 9, "y": 9}]
    assert (second["you"]["id"], second["you"]["health"]) == ("orange", 99)
    assert [each["id"] for each in second["board"]["snakes"]] == ["blue", "orange"]
    assert (answer.wire, answer.cpu_ns, answer.over_ns >= 0) == ("right", None, True)
    assert answer.report is not None
    assert answer.report.text == "mine!"
    assert seat.version.author == "somebody"


def test_each_seat_and_match_has_an_identity_of_its_own() -> None:
    with serving(moves()) as served, seat_of(served.url) as one, seat_of(served.url) as two:
        for seat, place, seed in ((one, 0, 7), (two, 1, 8), (one, 0, 9)):
            seat.start()
            seat.new_match(GAME, place, seed, ())
            seat.ask(position().view(place), (), BUDGET)
    told = [told["game"]["id"] for path, told in served.asked if path == "POST /start"]
    assert len(set(told)) == 3
    # The end of the first match is told when the second begins.
    assert served.paths.count("POST /end") == 1


def test_a_snake_that_is_out_is_not_on_the_board() -> None:
    game = find_game("snakes?snakes=3")
    turn = "up left up none"
    state = game.position(f"1,1 1,9 9,1 0,2 0,8 10,2 {turn} {turn}")
    with serving(moves()) as served, seat_of(served.url) as seat:
        seat.start()
        seat.new_match(game, 2, 7, ())
        seat.ask(state.view(2), (), BUDGET)
    _, told = served.asked[-1]
    assert [each["id"] for each in told["board"]["snakes"]] == ["blue", "green"]
    assert told["you"]["id"] == "green"


def test_a_connection_is_kept_if_the_server_keeps_it() -> None:
    for version, clients in (("HTTP/1.1", 1), ("HTTP/1.0", 5)):
        with serving(moves(), version=version) as served, seat_of(served.url) as seat:
            seat.start()
            seat.new_match(GAME, 0, 7, ())
            for _ in range(3):
                assert seat.ask(position().view(0), (), BUDGET).wire == "up"
        assert len(served.clients) == clients


def test_a_kept_connection_that_the_server_closes_is_no_fault() -> None:
    closes = iter([False, False, False, True, False])

    def answer(path: str, told: Any) -> Reply:
        return Reply(None) if next(closes) else moves()(path, told)

    with serving(answer) as served, seat_of(served.url) as seat:
        seat.start()
        seat.new_match(GAME, 0, 7, ())
        for _ in range(2):
            assert seat.ask(position().view(0), (), BUDGET).wire == "up"
    assert served.paths[2:] == ["POST /move"] * 3
    assert len(served.clients) == 2


CRASH, ILLEGAL = Termination.CRASH, Termination.ILLEGAL_MOVE


@pytest.mark.parametrize(
    ("reply", "termination", "detail"),
    [
        (Reply(status=500), CRASH, "answered POST /move with status 500"),
        (Reply(status=404), CRASH, "answered POST /move with status 404"),
        (
            Reply(status=302, location="/elsewhere"),
            CRASH,
            "answered POST /move with status 302: redirects to '/elsewhere' are not followed",
        ),
        (Reply(None), CRASH, "closed the connection instead of answering POST /move"),
        (
            Reply(b" " * (ANSWER_BYTES + 1)),
            CRASH,
            "answered POST /move with more than 65,536 bytes",
        ),
        (Reply(b""), ILLEGAL, "answered POST /move with no object of JSON: ''"),
        (Reply(b"up"), ILLEGAL, "answered POST /move with no object of JSON: 'up'"),
        (Reply(b'["up"]'), ILLEGAL, """answered POST /move with no object of JSON: '["up"]'"""),
        (Reply(b"[" * 60_000), ILLEGAL, "answered POST /move with no object of JSON"),
        (Reply(b'{"x":' + b"9" * 5000 + b"}"), ILLEGAL, "answered POST /move with no object"),
        (Reply(b"\xff\xfe"), ILLEGAL, "answered POST /move with no object of JSON"),
        (Reply(b'{"move":3}'), ILLEGAL, """answered no move: '{"move":3}'"""),
        (Reply(b"{}"), ILLEGAL, "answered no move: '{}'"),
    ],
)
def test_a_bad_answer_is_the_bots_fault(
    reply: Reply, termination: Termination, detail: str
) -> None:
    with serving(at_move(reply)) as served:
        found = fault_of(served.url)
    assert found[0] is termination
    assert found[1].startswith(detail)
    assert len(found[1]) < 300
    assert "GET /elsewhere" not in served.paths


def test_a_server_that_is_not_there_is_at_fault() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        url = f"http://127.0.0.1:{listener.getsockname()[1]}"
    termination, detail = fault_of(url)
    assert (termination, detail) == (
        CRASH,
        "can't be reached: Connection refused; is the server running?",
    )


def test_all_addresses_of_a_name_are_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(moves()) as served, socket.create_server(("127.0.0.1", 0)) as unused:
        port = int(served.url.rpartition(":")[2])
        gone = unused.getsockname()[1]
        unused.close()
        kind = (socket.AF_INET, socket.SOCK_STREAM, 0, "")
        places = [(*kind, ("127.0.0.1", each)) for each in (gone, port)]
        monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: places)
        assert asked("http://snake.example:8000") == "up"
        monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: places[:1])
        assert "Connection refused" in fault_of("http://snake.example:8000")[1]


def test_a_name_without_an_address_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*_: object, **__: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    found = fault_of("http://snake.example")
    assert found == (CRASH, "can't be reached: Name or service not known")


def test_something_else_than_http_is_a_fault() -> None:
    with dripping(b"220 mail.example ESMTP\r\n", 0.0) as url:
        termination, detail = fault_of(url)
    assert termination is CRASH
    assert detail == "answered POST /hello with something else than HTTP: BadStatusLine"


@pytest.mark.slow
def test_a_server_that_never_answers_is_late() -> None:
    over = threading.Event()

    def answer(path: str, told: Any) -> Reply:
        if path == "POST /move":
            over.wait(ENDLESS_S)
        return moves()(path, told)

    with serving(answer) as served:
        try:
            termination, detail = fault_of(served.url, SHORT)
        finally:
            over.set()
    assert termination is Termination.TIME_FORFEIT
    assert "; allowed: 0.05 s and 0.05 s grace" in detail


@pytest.mark.slow
@pytest.mark.parametrize("data", [b"HTTP/1.1 100 Continue\r\n\r\n", b"HTTP/1.1 200 OK\r\nx: y\r\n"])
def test_a_server_that_drips_is_late_too(data: bytes) -> None:
    """Each byte comes soon, and the answer never ends."""
    limits = replace(LIMITS, start_s=0.1)
    with (
        dripping(data, 0.01) as url,
        seat_of(url, limits) as seat,
        pytest.raises(SeatFault, match=r"did not answer GET / within 0\.1 s"),
    ):
        seat.start()


def played(urls: list[str], seed: int = 3) -> MatchRecord:
    """Play a match of servers."""
    game = find_game("snakes?snakes=2&turns=6")
    seats = [make_seat(take_snapshot("bot", url, {}), LIMITS) for url in urls]
    setup = MatchSetup(game=game, versions=[1, 2], opening=(), limits=LIMITS, seed=seed)
    try:
        return play_match(setup, seats)
    finally:
        for seat in seats:
            seat.rest()
            seat.stop()


def inward(path: str, told: Any) -> Reply:
    """Answer with moves to the centre, left or right and up or down by turns."""
    if not told:
        return of_json(GREETING)
    head = told["you"]["head"]
    if told["turn"] % 2:
        return of_json({"move": "up" if head["y"] < 5 else "down"})
    return of_json({"move": "right" if head["x"] < 5 else "left"})


@pytest.mark.parametrize("reply", [Reply(status=503), Reply(b'{"move":"sideways"}')])
def test_a_snake_goes_straight_on_when_its_server_fails(reply: Reply) -> None:
    def answer(path: str, told: Any) -> Reply:
        fails = path == "POST /move" and told["turn"] == 2
        return reply if fails else inward(path, told)

    with serving(inward) as good, serving(answer) as bad:
        record = played([good.url, bad.url])
    assert record.termination is Termination.RULES
    (fault,) = [move.fault for move in record.moves if move.fault]
    assert fault.seat == 1
    assert "503" in fault.detail or "'sideways'" in fault.detail
    # It is told once that the match begins and ends, whatever happens between.
    for served in (good, bad):
        assert served.paths.count("POST /start") == served.paths.count("POST /end") == 1
    assert bad.paths.count("GET /") == (2 if fault.termination is CRASH else 1)


def test_servers_are_asked_at_the_same_time() -> None:
    """Each answers only once both are asked."""
    both = threading.Barrier(2, timeout=ENDLESS_S)

    def answer(path: str, told: Any) -> Reply:
        if path == "POST /move":
            both.wait()
        return inward(path, told)

    with serving(answer) as one, serving(answer) as two:
        record = played([one.url, two.url])
    assert record.termination is Termination.RULES
    assert not record.move_faults


def test_the_end_of_a_match_comes_with_the_final_board() -> None:
    with serving(inward) as one, serving(moves("down")) as two:
        record = played([one.url, two.url])
    assert record.termination is Termination.RULES
    (_, end), (_, last) = one.asked[-1], one.asked[-2]
    assert end["turn"] == last["turn"] + 1
    assert len(end["board"]["snakes"]) == 1
    # A snake that is out is no more on the board: it is told what it last was.
    (path, end), (_, last) = two.asked[-1], two.asked[-2]
    assert path == "POST /end"
    assert end["you"] == last["you"]
    assert end["you"]["id"] not in [each["id"] for each in end["board"]["snakes"]]


def test_the_conversation_is_the_log() -> None:
    with serving(moves()) as served, seat_of(served.url) as seat:
        seat.start()
        seat.new_match(GAME, 0, 7, ())
        seat.ask(position().view(0), (), BUDGET)
        lines = seat.log.splitlines()
    assert [line.partition(" {")[0] for line in lines] == [
        *("> POST /start", "<", "> POST /move", "<"),
    ]
    assert max(map(len, lines)) <= 1000
    assert seat.output == ""


def test_a_request_is_below_the_path_of_the_address() -> None:
    def answer(path: str, told: Any) -> Reply:
        return of_json({"move": "left"} if told else GREETING)

    with serving(answer) as served:
        assert asked(f"{served.url}/my/snake/") == "left"
    assert served.paths == ["GET /my/snake", "POST /my/snake/start", "POST /my/snake/move"]
