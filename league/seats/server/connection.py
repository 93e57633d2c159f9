"""A connection to a web server whose every request ends in time."""

import socket
import ssl
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from io import BufferedReader, RawIOBase
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from games.support.errors import brief
from games.support.printable import cut, drawable
from league.model.network import is_public

ANSWER_BYTES = 65_536
"""Size limit of an answer's body."""

REASON_MAX = 200
"""Number of characters of the operating system's reason to keep."""

_QUICKACK: int | None = getattr(socket, "TCP_QUICKACK", None)
"""The option of a socket that only Linux has."""


class Request(NamedTuple):
    """What to ask of a server: the `path` is below its address, `body` is of JSON."""

    method: str
    path: str = ""
    body: bytes | None = None
    headers: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        return f"{self.method} /{self.path}"


class Response(NamedTuple):
    """A server's answer; `retry_after` and `location` are headers, '' without them."""

    status: int
    retry_after: str
    body: bytes
    location: str = ""


class ServerLate(Exception):
    """The server has not answered in time."""


class ServerFailed(Exception):
    """The server can't be reached or does not answer as it should; the text says how."""


_REFUSALS = frozenset({401, 403})
_NOTHING_THERE = frozenset({404, 405, 501})
_NO_SECRET = "it may want a secret; give it with --option secret-env=VARIABLE"  # noqa: S105 (advice)
_WRONG_SECRET = "it refuses the secret in the variable of --option secret-env"  # noqa: S105 (advice)
"""What to do about these statuses."""

STRUCK = b"***"
"""Stands in an answer for the secret that a server repeats."""


class ServerConnection:
    """A connection that is kept between requests, as far as the server keeps it too.

    Each request carries the `secret`, '' for none, and no answer that is returned does. If it is
    `only_public`, no connection is made to an address that is not one of the internet. An answer
    has at most `most` bytes.
    """

    def __init__(self, url: str, most: int = ANSWER_BYTES, *, only_public: bool = False) -> None:
        parts = urlsplit(url)
        self.secret = ""
        self._only_public = only_public
        self._most = most
        self._is_kept = False
        self._path = parts.path.rstrip("/")
        host = parts.hostname or ""
        self._tls = ssl.create_default_context() if parts.scheme == "https" else None
        self._http: HTTPConnection = (
            HTTPSConnection(host, parts.port, context=self._tls)
            if self._tls
            else HTTPConnection(host, parts.port)
        )
        self._places: Sequence[tuple[Any, ...]] = ()
        """The addresses of the host, looked up once: nothing bounds the time of that."""

    def close(self) -> None:
        """End the connection; the next request makes another one."""
        self._is_kept = False
        self._http.close()

    def ask(self, request: Request, end: int) -> bytes:
        """Return the body of the answer to a request.

        Raises `ServerLate` if it is not complete at `end`, a time of `time.monotonic_ns`, and
        `ServerFailed` for anything but an answer with status 200.
        """
        response = self.exchange(request, end)
        if response.status == 200:
            return response.body
        self.close()
        status = f"answered {request} with status {response.status}"
        advice = self._advice_on(request, response)
        raise ServerFailed(f"{status}: {advice}" if advice else status)

    def _advice_on(self, request: Request, response: Response) -> str:
        """Say what to do about an answer by its status; '' if that does not tell."""
        if response.status in _REFUSALS:
            return _WRONG_SECRET if self.secret else _NO_SECRET
        # Bots that speak no dialect with a GET need not answer one.
        if response.status in _NOTHING_THERE and request.method != "GET":
            return "no bot answers there; look at the address"
        if 300 <= response.status < 400:
            place = f" to {brief(response.location)}" if response.location else ""
            return f"redirects{place} are not followed; give the final address"
        return ""

    def open(self, request: Request, end: int) -> None:
        """Connect for a request unless a connection is kept; raise as `exchange` does."""
        with self._closing_if_failed(request):
            self._http.sock = self._http.sock or self._connect(end)

    def exchange(self, request: Request, end: int) -> Response:
        """Return the answer to a request, whatever its status.

        Raises `ServerLate` if it is not complete at `end`, and `ServerFailed` if none comes.
        """
        with self._closing_if_failed(request):
            try:
                return self._exchange(request, end)
            except ConnectionError:
                if not self._is_kept:
                    raise
            # A server may close a kept connection at any time, also when the request is under way.
            self.close()
            return self._exchange(request, end)

    @contextmanager
    def _closing_if_failed(self, request: Request) -> Iterator[None]:
        try:
            yield
        except BaseException as error:
            self.close()
            if isinstance(error, TimeoutError):
                raise ServerLate from None
            if isinstance(error, OSError | HTTPException):
                raise ServerFailed(_why_not(request, error)) from None
            raise

    def _exchange(self, request: Request, end: int) -> Response:
        timed: Any = self._http.sock or self._connect(end)
        self._http.sock, timed.end = timed, end
        headers = {"Accept": "application/json", **dict(request.headers)}
        if request.body is not None:
            headers["Content-Type"] = "application/json"
        if self.secret:
            headers["Authorization"] = f"Bearer {self.secret}"
        path = f"{self._path}/{request.path}" if request.path else self._path or "/"
        self._http.request(request.method, path, request.body, headers)
        with self._http.getresponse() as response:
            body = response.read(self._most + 1)
            if len(body) > self._most:
                raise ServerFailed(f"answered {request} with more than {self._most:,} bytes")
            self._is_kept = True
            return Response(
                response.status,
                response.headers.get("Retry-After", ""),
                self._without_secret(body),
                self._without_secret(response.headers.get("Location", "").encode()).decode(),
            )

    def _without_secret(self, body: bytes) -> bytes:
        """Return an answer without the secret, because logs, faults and reports quote answers."""
        if self.secret:
            # Some servers escape slashes in JSON.
            for form in (self.secret, self.secret.replace("/", r"\/")):
                body = body.replace(form.encode(), STRUCK)
        return body

    def _connect(self, end: int) -> "_TimedSocket":
        """Return a connection to the first of the host's addresses that takes one."""
        http = self._http
        self._places = self._places or socket.getaddrinfo(
            http.host, http.port, type=socket.SOCK_STREAM
        )
        places = self._allowed()
        for place in places:
            family, kind, protocol, _, address = place
            made = socket.socket(family, kind, protocol)
            try:
                made.settimeout(_left_s(end))
                made.connect(address)
                made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                if self._tls is not None:
                    made = self._tls.wrap_socket(made, server_hostname=http.host)
            except OSError:
                made.close()
                if place is places[-1]:
                    raise
                continue
            return _TimedSocket(made)
        raise OSError("its name has no address")

    def _allowed(self) -> Sequence[tuple[Any, ...]]:
        """Return the addresses that may be connected to; raise `OSError` if none of them may.

        They are those of the connection itself, so that no later answer of a name server counts.
        """
        if not self._only_public:
            return self._places
        found = [place for place in self._places if is_public(place[4][0])]
        if self._places and not found:
            raise OSError("it is at no public address, and this league asks no other servers")
        return found


