"""What clients may cost that are slow, many, or both."""

import asyncio
import re
import resource
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from starlette.types import Message, Receive, Scope, Send
from uvicorn.server import ServerState

from league.web.connections import (
    ACCEPTED_AT_ONCE,
    CONNECTIONS_MAX,
    RESERVED,
    bounded,
    connections_max,
    say_once,
)
from league.web.stream_limit import StreamLimit
from tests.league.command import league
from tests.waiting import PATIENCE_S

REQUEST = b"GET / HTTP/1.1\r\nhost: localhost\r\n\r\n"
OPEN, DESCRIPTORS = 300, 256


async def answer_all(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer with two letters."""
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"ok"})


async def answer_never(scope: Scope, receive: Receive, send: Send) -> None:
    """Wait for the client to go."""
    while (await receive())["type"] != "http.disconnect":
        pass


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


def tried(app: Any, check: Callable[[Server], Awaitable[None]], **bounds: float) -> None:
    """Check a server of an application whose protocol has these bounds."""

    async def run() -> None:
        protocol = type("Tried", (bounded(CONNECTIONS_MAX),), bounds)
        config = uvicorn.Config(app, http=protocol, ws="none", log_level="critical")
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


def test_whoever_reads_nothing_is_left() -> None:
    async def check(server: Server) -> None:
        _, writer = await server.connected(REQUEST)
        await server.until(lambda: len(server.state.tasks) == 1)
        await server.until(lambda: not server.state.connections)
        await server.until(lambda: not server.state.tasks)
        writer.transport.abort()

    tried(answer_much, check, write_s=0.1)


def test_streams_beyond_a_number_are_refused() -> None:
    ends = asyncio.Event()

    async def stream(scope: Scope, receive: Receive, send: Send) -> None:
        kind = scope["path"].encode()
        await send(
            {"type": "http.response.start", "status": 200, "headers": [(b"content-type", kind)]}
        )
        await ends.wait()
        await send({"type": "http.response.body", "body": b""})

    async def run() -> None:
        limited = StreamLimit(stream, most=1)
        told: list[int] = []

        async def receive() -> Message:
            return {"type": "http.disconnect"}

        async def send(message: Message) -> None:
            if "status" in message:
                told.append(message["status"])

        def asked(path: str) -> asyncio.Task[None]:
            return asyncio.create_task(limited({"type": "http", "path": path}, receive, send))

        tasks = [asked("text/event-stream"), asked("text/event-stream"), asked("text/html")]
        await asyncio.sleep(0.05)
        assert sorted(told) == [200, 200, 503]
        ends.set()
        await asyncio.gather(*tasks)
        await asked("text/event-stream; charset=utf-8")
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
