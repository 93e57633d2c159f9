"""A provider of language models at the loopback: it plays, or lies in every way."""

import json
import re
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

KEY = "sk-secret-of-these-tests"


@dataclass(frozen=True)
class Asked:
    """A request: `number` counts those of the same model and prompt from 0."""

    path: str
    key: str
    body: dict[str, Any]
    number: int

    @property
    def model(self) -> str:
        """The name of the model."""
        return str(self.body["model"])

    @property
    def prompt(self) -> str:
        """The text of the prompt."""
        return str(self.body["messages"][0]["content"])

    @property
    def legal(self) -> list[str]:
        """The legal moves as the prompt lists them."""
        found = re.search(r"^Legal moves: (.*)$", self.prompt, re.MULTILINE)
        return found[1].split(", ") if found else []

    @property
    def is_correction(self) -> bool:
        """Whether the prompt says what was wrong with the last answer."""
        return "Your last answer" in self.prompt


@dataclass(frozen=True)
class Said:
    """An answer; `body` replaces that of the protocol, and None closes the connection."""

    text: str | None = ""
    finish: str = "stop"
    refusal: str | None = None
    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes | None = b""
    wait_s: float = 0.0


Model = Callable[[Asked], Said]
"""What is answered to a request."""


def move(text: str, **more: Any) -> Said:
    """Answer with a move."""
    return Said(json.dumps({"move": text}), **more)


def plays(asked: Asked) -> Said:
    """Play a legal move that depends on the model and the prompt alone."""
    number = int(sha256((asked.model + asked.prompt).encode()).hexdigest(), 16)
    return move(asked.legal[number % len(asked.legal)])


def first_then_plays(said: Said) -> Model:
    """Answer so to each prompt without a correction, then play."""
    return lambda asked: plays(asked) if asked.is_correction else said


def fails_then_plays(said: Said, times: int) -> Model:
    """Answer each prompt so many times so, then play."""
    return lambda asked: said if asked.number < times else plays(asked)


def usage_of(asked: Asked, said: Said) -> tuple[int, int, int]:
    """Return the tokens in, out and cached that are counted for an answer."""
    return len(asked.prompt), len(said.text or said.refusal or ""), len(asked.prompt) // 2


@dataclass
class Provided:
    """A running provider: its address, and the requests that it was sent."""

    url: str
    asked: list[Asked] = field(default_factory=list)
    paid: Counter[str] = field(default_factory=Counter)
    """The tokens in, out and cached of all answers with status 200."""
    open_now: int = 0
    most_at_once: int = 0
    """The most requests that were open at the same time; `open_now` are those not answered yet."""


@contextmanager
def providing(model: Model = plays) -> Iterator[Provided]:
    """Serve a model until the block ends; on `/v1/messages` in the form of Anthropic."""
    lock, counts, ended = threading.Lock(), Counter[tuple[str, str]](), threading.Event()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = -1

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            bearer = self.headers.get("authorization", "").removeprefix("Bearer ")
            key = self.headers.get("x-api-key", bearer)
            with lock:
                asked = Asked(self.path, key, body, 0)
                asked = Asked(self.path, key, body, counts[asked.model, asked.prompt])
                counts[asked.model, asked.prompt] += 1
                provided.asked.append(asked)
                provided.open_now += 1
                provided.most_at_once = max(provided.most_at_once, provided.open_now)
            try:
                said = model(asked)
                ended.wait(said.wait_s)
                self._answer(asked, said)
            finally:
                with lock:
                    provided.open_now -= 1

        def _answer(self, asked: Asked, said: Said) -> None:
            if said.body is None:
                self.close_connection = True
                return
            written = said.body or json.dumps(_written(asked, said)).encode()
            if said.status == 200 and not said.body:
                with lock:
                    names = ("in", "out", "cached")
                    counted = zip(names, usage_of(asked, said), strict=True)
                    provided.paid.update(dict(counted))
            self.send_response(said.status)
            self.send_header("content-length", str(len(written)))
            for name, value in said.headers:
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(written)

        def log_message(self, *_: object) -> None:
            """Keep quiet."""

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, *_: object) -> None:
            """Clients that were killed leave."""

    with Server(("127.0.0.1", 0), Handler) as server:
        provided = Provided(f"http://127.0.0.1:{server.server_port}/v1")
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield provided
        finally:
            ended.set()
            server.shutdown()
            thread.join()


def _written(asked: Asked, said: Said) -> dict[str, Any]:
    tokens_in, tokens_out, cached = usage_of(asked, said)
    if asked.path.endswith("/messages"):
        return {
            "model": asked.model,
            "content": [{"type": "text", "text": said.text}],
            "stop_reason": said.finish,
            "usage": {
                "input_tokens": tokens_in - cached,
                "cache_read_input_tokens": cached,
                "output_tokens": tokens_out,
            },
        }
    return {
        "model": asked.model,
        "choices": [
            {
                "message": {"role": "assistant", "content": said.text, "refusal": said.refusal},
                "finish_reason": said.finish,
            }
        ],
        "usage": {
            "prompt_tokens": tokens_in,
            "completion_tokens": tokens_out,
            "prompt_tokens_details": {"cached_tokens": cached},
        },
    }