class _TimedSocket:
    """As much of a socket as `http.client` uses, all of whose operations end at the time `end`."""

    def __init__(self, made: socket.socket) -> None:
        self._made = made
        self.end = 0

    def sendall(self, data: bytes) -> None:
        self._made.settimeout(_left_s(self.end))
        self._made.sendall(data)

    def makefile(self, mode: str) -> BufferedReader:
        return BufferedReader(_TimedReader(self._made, self.end))

    def close(self) -> None:
        self._made.close()


class _TimedReader(RawIOBase):
    """Reads a socket until the time `end`, however slowly the bytes come."""

    def __init__(self, made: socket.socket, end: int) -> None:
        self._made, self._end = made, end
        # It keeps the socket open until the answer is read, also if that is the last one.
        self._raw = made.makefile("rb", buffering=0)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        self._made.settimeout(_left_s(self._end))
        if _QUICKACK is not None:
            # Many servers send the head and the body of an answer apart, and wait for the
            # acknowledgement of the head, which comes 40 ms late otherwise.
            self._made.setsockopt(socket.IPPROTO_TCP, _QUICKACK, 1)
        return self._raw.readinto(buffer)

    def close(self) -> None:
        self._raw.close()
        super().close()


def _left_s(end: int) -> float:
    """Return the seconds until `end`; raise `TimeoutError` if there are none."""
    left = end - time.monotonic_ns()
    if left <= 0:
        raise TimeoutError
    return left / 1e9


def _why_not(request: Request, error: OSError | HTTPException) -> str:
    if isinstance(error, ConnectionResetError | BrokenPipeError):
        return f"closed the connection instead of answering {request}"
    if isinstance(error, ConnectionRefusedError):
        return f"can't be reached: {error.strerror}; is the server running?"
    if isinstance(error, OSError):
        return f"can't be reached: {cut(drawable(error.strerror or str(error)), REASON_MAX)}"
    return f"answered {request} with something else than HTTP: {type(error).__name__}"
