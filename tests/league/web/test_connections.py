"""What clients may cost that are slow, many, or both."""

import asyncio
import re
import resource
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Message, Receive, Scope, Send
from uvicorn.server import ServerState

from league.execution.listener import ACCEPTED_AT_ONCE
from league.web.access import PublicUrl
from league.web.connections import (
    CONNECTIONS_MAX,
    RESERVED,
    BoundedProtocol,
    SourceOf,
    bounded,
    connections_max,
    say_once,
)
from league.web.forms import whole_body
from league.web.server import Service
from league.web.stream_limit import StreamLimit
from tests.league.command import league
from tests.waiting import PATIENCE_S

REQUEST = b"GET / HTTP/1.1\r\nhost: localhost\r\n\r\n"
OPEN, DESCRIPTORS = 300, 256


async def answer_all(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer with two letters."""
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"ok"})


def form_app() -> Starlette:
    """Return an application that reads forms, and answers the page to GET."""

    async def page(request: Request) -> Response:
        if request.method == "POST":
            return Response(str(len(await whole_body(request, 1 << 20))))
        return Response("ok")

    return Starlette(routes=[Route("/", page, methods=["GET", "POST"])])


def forwarded(scope: Mapping[str, Any]) -> str:
    """Return what a request says of its address, as behind a proxy; '' for a connection."""
    return Headers(raw=scope["headers"]).get("x-forwarded-for", "")


async def answer_never(scope: Scope, receive: Receive, send: Send) -> None:
    """Wait for the client to go."""
    while (await receive())["type"] != "http.disconnect":
        pass


async def answer_slowly(scope: Scope, receive: Receive, send: Send) -> None:
    """Begin an answer, and wait for the client to go."""
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"ok", "more_body": True})
    await answer_never(scope, receive, send)


async def answer_much(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer with more than any system keeps for a client that does not read."""
    await send({"type": "http.response.start", "status": 200, "headers": []})
    for _ in range(200):
        await send({"type": "http.response.body", "body": bytes(1 << 20), "more_body": True})


class Server:
    """Connections to an application with bounds."""

    def __init__(self, port: int, state: ServerState) -> None:
        self.port, self.state = port, state

    async def connected(
        self, sent: bytes = b""
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Open a connection and send something."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port, limit=1 << 16)
        writer.write(sent)
        return reader, writer

    async def until(self, holds: Callable[[], bool]) -> None:
        """Wait until something holds."""
        while not holds():
            await asyncio.sleep(0.01)


def tried(
    app: Any,
    check: Callable[[Server], Awaitable[None]],
    source_of: SourceOf = lambda scope: "",
    **bounds: float,
) -> None:
    """Check a server of an application whose protocol has these bounds."""

    async def run() -> None:
        protocol = type("Tried", (bounded(CONNECTIONS_MAX, source_of),), bounds)
        config = uvicorn.Config(
            app, http=protocol, ws="none", log_level="critical", proxy_headers=False
        )
        config.load()
        state = ServerState()
        loop = asyncio.get_running_loop()
        made = lambda: protocol(config=config, server_state=state, app_state={})  # noqa: E731
        async with await loop.create_server(made, "127.0.0.1", 0) as server:
            async with asyncio.timeout(60):
                await check(Server(server.sockets[0].getsockname()[1], state))
            for each in list(state.connections):
                each.transport.abort()
            await asyncio.sleep(0)

    asyncio.run(run())


@pytest.mark.parametrize("sent", [b"", b"GET / HTTP/1.1\r\nhost: ", REQUEST])
def test_whoever_sends_no_request_is_left(sent: bytes) -> None:
    async def check(server: Server) -> None:
        reader, writer = await server.connected(sent)
        told = await reader.read()
        assert (b"ok" in told) == (sent == REQUEST)
        writer.close()
        await server.until(lambda: not server.state.connections)

    tried(answer_all, check, header_s=0.1)


def test_the_one_that_waited_longest_gives_way() -> None:
    async def check(server: Server) -> None:
        idle = [await server.connected(b"GET") for _ in range(3)]
        await server.until(lambda: len(server.state.connections) == 3)
        reader, writer = await server.connected(REQUEST)
        assert b"200 OK" in await reader.readuntil(b"ok")
        assert await idle[0][0].read() == b""
        assert len(server.state.connections) == 3
        for _, each in [*idle, (reader, writer)]:
            each.close()

    tried(answer_all, check, most=3)


def test_where_all_are_busy_the_newest_is_refused() -> None:
    async def check(server: Server) -> None:
        busy = [await server.connected(REQUEST) for _ in range(2)]
        await server.until(lambda: len(server.state.tasks) == 2)
        reader, writer = await server.connected(REQUEST)
        assert b"503 Service Unavailable" in await reader.read()
        assert len(server.state.tasks) == 2
        for _, each in [*busy, (reader, writer)]:
            each.close()
        await server.until(lambda: not server.state.tasks)

    tried(answer_never, check, most=2)


HALF = b"POST / HTTP/1.1\r\nhost: localhost\r\n%scontent-length: 4000\r\n\r\na"


def half_from(address: bytes) -> bytes:
    """Return a form of which one byte comes, from an address behind a proxy."""
    return HALF % (b"x-forwarded-for: " + address + b"\r\n")


@pytest.mark.parametrize("head", [HALF % b"", HALF % b"transfer-encoding: chunked\r\n"])
def test_a_form_that_does_not_come_is_refused(head: bytes) -> None:
    if b"chunked" in head:
        head = head.replace(b"content-length: 4000\r\n", b"")[:-1] + b"1\r\na\r\n"

    async def check(server: Server) -> None:
        reader, writer = await server.connected(head)
        assert b"408 Request Timeout" in await reader.read()
        await server.until(lambda: not server.state.connections)
        writer.close()

    tried(form_app(), check, body_s=0.1)


def test_a_body_that_nobody_reads_is_left_with_its_connection() -> None:
    async def check(server: Server) -> None:
        reader, writer = await server.connected(HALF.replace(b"POST", b"GET") % b"")
        assert b"200 OK" in await reader.read()
        await server.until(lambda: not server.state.connections)
        writer.close()

    tried(answer_all, check, header_s=0.1)


def test_a_form_that_comes_fast_enough_is_read() -> None:
    async def check(server: Server) -> None:
        reader, writer = await server.connected(HALF % b"")
        for _ in range(31):
            await asyncio.sleep(0.01)
            writer.write(bytes(129))
        assert b"4000" in await reader.readuntil(b"4000")
        writer.close()

    # No time but for what has come: a thousandth of a second for each byte.
    tried(form_app(), check, body_s=60, body_rate=1e6)


def test_a_form_that_drips_is_refused_whatever_its_rate() -> None:
    async def check(server: Server) -> None:
        _, writer = await server.connected(HALF % b"")
        await server.until(lambda: len(server.state.tasks) == 1)
        while server.state.connections:
            await asyncio.sleep(0.005)
            writer.write(b"a")
        await server.until(lambda: not server.state.tasks)
        writer.transport.abort()

    tried(form_app(), check, body_s=0.1, body_rate=1, body_most_s=0.3)


def test_an_answer_that_nobody_waits_for_is_given_up_and_a_form_is_obeyed() -> None:
    done: list[str] = []
    goes_on = asyncio.Event()

    async def work(scope: Scope, receive: Receive, send: Send) -> None:
        await goes_on.wait()
        done.append(scope["method"])
        await answer_all(scope, receive, send)

    async def check(server: Server) -> None:
        for method in (b"GET", b"HEAD", b"POST"):
            _, writer = await server.connected(REQUEST.replace(b"GET", method))
            await server.until(lambda: bool(server.state.tasks))
            writer.close()
            await server.until(lambda: not server.state.connections)
        await server.until(lambda: len(server.state.tasks) == 1)
        goes_on.set()
        await server.until(lambda: not server.state.tasks)

    tried(work, check)
    assert done == ["POST"]


@pytest.mark.parametrize("app", [answer_all, answer_never, answer_slowly])
def test_garbage_in_a_body_ends_the_connection_without_a_failure(
    app: Any, caplog: pytest.LogCaptureFixture
) -> None:
    head = REQUEST.replace(b"\r\n\r\n", b"\r\ntransfer-encoding: chunked\r\n\r\n")

    async def check(server: Server) -> None:
        reader, writer = await server.connected(head)
        if app is answer_never:
            await server.until(lambda: len(server.state.tasks) == 1)
        else:
            await reader.readuntil(b"200 OK")
        writer.write(b"zz\r\n")
        await reader.read()
        await server.until(lambda: not server.state.connections and not server.state.tasks)
        writer.close()

    tried(app, check)
    assert caplog.records == []


def test_half_a_form_gives_way_to_a_whole_request() -> None:
    async def check(server: Server) -> None:
        half = [await server.connected(HALF % b"") for _ in range(3)]
        await server.until(lambda: len(server.state.tasks) == 3)
        reader, writer = await server.connected(REQUEST)
        assert b"200 OK" in await reader.readuntil(b"ok")
        assert await half[0][0].read() == b""
        for _, each in [*half, (reader, writer)]:
            each.close()

    tried(form_app(), check, most=3)


def test_whoever_sends_fast_stays_and_whoever_has_just_come_too() -> None:
    async def check(server: Server) -> None:
        upload = await server.connected((HALF % b"").replace(b"4000", b"400000") + bytes(200_000))
        half = await server.connected(HALF % b"")
        await server.until(lambda: len(server.state.tasks) == 2)
        new = await server.connected()
        await server.until(lambda: len(server.state.connections) == 3)
        other = await server.connected(REQUEST)
        assert await half[0].read() == b""
        new[1].write(REQUEST)
        assert b"200 OK" in await new[0].readuntil(b"ok")
        upload[1].write(bytes(199_999))
        assert b"400000" in await upload[0].readuntil(b"400000")
        for _, each in (upload, half, new, other):
            each.close()

    tried(form_app(), check, most=3)


def test_half_forms_of_one_address_leave_room_for_others() -> None:
    async def check(server: Server) -> None:
        # Each of them is refused or makes room for the next, so that at most four stay.
        half = [await server.connected(half_from(b"192.0.2.1")) for _ in range(20)]
        await server.until(lambda: len(server.state.connections) == 4)
        for _ in range(3):
            reader, writer = await server.connected(REQUEST)
            assert b"200 OK" in await reader.readuntil(b"ok")
            writer.close()
        for _, each in half:
            each.close()

    tried(form_app(), check, forwarded, most=12, source_most=4)


def test_busy_connections_of_one_address_are_bounded_and_counted_down() -> None:
    def asking(address: bytes) -> bytes:
        return REQUEST.replace(b"\r\n\r\n", b"\r\nx-forwarded-for: " + address + b"\r\n\r\n")

    async def check(server: Server) -> None:
        busy = [await server.connected(asking(b"192.0.2.1")) for _ in range(2)]
        await server.until(lambda: len(server.state.tasks) == 2)
        reader, writer = await server.connected(asking(b"192.0.2.1"))
        told = await reader.read()
        assert b"429 Too Many Requests" in told
        assert b"from your address" in told
        busy += [await server.connected(asking(b"192.0.2.2"))]
        await server.until(lambda: len(server.state.tasks) == 3)
        protocol = type(next(iter(server.state.connections)))
        assert isinstance(protocol, type(BoundedProtocol))
        assert issubclass(protocol, BoundedProtocol)
        assert protocol.sources == {"192.0.2.1": 2, "192.0.2.2": 1}
        for _, each in [*busy, (reader, writer)]:
            each.close()
        await server.until(lambda: not server.state.tasks)
        assert not protocol.sources

    tried(answer_never, check, forwarded, source_most=2)


def test_connections_without_a_proxy_count_before_their_first_byte() -> None:
    def peer(scope: Mapping[str, Any]) -> str:
        return str(scope["client"][0])

    async def check(server: Server) -> None:
        busy = [await server.connected(REQUEST) for _ in range(2)]
        await server.until(lambda: len(server.state.tasks) == 2)
        reader, writer = await server.connected()
        assert b"429 Too Many Requests" in await reader.read()
        for _, each in [*busy, (reader, writer)]:
            each.close()
        await server.until(lambda: not server.state.tasks)

    tried(answer_never, check, peer, source_most=2)


def test_a_proxy_that_nobody_has_named_is_no_visitor() -> None:
    told = (b"x-forwarded-for", b"198.51.100.7, 192.0.2.1")
    near, far = (
        {"type": "http", "client": (each, 1), "headers": [told]}
        for each in ("127.0.0.1", "203.0.113.9")
    )
    public = PublicUrl.read("https://games.example.org/league")
    own = Service(name="league", host="127.0.0.1", port=0)
    assert own.source(near) == "127.0.0.1"
    behind = replace(own, public=public)
    assert (behind.source(near), behind.source({**near, "headers": []})) == ("192.0.2.1", "")
    assert replace(behind, host="0.0.0.0").source(far) == ""  # noqa: S104 (an address to listen at)
    neighbours = {**far, "client": ("2001:db8::7", 1)}
    assert own.source(neighbours) == "2001:db8::"


def test_whoever_reads_nothing_is_left() -> None:
    async def check(server: Server) -> None:
        _, writer = await server.connected(REQUEST)
        await server.until(lambda: len(server.state.tasks) == 1)
        await server.until(lambda: not server.state.connections)
        await server.until(lambda: not server.state.tasks)
        writer.transport.abort()

    tried(answer_much, check, write_s=0.1)


async def stream_forever(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer with the kind that the path names, and go on until the end of a test."""
    kind = [(b"content-type", scope["path"].encode())]
    await send({"type": "http.response.start", "status": 200, "headers": kind})
    await scope["ends"].wait()
    await send({"type": "http.response.body", "body": b""})


@dataclass(frozen=True)
class Somebody:
    """A person, as a limit knows one."""

    id: int


@pytest.mark.parametrize(
    ("visitors", "expected"),
    [
        # All may have four, a person two and an address as many as that.
        ([{}] * 5, [200, 200, 200, 200, 503]),
        ([{"person": Somebody(1)}] * 3, [200, 200, 429]),
        ([{"source": "192.0.2.1"}] * 3, [200, 200, 429]),
        # People at one address each have theirs.
        ([{"source": "192.0.2.1", "person": Somebody(each)} for each in range(4)], [200] * 4),
        ([{"source": "192.0.2.1"}] * 2 + [{"source": "192.0.2.2"}], [200] * 3),
    ],
)
def test_streams_beyond_a_number_are_refused(
    visitors: list[dict[str, Any]], expected: list[int]
) -> None:
    async def run() -> None:
        limited = StreamLimit(stream_forever, most=4, person_most=2)
        ends = asyncio.Event()
        told: list[int] = []

        async def receive() -> Message:
            return {"type": "http.disconnect"}

        async def send(message: Message) -> None:
            if "status" in message:
                told.append(message["status"])

        async def asked(
            state: dict[str, Any], path: str = "text/event-stream"
        ) -> asyncio.Task[None]:
            scope = {"type": "http", "path": path, "state": state, "ends": ends}
            task = asyncio.create_task(limited(scope, receive, send))
            await asyncio.sleep(0)
            return task

        tasks = [await asked(state) for state in visitors]
        tasks.append(await asked(visitors[0], "text/html"))
        assert told == [*expected, 200]
        ends.set()
        await asyncio.gather(*tasks)
        # Whoever has closed a page may open another.
        await (await asked(visitors[0], "text/event-stream; charset=utf-8"))
        assert told[-1] == 200

    asyncio.run(run())


def test_a_failure_to_accept_is_told_once() -> None:
    told: list[str] = []

    async def run() -> None:
        say_once(told.append)
        loop = asyncio.get_running_loop()
        for _ in range(3):
            text = "socket.accept() out of system resource"
            loop.call_exception_handler({"message": text, "exception": OSError(24, "Too many")})

    asyncio.run(run())
    assert len(told) == 1
    assert "Too many" in told[0]


def test_connections_leave_descriptors_to_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    def most(descriptors: int) -> int:
        monkeypatch.setattr(resource, "getrlimit", lambda kind: (descriptors, descriptors))
        return connections_max()

    assert [most(each) for each in (DESCRIPTORS, 1 << 20, resource.RLIM_INFINITY, 20)] == [
        DESCRIPTORS - RESERVED,
        CONNECTIONS_MAX,
        CONNECTIONS_MAX,
        16,
    ]
    assert RESERVED > 3 * ACCEPTED_AT_ONCE


@pytest.mark.slow
def test_three_hundred_half_open_requests_disturb_nobody(tmp_path: Path) -> None:
    league(tmp_path, "register", "rnd", "random", "--no-check")
    limited = (
        "import resource\n"
        f"resource.setrlimit(resource.RLIMIT_NOFILE, ({DESCRIPTORS}, {DESCRIPTORS}))\n"
        "from league.cli.main import main; main()"
    )
    command = [sys.executable, "-c", limited, "serve", "--port", "0"]
    with subprocess.Popen(
        command, cwd=tmp_path, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True
    ) as server:
        assert server.stderr is not None
        link = server.stderr.readline().split()[0]
        port = int(re.findall(r":(\d+)/", link)[0])
        held = []
        try:
            for number in range(OPEN):
                held.append(socket.create_connection(("127.0.0.1", port), PATIENCE_S))
                held[-1].sendall(b"GET / HTTP/1.1\r\nhost: ")
                if number % 50 == 49:
                    with urllib.request.urlopen(link, timeout=PATIENCE_S) as answer:  # noqa: S310 (our own)
                        assert answer.status == 200
        finally:
            for each in held:
                each.close()
            server.send_signal(2)
            told = server.stderr.read()
            server.wait()
    assert told == ""
