"""Requests of a pull worker to its runner, over a network that fails now and then."""

import random
import socket
import ssl
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from urllib.parse import urlsplit

import msgspec

from games.support.printable import printable
from league.execution.pull_messages import ANSWER_BYTES, Message, decode, encode
from league.model.errors import SetupError
from league.model.web_address import is_web_address

TIMEOUT_S = 60.0
"""Longest silence of the runner; it answers a request for matches within 20 s."""

RETRY_S = 0.5
"""The first pause after a request that failed; each further one is twice as long."""

RETRY_MAX_S = 15.0
"""The longest pause between two attempts."""

_REASON_MAX = 300

_NO_TLS = ("WRONG_VERSION_NUMBER", "RECORD_LAYER_FAILURE", "HTTP_REQUEST")
"""What OpenSSL calls an answer in plain text; its versions differ."""


class NoRunner(SetupError):
    """The runner refuses this machine, or is out of reach."""


class RunOver(NoRunner):
    """The run has ended, and this machine does not wait for another one."""


class PullEnded(Exception):
    """The client was closed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PullAddress:
    """Where the runner is, the token, and how long to try to reach it.

    If it `is_once`, nobody waits for another run after one has ended.
    """

    url: str
    token: str
    patience_s: float
    is_once: bool = False

    def __post_init__(self) -> None:
        if not is_web_address(self.url):
            raise SetupError(f"{self.url!r}: expected an address such as https://host:8765")

    def connection(self) -> HTTPConnection:
        """Return a connection, not yet open."""
        parts = urlsplit(self.url)
        host = parts.hostname or ""
        if parts.scheme == "https":
            tls = ssl.create_default_context()
            return HTTPSConnection(host, parts.port, timeout=TIMEOUT_S, context=tls)
        return HTTPConnection(host, parts.port, timeout=TIMEOUT_S)

    @property
    def path(self) -> str:
        """The path before the names of the requests, as a proxy may need one."""
        return urlsplit(self.url).path.rstrip("/")


class PullClient:
    """Sends requests and repeats each until it is answered; for one thread.

    `tell` gets a line when the runner is out of reach, and when it answers again. The event `over`
    is set while the last run that answered has ended.
    """

    def __init__(
        self,
        address: PullAddress,
        tell: Callable[[str], None],
        closing: threading.Event,
        over: threading.Event,
    ) -> None:
        self._address, self._tell, self._closing, self._over = address, tell, closing, over
        self._http = address.connection()

    def post(self, name: str, message: msgspec.Struct, kind: type[Message]) -> Message:
        """Return the answer to a message.

        Raises `NoRunner` if the runner refuses it, or is out of reach for too long, `RunOver` if
        that is because the run has ended, and `PullEnded` if this is closed.
        """
        body = encode(message)
        begin_s, pause_s = time.monotonic(), RETRY_S
        is_lost = False
        while True:
            try:
                answer = self._exchange(name, body, kind)
            except (OSError, HTTPException, ValueError) as error:
                self._http.close()
                if isinstance(error, ssl.SSLError) and error.reason in _NO_TLS:
                    plain = self._address.url.replace("https:", "http:", 1)
                    raise NoRunner(f"the runner speaks plain HTTP: use {plain}") from None
                reason = printable(str(error) or type(error).__name__)[:_REASON_MAX]
            else:
                if is_lost:
                    self._tell(f"{self._address.url} answers again")
                return answer
            is_tired = time.monotonic() - begin_s > self._address.patience_s
            # One lost request is nothing to tell of, nor a runner that begins anew at once.
            is_gone = pause_s > RETRY_S
            if self._over.is_set() and (is_tired or (is_gone and self._address.is_once)):
                raise RunOver(f"the run at {self._address.url} has ended")
            if is_tired:
                raise NoRunner(f"{self._address.url} does not answer: {reason}")
            if is_gone and not is_lost:
                self._tell(self._lost(reason))
                is_lost = True
            # Many machines that have lost the same runner do not come back at the same moment.
            if self._closing.wait(pause_s * random.uniform(0.5, 1.0)):
                raise PullEnded
            pause_s = min(RETRY_MAX_S, 2 * pause_s)

    def close(self) -> None:
        """Close the connection, in the thread that sends the requests."""
        self._http.close()

    def interrupt(self) -> None:
        """Let a request that waits for its answer fail; called from another thread."""
        made = self._http.sock
        if made is not None:
            with suppress(OSError):
                made.shutdown(socket.SHUT_RDWR)

    def _lost(self, reason: str) -> str:
        """Return the line about a runner that is out of reach."""
        if self._over.is_set():
            return f"the run at {self._address.url} has ended; waiting for the next one"
        return f"{self._address.url} does not answer ({reason}): trying again"

    def _exchange(self, name: str, body: bytes, kind: type[Message]) -> Message:
        headers = {
            "Authorization": f"Bearer {self._address.token}",
            "Content-Type": "application/msgpack",
        }
        self._http.request("POST", f"{self._address.path}/{name}", body, headers)
        with self._http.getresponse() as response:
            found = response.read(ANSWER_BYTES + 1)
            if len(found) > ANSWER_BYTES:
                raise ValueError(f"an answer of more than {ANSWER_BYTES:,} bytes")
            if response.status == 200:
                return decode(found, kind)
            told = printable(found.decode("utf-8", "replace"))[:_REASON_MAX]
            if response.status == 401:
                raise NoRunner(f"{self._address.url} refuses the token")
            if response.status == 409:
                raise NoRunner(f"{self._address.url} refuses this machine: {told}")
            # Anything else may pass, such as a proxy whose runner is about to start.
            raise ValueError(f"status {response.status}: {told}")
