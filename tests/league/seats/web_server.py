"""Web servers at the loopback that play, or fail in every way."""

import json
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

GREETING = {"apiversion": "1", "author": "somebody"}


@dataclass
class Reply:
    """An answer to a request, a good one unless it says otherwise; None closes the connection."""

    body: bytes | None = b"{}"
    status: int = 200
    location: str = ""


@dataclass
class Served:
    """A running server: its address, and what it was asked, by whom."""

    url: str
    asked: list[tuple[str, Any]] = field(default_factory=list)
    """The method and path of each request, and its object."""
    clients: set[tuple[str, int]] = field(default_factory=set)
    authorizations: set[str | None] = field(default_factory=set)
    """The headers of that name, None for a request without one."""

    @property
    def paths(self) -> list[str]:
        """The method and path of each request."""
        return [path for path, _ in self.asked]


Answer = Callable[[str, Any], Reply]
"""What a server answers to a method and path with an object."""


def of_json(value: object) -> Reply:
    """Return the answer that has an object of JSON."""
    return Reply(json.dumps(value).encode())


def moves(move: object = "up", **more: object) -> Answer:
    """Answer every question with a move, and greet."""
    return lambda path, _: of_json(GREETING if path == "GET /" else {"move": move, **more})


def at_move(reply: Reply) -> Answer:
    """Return a server that greets, and answers so when it is to move."""
    return lambda path, told: reply if path == "POST /move" else of_json(GREETING)


def in_json_lines(path: str, told: Any) -> Reply:
    """Answer in JSON lines over HTTP with the first legal move, and to nothing else."""
    if told is None:
        return Reply(status=404)
    if told["type"] == "hello":
        return of_json({"protocol": 1})
    return of_json({"move": told["legal"][0]} if told["type"] == "move" else {})


@contextmanager
def serving(answer: Answer, *, version: str = "HTTP/1.1") -> Iterator[Served]:
    """Serve answers until the block ends."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = version
        wbufsize = -1

        def do_GET(self) -> None:
            self.reply(None)

        def do_POST(self) -> None:
            self.reply(json.loads(self.rfile.read(int(self.headers["content-length"]))))

        def reply(self, told: Any) -> None:
            path = f"{self.command} {self.path}"
            served.asked.append((path, told))
            served.clients.add(self.client_address)
            served.authorizations.add(self.headers["Authorization"])
            found = answer(path, told)
            if found.body is None:
                self.close_connection = True
                return
            self.send_response(found.status)
            if found.location:
                self.send_header("Location", found.location)
            self.send_header("Content-Length", str(len(found.body)))
            self.end_headers()
            self.wfile.write(found.body)

        def log_message(self, format: str, *arguments: Any) -> None:
            pass

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, request: Any, client_address: Any) -> None:
            """Say nothing of clients that are gone."""

    with Server(("127.0.0.1", 0), Handler) as server:
        # A thread that waits for its client to go on would keep the server from ending.
        server.block_on_close = False
        served = Served(f"http://127.0.0.1:{server.server_port}")
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield served
        finally:
            server.shutdown()
            thread.join()


@contextmanager
def dripping(data: bytes, pause_s: float) -> Iterator[str]:
    """Send the same bytes again and again to whoever connects; yield the address."""
    is_over = threading.Event()

    def drip() -> None:
        while not is_over.is_set():
            try:
                client, _ = listener.accept()
            except TimeoutError:
                continue
            with client:
                try:
                    while not is_over.wait(pause_s):
                        client.sendall(data)
                except OSError:
                    continue

    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(0.05)
        thread = threading.Thread(target=drip)
        thread.start()
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            is_over.set()
            thread.join()
